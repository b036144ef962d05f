"""Records of a presentation ([MS-PPT] 2.3.1); the records of its slides and notes by identity."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct, unpack_from

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.ole.compound import CompoundFile

_HEAD = Struct("<HHI")
_CONTAINER = 0xF
_ENCRYPTED = 0xF3D1C4DF
_MAX_EDITS = 10_000
_MAX_DEPTH = 40
"""Nesting of groups of shapes."""
_DAMAGED = "The presentation is damaged, or of PowerPoint 95 or older. Save it again, as .pptx or PDF."


class Kind(IntEnum):
    """Types of records."""

    DOCUMENT = 1000
    SLIDE = 1006
    SLIDE_ATOM = 1007
    NOTES = 1008
    SLIDE_REFERENCE = 1011
    SHOW = 1017
    DRAWING = 1036
    OBJECT_REFERENCE = 3009
    PLACEHOLDER = 3011
    OUTLINE_REFERENCE = 3998
    TEXT_HEADER = 3999
    CHARACTERS = 4000
    STYLE = 4001
    BYTES = 4008
    STRING = 4026
    LIST = 4080
    EDIT = 4085
    DIRECTORY = 6002
    COMMENT = 12000
    SHAPE_GROUP = 0xF003
    SHAPE = 0xF004
    STORE_ENTRY = 0xF007
    SHAPE_ATOM = 0xF00A
    PROPERTIES = 0xF00B
    TEXT_BOX = 0xF00D
    CHILD_ANCHOR = 0xF00F
    ANCHOR = 0xF010
    CLIENT_DATA = 0xF011
    MORE_PROPERTIES = 0xF122


@dataclass(frozen=True, slots=True)
class Record:
    """A record.

    Attributes:
        kind: Its type.
        instance: The number that tells records of one type apart.
        data: Its content.
        is_container: True if its content is records.
    """

    kind: int
    instance: int
    data: bytes
    is_container: bool

    def children(self) -> Iterator["Record"]:
        """Yield the records in it; none if it is no container."""
        if self.is_container:
            yield from records(self.data)

    def first(self, kind: Kind) -> "Record | None":
        """Return the first record of a type in it."""
        return next((child for child in self.children() if child.kind == kind), None)

    def all(self, kind: Kind, depth: int = 0) -> Iterator["Record"]:
        """Yield the records of a type at any depth."""
        for child in self.children():
            if child.kind == kind:
                yield child
            elif depth < _MAX_DEPTH:
                yield from child.all(kind, depth + 1)


def records(data: bytes) -> Iterator[Record]:
    """Yield the records of some bytes; one that is longer than the bytes is cut."""
    at = 0
    while at + _HEAD.size <= len(data):
        head, kind, size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        yield Record(kind, head >> 4, data[at : at + size], head & 0xF == _CONTAINER)
        at += size


def record_end(data: bytes, start: int) -> int:
    """Return the offset at which the record at an offset ends; the end of the data without a record there."""
    if start + _HEAD.size > len(data):
        return len(data)
    return min(start + _HEAD.size + _HEAD.unpack_from(data, start)[2], len(data))


@dataclass(frozen=True, slots=True)
class Deck:
    """The records of a presentation as it was saved last.

    Attributes:
        document: The record of the document.
        stream: The bytes of all records.
        offsets: The offset of each slide, master and page of notes by its identity.
    """

    document: Record
    stream: bytes
    offsets: dict[int, int]

    def record(self, identity: int) -> Record | None:
        """Return a record by its identity; None if it is missing."""
        return _record_at(self.stream, self.offsets.get(identity, len(self.stream)))


def open_deck(file: CompoundFile) -> Deck:
    """Return the records of a presentation.

    Raises:
        Unsupported: The file is no presentation.
        InvalidInput: The file is protected or damaged, or of a version before PowerPoint 97.
    """
    stream = file.stream("PowerPoint Document")
    if stream is None:
        raise Unsupported("The file is not a presentation, or it is damaged. Save it again, as .pptx or PDF.")
    user = file.stream("Current User") or b""
    if len(user) >= 20 and unpack_from("<I", user, 12)[0] == _ENCRYPTED:  # noqa: PLR2004 - its fixed part
        raise InvalidInput("The file is protected by a password. Save a copy without one.")
    edit = unpack_from("<I", user, 16)[0] if len(user) >= 20 else 0  # noqa: PLR2004 - as above
    offsets, document = _edits(stream, edit)
    root = _record_at(stream, offsets.get(document, len(stream)))
    if root is None or root.kind != Kind.DOCUMENT:
        # Without a directory all records are current.
        root = next((record for record in records(stream) if record.kind == Kind.DOCUMENT), None)
    if root is None:
        raise InvalidInput(_DAMAGED)
    return Deck(root, stream, offsets)


def _record_at(stream: bytes, offset: int) -> Record | None:
    if offset + _HEAD.size > len(stream):
        return None
    head, kind, size = _HEAD.unpack_from(stream, offset)
    start = offset + _HEAD.size
    return Record(kind, head >> 4, stream[start : start + size], head & 0xF == _CONTAINER)


def _edits(stream: bytes, offset: int) -> tuple[dict[int, int], int]:
    """Return the offsets of records by identity, and the identity of the document: later edits outrank earlier ones."""
    offsets: dict[int, int] = {}
    document = 0
    visited: set[int] = set()
    while offset not in visited and len(visited) < _MAX_EDITS:
        visited.add(offset)
        edit = _record_at(stream, offset)
        if edit is None or edit.kind != Kind.EDIT:
            break
        try:
            earlier, directory, identity = unpack_from("<III", edit.data, 8)
        except struct.error:
            break
        document = document or identity
        record = _record_at(stream, directory)
        for key, start in _directory(record.data if record and record.kind == Kind.DIRECTORY else b""):
            offsets.setdefault(key, start)
        offset = earlier
        if not earlier:
            break
    return offsets, document


def _directory(data: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at + 4 <= len(data):
        head = unpack_from("<I", data, at)[0]
        first, count = head & 0xFFFFF, head >> 20
        at += 4
        for index in range(min(count, (len(data) - at) // 4)):
            yield first + index, unpack_from("<I", data, at + 4 * index)[0]
        at += 4 * count

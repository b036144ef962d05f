"""Streams and storages of a compound file ([MS-CFB]), read on demand.

Damaged chains of sectors end where the damage is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from struct import Struct, unpack_from

from pincite.errors import InvalidInput
from pincite.formats.detect.decode import COMPOUND
from pincite.formats.detect.signature import FIRST_RESERVED

_HEADER_BYTES = 512
_HEADER_TABLES = 109
"""Sectors of the allocation table that the header lists; a chain of sectors lists the others."""
_ENTRY = Struct("<64sHBB3I36xIQ")
"""A directory entry ([MS-CFB] 2.6.1)."""
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_SMALL_SECTOR_BYTES = 64
_MIN_SHIFT, _MAX_SHIFT = 7, 16


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    kind: int
    left: int
    right: int
    child: int
    start: int
    size: int


class CompoundFile:
    """The streams below the root of a compound file.

    Raises:
        InvalidInput: The header is damaged.
    """

    def __init__(self, data: bytes) -> None:
        if not data.startswith(COMPOUND) or len(data) < _HEADER_BYTES:
            raise InvalidInput("The file is truncated. Fetch or save it again.")
        self._data = data
        shift = unpack_from("<H", data, 30)[0]
        if not _MIN_SHIFT <= shift <= _MAX_SHIFT:
            raise InvalidInput("The file's header is damaged. Fetch or save it again.")
        self._sector_bytes = 1 << shift
        self._small_limit: int = unpack_from("<I", data, 56)[0]
        self._table = list(self._allocation_table())

    @cached_property
    def root(self) -> "Storage":
        """What is directly below the root."""
        return Storage(self, self.directory[0].child if self.directory else FIRST_RESERVED)

    def stream(self, name: str) -> bytes | None:
        """Return a stream below the root; see `Storage.stream`."""
        return self.root.stream(name)

    def content(self, entry: "_Entry") -> bytes:
        """Return the bytes of a stream, shortened where its chain of sectors is damaged."""
        return self._small(entry) if entry.size < self._small_limit else self._chain(entry.start, entry.size)

    @cached_property
    def directory(self) -> list[_Entry]:
        """The entries of streams and storages by number; a storage names its first one."""
        start = unpack_from("<I", self._data, 48)[0]
        data = self._chain(start, len(self._data))
        whole = len(data) // _ENTRY.size * _ENTRY.size
        return [_entry(*fields) for fields in _ENTRY.iter_unpack(data[:whole])]

    @cached_property
    def _small_stream(self) -> bytes:
        root = self.directory[0] if self.directory else None
        return self._chain(root.start, root.size) if root and root.kind == _ROOT else b""

    @cached_property
    def _small_table(self) -> list[int]:
        start = unpack_from("<I", self._data, 60)[0]
        data = self._chain(start, len(self._data))
        return list(unpack_from(f"<{len(data) // 4}I", data))

    def _small(self, entry: _Entry) -> bytes:
        numbers = _walk(self._small_table, entry.start, -(-entry.size // _SMALL_SECTOR_BYTES))
        stream, size = self._small_stream, _SMALL_SECTOR_BYTES
        return b"".join(stream[number * size : (number + 1) * size] for number in numbers)[: entry.size]

    def _chain(self, start: int, size: int) -> bytes:
        """Return the bytes of a chain of sectors, at most `size`."""
        count = -(-min(size, len(self._data)) // self._sector_bytes)
        return b"".join(map(self._sector, _walk(self._table, start, count)))[:size]

    def _sector(self, number: int) -> bytes:
        at = (number + 1) * self._sector_bytes
        return self._data[at : at + self._sector_bytes]

    def _allocation_table(self) -> Iterator[int]:
        numbers: list[int] = list(unpack_from(f"<{_HEADER_TABLES}I", self._data, 76))
        further: int = unpack_from("<I", self._data, 68)[0]
        per_sector = self._sector_bytes // 4
        for _ in range(len(self._data) // self._sector_bytes):
            sector = self._sector(further) if further < FIRST_RESERVED else b""
            if len(sector) < self._sector_bytes:
                break
            *more, further = unpack_from(f"<{per_sector}I", sector)
            numbers += more
        visited: set[int] = set()
        for number in numbers:
            sector = self._sector(number) if number < FIRST_RESERVED and number not in visited else b""
            if len(sector) < self._sector_bytes:
                return
            visited.add(number)
            yield from unpack_from(f"<{per_sector}I", sector)


class Storage:
    """The streams and storages directly below the root of a compound file, or below another storage."""

    def __init__(self, file: CompoundFile, child: int) -> None:
        """Find them.

        Args:
            file: The file.
            child: The number of the entry at the top of their tree.
        """
        self._file = file
        self._child = child

    def stream(self, name: str) -> bytes | None:
        """Return a stream, shortened where its chain of sectors is damaged; None if there is none.

        Args:
            name: Its name; letter case is ignored.
        """
        entry = self._entries.get((_STREAM, name.lower()))
        return self._file.content(entry) if entry else None

    def storages(self, prefix: str) -> "Iterator[Storage]":
        """Yield the storages whose names begin with a prefix in lower case, in the order of their names."""
        for (kind, name), entry in sorted(self._entries.items()):
            if kind == _STORAGE and name.startswith(prefix):
                yield Storage(self._file, entry.child)

    @cached_property
    def _entries(self) -> dict[tuple[int, str], _Entry]:
        """The streams and storages by kind and name, without those inside embedded objects, which are deeper."""
        directory = self._file.directory
        pending = [self._child]
        visited: set[int] = set()
        entries: dict[tuple[int, str], _Entry] = {}
        while pending:
            number = pending.pop()
            if number in visited or number >= len(directory):
                continue
            visited.add(number)
            entry = directory[number]
            pending += (entry.left, entry.right)
            entries.setdefault((entry.kind, entry.name.lower()), entry)
        return entries


def _walk(table: list[int], start: int, count: int) -> Iterator[int]:
    """Yield the numbers of a chain, at most `count`; a cycle is thereby cut."""
    number = start
    for _ in range(count):
        if number >= len(table):
            return
        yield number
        number = table[number]


def _entry(
    name: bytes, length: int, kind: int, _colour: int, left: int, right: int, child: int, start: int, size: int
) -> _Entry:
    text = name[: max(0, min(length, len(name)) - 2)].decode("utf-16-le", "replace")
    # Files of version 3 may have anything in the upper half of a size.
    return _Entry(text, kind, left, right, child, start, size & 0xFFFFFFFF)

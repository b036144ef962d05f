"""Pictures of a presentation ([MS-ODRAW] 2.2.20: the store of blips, whose bytes the stream `Pictures` has)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ole.pictures import Pictures
from pincite.formats.ppt.records import Kind, Record, record_end

_OFFSET_AT = 28
"""Byte of an entry of the store at which the offset of its picture is stored."""


@dataclass(frozen=True, slots=True)
class Media:
    """The pictures that slides show.

    Attributes:
        pictures: The pictures of the stream `Pictures`.
        offsets: The offset of each entry of the store in that stream.
    """

    pictures: Pictures
    offsets: Sequence[int]

    def name(self, number: int) -> str:
        """Return the name of a picture by its number in the store, from 1; empty for none."""
        start = self.offsets[number - 1] if 0 < number <= len(self.offsets) else len(self.pictures.data)
        return self.pictures.add(start, record_end(self.pictures.data, start))


def open_media(file: CompoundFile, document: Record) -> Media:
    """Return the pictures of a presentation by the record of its document, which has the store."""
    entries = document.all(Kind.STORE_ENTRY)
    offsets = [int.from_bytes(entry.data[_OFFSET_AT : _OFFSET_AT + 4], "little") for entry in entries]
    return Media(Pictures(file.stream("Pictures") or b""), offsets)

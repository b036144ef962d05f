"""Pictures of a presentation ([MS-ODRAW] 2.2.20: the store of blips, whose bytes the stream `Pictures` has)."""

from dataclasses import dataclass, field

from pincite.formats.ppt.records import Kind, Record, records

_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg"}
_PLACE_AT = 28
"""Where an entry of the store has the offset of its picture."""


@dataclass(slots=True)
class Media:
    """The pictures that slides show; drawings of Windows (EMF, WMF) are left out.

    Attributes:
        document: The record of the document, with the store.
        data: The stream `Pictures`.
        parts: The bytes of each picture by name.
    """

    document: Record
    data: bytes
    parts: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _places: list[int] | None = None
    _names: dict[int, str] = field(default_factory=dict[int, str])

    def name(self, index: int) -> str:
        """Return the name of a picture by its place in the store, from 1; empty for none."""
        if index not in self._names:
            self._names[index] = self._add(index)
        return self._names[index]

    def _add(self, index: int) -> str:
        if self._places is None:
            entries = self.document.all(Kind.STORE_ENTRY)
            self._places = [int.from_bytes(entry.data[_PLACE_AT : _PLACE_AT + 4], "little") for entry in entries]
        if not 0 < index <= len(self._places):
            return ""
        blip = next(records(self.data[self._places[index - 1] :]), None)
        content = blip.data if blip else b""
        found = ((content.find(signature), kind) for signature, kind in _SIGNATURES.items())
        start, kind = min(((at, kind) for at, kind in found if at >= 0), default=(-1, ""))
        if start < 0:
            return ""
        name = f"image{index}.{kind}"
        self.parts[name] = content[start:]
        return name

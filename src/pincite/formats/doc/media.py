"""Pictures in the text ([MS-DOC] 2.9.192: PICFAndOfficeArtData); drawings of Windows (EMF, WMF) are left out."""

from dataclasses import dataclass, field

_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg"}
_MAX_PICTURES = 1000


@dataclass(slots=True)
class Media:
    """The pictures of a document that its text refers to.

    Attributes:
        data: The stream that contains them.
        parts: The bytes of each by the name of its part.
    """

    data: bytes
    parts: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _names: dict[int, str] = field(default_factory=dict[int, str])

    def element(self, place: int) -> str:
        """Return the picture at an offset as an element that refers to its part by name; empty for none."""
        if place not in self._names:
            self._names[place] = self._add(place)
        name = self._names[place]
        return f'<w:pict><w:imagedata r:id="{name}"/></w:pict>' if name else ""

    def _add(self, place: int) -> str:
        head = self.data[place : place + 6]
        size, header = int.from_bytes(head[:4], "little"), int.from_bytes(head[4:], "little")
        content = self.data[place + header : place + size]
        found = ((content.find(signature), kind) for signature, kind in _SIGNATURES.items())
        start, kind = min(((at, kind) for at, kind in found if at >= 0), default=(-1, ""))
        if start < 0 or len(self.parts) >= _MAX_PICTURES:
            return ""
        name = f"image{len(self.parts) + 1}.{kind}"
        self.parts[name] = content[start:]
        return name

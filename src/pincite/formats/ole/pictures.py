"""Pictures that Office 97 keeps in a stream ([MS-ODRAW] 2.2.23: blips), known by how PNG and JPEG files begin."""

from dataclasses import dataclass, field

_SIGNATURES = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpg"}
_MAX_HEAD_BYTES = 1 << 16
"""Records of a shape before its picture, at most."""
_MAX_PICTURES = 1000


@dataclass(slots=True)
class Pictures:
    """The pictures that a document shows; drawings of Windows (EMF, WMF) are left out.

    Attributes:
        data: The stream that contains them.
        parts: The bytes of each by name.
    """

    data: bytes
    parts: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _names: dict[int, str] = field(default_factory=dict[int, str])
    _size: int = 0

    def add(self, start: int, end: int) -> str:
        """Return the name of the picture between two offsets, the same each time; empty for none."""
        if start not in self._names:
            self._names[start] = self._add(start, min(end, len(self.data)))
        return self._names[start]

    def _add(self, start: int, end: int) -> str:
        stop = min(end, start + _MAX_HEAD_BYTES)
        candidates = ((self.data.find(signature, start, stop), kind) for signature, kind in _SIGNATURES.items())
        first, kind = min(((at, kind) for at, kind in candidates if at >= 0), default=(-1, ""))
        # Pictures that share bytes are an attack: together they are no larger than their stream.
        if first < 0 or len(self.parts) >= _MAX_PICTURES or self._size + end - first > len(self.data):
            return ""
        name = f"image{len(self.parts) + 1}.{kind}"
        self.parts[name] = self.data[first:end]
        self._size += end - first
        return name

"""The fonts of a document ([MS-DOC] 2.9.286: SttbfFfn), and the encodings of their letters in Word 6."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from struct import unpack_from

from pincite.formats.doc.fib import Fib, Part
from pincite.formats.doc.text import joined

_MAX_FONTS = 10_000
_NEW_NAME_AT, _OLD_NAME_AT = 40, 6
ENCODINGS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
"""Encodings by the character set of a font."""
_LANGUAGES = {
    0x01: "cp1256", 0x04: "cp936", 0x05: "cp1250", 0x08: "cp1253", 0x0D: "cp1255", 0x0E: "cp1250", 0x11: "cp932",
    0x12: "cp949", 0x15: "cp1250", 0x18: "cp1250", 0x19: "cp1251", 0x1E: "cp874", 0x1F: "cp1254", 0x22: "cp1251",
    0x23: "cp1251", 0x24: "cp1250", 0x25: "cp1257", 0x26: "cp1257", 0x27: "cp1257",
}  # fmt: skip
"""Encodings by the lower ten bits of a language's number; all other languages have the Western European one."""


@dataclass(frozen=True, slots=True)
class Fonts:
    """The fonts by index.

    Attributes:
        names: Their names.
        encodings: The encodings of letters of one byte, where a font determines them.
        default: The encoding of letters in other fonts; empty if letters are UTF-16.
    """

    names: Mapping[int, str]
    encodings: Mapping[int, str]
    default: str = ""

    def decoded(self, units: str, font: int | None) -> str:
        """Return the characters of a text in a font."""
        if units.isascii():
            return units
        if not self.default:
            return joined(units)
        encoding = self.encodings.get(font, self.default) if font is not None else self.default
        return units.encode("latin-1", "replace").decode(encoding, "replace")


def read_fonts(fib: Fib) -> Fonts:
    """Return the fonts of a document; damaged ones are left out."""
    data = fib.part(Part.FONTS)
    names: dict[int, str] = {}
    encodings: dict[int, str] = {}
    at = 2 if fib.is_old else 4
    try:
        for index in range(_MAX_FONTS if fib.is_old else min(unpack_from("<H", data)[0], _MAX_FONTS)):
            end = at + 1 + data[at]
            names[index] = _name(data[at:end], is_old=fib.is_old)
            if encoding := ENCODINGS.get(data[at + 4]):
                encodings[index] = encoding
            at = end
    except (struct.error, IndexError):
        pass
    default = "mac_roman" if fib.is_mac else _LANGUAGES.get(fib.language & 0x3FF, "cp1252")
    return Fonts(names, encodings, default if fib.is_old and not fib.is_wide else "")


def _name(entry: bytes, *, is_old: bool) -> str:
    """Return a font's name, which an alternative may follow."""
    raw = entry[_OLD_NAME_AT if is_old else _NEW_NAME_AT :]
    if is_old:
        return raw.partition(b"\0")[0].decode("cp1252", "replace")
    return raw[: len(raw) // 2 * 2].decode("utf-16-le", "replace").partition("\0")[0]

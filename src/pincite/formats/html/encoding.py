"""Decode a page by its byte order mark, its declaration or its letters."""

import re

from pincite.formats.detect import decode as plain
from pincite.text.excerpt import REPLACEMENT

PRESCAN_BYTES = 1024
"""Bytes in which an encoding is declared (WHATWG HTML, 13.2.3.2)."""

_DECLARED = re.compile(
    rb"""<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml\b[^>]{0,100}?\bencoding\s*=\s*["']([\w.-]{1,40})""",
    re.IGNORECASE,
)
_BROWSER_ENCODINGS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "utf-16": "utf-8",
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
}
"""Declared encoding → the encoding that browsers use for it (WHATWG Encoding, 4.2), by Python's names."""


def decode(data: bytes) -> tuple[str, int]:
    """Return the text of a page, and the number of byte sequences that could not be decoded (U+FFFD in the text).

    A byte order mark decides, then validity as UTF-8, then the declaration, then a guess. Valid UTF-8 outranks the
    declaration: a page that is valid UTF-8 and declares another encoding is UTF-8 all the same.

    Raises:
        Unsupported: The bytes are not text.
    """
    encoding = _declared(data)
    # ISO 2022 has bytes of ASCII only, and so is valid UTF-8.
    if encoding.startswith("iso2022") and b"\x1b" in data:
        return _decode_as(data, encoding)
    decoded = plain.decode(data)
    is_guess = decoded.encoding in plain.LEGACY_ENCODINGS
    is_doubtful = is_guess or (decoded.lost > 0 and decoded.encoding == "utf-8" and b"\0" not in data)
    has_mark = any(data.startswith(mark) for mark, _ in plain.BOMS)
    if is_doubtful and not has_mark and encoding not in ("", "utf-8") and _is_valid(data, encoding):
        return _decode_as(data, encoding)
    return decoded.text, decoded.lost


def _decode_as(data: bytes, encoding: str) -> tuple[str, int]:
    text = data.decode(encoding, "replace")
    nuls = text.count("\0")
    return text.replace("\0", REPLACEMENT), text.count(REPLACEMENT) + nuls


def _declared(data: bytes) -> str:
    match = _DECLARED.search(data[:PRESCAN_BYTES])
    if not match:
        return ""
    name = plain.text_codec((match[1] or match[2]).decode("ascii", "replace"))
    return _BROWSER_ENCODINGS.get(name, name)


def _is_valid(data: bytes, encoding: str) -> bool:
    # Windows-1252 leaves five bytes undefined; a page with one of them is still in that encoding.
    return encoding.startswith("cp125") or REPLACEMENT not in data.decode(encoding, "replace")

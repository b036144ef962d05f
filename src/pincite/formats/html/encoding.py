"""From the bytes of a page to its text, as its mark, its declaration or its letters say."""

import codecs
import re

from pincite.formats.detect import decode as plain

PRESCAN_BYTES = 1024
"""Where a declaration may stand (WHATWG HTML, 13.2.3.2)."""

_DECLARED = re.compile(
    rb"""<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:-]{1,40})|<\?xml\b[^>]{0,100}?\bencoding\s*=\s*["']([\w.-]{1,40})""",
    re.IGNORECASE,
)
_WIDER = {
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
"""What a declared name means in practice (WHATWG Encoding, 4.2), by Python's names."""

_REPLACEMENT = "\ufffd"
_FIRST_LEAD = 0xC2


def decode(data: bytes) -> tuple[str, int]:
    """The text of a page, and how many places of it could not be read (each is U+FFFD in the text).

    A byte order mark decides, then whether it is valid UTF-8, then what it declares, then a guess: a page that is
    valid UTF-8 and declares another encoding is in UTF-8 all the same.

    Raises:
        Unsupported: The bytes are no text.
    """
    encoding = _declared(data)
    if encoding.startswith("iso2022") and b"\x1b" in data:
        return _by(data, encoding)
    text, lost = plain.decode(data)
    if not lost or any(data.startswith(mark) for mark, _ in plain.BOMS) or b"\0" in data:
        return text, lost
    if encoding not in ("", "utf-8") and _is_valid(data, encoding):
        return _by(data, encoding)
    if _mostly_utf8(data, lost):
        return text, lost
    guessed = plain.decode_any(data)
    return guessed.text, guessed.lost


def _by(data: bytes, encoding: str) -> tuple[str, int]:
    text = data.decode(encoding, "replace")
    nuls = text.count("\0")
    return text.replace("\0", _REPLACEMENT), text.count(_REPLACEMENT) + nuls


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:PRESCAN_BYTES])
    if not found:
        return ""
    try:
        name = codecs.lookup((found[1] or found[2]).decode("ascii", "replace")).name
        b"".decode(name)
    except (LookupError, ValueError):
        return ""
    return _WIDER.get(name, name)


def _is_valid(data: bytes, encoding: str) -> bool:
    # Five bytes of Windows-1252 have no meaning; that is no reason to guess.
    return encoding.startswith("cp125") or _REPLACEMENT not in data.decode(encoding, "replace")


def _mostly_utf8(data: bytes, lost: int) -> bool:
    """Whether there are ten times as many valid characters beyond ASCII as places that cannot be read."""
    beyond = sum(byte >= _FIRST_LEAD for byte in data)
    return beyond > lost * 10

"""Decode a part of a message by the name of its character set, which may be wrong."""

import re

from pincite.errors import Unsupported
from pincite.formats.detect import decode as plain
from pincite.formats.detect.decode import text_codec
from pincite.text.excerpt import REPLACEMENT

_WIDER_CODECS = {
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso2022_jp": "iso2022_jp_ext",
    "big5": "big5hkscs",
}
"""A codec that has all characters of another one, and those that mail programs write under its name."""
_SEVEN_BIT = ("iso2022_jp_ext", "iso2022_kr", "hz", "utf-7")
"""Codecs whose texts are bytes of ASCII, and so valid UTF-8."""
_VENDOR_PREFIX = re.compile(r"^(?:x|cs)-|-[ie]$", re.IGNORECASE)
_WINDOWS = re.compile(r"^(?:windows|cp|ms)-?(\d{3,4})$", re.IGNORECASE)
_MAX_NAME = 40


def codec(charset: str) -> str:
    """Return Python's name of a codec for a character set; empty for an unknown one."""
    name = _WINDOWS.sub(r"cp\1", _VENDOR_PREFIX.sub("", charset.strip().strip("\"'")[:_MAX_NAME]))
    python_name = text_codec(name)
    return _WIDER_CODECS.get(python_name, python_name)


def decode(data: bytes, charset: str = "") -> tuple[str, int]:
    """Return the text, and the number of byte sequences that could not be decoded (U+FFFD in the text).

    Valid UTF-8 outranks the name, as programs write it under the names of other sets; then the name decides, unless
    the bytes are not valid in it; then a guess.

    Args:
        data: The bytes.
        charset: What the sender says of them; empty for nothing.
    """
    name = codec(charset)
    if name not in _SEVEN_BIT and not name.startswith(("utf-16", "utf-32")):
        try:
            return _without_nuls(data.decode("utf-8-sig"), 0)
        except UnicodeDecodeError:
            pass
    elif name.startswith(("utf-16", "utf-32")):
        data = data[: len(data) // 2 * 2]
    if name and name != "utf-8":
        text = data.decode(name, "replace")
        lost = text.count(REPLACEMENT)
        # Windows-1252 leaves five bytes undefined; a text with one of them is still in that set.
        if not lost or name.startswith("cp125") or lost * 100 <= len(text):
            return _without_nuls(text, lost)
    try:
        guessed = plain.decode(data)
    except Unsupported:
        text = data.decode("utf-8", "replace")
        return _without_nuls(text, text.count(REPLACEMENT))
    return guessed.text, guessed.lost


def _without_nuls(text: str, lost: int) -> tuple[str, int]:
    # A NUL ends a string in SQL functions and in C: a search would not find the text after it.
    nuls = text.count("\0")
    return (text.replace("\0", REPLACEMENT) if nuls else text), lost + nuls

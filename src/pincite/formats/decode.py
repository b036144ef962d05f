"""Bytes into text, for every text format."""

import codecs

from pincite.errors import Unsupported

BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with that one's
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

MAGIC: tuple[bytes, ...] = (
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf\x27\x1c",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"\x7fELF",
)
"""How files begin that are no text, whatever they are called."""

HEAD_BYTES = 8192

_STRAY_CONTROLS = 3
_FEWEST_PAIRS = 8
_MOSTLY = 0.6
_REPLACEMENT = "\ufffd"
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\b\x1b")


def is_binary(head: bytes) -> bool:
    """Whether a file that begins like this cannot be text.

    It can be with a byte order mark, and as UTF-16 of Latin letters without one. Else it is not with a
    known signature, a NUL, or more than three control characters and one in twenty.
    """
    if any(head.startswith(mark) for mark, _ in BOMS):
        return False
    if head.startswith(MAGIC):
        return True
    return not _unmarked(head) if b"\0" in head else _has_controls(head)


def _has_controls(head: bytes) -> bool:
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > max(_STRAY_CONTROLS, len(head) // 20)


def _unmarked(head: bytes) -> str:
    """The byte order of UTF-16 without its mark: most high bytes are NUL, and no low byte is."""
    pairs = len(head) // 2
    for low, high, encoding in ((head[0::2], head[1::2], "utf-16-le"), (head[1::2], head[0::2], "utf-16-be")):
        zeros = high.count(0)
        if pairs >= _FEWEST_PAIRS and zeros > _MOSTLY * pairs and b"\0" not in low and not _has_controls(low):
            return encoding
    return ""


def decode(data: bytes) -> tuple[str, int]:
    """The text of a file, and how many places of it could not be read (each is U+FFFD in the text).

    A byte order mark decides (UTF-8, UTF-16, UTF-32) and is dropped; else the text is UTF-16 where its NULs
    say so, and UTF-8. Line ends stay as they are.

    Raises:
        Unsupported: The bytes are no text.
    """
    if is_binary(data[:HEAD_BYTES]):
        raise Unsupported("The file is binary, not text. Give it the extension of its format, or save it as UTF-8.")
    unmarked = _unmarked(data[:HEAD_BYTES]) or "utf-8"
    mark, encoding = next(((mark, name) for mark, name in BOMS if data.startswith(mark)), (b"", unmarked))
    try:
        text = data[len(mark) :].decode(encoding)
        lost = 0
    except UnicodeDecodeError:
        text = data[len(mark) :].decode(encoding, "replace")
        lost = text.count(_REPLACEMENT)
    # A NUL ends a string in SQL functions and in C; whoever searches would not see what follows.
    nuls = text.count("\0")
    return (text.replace("\0", _REPLACEMENT) if nuls else text), lost + nuls

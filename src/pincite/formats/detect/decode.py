"""Bytes into text, for every text format."""

import codecs
from dataclasses import dataclass

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

LEGACY_ENCODINGS: tuple[str, ...] = (
    "cp1252",
    "cp932",
    "gb18030",
    "big5",
    "cp949",
    "euc_jp",
    "cp1250",
    "cp1251",
    "koi8_r",
    "cp1253",
    "cp1254",
    "cp1255",
    "cp1256",
)
"""What text is guessed to be that is no Unicode; of two that fit as well, the first.

With all codecs of Python the guess is worse (145 of 168 files, not 152).
"""

HEAD_BYTES = 8192
_GUESSED_BYTES = 20_000
_WIDE_SHARE = 0.3

_STRAY_CONTROLS = 3
_BYTES_PER_NUL = 200
"""Bytes of a text for each NUL that an editor or a crash may have left in it; binary files have far more NULs."""
_FEWEST_PAIRS = 8
_MOSTLY = 0.6
_REPLACEMENT = "\ufffd"
_CONTROLS = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\b\x1b")


def is_binary(head: bytes) -> bool:
    """Whether a file that begins like this cannot be text.

    It can be with a byte order mark, and as UTF-16 of Latin letters without one. Else it is not with a
    known signature, or more than three control characters and one in twenty (of NULs one in two hundred).
    """
    if any(head.startswith(mark) for mark, _ in BOMS):
        return False
    if head.startswith(MAGIC):
        return True
    if _has_controls(head) or head.count(0) > max(_STRAY_CONTROLS, len(head) // _BYTES_PER_NUL):
        return not _unmarked(head)
    return False


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


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, and how it was read.

    Attributes:
        text: Without its byte order mark; line ends as they are.
        lost: Places that could not be read, each U+FFFD in the text.
        encoding: The name of its encoding, as Python knows it.
    """

    text: str
    lost: int
    encoding: str


def decode_any(data: bytes) -> Decoded:
    """The text of a file of any encoding: by its mark, by its zero bytes, UTF-8 if it is, else guessed.

    Raises:
        Unsupported: The bytes are no text.
    """
    wide = _wide(data[:HEAD_BYTES])
    if not wide and is_binary(data[:HEAD_BYTES]):
        raise Unsupported("The file is binary, not text. Give it the extension of its format, or save it as UTF-8.")
    mark, encoding = next(((mark, name) for mark, name in BOMS if data.startswith(mark)), (b"", wide))
    body = data[len(mark) :]
    if not encoding:
        encoding = "utf-8" if _is_utf8(body) else _guess(body)
    text = body.decode(encoding, "replace")
    lost = text.count(_REPLACEMENT) - (body.count(_REPLACEMENT.encode()) if encoding == "utf-8" else 0)
    nuls = text.count("\0")
    return Decoded(text.replace("\0", _REPLACEMENT) if nuls else text, max(0, lost) + nuls, encoding)


def _wide(head: bytes) -> str:
    """UTF-16 without a mark, told by where the zero bytes of its spaces and separators stand; empty for none."""
    head = head[: len(head) & ~1]
    if not head or head.startswith(MAGIC):
        return ""
    units = len(head) // 2
    low, high = head[::2].count(0), head[1::2].count(0)
    for zeros, others, encoding in ((high, low, "utf-16-le"), (low, high, "utf-16-be")):
        if not others and zeros and (zeros > _WIDE_SHARE * units or _is_text(head, encoding)):
            # A stray NUL in ASCII: its pairs of letters would be Chinese characters.
            return "" if zeros <= _WIDE_SHARE * units and _is_utf8(head) else encoding
    return ""


def _is_text(head: bytes, encoding: str) -> bool:
    """Whether the head is text in a two-byte encoding; its last character may be half."""
    text = head.decode(encoding, "replace").removesuffix(_REPLACEMENT)
    return all(character.isprintable() or character in "\t\r\n" for character in text)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to import, and most files are UTF-8

    head = data[:_GUESSED_BYTES]
    if len(data) > len(head):
        head = head[: head.rfind(b"\n") + 1] or head  # a cut in the middle of a character would mislead
    matches = from_bytes(head, cp_isolation=list(LEGACY_ENCODINGS))
    best = matches.best()
    if best is None:
        return "utf-8"
    # Western and Central European text often fit as well to the last digit.
    equal = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    names = {name for match in equal for name in match.could_be_from_charset}
    return next(name for name in LEGACY_ENCODINGS if name in names)

"""Decode bytes to text, for every text format."""

import codecs
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message

from pincite.errors import Unsupported
from pincite.text.excerpt import REPLACEMENT

BOMS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: its mark begins with that one's
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How an OLE compound file begins."""

MAGIC: tuple[bytes, ...] = (
    b"%PDF-",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x89PNG\r\n",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"7z\xbc\xaf\x27\x1c",
    COMPOUND,
    b"\x7fELF",
)
"""First bytes of binary formats, which outrank any file name."""

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
"""Candidates for text that is not Unicode, by priority: the first of those with equal scores is taken.

With all codecs of Python fewer guesses are right (145 of 168 files, against 152).
"""

HEAD_BYTES = 8192
"""First bytes of a file that decide whether it is text."""
_DETECTION_BYTES = 20_000
"""Bytes from which the encoding is guessed: the time of detection grows with them."""
_MIN_UTF16_NUL_SHARE = 0.3
"""Share of NULs among the high bytes above which a text is UTF-16; below it, the text must be printable as well."""

_STRAY_CONTROLS, _STRAY_CONTROL_BYTES = 3, 100
"""Maximum number of control characters in a text, and the bytes from which it holds; a shorter text may have one."""
_BYTES_PER_NUL = 200
"""Minimum bytes of text for each NUL that an editor or a crash left in it; binary files have far more NULs."""
_MIN_UTF16_UNITS = 8
"""Fewer code units are no evidence of an encoding, or only of Latin text."""
_LATIN_NUL_SHARE = 0.6
"""Share of high bytes that are NUL above which UTF-16 is Latin text."""
_FIRST_LEAD_BYTE = 0xC2
"""The first byte of UTF-8 sequences is this or higher."""
_CONTROLS = bytes(byte for byte in range(28) if byte not in b"\t\n\v\f\r\b\x1b")
"""Those of no text; the last four of ASCII separate fields and records."""


_NO_CHARACTER_SETS = frozenset(["idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"])
"""Codecs of text that are no character sets; the time of some grows with the square of a text."""


def text_codec(name: str) -> str:
    """Return Python's name of the codec for a character set; empty for an unknown one."""
    try:
        codec = codecs.lookup(name).name
        # A codec that is none of text (`base64`) refuses to decode anything but an empty text.
        b"  ".decode(codec, "replace")
    except (LookupError, ValueError):
        return ""
    return "" if codec in _NO_CHARACTER_SETS else codec


def as_utf8(data: bytes, content_type: str) -> bytes:
    """Return a text in UTF-8 that its server declares to be in another encoding; anything else as it is.

    A byte order mark and valid UTF-8 count before the declaration, which is often set for a whole server. The result
    has a mark, so that no reader believes what a page says of the encoding that it had.

    Args:
        data: The bytes.
        content_type: The `Content-Type` of the answer.
    """
    message = Message()
    message["content-type"] = content_type.replace("\r", " ").replace("\n", " ")
    charset = message.get_content_charset() or ""
    if not charset or message.get_content_maintype() != "text" or any(data.startswith(mark) for mark, _ in BOMS):
        return data
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        with suppress(LookupError, UnicodeError):
            # A codec that is none of text (`base64`) is no encoding, and `decode` refuses it.
            return codecs.BOM_UTF8 + data.decode(charset).encode("utf-8")
    return data


def is_binary(head: bytes) -> bool:
    """Return True if a file with these first bytes cannot be text.

    A byte order mark, or UTF-16 of Latin letters without one, makes it text. Otherwise a known signature makes it
    binary, and so do control characters: more than three (of a short text: one) and 5 % of the bytes (for NULs 0.5 %).
    """
    if any(head.startswith(mark) for mark, _ in BOMS):
        return False
    if head.startswith(MAGIC):
        return True
    if _has_controls(head) or head.count(0) > max(_strays(head), len(head) // _BYTES_PER_NUL):
        # UTF-16 of Latin letters is half NULs, and text.
        return not _latin_utf16(head)
    return False


def _has_controls(head: bytes) -> bool:
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls > max(_strays(head), len(head) // 20)


def _strays(head: bytes) -> int:
    return _STRAY_CONTROLS if len(head) >= _STRAY_CONTROL_BYTES else 1


def _latin_utf16(head: bytes) -> str:
    """The encoding of Latin UTF-16 without a byte order mark (most high bytes are NUL, no low byte is); else empty."""
    pairs = len(head) // 2
    for low, high, encoding in ((head[0::2], head[1::2], "utf-16-le"), (head[1::2], head[0::2], "utf-16-be")):
        zeros = high.count(0)
        if (
            pairs >= _MIN_UTF16_UNITS
            and zeros > _LATIN_NUL_SHARE * pairs
            and b"\0" not in low
            and not _has_controls(low)
        ):
            return encoding
    return ""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A decoded text.

    Attributes:
        text: The text, without a byte order mark, with its line ends.
        lost: Number of byte sequences that could not be decoded, each U+FFFD in the text.
        encoding: Python's name of its encoding.
        guessed: Whether nothing but its bytes says so.
    """

    text: str
    lost: int
    encoding: str
    guessed: bool = False


def decode(data: bytes) -> Decoded:
    """Return the text of a file in any encoding: by its byte order mark, its zero bytes, as UTF-8, or else by a guess.

    The mark is dropped; line ends are kept. UTF-8 with a few bytes that are not stays UTF-8.

    Raises:
        Unsupported: The bytes are not text.
    """
    utf16 = _utf16_by_zeros(data[:HEAD_BYTES])
    if not utf16 and is_binary(data[:HEAD_BYTES]):
        raise Unsupported("The file is binary, not text. Give it the extension of its format, or save it as UTF-8.")
    mark, encoding = next(((mark, name) for mark, name in BOMS if data.startswith(mark)), (b"", utf16))
    body = data[len(mark) :]
    encoding = encoding or ("utf-8" if is_mostly_utf8(body) else _guess(body))
    text = body.decode(encoding, "replace")
    # A U+FFFD that is in the file itself is not a loss.
    lost = text.count(REPLACEMENT) - (body.count(REPLACEMENT.encode()) if encoding == "utf-8" else 0)
    nuls = text.count("\0")
    is_guess = encoding in LEGACY_ENCODINGS or (bool(utf16) and not mark)
    return Decoded(text.replace("\0", REPLACEMENT) if nuls else text, max(0, lost) + nuls, encoding, is_guess)


def _utf16_by_zeros(head: bytes) -> str:
    """The encoding of UTF-16 without a byte order mark, by the zero bytes of its spaces and separators; else empty."""
    head = head[: len(head) & ~1]
    if not head or head.startswith(MAGIC):
        return ""
    units = len(head) // 2
    low, high = head[::2].count(0), head[1::2].count(0)
    for zeros, letter_zeros, encoding in ((high, low, "utf-16-le"), (low, high, "utf-16-be")):
        if units < _MIN_UTF16_UNITS and zeros <= _LATIN_NUL_SHARE * units:
            continue
        if not letter_zeros and zeros and (zeros > _MIN_UTF16_NUL_SHARE * units or _is_text(head, encoding)):
            # A stray NUL in ASCII is not UTF-16, in which each pair of its letters would be a Chinese character.
            is_ascii = zeros <= _MIN_UTF16_NUL_SHARE * units and _is_utf8(head)
            return "" if is_ascii or _has_controls(head.decode(encoding, "replace").encode()) else encoding
    return ""


def _is_text(head: bytes, encoding: str) -> bool:
    """Return True if the head is text in a two-byte encoding; its last character may be cut in half."""
    text = head.decode(encoding, "replace").removesuffix(REPLACEMENT)
    return all(character.isprintable() or character in "\t\r\n" for character in text)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_mostly_utf8(data: bytes) -> bool:
    """Return True for UTF-8 with at most one undecodable sequence for ten lead bytes."""
    if _is_utf8(data):
        return True
    lost = data.decode("utf-8", "replace").count(REPLACEMENT) - data.count(REPLACEMENT.encode())
    return sum(byte >= _FIRST_LEAD_BYTE for byte in data) > 10 * lost


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415 - slow to import, and most files are UTF-8

    head = data[:_DETECTION_BYTES]
    if len(data) > len(head):
        head = head[: head.rfind(b"\n") + 1] or head  # a cut inside a character would distort the scores
    matches = from_bytes(head, cp_isolation=list(LEGACY_ENCODINGS))
    # The candidates are ranked by the mess that a decoding makes and by the coherence of its language.
    best = matches.best()
    if best is None:
        return "utf-8"
    # Western and Central European encodings often have exactly equal scores: `LEGACY_ENCODINGS` breaks the tie.
    equal = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    names = {name for match in equal for name in match.could_be_from_charset}
    return next(name for name in LEGACY_ENCODINGS if name in names)

"""The head of a document of Word 97, 6 or 95 ([MS-DOC] 2.5: the File Information Block)."""

import struct
from dataclasses import dataclass
from enum import IntEnum
from struct import unpack_from

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.ole.compound import CompoundFile

DAMAGED = "The file is damaged or truncated. Save it again, as .docx or PDF."
_MAGIC = frozenset({0xA5EC, 0xA5DC, 0xA699, 0xA697, 0xA59B, 0xA59C, 0xA5DB})
"""The first number: of Word 97, of Word 6 and 95, and of their editions for East Asia."""
_WORD_97 = 193
"""The lowest version (`nFib`) of Word 97."""
_WORD_6 = 101
_ENCRYPTED, _OTHER_TABLE, _COMPLEX, _WIDE = 0x0100, 0x0200, 0x0004, 0x1000
_STORIES = 7


class Part(IntEnum):
    """A structure outside the text, by its index in the list of offsets ([MS-DOC] 2.5.6)."""

    STYLES = 1
    FOOTNOTE_MARKS = 2
    FOOTNOTE_TEXTS = 3
    COMMENT_MARKS = 4
    COMMENT_TEXTS = 5
    MARGIN_TEXTS = 11
    CHARACTER_PAGES = 12
    PARAGRAPH_PAGES = 13
    FONTS = 15
    PIECES = 33
    SHAPES = 40
    ENDNOTE_MARKS = 46
    ENDNOTE_TEXTS = 47
    BOX_TEXTS = 56
    LISTS = 73
    LIST_OVERRIDES = 74


_OLD_OFFSETS = {
    Part.STYLES: 0x60, Part.FOOTNOTE_MARKS: 0x68, Part.FOOTNOTE_TEXTS: 0x70, Part.COMMENT_MARKS: 0x78,
    Part.COMMENT_TEXTS: 0x80, Part.MARGIN_TEXTS: 0xB0, Part.CHARACTER_PAGES: 0xB8, Part.PARAGRAPH_PAGES: 0xC0,
    Part.FONTS: 0xD0, Part.PIECES: 0x160,
}  # fmt: skip
"""Offsets in the head of Word 6."""


@dataclass(frozen=True, slots=True)
class Stories:
    """Lengths of the stories, which follow each other in this order; positions count UTF-16 units from the first."""

    text: int
    footnotes: int
    margins: int
    macros: int
    comments: int
    endnotes: int
    boxes: int

    def start(self, story: str) -> int:
        """Return the position of a story's first character, by the name of its attribute."""
        start = 0
        for name in ("text", "footnotes", "margins", "macros", "comments", "endnotes", "boxes"):
            if name == story:
                break
            start += getattr(self, name)
        return start

    @property
    def total(self) -> int:
        """The number of characters of all stories."""
        return self.start("boxes") + self.boxes


@dataclass(frozen=True, slots=True)
class Fib:
    """The head of a document.

    Attributes:
        main: The stream that contains the text.
        table: The stream that contains the other structures.
        stories: The lengths of the stories.
        is_old: True for Word 6 and 95.
        text_start: Offset of the text of a document of Word 6 without pieces.
        language: The language of the edition of Word that wrote it, as a number of Windows.
        is_mac: True if it was written on a Macintosh.
        is_wide: True for a document of Word 6 or 95 whose letters are UTF-16.
    """

    main: bytes
    table: bytes
    stories: Stories
    is_old: bool = False
    text_start: int = 0
    language: int = 0
    is_mac: bool = False
    is_wide: bool = False

    def part(self, part: Part) -> bytes:
        """Return the bytes of a structure; empty if the document has none."""
        start, size = self._place(part)
        return self.table[start : start + size]

    def end(self, part: Part) -> int:
        """Return the offset in the table stream of what follows a structure."""
        return sum(self._place(part))

    def _place(self, part: Part) -> tuple[int, int]:
        if self.is_old:
            at = _OLD_OFFSETS.get(part, len(self.main))
        else:
            # A list of offsets and lengths, behind two lists of numbers; the length of each list precedes it.
            longs = 34 + 2 * _short(self.main, 32)
            table = longs + 2 + 4 * _short(self.main, longs)
            at = table + 2 + 8 * part if part < _short(self.main, table) else len(self.main)
        start, size = unpack_from("<II", self.main, at) if at + 8 <= len(self.main) else (0, 0)
        return start, size


def read_fib(file: CompoundFile) -> Fib:
    """Return the head of a document.

    Raises:
        Unsupported: The file is no Word document, or of a version before Word 6.
        InvalidInput: The file is protected or damaged.
    """
    main = file.stream("WordDocument")
    if main is None:
        raise Unsupported(
            "The file is not a Word document, or it is damaged. Save it again, or give it the extension of its format."
        )
    try:
        magic, version = unpack_from("<HH", main)
        flags = unpack_from("<H", main, 10)[0]
        if magic not in _MAGIC:
            raise InvalidInput(DAMAGED)
        if flags & _ENCRYPTED:
            raise InvalidInput("The file is protected by a password. Save a copy without one.")
        if version < _WORD_6:
            raise Unsupported("The file is of Word 2 or older. Open it in a word processor and save it as .docx.")
        return _old(main, flags) if version < _WORD_97 else _new(file, main, flags)
    except struct.error as error:
        raise InvalidInput(DAMAGED) from error


def _new(file: CompoundFile, main: bytes, flags: int) -> Fib:
    table = file.stream("1Table" if flags & _OTHER_TABLE else "0Table")
    if table is None:
        raise InvalidInput(DAMAGED)
    at = 34 + 2 * unpack_from("<H", main, 32)[0] + 2
    return Fib(main, table, Stories(*unpack_from(f"<{_STORIES}I", main, at + 12)))


def _old(main: bytes, flags: int) -> Fib:
    stories = Stories(*unpack_from(f"<{_STORIES}I", main, 0x34))
    text_start = 0 if flags & _COMPLEX else unpack_from("<I", main, 0x18)[0]
    is_mac = unpack_from("<H", main, 0x14)[0] == 256  # noqa: PLR2004 - `chse`, the only other value
    return Fib(
        main,
        main,
        stories,
        is_old=True,
        text_start=text_start,
        language=_short(main, 6),
        is_mac=is_mac,
        is_wide=bool(flags & _WIDE),
    )


def _short(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")

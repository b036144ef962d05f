"""Characters of a page, as words and lines."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.formats.pdf.characters import SOFT_BREAK, UNKNOWN, Characters, Style, characters
from pincite.formats.pdf.page import PdfPage

WORD_GAP = 0.22
"""Gap in em from which two characters belong to two words (`measured`)."""
LEAST_SIZE = 2.0
"""Points below which nobody can read a character."""
RAISED = 0.8
"""A mark is smaller than its line by this factor."""
MARK_GAP = 0.7
"""A mark stands no further (em) behind its word."""
MOST_MARKS, LONGEST_MARK = 3, 5
_NO_WIDTH = 0.01
_SAME_SIZE = 0.15
_TOKEN = re.compile(r"\S+")
_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms."""


class Word(NamedTuple):
    """A run of characters without white space (a named tuple: a page has a thousand of them).

    Attributes:
        text: Its characters; a soft hyphen at a line's end is `SOFT_BREAK`.
        x0: Left edge, in points from the top left of the page as displayed; by loose boxes.
        y0: Top edge.
        x1: Right edge.
        y1: Bottom edge.
        size: Effective font size in points.
        font: Base font name.
        bold: By the font's weight or name.
        italic: By the font's angle or name.
        colour: Fill colour, 0xRRGGBB.
        first: Index of its first character in pdfium's text page.
        last: Index of its last character.
        mcid: Marked-content id; -1 for none.
        turns: Quarter turns clockwise that its line of writing has on the page as displayed.
        object: Address of pdfium's text object of its first character; 0 for none.
        above: Where the shapes of its text object's characters begin, across its line of writing (y; x where it is
            turned): a box that is no taller holds nothing of the lines around it.
        below: Where they end.
    """

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    font: str
    bold: bool
    italic: bool
    colour: int
    first: int
    last: int
    mcid: int
    turns: int
    object: int
    above: float = -math.inf
    below: float = math.inf


@dataclass(frozen=True, slots=True)
class Line:
    """Words on one baseline, from left to right (right-to-left lines: in reading order).

    Attributes:
        words: At least one.
        x0: Left edge, as of `Word`.
        y0: Top edge.
        x1: Right edge.
        y1: Bottom edge.
        size: Font size of most of its characters.
    """

    words: tuple[Word, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float

    @property
    def text(self) -> str:
        """Its words, a space between two."""
        return " ".join(word.text for word in self.words)


@dataclass(slots=True)
class PageWords:
    """What stands on a page.

    Attributes:
        words: In pdfium's order.
        hidden: Words that nobody can see, in the same order.
        characters: Number of characters that are not white space, hidden ones too.
        unmapped: So many of them have no Unicode value.
    """

    words: list[Word] = field(default_factory=list[Word])
    hidden: list[Word] = field(default_factory=list[Word])
    characters: int = 0
    unmapped: int = 0


def page_words(page: PdfPage) -> PageWords:
    """The words of a page, in pdfium's order."""
    source = characters(page)
    made = PageWords()
    for token in _TOKEN.finditer(source.text):
        for first, last, style, address in _runs(source, token.start(), token.end() - 1):
            made.characters += last - first + 1
            word = _word(source, first, last, style, address)
            (made.words if style.seen and has_room(word) else made.hidden).append(word)
    made.unmapped = source.text.count(UNKNOWN)
    return made


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Words as lines, in the order in which the words come.

    A line ends where the next word does not stand on its baseline or stands left of it.
    """
    lines: list[Line] = []
    run: list[Word] = []
    for word in words:
        if run and not _same_line(run, word):
            lines.append(line_of(run))
            run = []
        run.append(word)
    if run:
        lines.append(line_of(run))
    return _with_marks(lines)


def visual_lines(words: Iterable[Word]) -> list[Line]:
    """Words as lines from top to bottom: all that stand on one baseline, from left to right, whatever their order.

    For tables. Words that are not upright on the page as displayed are left out.
    """
    rows: list[list[Word]] = []
    for word in sorted((word for word in words if not word.turns), key=lambda word: word.y0 + word.y1):
        fitting = next((row for row in rows[:-4:-1] if _on_baseline(row[0], word)), None)
        if fitting is None:
            rows.append([word])
        else:
            fitting.append(word)
    rows.sort(key=lambda row: min(word.y0 for word in row))
    return [line_of(sorted(row, key=lambda word: word.x0)) for row in rows]


def line_of(words: Sequence[Word]) -> Line:
    """A line of these words, as they come."""
    sizes: dict[float, int] = {}
    for word in words:
        sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
    return Line(
        tuple(words),
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
        max(sizes, key=lambda size: sizes[size]),
    )


def is_rtl(word: Word) -> bool:
    """Whether a word has letters that are written from right to left."""
    return _RTL.search(word.text) is not None


def _runs(source: Characters, first: int, last: int) -> Iterator[tuple[int, int, Style, int]]:
    """A token as runs of one style without a gap: mostly one. First, last, style, address of its text object.

    The styles of the first and the last character are compared; those between are looked at only where they differ.
    """
    address = source.object_of(first)
    style = source.style(first, address)
    alike = first == last or source.alike(first, address, last, source.object_of(last))
    if alike and max(source.gaps[first:last], default=0.0) <= WORD_GAP * style.size:
        yield first, last, style, address
        return
    start = first
    for index in range(first + 1, last + 1):
        own_address = address if alike else source.object_of(index)
        own = style if own_address == address else source.style(index, own_address)
        if source.gaps[index - 1] > WORD_GAP * style.size or not _goes_on(style, own):
            yield start, index - 1, style, address
            start, style, address = index, own, own_address
    yield start, last, style, address


def _goes_on(style: Style, other: Style) -> bool:
    """Whether characters of two text objects may stand in one word."""
    if style is other:
        return True
    return (
        style.turns == other.turns
        and style.seen == other.seen
        and abs(style.size - other.size) <= _SAME_SIZE * max(style.size, other.size)
        and style.mcid == other.mcid
    )


def _word(source: Characters, first: int, last: int, style: Style, address: int) -> Word:
    run = slice(first, last + 1)
    place = min(source.x0[run]), min(source.y0[run]), max(source.x1[run]), max(source.y1[run])
    above, below = source.extent(place, style.turns)
    text = source.text[run]
    return Word(
        UNKNOWN if text == SOFT_BREAK else text,  # a hyphen of its own breaks no word: it is a bullet without a value
        *place,
        style.size,
        style.font,
        style.bold,
        style.italic,
        style.colour,
        first,
        last,
        style.mcid,
        style.turns,
        address,
        above,
        below,
    )


def has_room(word: Word) -> bool:
    """Whether a word is large enough to be seen."""
    return word.size >= LEAST_SIZE and max(word.x1 - word.x0, word.y1 - word.y0) > _NO_WIDTH * word.size


def _with_marks(lines: list[Line]) -> list[Line]:
    """Lines with the raised marks (`®`, `(1)`) that the file has apart from them."""
    marks = [line for line in lines if len(line.words) <= MOST_MARKS and _is_short(line)]
    if not marks:
        return lines
    joined: dict[int, list[Word]] = {}
    gone: set[int] = set()
    for mark in marks:
        home = next((number for number, line in enumerate(lines) if _is_home(line, mark)), None)
        if home is not None:
            joined.setdefault(home, []).extend(mark.words)
            gone.add(mark.words[0].first)
    made: list[Line] = []
    for number, line in enumerate(lines):
        if line.words[0].first in gone:
            continue
        more = joined.get(number)
        made.append(line_of(sorted((*line.words, *more), key=lambda word: word.x0)) if more else line)
    return made


def _is_short(line: Line) -> bool:
    return all(len(word.text) <= LONGEST_MARK for word in line.words)


def _is_home(line: Line, mark: Line) -> bool:
    """Whether a mark stands raised behind a word of a line."""
    if mark.size > RAISED * line.size or not _on_baseline(line.words[0], mark.words[0]):
        return False
    place = mark.words[0].x0
    return any(-0.2 * line.size <= place - word.x1 <= MARK_GAP * line.size for word in line.words)


def _same_line(run: list[Word], word: Word) -> bool:
    last = run[-1]
    if last.turns != word.turns or not _on_baseline(last, word):
        return False
    return word.x0 >= last.x0 or is_rtl(last) or is_rtl(word)


def _on_baseline(last: Word, word: Word) -> bool:
    overlap = min(last.y1, word.y1) - max(last.y0, word.y0)
    lower = min(last.y1 - last.y0, word.y1 - word.y0)
    return overlap > lower / 2

"""Characters of a page, as words and lines."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.formats.pdf.page.characters import SOFT_BREAK, UNKNOWN, Characters, Style, characters
from pincite.formats.pdf.page.glyph_extents import extents
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.rectangles import Rectangle, around

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


class _Run(NamedTuple):
    """First and last character of a word or a part of one, its style, and the address of its text object."""

    first: int
    last: int
    style: Style
    object: int


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
    made = PageWords(unmapped=source.text.count(UNKNOWN))
    runs = list(_runs(source))
    firsts, lasts = [run.first for run in runs], [run.last for run in runs]
    places = around(source.edges, firsts, lasts)
    reach = extents(page, firsts, lasts, places, [run.style.turns for run in runs])
    for run, place, extent in zip(runs, places, reach, strict=True):
        word = _word(source.text[run.first : run.last + 1], run, place, extent)
        (made.words if run.style.seen and has_room(word) else made.hidden).append(word)
    made.characters = sum(run.last - run.first + 1 for run in runs)
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
        for row in rows[:-4:-1]:
            if _on_baseline(row[0], word):
                row.append(word)
                break
        else:
            rows.append([word])
    rows.sort(key=lambda row: min(word.y0 for word in row))
    return [line_of(sorted(row, key=lambda word: word.x0)) for row in rows]


def line_of(words: Sequence[Word]) -> Line:
    """A line of these words, as they come."""
    sizes: dict[float, int] = {}
    for word in words:
        sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
    return Line(
        tuple(words),
        min([word.x0 for word in words]),
        min([word.y0 for word in words]),
        max([word.x1 for word in words]),
        max([word.y1 for word in words]),
        max(sizes, key=lambda size: sizes[size]),
    )


def is_rtl(word: Word) -> bool:
    """Whether a word has letters that are written from right to left."""
    return not word.text.isascii() and _RTL.search(word.text) is not None


def _runs(source: Characters) -> Iterator[_Run]:
    """The words as runs of one style without a gap: mostly one run each.

    The styles of the first and the last character are compared; those between are looked at only where they differ.
    """
    tokens = [token.span() for token in _TOKEN.finditer(source.text)]
    if not tokens:
        return
    firsts, lasts = [first for first, _ in tokens], [end - 1 for _, end in tokens]
    objects = source.objects(firsts)
    styles = source.styles(firsts, objects)
    alike, widest = source.alike(firsts, lasts, objects, styles), source.widest(firsts, lasts)
    for run, same, gap in zip(map(_Run, firsts, lasts, styles, objects), alike, widest, strict=True):
        if same and gap <= WORD_GAP * run.style.size:
            yield run
        else:
            yield from _cut(source, run, same=same)


def _cut(source: Characters, run: _Run, *, same: bool) -> Iterator[_Run]:
    """A run with gaps, or in several styles where it is not the same for all, as runs without."""
    indices = range(run.first, run.last + 1)
    objects = [run.object] * len(indices) if same else source.objects(indices)
    styles = [run.style] * len(indices) if same else source.styles(indices, objects)
    gaps: list[float] = source.gaps[run.first : run.last].tolist()
    start, style, item = run.first, run.style, run.object
    for index, gap, own, own_item in zip(indices[1:], gaps, styles[1:], objects[1:], strict=True):
        if gap > WORD_GAP * style.size or not _goes_on(style, own):
            yield _Run(start, index - 1, style, item)
            start, style, item = index, own, own_item
    yield _Run(start, run.last, style, item)


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


def _word(text: str, run: _Run, place: Rectangle, extent: tuple[float, float]) -> Word:
    style = run.style
    return Word(
        UNKNOWN if text == SOFT_BREAK else text,  # a hyphen of its own breaks no word: it is a bullet without a value
        *place,
        style.size,
        style.font,
        style.bold,
        style.italic,
        style.colour,
        run.first,
        run.last,
        style.mcid,
        style.turns,
        run.object,
        *extent,
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
    return covers_half(last.y0, last.y1, word.y0, word.y1)


def covers_half(start: float, end: float, other_start: float, other_end: float) -> bool:
    """Whether two stretches share more than half of the shorter one."""
    # Without calls: this is asked for every word of a page, several times.
    shared = (end if end < other_end else other_end) - (start if start > other_start else other_start)  # noqa: FURB136
    length, other_length = end - start, other_end - other_start
    return 2 * shared > (length if length < other_length else other_length)  # noqa: FURB136

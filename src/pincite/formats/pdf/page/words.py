"""Characters of a page, as words and lines; words are runs of characters in one style without white space."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.character_repairs import (
    FILLER,
    MIN_FONT_SIZE_PT,
    RTL_LETTER,
    fold_presentation_forms,
    with_negations,
)
from pincite.formats.pdf.page.characters import (
    SOFT_BREAK,
    SOFT_HYPHEN,
    UNMAPPED,
    Characters,
    Run,
    Style,
    characters,
    join_surrogates,
)
from pincite.formats.pdf.page.glyph_extents import glyph_extents, with_line_heights
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.rectangles import Rectangle, bounding_boxes
from pincite.formats.symbols import has_pictures, in_font

MIN_WORD_GAP_EM = 0.22
"""Gap between two characters that ends a word. Boxes are loose ones: tight ones leave wider gaps inside `5,50`."""
MIN_STYLE_GAP_EM = 0.15
"""The same where font or colour change at one size: parts of a word touch there, and tight lines have narrow spaces."""
MIN_LONE_GAP_EM = 0.15
"""The same between two letters of a word whose other characters touch, as in `ifsuch`."""
MAX_TOUCHING_GAP_EM = 0.05
MIN_LETTERS = 4
"""Characters of a text that show how far apart they are."""
_MAX_SIZE_DIFFERENCE_SHARE = 0.15
"""Share of the larger font size by which parts of one word may differ; superscripts are cut off."""
_TOKEN = re.compile(r"[•●▪◦‣](?=[^\W\d_])|\S+")
"""A bullet right before a word is one of its own."""

MAX_MARK_SIZE_RATIO = 0.85
"""Font size of a superscript mark, as a share of its line's: most are about two thirds, FrameMaker's four fifths."""
MAX_MARK_GAP_EM = 0.7
"""Distance of a superscript mark from the word before it; a column gap is 1 em or more."""
MAX_MARK_OVERLAP_EM = 0.2
"""How far a mark may begin before its word's box ends: loose boxes overlap."""
MIN_MARK_SHARE = 0.3
"""Share of a mark's height beside its word; TeX raises a superscript above an index by half of its height."""
MAX_MARK_WORDS, MAX_MARK_CHARS = 3, 5
"""Size of a line that counts as marks alone: `(1) (2) ®`."""
_MIN_EXTENT_EM = 0.01
"""A word whose longer side is shorter is squeezed to nothing, a way to hide text."""


@dataclass(slots=True, unsafe_hash=True)
class Word:
    """A run of characters without white space.

    A page has a thousand, each of which is looked at hundreds of times: a slot is read in 2 ns, a named tuple's field
    in 30. Nothing changes one; only that it is not frozen lets it be made in an eighth of the time.

    Attributes:
        text: The characters; a hyphen at the end of a line is `SOFT_BREAK`, or another of `BREAKS`.
        x0: Left edge of the loose boxes, in points from the top left of the page as displayed.
        y0: Top edge.
        x1: Right edge.
        y1: Bottom edge.
        size: Effective font size in points.
        font: Base font name.
        bold: By the font's weight or name.
        italic: By the font's italic angle or name.
        colour: Fill colour, 0xRRGGBB.
        first: Index of the first character in pdfium's text page; unique on a page, so it identifies the word.
        last: Index of the last character.
        mcid: Marked-content id; -1 for none.
        turns: Clockwise quarter turns of the text direction on the page as displayed.
        object: Address of pdfium's text object of the first character; 0 for none.
        above: Upper edge of the glyphs (left edge if turned sideways), tighter than `y0`: a box of this height
            contains nothing of the neighbouring lines.
        below: Lower edge of the glyphs (right edge if turned sideways).
        slant: Clockwise angle in degrees of text that is not turned by quarters; 0 for all other.
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
    slant: int = 0

    @property
    def look(self) -> tuple[float, str, bool, bool, int]:
        """Size, font, bold, italic and colour."""
        return self.size, self.font, self.bold, self.italic, self.colour


@dataclass(slots=True, unsafe_hash=True)
class Line:
    """Words on one baseline, from left to right; right-to-left lines in reading order. Made as `Word` is.

    Attributes:
        words: At least one.
        x0: Left edge, in the coordinates of `Word`.
        y0: Top edge.
        x1: Right edge.
        y1: Bottom edge.
        size: Font size in points of most characters.
    """

    words: tuple[Word, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    size: float

    @property
    def text(self) -> str:
        """The words, joined with spaces."""
        # A list, as `join` makes one of an iterator, and this runs for every line of a page.
        return " ".join([word.text for word in self.words])


@dataclass(slots=True)
class PageWords:
    """Words of a page, visible and hidden.

    Attributes:
        words: Visible words, in pdfium's order.
        hidden: Invisible words, in the same order.
        characters: Number of characters other than white space, hidden ones included.
        inner_hyphens: How hyphens within words are drawn; see `word_repairs`.
    """

    words: list[Word] = field(default_factory=list[Word])
    hidden: list[Word] = field(default_factory=list[Word])
    characters: int = 0
    inner_hyphens: frozenset[str] = frozenset()


def page_words(page: PdfPage) -> PageWords:
    """Extract the words of a page, in pdfium's order."""
    source = characters(page)
    words = PageWords()
    runs = list(runs_of(source))
    source.restore_signs({run.style.face: run.style.font for run in runs})
    firsts, lasts = [run.first for run in runs], [run.last for run in runs]
    boxes = with_line_heights(page, source.text, runs, bounding_boxes(source.edges, firsts, lasts))
    glyphs = glyph_extents(page, firsts, lasts, boxes, [run.style.turns for run in runs])
    for run, box, extent in zip(runs, boxes, glyphs, strict=True):
        text = source.text[run.first : run.last + 1]
        if text[0] == FILLER and not text.strip(FILLER):
            continue
        if text == SOFT_BREAK and words.words and _ends_in(words.words[-1], box):
            words.words[-1] = _with_break(words.words[-1], box, run)
            continue
        if text == SOFT_BREAK:
            text = _lone_break(page, run.first)
        word = _word(text, run, box, extent)
        (words.words if run.style.painted and is_legible(word) else words.hidden).append(word)
    words.characters = sum(lasts) - sum(firsts) + len(runs)
    return words


def word_gap_em(look: tuple[Any, ...], other: tuple[Any, ...]) -> float:
    """Return the gap that ends a word between two characters, from their sizes, fonts, bold, italic and colours."""
    return MIN_STYLE_GAP_EM if look[0] == other[0] and look != other else MIN_WORD_GAP_EM


def lone_gap(text: str, gaps: Sequence[float], size: float) -> int | None:
    """Return the index of the letter before the only gap of a text in one style, between two words; None without one.

    Args:
        text: Its characters.
        gaps: Distances between them, one less.
        size: Font size.
    """
    if len(text) < MIN_LETTERS:
        return None
    *others, widest = sorted(gaps)
    index = gaps.index(widest)
    is_lone = widest > MIN_LONE_GAP_EM * size and others[-1] <= MAX_TOUCHING_GAP_EM * size
    return index if is_lone and text[index].isalpha() and text[index + 1].isalpha() else None


def runs_of(source: Characters) -> Iterator[Run]:
    """Split the text at white space, wide gaps and changes of style; most words are one run.

    Only the first and last character's styles are compared, and the ones between only where these differ: a
    style takes several calls into pdfium.
    """
    tokens = [token.span() for token in _TOKEN.finditer(source.text)]
    if not tokens:
        return
    firsts, lasts = [first for first, _ in tokens], [end - 1 for _, end in tokens]
    objects = source.objects(firsts)
    styles = source.styles(firsts, objects)
    uniform, gaps = source.are_uniform(firsts, lasts, objects, styles), source.widest_gaps(firsts, lasts)
    runs = map(Run, firsts, lasts, styles, objects)
    for run, same, gap in zip(runs, uniform, gaps, strict=True):
        if same and gap <= MIN_LONE_GAP_EM * run.style.size:
            yield run
        elif same and gap <= MIN_WORD_GAP_EM * run.style.size:
            yield from _split_at_lone_gap(source, run)
        else:
            yield from _split_run(source, run, same=same)


def _split_at_lone_gap(source: Characters, run: Run) -> Iterator[Run]:
    """Split a run in one style at the only gap between its characters, if there is one."""
    gaps: list[float] = source.gaps[run.first : run.last].tolist()
    index = lone_gap(source.text[run.first : run.last + 1], gaps, run.style.size)
    if index is None:
        yield run
        return
    first = run.first + index + 1
    yield replace(run, last=first - 1)
    yield replace(run, first=first, object=source.objects([first])[0])


def _split_run(source: Characters, run: Run, *, same: bool) -> Iterator[Run]:
    """Split a run at wide gaps and, unless all characters have the `same` style, at changes of style."""
    indices = range(run.first, run.last + 1)
    objects = [run.object] * len(indices) if same else source.objects(indices)
    styles = [run.style] * len(indices) if same else source.styles(indices, objects)
    gaps: list[float] = source.gaps[run.first : run.last].tolist()
    start, style, text_object = run.first, run.style, run.object
    for index, gap, next_style, next_object in zip(indices[1:], gaps, styles[1:], objects[1:], strict=True):
        if source.text[index] == FILLER:
            continue
        if gap > word_gap_em(style.look, next_style.look) * style.size or not _can_share_word(style, next_style):
            yield Run(start, index - 1, style, text_object)
            start, style, text_object = index, next_style, next_object
    yield Run(start, run.last, style, text_object)


def _can_share_word(style: Style, other: Style) -> bool:
    if style is other:
        return True
    return (
        style.turns == other.turns
        and style.painted == other.painted
        and abs(style.size - other.size) <= _MAX_SIZE_DIFFERENCE_SHARE * max(style.size, other.size)
        and style.mcid == other.mcid
    )


def _ends_in(word: Word, hyphen: Rectangle) -> bool:
    """Return True if a hyphen adjoins the end of a word: tagged files mark that of the print apart."""
    x0, y0, x1, y1 = hyphen
    is_after = not word.turns and abs(x0 - word.x1) <= MIN_WORD_GAP_EM * word.size and x1 > word.x1
    return is_after and overlaps_half(word.y0, word.y1, y0, y1) and word.text[-1].isalpha()


def _with_break(word: Word, hyphen: Rectangle, run: Run) -> Word:
    # Only the hyphen of the print has marked content of its own.
    mark = SOFT_HYPHEN if run.style.mcid != word.mcid else SOFT_BREAK
    return replace(word, text=word.text + mark, x1=hyphen[2], last=run.last)


def _lone_break(page: PdfPage, index: int) -> str:
    """Return what a hyphen is that breaks no word: one for no value, or a bullet without a Unicode value."""
    return "-" if pdfium.FPDFText_IsHyphen(page.text, index) == 1 else UNMAPPED


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Group words into lines without reordering them.

    A word on another baseline or further left than the previous word starts a new line.
    """
    lines: list[Line] = []
    run: list[Word] = []
    for word in words:
        if run and not _is_same_line(run, word):
            lines.append(line_of(run))
            run = []
        run.append(word)
    if run:
        lines.append(line_of(run))
    return _attach_marks(lines)


def visual_lines(words: Iterable[Word]) -> list[Line]:
    """Group words into lines by position alone: lines from top to bottom, words from left to right.

    For tables. Rotated words are dropped.
    """
    rows: list[list[Word]] = []
    for word in sorted([word for word in words if not word.turns], key=lambda word: word.y0 + word.y1):
        # Most words are in the row of the one before.
        if rows and is_on_baseline(rows[-1][0], word):
            rows[-1].append(word)
            continue
        for row in rows[-2:-4:-1]:  # by middle height, so only the last few rows can share the word's baseline
            if is_on_baseline(row[0], word):
                row.append(word)
                break
        else:
            rows.append([word])
    lines = [line_of(sorted(row, key=lambda word: word.x0)) for row in rows]
    return sorted(lines, key=lambda line: line.y0)


def line_of(words: Sequence[Word]) -> Line:
    """Build a line from words, in the given order."""
    return Line(
        tuple(words),
        min([word.x0 for word in words]),
        min([word.y0 for word in words]),
        max([word.x1 for word in words]),
        max([word.y1 for word in words]),
        _size_of(words),
    )


def parts_of(words: Sequence[Word], gap: float) -> list[list[Word]]:
    """Return the words of a line, at least one, split where the white between two is at least so many em."""
    parts = [[words[0]]]
    for before, word in pairwise(words):
        if word.x0 - before.x1 >= gap * max(before.size, word.size):
            parts.append([])
        parts[-1].append(word)
    return parts


def _size_of(words: Sequence[Word]) -> float:
    """Return the font size of most characters, of several the first."""
    # Nearly all lines have one size.
    if len({word.size for word in words}) == 1:
        return words[0].size
    sizes: dict[float, int] = {}
    for word in words:
        sizes[word.size] = sizes.get(word.size, 0) + len(word.text)
    return max(sizes, key=lambda size: sizes[size])


def is_rtl(word: Word) -> bool:
    """Return True if a word contains right-to-left letters."""
    return not word.text.isascii() and RTL_LETTER.search(word.text) is not None


def have_rtl(words: Iterable[Word]) -> bool:
    """Return True if any word contains right-to-left letters: one look at all, as this runs for whole pages."""
    text = "".join([word.text for word in words])
    return not text.isascii() and RTL_LETTER.search(text) is not None


def in_logical_order(line: Sequence[Word]) -> list[Word]:
    """Return the words of a line in reading order: those of right-to-left lines in file order, which is logical."""
    return sorted(line, key=lambda word: word.first) if have_rtl(line) else list(line)


def _word(text: str, run: Run, box: Rectangle, glyphs: tuple[float, float]) -> Word:
    style = run.style
    if has_pictures(style.font):
        text = in_font(style.font, text)
    elif not text.isascii():
        text = with_negations(fold_presentation_forms(join_surrogates(text))).replace(FILLER, "")
    look = style.size, style.font, style.bold, style.italic, style.colour
    return Word(text, *box, *look, run.first, run.last, style.mcid, style.turns, run.object, *glyphs, style.slant)


def is_legible(word: Word) -> bool:
    """Return True if a word is large enough to be seen."""
    size, extent = word.size, _MIN_EXTENT_EM * word.size
    return size >= MIN_FONT_SIZE_PT and (word.x1 - word.x0 > extent or word.y1 - word.y0 > extent)


def _attach_marks(lines: list[Line]) -> list[Line]:
    """Move superscript marks (`®`, `(1)`) that the file stores apart back into their lines."""
    marks = [line for line in lines if len(line.words) <= MAX_MARK_WORDS and _has_short_words(line)]
    if not marks:
        return lines
    marks_by_line: dict[int, list[Word]] = {}
    moved: set[int] = set()
    for mark in marks:
        target = next((number for number, line in enumerate(lines) if _is_marked(line, mark)), None)
        if target is not None:
            marks_by_line.setdefault(target, []).extend(mark.words)
            moved.add(mark.words[0].first)
    attached: list[Line] = []
    for number, line in enumerate(lines):
        if line.words[0].first in moved:
            continue
        own_marks = marks_by_line.get(number)
        attached.append(line_of(sorted((*line.words, *own_marks), key=lambda word: word.x0)) if own_marks else line)
    return attached


def _has_short_words(line: Line) -> bool:
    return all(len(word.text) <= MAX_MARK_CHARS for word in line.words)


def _is_marked(line: Line, mark: Line) -> bool:
    if mark.size > MAX_MARK_SIZE_RATIO * line.size or not is_on_baseline(line.words[0], mark.words[0]):
        return False
    return any(_begins_at_end(word, mark.words[0]) for word in line.words)


def _begins_at_end(word: Word, mark: Word) -> bool:
    return -MAX_MARK_OVERLAP_EM * word.size <= mark.x0 - word.x1 <= MAX_MARK_GAP_EM * word.size


def _is_same_line(run: list[Word], word: Word) -> bool:
    return _continues(run[-1], word) or _is_script(run, word)


def _is_script(run: Sequence[Word], word: Word) -> bool:
    """Return True if a word is a power or an index at the end of a line, or continues it behind a power and index."""
    size = MAX_MARK_SIZE_RATIO * max([each.size for each in run])
    base = next(each for each in reversed(run) if each.size >= size)
    if base.turns or word.turns:
        return False
    if word.size >= size:
        return base is not run[-1] and is_on_baseline(base, word) and word.x0 > base.x1
    shared = min(base.y1, word.y1) - max(base.y0, word.y0)
    return shared >= MIN_MARK_SHARE * (word.y1 - word.y0) and _begins_at_end(base, word)


def _continues(last: Word, word: Word) -> bool:
    if last.turns != word.turns or not is_on_baseline(last, word):
        return False
    # pdfium has right-to-left text in reading order: its words run to the left, and so does the stop of `II.`
    is_left = word.x0 < last.x0 and not (is_rtl(last) or is_rtl(word))
    return not is_left or (word.text in ".:)" and abs(word.x1 - last.x0) < MIN_WORD_GAP_EM * word.size)


def is_on_baseline(last: Word, word: Word) -> bool:
    """Return True if two words share a baseline, as far as their boxes tell."""
    # Most words have the height of the one before.
    if last.y0 == word.y0 and last.y1 == word.y1:
        return last.y1 > last.y0
    return overlaps_half(last.y0, last.y1, word.y0, word.y1)


def overlaps_half(start: float, end: float, other_start: float, other_end: float) -> bool:
    """Return True if two intervals overlap by more than half of the shorter one."""
    # No calls to min() and max(): this runs several times for every word of a page.
    shared = (end if end < other_end else other_end) - (start if start > other_start else other_start)  # noqa: FURB136
    length, other_length = end - start, other_end - other_start
    return 2 * shared > (length if length < other_length else other_length)  # noqa: FURB136

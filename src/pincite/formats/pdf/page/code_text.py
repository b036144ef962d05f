"""Text of code, as it is set: the fonts that show it, and each word in the column where it begins."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import median

from pincite.formats.pdf.page.characters import BREAKS, SOFT_HYPHEN, UNMAPPED
from pincite.formats.pdf.page.placed_text import PlacedText, line_box
from pincite.formats.pdf.page.words import MIN_WORD_GAP_EM, Line, Word, line_of, lines_of, parts_of
from pincite.formats.writing.text_boxes import TextBox

_LOW = re.compile(r"[gjpqyQ,;()\[\]{}|_@]")
"""Signs that reach below the baseline."""
_HIGH = re.compile(r"[A-Zbdfhklt0-9(){}\[\]|]")
"""Signs as high as capital letters."""
MIN_OTHER_SHARE = 0.1
"""Share of a page's characters in other fonts from which monospaced ones are code, and not the page's type."""
MIN_TYPESET_CHARS = 1000
"""Characters in other fonts of a document whose text is not typewritten."""
MIN_CHARS = 3
"""Characters of a single line of code; fewer are a label of a figure."""
MAX_INDENT, INDENT_TOLERANCE = 8, 0.05
"""Characters by which all lines of a block may be indented, and how exactly: other distances are the print's own."""
MAX_FONT_NAMES = 1024
"""Font names whose kind is kept."""
MIN_LEADING_EM = 0.5
"""Least distance of two lines: parts of one line that overlap are no lines, and count no blank ones."""
MAX_LEADING_EM = 1.9
"""Distance of two lines without a blank line between them."""
MAX_LEADING_RATIO = 1.5
"""Distance of adjoining lines relative to the least one; a blank line makes it twice as much."""
MAX_STEP_EM = 4.8
"""Distance of two lines of one block: two blank lines may be between them."""
MAX_STEP_DEVIATION = 0.1
"""Deviation of the white between two lines from a whole number of lines, for one block; browsers round to pixels."""
MIN_CELL_GAP_EM = 0.8
"""White in a line that may be between two cells: more than a space, which is 0.6 em at most."""
MAX_BLANK_RATIO = 1.75
"""Height of a blank line relative to a line of code; two blank lines are twice as high."""
_ADDRESS = re.compile(r"\S+@\S+|(?:https?://|www\.)\S+(?:\s+\d+\.)?")
_OPENING = ("{", "[", "(")
_PRINT_HYPHEN = re.compile(r"[^\W\d_]\u2010$")
"""The end of a line that the print breaks within a word: code is typed with the other hyphen."""
_MONOSPACED = re.compile(
    r"mono|monaco|courier|consol|menlo|typewriter|inconsolata|fixed|terminal|source-?code|fira-?code|cascadia|jetbrains|"
    r"cousine|iosevka|gyrecursor|^(?:cm|ec|lm|sf)\w{0,2}tt|^(?:ec|sf)(?:it|st|tc)\d|^n?t1?xb?tt|nimbusmon|lettergothic|andale|hack-|ocr-?b",
    re.IGNORECASE,
)
"""Names of monospaced fonts, those of TeX included."""
_TEX_MONOSPACED = re.compile(r"^(?:(?:cm|ec|lm|sf)\w{0,2}tt|lmmono|nimbusmon|n?t1?xtt)", re.IGNORECASE)
_TYPED = str.maketrans("\u2018\u2019\u2423", "`' ")
"""TeX sets the quotation marks of code with the signs that its fonts have at the same codes, and may show spaces."""


def depths(lines: Iterable[Line]) -> Mapping[float, float]:
    """Return how far signs reach below the baseline, by font size, in points; 0 where all boxes are equally high."""
    heights: dict[tuple[float, bool], list[float]] = {}
    for line in lines:
        if _HIGH.search(line.text):
            heights.setdefault((_size(line), _is_low(line)), []).append(line.y1 - line.y0)
    return {
        size: max(0.0, median(low) - median(heights[size, False]))
        for (size, is_low), low in heights.items()
        if is_low and (size, False) in heights
    }


def baseline(line: Line, below: Mapping[float, float]) -> float:
    """Return the baseline of a line; the lower edge of its box where boxes are all as high.

    Args:
        line: The line.
        below: What `depths` returns for its page or block.
    """
    return line.y1 - below.get(_size(line), 0.0) * _is_low(line)


def _is_low(line: Line) -> bool:
    return _LOW.search(line.text) is not None


def _size(line: Line) -> float:
    return round(line.size, 1)


@lru_cache(MAX_FONT_NAMES)
def is_monospaced(font: str) -> bool:
    """Return True if the name of a font is that of a monospaced one."""
    return _MONOSPACED.search(font) is not None


def has_code_font(words: Iterable[Word]) -> bool:
    """Return True if any of the words is in a monospaced font; most pages have none."""
    return any(map(is_monospaced, {word.font for word in words}))


class DocumentCode:
    """Code of a document, as far as it was read: the share of its type, and the distance of its lines.

    Attributes:
        leadings: Distance of two adjoining lines of code by font size, in points, to which each page adds its own.
        open_edges: Left edge of the code at the end of the last page, which may go on at the top of the next one.
    """

    def __init__(self) -> None:
        self.leadings: dict[float, float] = {}
        self.open_edges: list[float] = []
        self._other = self._all = 0

    def add(self, words: Sequence[Word]) -> None:
        """Add the words of a page."""
        monospaced = set(filter(is_monospaced, {word.font for word in words}))
        characters = sum([len(word.text) for word in words])
        # Most pages have no code.
        in_code = sum(len(word.text) for word in words if word.font in monospaced) if monospaced else 0
        self._all += characters
        self._other += characters - in_code

    @property
    def is_typeset(self) -> bool:
        """True if most of the text is in other fonts than code's, so that a page in these alone is code."""
        return self._other >= MIN_TYPESET_CHARS and 2 * self._other > self._all


def code_fonts(words: Sequence[Word], *, is_typeset: bool = False) -> frozenset[str]:
    """Return the monospaced fonts of a page's words; none if nearly all of them are, as typewritten ones.

    Args:
        words: The words.
        is_typeset: True if the document's text is in other fonts: what is in these is code, also on a page of its own.
    """
    fonts = frozenset(filter(is_monospaced, {word.font for word in words}))
    if not fonts or is_typeset:
        return fonts
    other = sum(len(word.text) for word in words if word.font not in fonts)
    return fonts if other >= MIN_OTHER_SHARE * sum(len(word.text) for word in words) else frozenset()


def can_be_code(line: str) -> bool:
    """Return True if a single line may be code: it is no label of a figure, and no address."""
    return (len(line) >= MIN_CHARS or line in _OPENING) and _ADDRESS.fullmatch(line) is None


def code_text(lines: Sequence[Line], edges: Iterable[float] = (), left: float | None = None) -> PlacedText:
    """Return lines in a monospaced font with their indents and blank lines, and a box for each.

    Args:
        lines: At least one, from the top.
        edges: Left edges of other lines of the column, where the lines may begin without any indent.
        left: Left edge of the first column of code, where it is known.
    """
    advance = _advance(lines)
    if left is None:
        left = code_left(lines, edges)
    steps = code_steps(lines, code_depths(lines))
    leading = _leading(steps, lines[0].size)
    blank = _blank_height(steps, leading)
    text = ""
    boxes: list[TextBox] = []
    for line, step in zip(lines, [0.0, *steps], strict=True):
        is_broken = _PRINT_HYPHEN.search(text) is not None and line.words[0].text[0].isalpha()
        if is_broken:
            text = text[:-1]
        elif text:
            # Without two adjoining lines to measure it, the usual leading tells a blank line.
            is_measured = leading <= MAX_LEADING_EM * line.size
            count = 1 + (step - leading) / blank if is_measured else 2 * step / leading
            text += "\n" * max(1, round(count))
        boxes.append(TextBox(line_box(line.words), len(text)))
        text += _line(line, line.x0 if is_broken else left, advance)
    return PlacedText(text, tuple(boxes))


def code_steps(lines: Sequence[Line], below: Mapping[float, float]) -> list[float]:
    """Return the distances of the baselines of lines of code.

    Args:
        lines: The lines, from the top.
        below: How far signs reach below the baseline, by font size; see `baselines`.
    """
    return [lower - upper for upper, lower in pairwise(baseline(_of_code(line), below) for line in lines)]


def code_depths(lines: Iterable[Line]) -> Mapping[float, float]:
    """Return how far signs of code reach below the baseline, by font size; see `baselines`."""
    return depths(map(_of_code, lines))


def are_evenly_set(lines: Sequence[Line]) -> bool:
    """Return True if lines are below each other at one distance, or at a whole number of it, as blank lines are."""
    steps = [below.y1 - line.y1 for line, below in pairwise(lines)]
    leading = min(steps, default=0.0)
    # There may be a blank line between all of them.
    if not 0 < leading <= 2 * MAX_LEADING_EM * lines[0].size:
        return False
    return all(abs(step / leading - round(step / leading)) <= MAX_STEP_DEVIATION for step in steps)


def is_next_line(line: Line, below: Line, *, is_measured: bool = False) -> bool:
    """Return True if a line goes on the code above it: right below its last line, or after some blank ones.

    Args:
        line: The last line above it.
        below: The line.
        is_measured: True for code of two lines or more, which tell how far lines are apart; only these have blank ones.
    """
    most = MAX_STEP_EM if is_measured else MAX_LEADING_EM
    return MIN_LEADING_EM * below.size < below.y1 - line.y1 <= most * below.size and abs(line.size - below.size) < 1


def are_cells(words: Iterable[Word]) -> bool:
    """Return True if most texts behind white in their line begin within a character of code: in columns of a table."""
    lines = lines_of(words)
    spaces = [
        pair for line in lines for pair in pairwise(line.words) if pair[1].x0 - pair[0].x1 < MIN_CELL_GAP_EM * line.size
    ]
    # Words a space apart tell the advance exactly; the edges of single ones do not.
    steps = [(word.x0 - before.x0) / (len(before.text) + 1) for before, word in spaces]
    advance = max(median(steps) if steps else _advance(lines), 0.1)
    offsets = [(part[0].x0 - line.x0) / advance for line in lines for part in parts_of(line.words, MIN_CELL_GAP_EM)[1:]]
    within = sum(abs(offset - round(offset)) > MAX_STEP_DEVIATION for offset in offsets)
    return len(offsets) > 1 and 2 * within > len(offsets)


def is_indented(lines: Sequence[Line], edges: Iterable[float]) -> bool:
    """Return True if all lines begin some characters right of an edge."""
    return code_left(lines, edges) < min(line.x0 for line in lines)


def code_left(lines: Sequence[Line], edges: Iterable[float]) -> float:
    """Return the left edge of the first column of code, which may be white in all lines."""
    left, advance = min(line.x0 for line in lines), _advance(lines)
    return min((edge for edge in edges if _is_indent(left - edge, advance)), default=left)


def _leading(steps: Sequence[float], size: float) -> float:
    """Return the distance of adjoining lines: their median, as in some files boxes vary with their signs."""
    apart = [step for step in steps if step > MIN_LEADING_EM * size]
    return median([step for step in apart if step <= MAX_LEADING_RATIO * min(apart)] or [size])


def _blank_height(steps: Sequence[float], leading: float) -> float:
    """Return the height of a blank line: it may be in larger type than the code, as an empty paragraph is."""
    white = min((step - leading for step in steps if step > MAX_LEADING_RATIO * leading), default=leading)
    return white if leading < white < MAX_BLANK_RATIO * leading else leading


def _advance(lines: Sequence[Line]) -> float:
    """Return the width of a character of code; of the words in other fonts only without any in its own."""
    words = [word for line in lines for word in line.words]
    return median((word.x1 - word.x0) / len(word.text) for word in _monospaced(words) or words)


def _of_code(line: Line) -> Line:
    """Return the words of a line in a monospaced font, or all without one: arrows reach lower."""
    words = _monospaced(line.words)
    return line_of(words) if words and len(words) < len(line.words) else line


def _monospaced(words: Iterable[Word]) -> list[Word]:
    return [word for word in words if is_monospaced(word.font)]


def _is_indent(distance: float, advance: float) -> bool:
    """Return True if a distance is that of some characters: all lines of a block may be indented."""
    characters = distance / max(advance, 0.1)
    near = round(characters)
    return 1 < near <= MAX_INDENT and abs(characters - near) <= INDENT_TOLERANCE


def _typed(word: Word) -> str:
    if word.text.isascii() or not _TEX_MONOSPACED.match(word.font):
        return word.text
    return word.text.translate(_TYPED)


def _line(line: Line, left: float, advance: float) -> str:
    """Return the characters of a line, each word in the column where it begins."""
    text, last = "", None
    for word in line.words:
        column = round((word.x0 - left) / max(advance, 0.1))
        # One space at least, also in a font whose letters differ in width.
        is_apart = last is not None and (word.first > last.last + 1 or word.x0 - last.x1 > MIN_WORD_GAP_EM * word.size)
        text = text.ljust(max(column, len(text) + is_apart)) + _typed(word)
        last = word
    # A hyphen at the end of a line belongs to the code.
    return text[:-1] + "-" if text.endswith((*BREAKS, SOFT_HYPHEN, UNMAPPED)) else text

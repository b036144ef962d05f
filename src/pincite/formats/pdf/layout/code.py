"""Code on untagged pages: lines in a monospaced font, with their indents and blank lines."""

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pincite.formats.pdf.layout.code_frames import Frames
from pincite.formats.pdf.page.code_text import (
    MAX_BLANK_RATIO,
    MAX_LEADING_EM,
    MAX_STEP_DEVIATION,
    MAX_STEP_EM,
    can_be_code,
    code_fonts,
    code_text,
    is_indented,
)
from pincite.formats.pdf.page.line_numbers import MAX_CODE_GAP_EM, line_numbers
from pincite.formats.pdf.page.markers import is_bullet
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word, line_of, lines_of

MAX_ONLY_STEP_EM = 3.5
"""The same on a page without adjoining lines of code, by which blank lines could be counted."""
MIN_SHARED_LINES = 3
"""Lines of code next to other text, as in a column; fewer may be cells of a table."""
MAX_CELL_LINES = 8
"""Lines of the file between two cells of one row: text further away is in another column of the page."""
MAX_TEXT_LEADING_EM = 1.3
"""Distance of two lines of a paragraph; code is further from the text around it."""
MIN_STEP_RATIO = 1.25
"""Distance of code below a paragraph, relative to the distance of the paragraph's lines."""
MAX_LEADING_RATIO = 1.25
"""Distance of two lines relative to the least one, up to which nothing is between them."""
MIN_LEADING_EM = 1.1
"""Least distance of two lines of code on a page without adjoining ones: fonts of code are as high."""
MAX_CODE_SIZE_RATIO = 1.4
"""Size of a text relative to the code within it; larger type next to code is its title."""


_COMMENT_STARTS = frozenset({"/*", "//", "#"})
"""Signs behind code that begin a comment, which some manuals set in the font of the text."""

_SENTENCE_SIGNS = (".", ",", ":", ";", "?", "!", ")", ").", "),", "):", "”", "”.")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A block of code.

    Attributes:
        text: Its lines, with their indents, and a box for each.
        words: All its words, those numbers among them.
        numbers: Numbers of its lines, which the print adds.
    """

    text: PlacedText
    words: tuple[Word, ...]
    numbers: tuple[Word, ...] = ()


def code_blocks(
    words: Sequence[Word], rows: Iterable[Line], rules: Rules, *, is_typeset: bool = False
) -> list[CodeBlock]:
    """Return the blocks of code of a page, in file order.

    Args:
        words: Visible words of the page, in file order.
        rows: The same words as visual lines.
        rules: Ruling lines of the page.
        is_typeset: True if the document's text is in other fonts than code's.
    """
    upright = [word for word in words if not word.turns]
    monospaced = code_fonts(upright, is_typeset=is_typeset)
    if not monospaced:
        return []
    numbers = line_numbers(upright, monospaced)
    in_numbers = {word.first for run in numbers for word in run}
    lines = lines_of(word for word in upright if word.first not in in_numbers)
    cells = _cells(lines, rows)
    runs = [
        run
        for run in (_without_text(lines, run) for run in _runs(lines, monospaced))
        if len(run) >= MIN_SHARED_LINES
        or not (any(number in cells for number in run) or (len(run) == 1 and _is_part_of_text(lines, run.start)))
    ]
    frames = Frames(rules)
    code = [part for run in runs for part in frames.parted(lines[run.start : run.stop])]
    leadings = _leadings(code)
    blanks = _blank_heights(code, leadings)
    code = [part for block in code for part in _parted(block, leadings, blanks)]
    own = _numbers_of(code, numbers)
    return [_block(block, _code_edges(block, code), own.get(index, ())) for index, block in enumerate(code)]


def _numbers_of(blocks: Sequence[Sequence[Line]], runs: Iterable[Sequence[Word]]) -> dict[int, list[Word]]:
    """Return the numbers of lines of each block by its index; those of blank lines below one are its own, too."""
    bounds = [line_of([word for line in block for word in line.words]) for block in blocks]
    own: dict[int, list[Word]] = {}
    for run in runs:
        owner: int | None = None
        for number in run:
            owner = next((index for index, block in enumerate(bounds) if _is_beside(number, block)), owner)
            if owner is not None:
                own.setdefault(owner, []).append(number)
    return own


def _is_beside(number: Word, block: Line) -> bool:
    is_level = block.y0 <= (number.y0 + number.y1) / 2 <= block.y1
    return is_level and 0 <= block.x0 - number.x1 <= MAX_CODE_GAP_EM * block.size


def _leadings(blocks: Iterable[Sequence[Line]]) -> dict[float, float]:
    """Return the distance of two lines of code by their font size; none where it varies, as boxes of some files do."""
    steps: dict[float, list[float]] = {}
    for block in blocks:
        for line, below in pairwise(block):
            steps.setdefault(round(line.size, 1), []).append(below.y1 - line.y1)
    leadings: dict[float, float] = {}
    for size, distances in steps.items():
        near = [step for step in distances if step <= MAX_LEADING_RATIO * min(distances)]
        if max(near) - min(near) <= MAX_STEP_DEVIATION * min(near):
            leadings[size] = median(near)
    return leadings


def _blank_heights(blocks: Iterable[Sequence[Line]], leadings: Mapping[float, float]) -> dict[float, float]:
    """Return the height of a blank line of code by font size, where it is higher than a line: in larger type.

    An indented line above or below white shows it: few blocks begin or end with one.
    """
    heights: dict[float, float] = {}
    for block in blocks:
        left = min(line.x0 for line in block)
        for line, below in pairwise(block):
            size = round(line.size, 1)
            leading = leadings.get(size, math.inf)
            white = below.y1 - line.y1 - leading
            is_blank = leading < white < MAX_BLANK_RATIO * leading and max(line.x0, below.x0) > left + line.size / 2
            if is_blank:
                heights[size] = min(white, heights.get(size, white))
    return heights


def _parted(
    block: Sequence[Line], leadings: Mapping[float, float], blanks: Mapping[float, float]
) -> Iterator[Sequence[Line]]:
    """Yield the blocks of a run: white between them is no whole number of lines, as blank lines are."""
    start = 0
    for number, (line, below) in enumerate(pairwise(block), 1):
        leading = leadings.get(round(line.size, 1))
        if leading is None:
            continue
        lines = (below.y1 - line.y1) / leading
        is_apart = lines > 1 and not _is_whole(lines)
        # Without two adjoining lines, white that is narrower than a blank line, or wider than some.
        is_apart |= MAX_LEADING_EM * line.size < leading < 2 * MIN_LEADING_EM * line.size
        # A block begins at its left edge: what is indented goes on after a blank line of any height.
        goes_on = below.x0 > block[start].x0 + line.size / 2
        blank = blanks.get(round(line.size, 1))
        goes_on |= blank is not None and _is_whole((below.y1 - line.y1 - leading) / blank)
        if (is_apart and not goes_on) or leading > MAX_ONLY_STEP_EM * line.size:
            yield block[start:number]
            start = number
    yield block[start:]


def _is_whole(lines: float) -> bool:
    return abs(lines - round(lines)) <= MAX_STEP_DEVIATION


def _code_edges(block: Sequence[Line], code: Iterable[Sequence[Line]]) -> list[float]:
    """Return the left edges of the code in a block's column, on a ground or not: that of its text may be a margin."""
    left, right = min(line.x0 for line in block), max(line.x1 for line in block)
    bounds = [(min(line.x0 for line in one), max(line.x1 for line in one)) for one in code]
    return [x0 for x0, x1 in bounds if x0 < right and x1 > left]


def _text_edge(line: Line, lines: Iterable[Line]) -> float:
    """Return the left edge of the lines above and below a line."""
    return min((other.x0 for other in lines if other.x0 < line.x1 and other.x1 > line.x0), default=line.x0)


def _cells(lines: Sequence[Line], rows: Iterable[Line]) -> set[int]:
    """Return the numbers of lines that share their visual row with a line near them in the file, as cells do."""
    numbers = {word.first: number for number, line in enumerate(lines) for word in line.words}
    cells: set[int] = set()
    for row in rows:
        inside = sorted({numbers[word.first] for word in row.words if word.first in numbers})
        for number, following in pairwise(inside):
            if following - number <= MAX_CELL_LINES:
                cells |= {number, following}
    return cells


def _runs(lines: Sequence[Line], monospaced: Container[str]) -> Iterator[range]:
    """Yield runs of lines in monospaced fonts, one below the other."""
    start: int | None = None
    for number, line in enumerate(lines):
        is_code = _is_code(line, monospaced)
        if start is not None and not (is_code and _follows(lines[number - 1], line)):
            yield range(start, number)
            start = None
        if is_code and start is None:
            start = number
    if start is not None:
        yield range(start, len(lines))


def _is_code(line: Line, monospaced: Container[str]) -> bool:
    """Return True for words in monospaced fonts, with signs in any font among them, and a comment in one at the end.

    Fonts of code lack `∞` and arrows. A bullet before the words is none of these signs.
    """
    words, others = line.words, [word for word in line.words if word.font not in monospaced]
    if not others:
        return True
    if others[0] is words[0] and (len(others) == len(words) or is_bullet(words[0].text)):
        return False
    first = words.index(others[0])
    # The end of a sentence whose last words are in the font of code; brackets that close within the line are code's.
    is_closed = any(word.text.startswith("(") for word in others) and others[-1].text == ")"
    if others[-1] is words[-1] and others[-1].text in _SENTENCE_SIGNS and not is_closed:
        return False
    has_comment = first > 1 and words[first - 1].text in _COMMENT_STARTS
    return has_comment or not any(character.isalnum() for word in others for character in word.text)


def _is_part_of_text(lines: Sequence[Line], number: int) -> bool:
    """Return True if a single line is an address, or a line of the paragraph around it."""
    line = lines[number]
    is_shown = number > 0 and lines[number - 1].text.endswith(":")
    if not (can_be_code(line.text) or is_shown or is_indented([line], [_text_edge(line, lines)])):
        return True
    around = (lines[other] for other in (number - 1, number + 1) if 0 <= other < len(lines))
    return any(_is_text_step(line, other) for other in around)


def _without_text(lines: Sequence[Line], run: range) -> range:
    """Return a run of code without the end of a paragraph above it whose last words are in the same font."""
    if len(run) > 1 and run.start > 0:
        above, first, second = lines[run.start - 1 : run.start + 2]
        if _is_text_step(above, first) and second.y1 - first.y1 > MIN_STEP_RATIO * (first.y1 - above.y1):
            return run[1:]
    return run


def _is_text_step(line: Line, other: Line) -> bool:
    """Return True if two lines overlap horizontally, at the distance of a paragraph's lines; none is a title."""
    step = abs(line.y1 - other.y1)
    if other.size > MAX_CODE_SIZE_RATIO * line.size or (_is_bold(other) and not _is_bold(line)):
        return False
    return step <= MAX_TEXT_LEADING_EM * max(line.size, other.size) and min(line.x1, other.x1) > max(line.x0, other.x0)


def _is_bold(line: Line) -> bool:
    return all(word.bold for word in line.words)


def _follows(line: Line, below: Line) -> bool:
    return 0 < below.y1 - line.y1 <= MAX_STEP_EM * line.size and abs(line.size - below.size) < 1


def _block(lines: Sequence[Line], edges: Iterable[float], numbers: Sequence[Word]) -> CodeBlock:
    words = tuple(word for line in lines for word in line.words)
    # The white at the left of numbered lines is that of their numbers.
    return CodeBlock(code_text(lines, () if numbers else edges), (*words, *numbers), tuple(numbers))

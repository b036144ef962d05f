"""Code on untagged pages: lines in a monospaced font or a frame, with their indents, and code within text."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, takewhile
from statistics import median

from pincite.formats.pdf.layout.paragraphs import fits_behind
from pincite.formats.pdf.page.code_text import (
    MAX_BLANK_RATIO,
    MAX_LEADING_EM,
    MAX_STEP_DEVIATION,
    MAX_STEP_EM,
    DocumentCode,
    can_be_code,
    code_depths,
    code_fonts,
    code_left,
    code_steps,
    code_text,
    has_code_font,
)
from pincite.formats.pdf.page.margin_numbers import MAX_CODE_GAP_EM, cell_prompts, line_numbers
from pincite.formats.pdf.page.markers import is_bullet
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word, have_rtl, line_of, lines_of

MAX_ONLY_STEP_EM = 3.5
"""Distance of two lines of a block on a page without adjoining lines of code, by which blank lines could be counted."""
MAX_LEADING_RATIO = 1.25
"""Distance of two lines relative to the least one, up to which nothing is between them."""
MIN_LEADING_EM = 1.1
"""Least distance of two lines of code on a page without adjoining ones: fonts of code are as high."""
MAX_TEXT_LEADING_EM = 1.3
"""Distance of two lines of a paragraph on any page; code is further from the text around it."""
MIN_STEP_RATIO = 1.25
"""Distance of code below a paragraph, relative to the distance of the paragraph's lines."""
MAX_CODE_SIZE_RATIO = 1.4
"""Size of a text relative to the code within it; larger type next to code is its title."""
MAX_PARAGRAPH_LINES = 12
"""Lines above and below a line of code that show how wide its paragraph is."""
MIN_OVERHANG_EM = 1.0
"""Length of a frame's rule beyond the shorter of the lines at it: one that underlines ends with its line."""
EDGE_TOLERANCE_EM = 0.5
"""Distance by which a rule may begin right of the text: grounds may have no padding."""
MIN_GAP_PT = 1.0
"""White between the grounds of two blocks: those of single lines adjoin."""
MAX_LINE_GROUND_EM = 4.0
"""Height of the ground of a single line of code."""
MAX_GROUNDS = 500
"""Grounds of a page; more are drawings."""
MIN_SHARED_LINES = 3
"""Lines of code next to other text, as in a column; fewer may be cells of a table."""
MAX_RUNNING_LINES = 2
"""Lines of a running head above code at the top of a page, and of a foot below code at its end."""
MAX_CELL_LINES = 8
"""Lines of the file between two cells of one row: text further away is in another column of the page."""
_COMMENT_STARTS = frozenset({"/*", "//", "#"})
"""Signs behind code that begin a comment, which some manuals set in the font of the text."""
_SENTENCE_SIGNS = (".", ",", ":", ";", "?", "!", ")", ").", "),", "):", "”", "”.")


def parted_by_white(runs: Sequence[Sequence[Line]], known: dict[float, float]) -> list[list[Sequence[Line]]]:
    """Return the blocks of each run of code of a page: the white between two is no whole number of lines.

    Args:
        runs: Lines of code, in runs from top to bottom.
        known: Distance of two adjoining lines by font size, on pages before it; this page's are added.
    """
    below = code_depths(chain.from_iterable(runs))
    steps = [code_steps(run, below) for run in runs]
    leadings = _leadings(runs, steps, known)
    known.update((size, step) for size, step in leadings.items() if step <= MAX_LEADING_EM * size)
    blanks = _blank_heights(runs, steps, leadings)
    return [list(_parted(run, own, leadings, blanks)) for run, own in zip(runs, steps, strict=True)]


def _leadings(
    runs: Iterable[Sequence[Line]], steps: Iterable[Sequence[float]], known: Mapping[float, float]
) -> dict[float, float]:
    """Return the distance of two lines of code by their font size; none where it varies, as boxes of some files do."""
    by_size: dict[float, list[float]] = {}
    for run, own in zip(runs, steps, strict=True):
        for line, step in zip(run, own, strict=False):
            by_size.setdefault(round(line.size, 1), []).append(step)
    leadings: dict[float, float] = {}
    for size, distances in by_size.items():
        if min(distances) > MAX_LEADING_EM * size and size in known:
            # No lines adjoin: only other pages tell how high a blank line is.
            leadings[size] = known[size]
            continue
        near = [step for step in distances if step <= MAX_LEADING_RATIO * min(distances)]
        if max(near) - min(near) <= MAX_STEP_DEVIATION * min(near):
            leadings[size] = median(near)
    return leadings


def _blank_heights(
    runs: Iterable[Sequence[Line]], steps: Iterable[Sequence[float]], leadings: Mapping[float, float]
) -> dict[float, float]:
    """Return the height of a blank line of code by font size, where it is higher than a line: in larger type.

    An indented line above or below white shows it: few blocks begin or end with one.
    """
    heights: dict[float, float] = {}
    for run, own in zip(runs, steps, strict=True):
        left = min(line.x0 for line in run)
        for (line, below), step in zip(pairwise(run), own, strict=True):
            size = round(line.size, 1)
            leading = leadings.get(size, math.inf)
            white = step - leading
            is_blank = leading < white < MAX_BLANK_RATIO * leading and max(line.x0, below.x0) > left + line.size / 2
            if is_blank:
                heights[size] = min(white, heights.get(size, white))
    return heights


def _parted(
    run: Sequence[Line], steps: Sequence[float], leadings: Mapping[float, float], blanks: Mapping[float, float]
) -> Iterator[Sequence[Line]]:
    """Yield the blocks of a run."""
    start = 0
    for number, ((line, below), step) in enumerate(zip(pairwise(run), steps, strict=True), 1):
        leading = leadings.get(round(line.size, 1))
        if leading is None:
            continue
        lines = step / leading
        is_apart = lines > 1 and not _is_whole(lines)
        # Without two adjoining lines, white that is narrower than a blank line, or wider than some.
        is_apart |= MAX_LEADING_EM * line.size < leading < 2 * MIN_LEADING_EM * line.size
        # A block begins at its left edge: what is indented goes on after a blank line of any height.
        goes_on = below.x0 > run[start].x0 + line.size / 2
        blank = blanks.get(round(line.size, 1))
        goes_on |= blank is not None and _is_whole((step - leading) / blank)
        if (is_apart and not goes_on) or leading > MAX_ONLY_STEP_EM * line.size:
            yield run[start:number]
            start = number
    yield run[start:]


def _is_whole(lines: float) -> bool:
    return abs(lines - round(lines)) <= MAX_STEP_DEVIATION


def is_part_of_text(lines: Sequence[Line], number: int, *, is_framed: bool = False) -> bool:
    """Return True if a single line is an address, or a line of the paragraph around it.

    Args:
        lines: All lines of the page.
        number: Index of the line, which has only words of code.
        is_framed: True if it has a number or a ground of its own, as only a block has.
    """
    line = lines[number]
    if is_framed:
        return False
    is_shown = number > 0 and lines[number - 1].text.endswith(":")
    if not (can_be_code(line.text) or is_shown):
        return True
    above = list(_paragraph(line, reversed(lines[max(0, number - MAX_PARAGRAPH_LINES) : number])))
    below = list(_paragraph(line, lines[number + 1 : number + 1 + MAX_PARAGRAPH_LINES]))
    # A line of a paragraph ends where the next word does not fit.
    margin = max(other.x1 for other in (line, *above, *below))
    return bool((above and _is_full(above[0], line, margin)) or (below and _is_full(line, below[0], margin)))


def without_text(lines: Sequence[Line], run: range) -> range:
    """Return a run of code without the end of a paragraph above it whose last words are in the same font."""
    if len(run) > 1 and run.start > 0:
        above, first, second = lines[run.start - 1 : run.start + 2]
        if _is_text_step(above, first) and second.y1 - first.y1 > MIN_STEP_RATIO * (first.y1 - above.y1):
            return run[1:]
    return run


def _paragraph(line: Line, others: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines that adjoin a line as those of a paragraph do, the nearest first."""
    for other in islice(others, MAX_PARAGRAPH_LINES):
        if not _is_text_step(line, other):
            return
        yield other
        line = other


def _is_text_step(line: Line, other: Line) -> bool:
    """Return True if two lines are at the distance of a paragraph's lines; none is a title."""
    return _can_be_one_text(line, other, MAX_TEXT_LEADING_EM)


def _can_be_one_text(line: Line, other: Line, most_em: float) -> bool:
    step = abs(line.y1 - other.y1)
    if other.size > MAX_CODE_SIZE_RATIO * line.size or (_is_title(other) and not _is_title(line)):
        return False
    return step <= most_em * max(line.size, other.size) and min(line.x1, other.x1) > max(line.x0, other.x0)


def _is_full(line: Line, below: Line, margin: float) -> bool:
    """Return True if the first word of the next line does not fit at the end of a line."""
    return not fits_behind(below.words[0], line, margin) or have_rtl((*line.words, *below.words))


def _is_title(line: Line) -> bool:
    """Return True for a line in bold or coloured type, whose words of code would be so, too."""
    return all(word.bold for word in line.words) or all(word.colour for word in line.words)


class Frames:
    """Rules and grounds of a page, which part its code."""

    def __init__(self, rules: Rules) -> None:
        self._rules = sorted(rules.horizontal, key=lambda rule: rule.position)
        self._positions = [rule.position for rule in self._rules]
        # The largest first: a line that is marked in colour has a ground within that of its block.
        shades = rules.shades if len(rules.shades) <= MAX_GROUNDS else []
        self._grounds = sorted(shades, key=lambda shade: shade[1] - shade[3])
        self._from_top = sorted(shades, key=lambda shade: shade[1])

    def parted(self, lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
        """Yield the parts of a run of code, from the top."""
        grounds = [self._ground(line) for line in lines]
        start = 0
        for number, (line, below) in enumerate(pairwise(lines), 1):
            if self._are_apart(grounds[number - 1], grounds[number]) or self._has_rule(line, below):
                yield lines[start:number]
                start = number
        yield lines[start:]

    def has_ground(self, line: Line) -> bool:
        """Return True if a line is on a ground of its own that reaches beyond its end, as that of words does not."""
        ground = self._ground(line)
        if ground is None or ground[3] - ground[1] > MAX_LINE_GROUND_EM * line.size:
            return False
        return ground[2] >= line.x1 + MIN_OVERHANG_EM * line.size

    def _has_rule(self, line: Line, below: Line) -> bool:
        first = bisect_left(self._positions, (line.y0 + line.y1) / 2)
        last = bisect_right(self._positions, (below.y0 + below.y1) / 2)
        left = min(line.x0, below.x0) + EDGE_TOLERANCE_EM * line.size
        right = min(line.x1, below.x1) + MIN_OVERHANG_EM * line.size
        return any(rule.start <= left and rule.end >= right for rule in self._rules[first:last])

    def _ground(self, line: Line) -> Rectangle | None:
        """Return the largest ground of a line."""
        x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
        return next((shade for shade in self._grounds if shade[0] <= x <= shade[2] and shade[1] <= y <= shade[3]), None)

    def _are_apart(self, ground: Rectangle | None, below: Rectangle | None) -> bool:
        """Return True for two grounds with white between: that of a blank line has no text."""
        if ground is None or below is None:
            return False
        left, _, right, bottom = ground
        for x0, top, x1, end in self._from_top:
            if x0 < right and x1 > left and top < bottom + MIN_GAP_PT:
                bottom = max(bottom, end)
        return below[1] - bottom >= MIN_GAP_PT


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


def code_blocks(words: Sequence[Word], rows: Iterable[Line], rules: Rules, known: DocumentCode) -> list[CodeBlock]:
    """Return the blocks of code of a page, in file order.

    Args:
        words: Visible words of the page, in file order.
        rows: The same words as visual lines.
        rules: Ruling lines of the page.
        known: What the pages before it show about the document's code.
    """
    open_edges, known.open_edges = known.open_edges, []
    if not has_code_font(words):
        return []
    upright = [word for word in words if not word.turns]
    monospaced = code_fonts(upright, is_typeset=known.is_typeset)
    if not monospaced:
        return []
    numbers = line_numbers(upright, monospaced)
    # Prompts stay text of their own before the code.
    in_numbers = {word.first for run in numbers for word in run} | cell_prompts(upright, monospaced)
    lines = lines_of(word for word in upright if word.first not in in_numbers)
    cells, frames, numbered = _cells(lines, rows), Frames(rules), _LineNumbers(numbers)

    def is_text(run: range) -> bool:
        if len(run) >= MIN_SHARED_LINES:
            return False
        if any(number in cells for number in run):
            return True
        line = lines[run.start]
        is_framed = len(run) == 1 and (numbered.has_number(line) or frames.has_ground(line))
        return len(run) == 1 and is_part_of_text(lines, run.start, is_framed=is_framed)

    runs = [run for run in (without_text(lines, run) for run in _runs(lines, monospaced)) if not is_text(run)]
    code = [part for run in runs for part in frames.parted(lines[run.start : run.stop])]
    code = list(chain.from_iterable(parted_by_white(code, known.leadings)))
    own = _numbers_of(code, numbers)
    edges = [_code_edges(block, code) for block in code]
    if code:
        # All lines of code that goes on from the last page may be indented.
        first = min(range(len(code)), key=lambda index: code[index][0].y0)
        edges[first] += open_edges if _are_running(line.y1 < code[first][0].y0 for line in lines) else ()
        last = max(range(len(code)), key=lambda index: code[index][-1].y1)
        if _are_running(line.y0 > code[last][-1].y1 for line in lines):
            known.open_edges = [code_left(code[last], edges[last])]
    return [_block(block, edges[index], own.get(index, ())) for index, block in enumerate(code)]


def _are_running(are_beyond: Iterable[bool]) -> bool:
    """Return True if the lines above or below some code are so few as those of running heads or feet."""
    return sum(are_beyond) <= MAX_RUNNING_LINES


class _LineNumbers:
    """Numbers of lines, by height."""

    def __init__(self, runs: Iterable[Sequence[Word]]) -> None:
        self._numbers = sorted(((word.y0 + word.y1) / 2, word.x1) for run in runs for word in run)

    def has_number(self, line: Line) -> bool:
        """Return True if a number is at the left of a line."""
        first = bisect_left(self._numbers, (line.y0, -math.inf))
        level = takewhile(lambda number: number[0] <= line.y1, islice(self._numbers, first, None))
        return any(0 <= line.x0 - right <= MAX_CODE_GAP_EM * line.size for _, right in level)


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


def _code_edges(block: Sequence[Line], code: Iterable[Sequence[Line]]) -> list[float]:
    """Return the left edges of the code in a block's column, on a ground or not: that of its text may be a margin."""
    left, right = min(line.x0 for line in block), max(line.x1 for line in block)
    bounds = [(min(line.x0 for line in one), max(line.x1 for line in one)) for one in code]
    return [x0 for x0, x1 in bounds if x0 < right and x1 > left]


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
        if start is not None and not (is_code and _is_next(lines[number - 1], line)):
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


def _is_next(line: Line, below: Line) -> bool:
    return 0 < below.y1 - line.y1 <= MAX_STEP_EM * line.size and abs(line.size - below.size) < 1


def _block(lines: Sequence[Line], edges: Iterable[float], numbers: Sequence[Word]) -> CodeBlock:
    words = tuple(word for line in lines for word in line.words)
    # The white at the left of numbered lines is that of their numbers.
    return CodeBlock(code_text(lines, () if numbers else edges), (*words, *numbers), tuple(numbers))

"""Code on untagged pages: lines in a monospaced font, with their indents and blank lines."""

import math
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, takewhile

from pincite.formats.pdf.layout.code_frames import Frames
from pincite.formats.pdf.layout.code_in_text import is_part_of_text, without_text
from pincite.formats.pdf.layout.code_spacing import parted_by_white
from pincite.formats.pdf.page.code_text import (
    MAX_STEP_EM,
    DocumentCode,
    code_fonts,
    code_left,
    code_text,
    has_code_font,
)
from pincite.formats.pdf.page.line_numbers import MAX_CODE_GAP_EM, cell_prompts, line_numbers
from pincite.formats.pdf.page.markers import is_bullet
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Line, Word, line_of, lines_of

MIN_SHARED_LINES = 3
"""Lines of code next to other text, as in a column; fewer may be cells of a table."""
MAX_RUNNING_LINES = 2
"""Lines of a running head above code at the top of a page, and of a foot below code at its end."""
MAX_CELL_LINES = 8
"""Lines of the file between two cells of one row: text further away is in another column of the page."""
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


def _follows(line: Line, below: Line) -> bool:
    return 0 < below.y1 - line.y1 <= MAX_STEP_EM * line.size and abs(line.size - below.size) < 1


def _block(lines: Sequence[Line], edges: Iterable[float], numbers: Sequence[Word]) -> CodeBlock:
    words = tuple(word for line in lines for word in line.words)
    # The white at the left of numbered lines is that of their numbers.
    return CodeBlock(code_text(lines, () if numbers else edges), (*words, *numbers), tuple(numbers))

"""Lines of a paragraph that are all words of code, which are no block of it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from pincite.formats.pdf.layout.paragraphs import fits_behind
from pincite.formats.pdf.page.code_text import can_be_code
from pincite.formats.pdf.page.words import Line, have_rtl

MAX_TEXT_LEADING_EM = 1.3
"""Distance of two lines of a paragraph on any page; code is further from the text around it."""
MIN_STEP_RATIO = 1.25
"""Distance of code below a paragraph, relative to the distance of the paragraph's lines."""
MAX_CODE_SIZE_RATIO = 1.4
"""Size of a text relative to the code within it; larger type next to code is its title."""
MAX_PARAGRAPH_LINES = 12
"""Lines above and below a line of code that show how wide its paragraph is."""


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

"""Rows of a group without a label of their own, in lines as far apart as the lines of one cell."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.hyphens import HYPHENS
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.line_rows import Cells

MIN_TEXTS = 2
"""Texts of a line that begin anew; a single one may be a second paragraph of its cell."""
MIN_PROVEN_STARTS = 2
"""Lines that begin a row below white in one of their columns, from which others are told by short lines above them."""
MIN_LINE_STEP_EM = 0.8
"""Distance of two lines below each other; closer ones are of cells that are not aligned at their tops."""
SPACE_EM = 0.25
"""Width of a space."""


def group_row_starts(lines: Sequence[Cells]) -> set[int]:
    """Return the numbers of the lines that begin a row without a label.

    All of their texts begin anew: none goes on in a small letter, and each is below white, the end of a sentence, or a
    line with space for its first word. One or more begin below white where the row above had a text: lines of one
    cell have none between them.

    Args:
        lines: Words by column of each line of a table's body, from the top; labels are in column 0.
    """
    if any(_bottom(below) - _bottom(line) < MIN_LINE_STEP_EM * _size(line) for line, below in pairwise(lines)):
        return set()
    widths = _widths(lines)
    below_white: set[int] = set()
    below_short: set[int] = set()
    filled: set[int] = set()
    for number, (above, line) in enumerate(pairwise([{}, *lines])):
        if 0 in line:
            filled = set(line) if 0 not in above else filled | set(line)
            continue
        if len(line) >= MIN_TEXTS and not any(words[0].text[0].islower() for words in line.values()):
            spaces = {c: _has_space(above[c], line[c], widths[c]) for c in line.keys() & above.keys()}
            begins = all(spaces.values())
            if begins and any(column in filled for column in line.keys() - above.keys()):
                below_white.add(number)
            elif begins and any(spaces.values()):
                below_short.add(number)
        filled |= line.keys()
    return below_white | below_short if len(below_white) >= MIN_PROVEN_STARTS else below_white


def _bottom(line: Cells) -> float:
    return max(words[0].y1 for words in line.values())


def _size(line: Cells) -> float:
    return next(iter(line.values()))[0].size


def _widths(lines: Iterable[Cells]) -> dict[int, float]:
    """Return the width of the widest line of each column."""
    widths: dict[int, float] = {}
    for line in lines:
        for column, words in line.items():
            widths[column] = max(widths.get(column, 0.0), _width(words))
    return widths


def _has_space(above: Sequence[Word], words: Sequence[Word], width: float) -> bool:
    """Return True if the first word of a line fits behind the text above it, which ends there."""
    first = words[0]
    return above[-1].text[-1] not in HYPHENS and _width(above) + _width([first]) + SPACE_EM * first.size <= width


def _width(words: Sequence[Word]) -> float:
    return words[-1].x1 - words[0].x0

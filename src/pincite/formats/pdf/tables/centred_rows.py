"""Rows of cells that are centred on each other: no line of such a row tells where it begins."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Word

MIN_LINE_STEP_EM = 0.8
"""Distance of two lines below each other; lines of cells of different heights are closer."""
CENTRE_TOLERANCE_EM = 0.35
"""Distance of the middles of two cells that counts as none."""
MAX_LEADING_RATIO = 1.2
"""Distance of two lines of one cell, relative to the least one."""
MAX_ROW_LINES, MAX_LINES = 40, 200
"""Lines of a row and of all rows that are compared."""


def centred_rows(lines: Sequence[Mapping[int, Sequence[Word]]]) -> list[int]:
    """Return the number of lines of each row, if all rows have cells of one middle; else nothing.

    Args:
        lines: Words by column of each visual line between two rules, from the top.
    """
    if not 1 < len(lines) <= MAX_LINES or not _may_be_centred(lines):
        return []
    leading = MAX_LEADING_RATIO * _leading(lines)
    # The most rows that end with each line, and the first line of the last of them.
    most: list[tuple[int, int]] = [(0, 0)]
    for end in range(1, len(lines) + 1):
        starts = (
            (most[start][0] + 1, start)
            for start in range(max(0, end - MAX_ROW_LINES), end)
            if (start == 0 or most[start][0]) and _is_row(lines[start:end], leading)
        )
        most.append(max(starts, default=(0, 0)))
    counts: list[int] = []
    end = len(lines) if most[-1][0] else 0
    while end:
        counts.append(end - most[end][1])
        end = most[end][1]
    return counts[::-1]


def _may_be_centred(lines: Sequence[Mapping[int, Sequence[Word]]]) -> bool:
    """Return True if the first line has no label, or lines are closer than lines of one text."""
    return 0 not in lines[0] or any(
        _bottom(below) - _bottom(line) < MIN_LINE_STEP_EM * _size(line) for line, below in pairwise(lines)
    )


def _leading(lines: Sequence[Mapping[int, Sequence[Word]]]) -> float:
    """Return the least distance of two lines in one column; 0 if no column has two."""
    last: dict[int, float] = {}
    steps: list[float] = []
    for line in lines:
        for column, words in line.items():
            if column in last:
                steps.append(words[0].y1 - last[column])
            last[column] = words[0].y1
    return min(steps, default=0.0)


def _is_row(lines: Sequence[Mapping[int, Sequence[Word]]], leading: float) -> bool:
    """Return True if lines have a label, and the same middle and no lines further apart than `leading` in a column."""
    by_column: dict[int, list[Sequence[Word]]] = {}
    for line in lines:
        for column, words in line.items():
            by_column.setdefault(column, []).append(words)
    if 0 not in by_column or len(by_column) == 1:
        return False
    middles = [(parts[0][0].y0 + parts[-1][0].y1) / 2 for parts in by_column.values()]
    if max(middles) - min(middles) > CENTRE_TOLERANCE_EM * _size(lines[0]):
        return False
    return all(below[0].y1 - above[0].y1 <= leading for parts in by_column.values() for above, below in pairwise(parts))


def _bottom(line: Mapping[int, Sequence[Word]]) -> float:
    return max(word.y1 for words in line.values() for word in words)


def _size(line: Mapping[int, Sequence[Word]]) -> float:
    return next(iter(line.values()))[0].size

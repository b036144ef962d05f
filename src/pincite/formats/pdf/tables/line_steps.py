"""Distances of lines: those of one cell are closer than rows are, by as little as some percent."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

MAX_LEADING_RATIO = 1.2
"""Distance of two lines of one cell, relative to the least one, where nothing tells it more exactly."""
MIN_STEP_RATIO = 1.06
"""Least distance of rows, relative to that of lines of one cell, where all distances are either of both."""
MIN_STEPS = 2
"""Distances of lines, and of rows, that show that there are both."""


def max_cell_step(steps: Iterable[tuple[float, int]], leading: float) -> float:
    """Return the greatest distance of two lines of one cell.

    Where some lines are much further apart, these are rows, and the others differ as their letters do. Lines of rows
    have more cells than others: some prints set rows closer than lines.

    Args:
        steps: Distance of each line of a table from the one above it, and the number of its cells.
        leading: The least distance of lines of one cell.
    """
    limit = MAX_LEADING_RATIO * leading
    known = sorted(step for step in steps if step[0] >= leading)
    if not known or known[-1][0] > limit:
        return limit
    for count, ((step, _), (following, _)) in enumerate(pairwise(known), 1):
        if min(count, len(known) - count) >= MIN_STEPS and following >= MIN_STEP_RATIO * step:
            are_rows = _mean_cells(known[count:]) > _mean_cells(known[:count])
            return (step + following) / 2 if are_rows else limit
    return limit


def _mean_cells(steps: Sequence[tuple[float, int]]) -> float:
    return sum(cells for _, cells in steps) / len(steps)

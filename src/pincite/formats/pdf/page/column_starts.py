"""Words that leave their column of a table: the text of the next column begins with no white before it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pincite.formats.pdf.page.characters import Characters, Run

MIN_ROWS = 2
"""Rows with words of different lengths at the edge of one column, and words at that of the next behind them."""
MAX_ROW_DISTANCE_EM, MIN_ROW_SHARE = 14.0, 0.25
"""Distance of such a row, and the share of such among the near ones that begin at the edge of the first column."""
MIN_GAP_EM = 1.0
"""White between two columns of a row, as running text has none."""
TOLERANCE_PT = 0.15
"""Distance of a letter from the left edge of texts in the next column: one within a word is seldom so near."""
WORD_TOLERANCE_PT, ROW_TOLERANCE_PT = 0.5, 1.5
"""Distance of the left edges of words in one column, and of the feet of a row."""
MAX_TYPED_DIFFERENCE_PT = 0.05
"""Difference of the widths of letters in typewriting, where those of all rows are below each other."""
MAX_CANDIDATES = 100
"""Letters at such an edge that are examined on a page."""
_Values = np.ndarray[Any, np.dtype[np.float64]]
_Indices = np.ndarray[Any, np.dtype[np.int64]]


def part_at_columns(runs: Sequence[Run], source: Characters) -> list[Run]:
    """Return the runs of a page, parted where a letter within one is at the left edge of a column of other rows.

    The letter before it, whose box may reach into the next column, ends there.
    """
    cuts = dict(_cuts(runs, source))
    parted: list[Run] = []
    for number, run in enumerate(runs):
        first = cuts.get(number)
        if first is None:
            parted.append(run)
            continue
        source.edges[2][first - 1] = min(source.edges[2][first - 1], source.edges[0][first])
        parted += [replace(run, last=first - 1), replace(run, first=first, object=source.objects([first])[0])]
    return parted


def _cuts(runs: Sequence[Run], source: Characters) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the runs to part, each with the index of the character that begins the next column."""
    firsts, lasts = np.array([run.first for run in runs], np.int64), np.array([run.last for run in runs], np.int64)
    if firsts.size <= MIN_ROWS:
        return
    left, _, right, bottom = source.edges
    starts, feet = left[firsts], bottom[firsts]
    sizes = np.array([run.style.size for run in runs], np.float64)
    is_level = np.abs(feet[1:] - feet[:-1]) <= ROW_TOLERANCE_PT
    is_apart = (starts[1:] - right[lasts[:-1]] >= MIN_GAP_EM * sizes[1:]) & is_level
    # Most pages have no rows of columns.
    if np.count_nonzero(is_apart) < MIN_ROWS:
        return
    rows = feet[1:][is_apart]
    inner = _inner(firsts, lasts, left.size)
    candidates = inner[_count_near(left[inner], starts) >= MIN_ROWS][:MAX_CANDIDATES]
    numbers: _Indices = np.searchsorted(firsts, candidates, "right") - 1
    # Most candidates are in no row of columns: one look at all, as each by itself would take as long.
    is_in_row = np.abs(rows - feet[numbers][:, np.newaxis]).min(axis=1) <= ROW_TOLERANCE_PT
    is_in_row &= left[candidates] > left[candidates - 1]
    # Words that go on with others are no column.
    is_pair = is_level & np.append(is_apart[1:], [False])
    found: list[tuple[int, int]] = np.stack((candidates, numbers), 1)[is_in_row].tolist()
    for index, number in found:
        run, letters = runs[number], slice(int(firsts[number]), index + 1)
        is_near = np.abs(starts[:-1] - starts[number]) <= WORD_TOLERANCE_PT
        is_near &= np.abs(feet[:-1] - feet[number]) <= MAX_ROW_DISTANCE_EM * run.style.size
        near = np.flatnonzero(is_near)
        pairs = near[is_pair[near] & (np.abs(starts[near + 1] - left[index]) <= TOLERANCE_PT)]
        if run.style.turns or pairs.size < max(MIN_ROWS, MIN_ROW_SHARE * near.size):
            continue
        is_typed = np.ptp(right[letters] - left[letters]) <= MAX_TYPED_DIFFERENCE_PT
        # Behind the same word, as in labels that begin alike, others are at the same place.
        if not is_typed and np.unique(np.rint(right[lasts[pairs]])).size >= MIN_ROWS:
            yield number, index


def _count_near(edges: _Values, starts: _Values) -> _Indices:
    """Return the number of words that begin at each of some edges."""
    ordered = np.sort(starts)
    ends: _Indices = np.searchsorted(ordered, edges + TOLERANCE_PT)
    return ends - np.searchsorted(ordered, edges - TOLERANCE_PT)


def _inner(firsts: _Indices, lasts: _Indices, count: int) -> _Indices:
    """Return the indices of the characters that begin no run, but are part of one."""
    steps = np.zeros(count + 1, np.int64)
    steps[firsts + 1] += 1
    steps[lasts + 1] -= 1
    return np.flatnonzero(np.cumsum(steps)[:-1] > 0)

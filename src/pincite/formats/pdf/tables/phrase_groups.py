"""Groups of columns that phrases of a header span: each in the middle of its own, and all columns in some."""

from collections.abc import Sequence

MAX_OFFSET_SHARE = 0.25
"""Distance of a phrase's middle from that of its group, as a share of their mean width: cells have padding."""
MAX_COLUMNS = 24
"""Columns that are grouped; all runs of them are compared."""

Interval = tuple[float, float]
"""Left and right edge."""


def phrase_groups(phrases: Sequence[Interval], columns: Sequence[Interval]) -> list[tuple[int, int]]:
    """Return the first column of each phrase and the one after its last; nothing unless all columns are in a group.

    Of several such groupings the one whose phrases are closest to the middles of their groups is returned.

    Args:
        phrases: Edges of the phrases, from the left.
        columns: Edges of the named columns below them, with their values.
    """
    count = len(columns)
    if not 1 < len(phrases) < count <= MAX_COLUMNS:
        return []
    # For each number of columns so far, the least sum of distances and the groups of the phrases so far.
    best: dict[int, tuple[float, list[tuple[int, int]]]] = {0: (0.0, [])}
    for phrase in phrases:
        following: dict[int, tuple[float, list[tuple[int, int]]]] = {}
        for first, (total, groups) in best.items():
            for end in range(first + 1, count + 1):
                offset = _offset(phrase, columns[first:end])
                if offset is not None and total + offset < following.get(end, (float("inf"), []))[0]:
                    following[end] = (total + offset, [*groups, (first, end)])
        best = following
    return best[count][1] if count in best else []


def _offset(phrase: Interval, columns: Sequence[Interval]) -> float | None:
    """Return the distance of a phrase from the middle of columns; 0 over a single one, None if it is not above them."""
    left, right = columns[0][0], columns[-1][1]
    if phrase[0] >= right or phrase[1] <= left:
        return None
    if len(columns) == 1:
        return 0.0
    offset = abs(sum(phrase) - left - right) / 2
    return offset if offset <= MAX_OFFSET_SHARE * (right - left) / len(columns) else None

"""Columns of text on a page: tables are sought in each, because rows across two of them are no rows of a table."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import Any

import numpy as np

from pincite.formats.pdf.page.words import Line, Word, line_of, lines_of, parts_of, visual_lines

MIN_GUTTER_EM = 0.8
"""Space between the columns on a row; a narrower one is between words that run across."""
MIDDLE_SHARES = (0.25, 0.75)
"""Part of the text's width in which the gutter is sought."""
MAX_CROSSING_SHARE, MIN_COLUMN_SHARE = 0.4, 0.15
"""Share of a page's characters in lines that cross the gutter, such as titles and wide tables, and in each column."""
MAX_THREE_CROSSING_SHARE = 0.1
"""The same of lines that cross one of the gutters of three columns."""
MIN_COLUMN_LINES, MIN_PROSE_CHARS = 4, 18
"""Consecutive lines of prose that prove a column, and the characters of such a line; as for the reading order."""
MIN_FILL_SHARE = 0.7
"""Share of the column's width that a line of prose fills: cells of a table mostly do not."""
NEGLIGIBLE_SHARE = 0.02
"""Share of a page's characters that may cross the gutter here and there."""
PROBES, MAX_GUTTER_COVER = 200, 0.5
"""Places across the middle of a page where words are counted, and the share of the usual count in a gutter."""
MAX_GUTTERS = 2
"""White stretches of a page that may be gutters: three columns have two."""
MIN_TWO_COLUMNS_EM = 36.0
"""Width of two columns side by side: one column of two on an upright page is narrower."""
MIN_UNEVEN_LINES, MAX_LEVEL_SHARE, LEVEL_TOLERANCE_EM = 8, 0.5, 0.15
"""Lines side by side that prove two columns if no more than this share of them are at one height, and what that is."""
MIN_LETTER_SHARE = 0.6
"""Share of letters in a line of prose."""


def column_groups(lines: Sequence[Line]) -> list[list[Line]]:
    """Group the visual lines of a page, from the top: lines across the page, then each column of a stretch of two.

    A page without two columns, proven by prose, is one group.

    Args:
        lines: Visual lines of the page, from the top.
    """
    words = [word for line in lines for word in line.words if not word.turns]
    if not _has_gutter(words):
        return [list(lines)]
    segments = [piece for line in lines_of(sorted(words, key=lambda word: word.first)) for piece in _segments(line)]
    gutter = _gutter(segments)
    if gutter is None:
        return [list(lines)]
    groups: list[list[Line]] = []
    across: list[Line] = []
    for is_split, stretch in _stretches(lines, gutter):
        sides = [_side(stretch, gutter, right=right) for right in (False, True)]
        # A table across the page may leave the gutter white; a neighbouring column of prose shows two columns.
        is_proven = any(map(are_prose, sides))
        if not is_split or not (is_proven or _are_uneven(*sides)):
            across += stretch
            continue
        groups += [across] if across else []
        # Lines that are all on one side are those that were looked at.
        groups += [part for side in sides for part in _parts_of_side(side)] if all(sides) else [stretch]
        across = []
    return [*groups, across] if across else groups


def _parts_of_side(lines: Sequence[Line]) -> list[list[Line]]:
    """Return the columns on one side of a gutter: of three, one side has two."""
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    size = median(line.size for line in lines)
    if x1 - x0 <= MIN_TWO_COLUMNS_EM * size:
        return [list(lines)]
    return column_groups(lines)


def _has_gutter(words: Sequence[Word]) -> bool:
    """Return True if words leave white down the middle of the page: a quick look that most pages end with."""
    if len(words) < 2 * MIN_COLUMN_LINES:
        return False
    x0, x1 = np.array([word.x0 for word in words]), np.array([word.x1 for word in words])
    left, right = float(x0.min()), float(x1.max())
    low, high = (left + share * (right - left) for share in MIDDLE_SHARES)
    positions = np.linspace(low, high, PROBES)
    cover = np.searchsorted(np.sort(x0), positions) - np.searchsorted(np.sort(x1), positions)
    return int(cover.min()) <= MAX_GUTTER_COVER * float(np.median(cover))


def _gutter(segments: Sequence[Line]) -> float | None:
    """Return the middle of the white between two columns of prose; None for any other page."""
    if len(segments) < 2 * MIN_COLUMN_LINES:
        return None
    x0 = min(line.x0 for line in segments)
    width = max(line.x1 for line in segments) - x0
    cover = _cover(segments, x0, width)
    low, high = (int(share * width) for share in MIDDLE_SHARES)
    middle = cover[low:high]
    total = sum(_count(line) for line in segments)
    if not middle.size or middle.min() > MAX_CROSSING_SHARE * total:
        return None
    # Stretches of least cover may be gutters, the longest first; their middles are safe from rounding.
    least = np.flatnonzero(middle <= middle.min() + NEGLIGIBLE_SHARE * total)
    runs = np.split(least, np.flatnonzero(np.diff(least) > 1) + 1)
    candidates = sorted(runs, key=len, reverse=True)[:MAX_GUTTERS]
    middles = [x0 + low + float(run[0] + run[-1] + 1) / 2 for run in candidates]
    return next((gutter for gutter in middles if _parts_columns(segments, gutter, total)), None)


def _parts_columns(segments: Sequence[Line], gutter: float, total: int) -> bool:
    """Return True if text on both sides of a gutter is columns: of prose, or of lines at different heights."""
    sides = ([line for line in segments if line.x1 <= gutter], [line for line in segments if line.x0 >= gutter])
    counts = [sum(map(_count, side)) for side in sides]
    if min(counts) < MIN_COLUMN_SHARE * total:
        return False
    # Few lines cross the gutters of three columns: two of prose above a wide table have others.
    is_clear = total - sum(counts) <= MAX_THREE_CROSSING_SHARE * total
    are_columns = all(are_prose(side) or (is_clear and _are_two_columns(side)) for side in sides)
    return are_columns or _are_uneven(*sides)


def _are_two_columns(lines: Sequence[Line]) -> bool:
    """Return True for two columns of prose on one side of a gutter, as three columns have."""
    width = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    return width > MIN_TWO_COLUMNS_EM * median(line.size for line in lines) and _gutter(lines) is not None


def _cover(segments: Sequence[Line], x0: float, width: float) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Return the number of characters of lines over each point of the page's width."""
    steps = np.zeros(int(width) + 3)
    for line in segments:
        count = _count(line)
        steps[int(line.x0 - x0)] += count
        steps[int(line.x1 - x0) + 1] -= count
    return np.cumsum(steps)


def _count(line: Line) -> int:
    return sum([len(word.text) for word in line.words])


def _segments(line: Line) -> Iterator[Line]:
    """Yield the parts of a line between wide gaps: some files store rows of both columns as one line."""
    parts = parts_of(line.words, MIN_GUTTER_EM)
    # Most lines are one part.
    yield from map(line_of, parts) if len(parts) > 1 else [line]


def are_prose(lines: Sequence[Line]) -> bool:
    """Return True if a run of lines fills the column with words."""
    width = max((line.x1 for line in lines), default=0.0) - min((line.x0 for line in lines), default=0.0)
    run = 0
    for line in sorted(lines, key=lambda line: line.y0):
        run = run + 1 if is_prose(line, width) else 0
        if run >= MIN_COLUMN_LINES:
            return True
    return False


def is_prose(line: Line, width: float) -> bool:
    """Return True if a line fills most of a width with words."""
    text = line.text
    is_text = len(text) >= MIN_PROSE_CHARS and sum(map(str.isalpha, text)) >= MIN_LETTER_SHARE * len(text)
    return is_text and line.x1 - line.x0 >= MIN_FILL_SHARE * width


def _are_uneven(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Return True if texts or tables side by side have their lines at different heights, as no table's rows have."""
    if min(len(left), len(right)) < MIN_UNEVEN_LINES:
        return False
    rows, others = _rows_of_words(left), _rows_of_words(right)
    return _is_full(rows) and _is_full(others) and _are_at_other_heights(rows, others)


def _are_at_other_heights(rows: Sequence[Line], others: Sequence[Line]) -> bool:
    """Return True if at most half of some rows next to others are at the height of one of these."""
    if min(len(rows), len(others)) < MIN_UNEVEN_LINES:
        return False
    adjacent = [row for row in others if rows[0].y1 <= row.y1 <= rows[-1].y1]
    if len(adjacent) < MIN_UNEVEN_LINES:
        return False
    limit = LEVEL_TOLERANCE_EM * median(row.size for row in adjacent)
    level = sum(any(abs(row.y1 - other.y1) <= limit for other in rows) for row in adjacent)
    return level <= MAX_LEVEL_SHARE * len(adjacent)


def _rows_of_words(lines: Iterable[Line]) -> list[Line]:
    """Return words as rows of one lower edge, from the top: visual lines may join rows of both columns."""
    words = sorted((word for line in lines for word in line.words), key=lambda word: (round(word.y1), word.x0))
    return [line_of(list(row)) for _, row in groupby(words, key=lambda word: round(word.y1))]


def _is_full(rows: Sequence[Line]) -> bool:
    """Return True if rows are prose, or some have several texts, so that they are not one column of a table."""
    return are_prose(rows) or sum(len(list(_segments(row))) > 1 for row in rows) >= MIN_COLUMN_LINES


def _stretches(lines: Sequence[Line], gutter: float) -> Iterator[tuple[bool, list[Line]]]:
    """Yield runs of lines that leave the gutter white, with True, and runs of others; a line on its left continues.

    Args:
        lines: Lines of the page, from the top.
        gutter: Middle of the white between two columns.
    """
    stretch: list[Line] = []
    is_split: bool | None = None
    for line in lines:
        crossing = _crosses(line, gutter)
        # A title may be short, but begins on the left.
        if crossing is None and line.x0 >= gutter:
            crossing = False
        if is_split is not None and crossing == is_split:
            yield is_split, stretch
            stretch = []
        if crossing is not None:
            is_split = not crossing
        stretch.append(line)
    if stretch:
        yield bool(is_split), stretch


def _crosses(line: Line, gutter: float) -> bool | None:
    """Return whether a line runs across the gutter; None if it is on one side of it."""
    left = max((word.x1 for word in line.words if word.x0 < gutter), default=None)
    right = min((word.x0 for word in line.words if word.x0 >= gutter), default=None)
    if left is not None and left > gutter:
        return True
    if left is None or right is None:
        return None
    return right - left < MIN_GUTTER_EM * line.size


def _side(lines: Sequence[Line], gutter: float, *, right: bool) -> list[Line]:
    """Return the lines on one side of a gutter: by its own words, as those of the other side are at other heights."""
    return visual_lines(word for line in lines for word in line.words if (word.x0 >= gutter) == right)

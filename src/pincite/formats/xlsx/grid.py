"""A sheet's visible cells by row, and the regions that empty rows and columns separate."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pincite.model.document import CELL_END, ROW_END

MAX_CUTS = 12
"""Maximum depth of cuts of a region, by rows and columns in turn, which bounds the recursion."""
MAX_MERGED_ROWS = 1_000_000
"""Maximum rows that all merged cells of a sheet cover together; further ones are read as if not merged."""

# The separators of packed rows must not occur in a cell.
_MARKS = str.maketrans({CELL_END: "\ufffd", ROW_END: "\ufffd"})


class Row(NamedTuple):
    """A row that is not empty.

    Attributes:
        order: Its index among the visible rows, empty ones counted.
        number: Its number in the sheet, from 0.
        filled: Bit mask of the columns of the grid with text.
        packed: The texts of all columns of the grid, separated by `CELL_END`.
    """

    order: int
    number: int
    filled: int
    packed: str


@dataclass(slots=True)
class SheetGrid:
    """The visible part of a sheet.

    Attributes:
        columns: The sheet's column (from 0) of each column of the grid.
        rows: The rows that are not empty, from the top.
    """

    columns: Sequence[int]
    rows: list[Row]

    def texts(self, row: Row, left: int, right: int) -> str:
        """Return the packed texts of the columns from `left` to `right` of a row."""
        if left == 0 and right == len(self.columns) - 1:
            return row.packed
        return CELL_END.join(row.packed.split(CELL_END)[left : right + 1])


class Region(NamedTuple):
    """A rectangle of a grid: indices of its first and last row and column, inclusive."""

    top: int
    bottom: int
    left: int
    right: int


def pack(texts: Sequence[str]) -> str:
    """Return the texts of a row as one string."""
    packed = CELL_END.join(texts)
    if packed.count(CELL_END) == len(texts) - 1 and ROW_END not in packed:
        return packed
    return CELL_END.join(text.translate(_MARKS) for text in texts)


def filled(texts: Sequence[str]) -> int:
    """Return the bit mask of the texts that are not empty."""
    if "" not in texts:
        return (1 << len(texts)) - 1
    return sum(1 << index for index, text in enumerate(texts) if text)


def from_cells(
    cells: Mapping[int, Mapping[int, str]], hidden_rows: Iterable[int], hidden_columns: Iterable[int]
) -> SheetGrid:
    """Return the grid of single cells. One of several empty columns between two others is kept, as a separator.

    Args:
        cells: Row → column → text of the visible cells.
        hidden_rows: Rows that do not separate the regions above and below.
        hidden_columns: Columns that do not separate the regions to their left and right.
    """
    skipped_rows, skipped_columns = sorted(hidden_rows), sorted(hidden_columns)
    columns: list[int] = []
    for column in sorted({column for texts in cells.values() for column in texts}):
        if columns and column - columns[-1] - 1 > _count_between(skipped_columns, columns[-1], column):
            columns.append(
                next(free for free in range(columns[-1] + 1, column) if not _contains(skipped_columns, free))
            )
        columns.append(column)
    rows: list[Row] = []
    for number in sorted(cells):
        texts = [cells[number].get(column, "") for column in columns]
        rows.append(Row(number - bisect_left(skipped_rows, number), number, filled(texts), pack(texts)))
    return SheetGrid(columns, rows)


def _count_between(numbers: Sequence[int], first: int, last: int) -> int:
    return bisect_left(numbers, last) - bisect_right(numbers, first)


def _contains(numbers: Sequence[int], number: int) -> bool:
    return bisect_left(numbers, number) < bisect_right(numbers, number)


def spans_of(grid: SheetGrid, merges: Iterable[tuple[int, int, int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Return merged cells in rows and columns of the grid, clipped to it: first row and column → height and width.

    Rows are marked as filled under a merged cell. One that covers other texts or another merged cell is ignored, so
    that no text is lost.
    """
    numbers = [row.number for row in grid.rows]
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    covered: dict[int, int] = {}
    budget = MAX_MERGED_ROWS
    for top, left, bottom, right in merges:
        first, end = bisect_left(numbers, top), bisect_right(numbers, bottom)
        start, stop = bisect_left(grid.columns, left), bisect_right(grid.columns, right)
        height, width = end - first, stop - start
        if height < 1 or width < 1 or height * width < 2 or height > budget:  # noqa: PLR2004 - one cell is not a span
            continue
        # Every row under a merged cell is updated: a hostile file could merge a million rows a thousand times.
        budget -= height
        mask, first_cell = ((1 << width) - 1) << start, 1 << start
        if grid.rows[first].filled & mask != first_cell or any(
            grid.rows[n].filled & mask for n in range(first + 1, end)
        ):
            continue
        if covered.get(first, 0) & first_cell:
            continue
        spans[first, start] = (height, width)
        for index in range(first, end):
            covered[index] = covered.get(index, 0) | mask
            grid.rows[index] = grid.rows[index]._replace(filled=grid.rows[index].filled | mask)
    return spans


def regions(grid: SheetGrid) -> Iterator[Region]:
    """Yield the parts of a grid that empty rows or columns separate, in reading order."""
    if grid.rows:
        yield from _cut(grid.rows, Region(0, len(grid.rows) - 1, 0, len(grid.columns) - 1), 0)


def _cut(rows: Sequence[Row], region: Region, cuts: int) -> Iterator[Region]:
    for band in _bands(rows, region):
        used = 0
        window = (1 << (region.right + 1)) - (1 << region.left)
        for index in range(band.top, band.bottom + 1):
            used |= rows[index].filled
        runs = _without_spacers(rows[band.top : band.bottom + 1], list(_runs(used & window)))
        if len(runs) == 1 or cuts >= MAX_CUTS:
            yield band._replace(left=runs[0][0], right=runs[-1][1])
            continue
        for left, right in runs:
            yield from _cut(rows, band._replace(left=left, right=right), cuts + 1)


def _without_spacers(rows: Sequence[Row], runs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join runs of columns that an empty one separates, if they fill the same rows and one is a single column.

    A column by itself is no table: the empty ones only space its columns.
    """
    joined, is_spaced = list(runs[:1]), False
    for left, right in runs[1:]:
        first, last = joined[-1]
        is_spaced = is_spaced or first == last or left == right
        if is_spaced and left == last + 2 and _fill_the_same(rows, (first, last), (left, right)):
            joined[-1] = (first, right)
        else:
            joined.append((left, right))
            is_spaced = False
    return joined


def _fill_the_same(rows: Sequence[Row], run: tuple[int, int], next_run: tuple[int, int]) -> bool:
    """Return True if two runs of columns have texts in the same rows, two or more."""
    masks = [(1 << (right + 1)) - (1 << left) for left, right in (run, next_run)]
    filled = [[bool(row.filled & mask) for row in rows] for mask in masks]
    return filled[0] == filled[1] and sum(filled[0]) > 1


def _bands(rows: Sequence[Row], region: Region) -> Iterator[Region]:
    """Yield the runs of filled rows in a region, also cut where no column has text both above and below."""
    window = (1 << (region.right + 1)) - (1 << region.left)
    start, filled_above = None, 0
    filled_below: list[int] = []
    for index in range(region.top, region.bottom + 1):
        row = rows[index]
        mask = row.filled & window
        if start is not None:
            ends = not mask or row.order > rows[index - 1].order + 1
            # The list of filled columns below is built once, and only if a region may end without an empty row.
            if not ends and not mask & rows[index - 1].filled:
                filled_below = filled_below or _filled_from_row(rows, region, window)
                ends = not filled_above & filled_below[index - region.top]
            if ends:
                yield region._replace(top=start, bottom=index - 1)
                start = None
        if start is None and mask:
            start, filled_above = index, 0
        filled_above |= mask
    if start is not None:
        yield region._replace(top=start, bottom=region.bottom)


def _filled_from_row(rows: Sequence[Row], region: Region, window: int) -> list[int]:
    """For each row of a region, the bit mask of the columns that are filled in it or below."""
    masks: list[int] = []
    used = 0
    for index in range(region.bottom, region.top - 1, -1):
        used |= rows[index].filled & window
        masks.append(used)
    return masks[::-1]


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """Yield first and last index of each run of set bits."""
    index = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        yield index + zeros, index + zeros + ones - 1
        mask >>= ones
        index += zeros + ones

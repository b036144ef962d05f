"""A sheet's visible cells, row by row, and the regions of them that empty rows and columns part."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pincite.model.document import CELL_END, ROW_END

MAX_CUTS = 12
"""How often a region is cut again, by rows and columns in turn."""
MAX_SPANNED = 1_000_000
"""Rows that all merged cells of a sheet may cover together; the others are read as if not merged."""

_MARKS = str.maketrans({CELL_END: "\ufffd", ROW_END: "\ufffd"})


class Row(NamedTuple):
    """A row that is not empty.

    Attributes:
        order: Its place among the visible rows.
        number: Its number in the sheet, from 0.
        filled: A bit for each column of the grid that holds something.
        packed: The texts of all columns of the grid, `CELL_END` between them.
    """

    order: int
    number: int
    filled: int
    packed: str


@dataclass(slots=True)
class SheetGrid:
    """The visible part of a sheet.

    Attributes:
        columns: The sheet's columns (from 0) that the rows' texts are of.
        rows: Rows that are not empty, from the top.
    """

    columns: Sequence[int]
    rows: list[Row]

    def texts(self, row: Row, left: int, right: int) -> str:
        """The packed texts of some columns of a row."""
        if left == 0 and right == len(self.columns) - 1:
            return row.packed
        return CELL_END.join(row.packed.split(CELL_END)[left : right + 1])


class Region(NamedTuple):
    """A rectangle of a grid: first and last row (in its list), first and last column."""

    top: int
    bottom: int
    left: int
    right: int


def pack(texts: Sequence[str]) -> str:
    """The texts of a row as one string."""
    packed = CELL_END.join(texts)
    if packed.count(CELL_END) == len(texts) - 1 and ROW_END not in packed:
        return packed
    return CELL_END.join(text.translate(_MARKS) for text in texts)


def filled(texts: Sequence[str]) -> int:
    """A bit for each text that is not empty."""
    if "" not in texts:
        return (1 << len(texts)) - 1
    return sum(1 << index for index, text in enumerate(texts) if text)


def from_cells(
    cells: Mapping[int, Mapping[int, str]], hidden_rows: Iterable[int], hidden_columns: Iterable[int]
) -> SheetGrid:
    """A grid of single cells. Of several empty columns between two others one is kept.

    Args:
        cells: Row → column → text, of cells that are shown.
        hidden_rows: Rows that do not part what is above from what is below.
        hidden_columns: Columns that do not part what is left from what is right.
    """
    rows_out, columns_out = sorted(hidden_rows), sorted(hidden_columns)
    columns: list[int] = []
    for column in sorted({column for texts in cells.values() for column in texts}):
        if columns and column - columns[-1] - 1 > _between(columns_out, columns[-1], column):
            columns.append(next(free for free in range(columns[-1] + 1, column) if not _holds(columns_out, free)))
        columns.append(column)
    rows: list[Row] = []
    for number in sorted(cells):
        texts = [cells[number].get(column, "") for column in columns]
        rows.append(Row(number - bisect_left(rows_out, number), number, filled(texts), pack(texts)))
    return SheetGrid(columns, rows)


def _between(numbers: Sequence[int], first: int, last: int) -> int:
    return bisect_left(numbers, last) - bisect_right(numbers, first)


def _holds(numbers: Sequence[int], number: int) -> bool:
    return bisect_left(numbers, number) < bisect_right(numbers, number)


def spans_of(grid: SheetGrid, merges: Iterable[tuple[int, int, int, int]]) -> dict[tuple[int, int], tuple[int, int]]:
    """Merged cells in the grid's own rows and columns, cut to it: first row and column → height and width.

    The rows are marked as filled where a merged cell covers them. Where it covers cells that hold
    something, or another one, it is not taken as merged: nothing is lost.
    """
    numbers = [row.number for row in grid.rows]
    found: dict[tuple[int, int], tuple[int, int]] = {}
    covered: dict[int, int] = {}
    budget = MAX_SPANNED
    for top, left, bottom, right in merges:
        first, end = bisect_left(numbers, top), bisect_right(numbers, bottom)
        start, stop = bisect_left(grid.columns, left), bisect_right(grid.columns, right)
        height, width = end - first, stop - start
        if height < 1 or width < 1 or height * width < 2 or height > budget:  # noqa: PLR2004 - one cell is no span
            continue
        budget -= height
        mask, own = ((1 << width) - 1) << start, 1 << start
        if grid.rows[first].filled & mask != own or any(grid.rows[n].filled & mask for n in range(first + 1, end)):
            continue
        if covered.get(first, 0) & own:
            continue
        found[first, start] = (height, width)
        for index in range(first, end):
            covered[index] = covered.get(index, 0) | mask
            grid.rows[index] = grid.rows[index]._replace(filled=grid.rows[index].filled | mask)
    return found


def regions(grid: SheetGrid) -> Iterator[Region]:
    """The parts of a grid that at least one empty row or column parts, in reading order."""
    if grid.rows:
        yield from _cut(grid.rows, Region(0, len(grid.rows) - 1, 0, len(grid.columns) - 1), 0)


def _cut(rows: Sequence[Row], region: Region, cuts: int) -> Iterator[Region]:
    for band in _bands(rows, region):
        used = 0
        window = (1 << (region.right + 1)) - (1 << region.left)
        for index in range(band.top, band.bottom + 1):
            used |= rows[index].filled
        runs = list(_runs(used & window))
        if len(runs) == 1 or cuts >= MAX_CUTS:
            yield band._replace(left=runs[0][0], right=runs[-1][1])
            continue
        for left, right in runs:
            yield from _cut(rows, band._replace(left=left, right=right), cuts + 1)


def _bands(rows: Sequence[Row], region: Region) -> Iterator[Region]:
    """The runs of rows that are filled somewhere in the region and have a column in common with what follows."""
    window = (1 << (region.right + 1)) - (1 << region.left)
    start, above = None, 0
    below: list[int] = []
    for index in range(region.top, region.bottom + 1):
        row = rows[index]
        mask = row.filled & window
        if start is not None:
            ends = not mask or row.order > rows[index - 1].order + 1
            if not ends and not mask & rows[index - 1].filled:
                below = below or _from_below(rows, region, window)
                ends = not above & below[index - region.top]
            if ends:
                yield region._replace(top=start, bottom=index - 1)
                start = None
        if start is None and mask:
            start, above = index, 0
        above |= mask
    if start is not None:
        yield region._replace(top=start, bottom=region.bottom)


def _from_below(rows: Sequence[Row], region: Region, window: int) -> list[int]:
    """For each row of a region, the columns that are filled in it or below."""
    found: list[int] = []
    used = 0
    for index in range(region.bottom, region.top - 1, -1):
        used |= rows[index].filled & window
        found.append(used)
    return found[::-1]


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """First and last place of each run of set bits."""
    place = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        mask >>= zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        yield place + zeros, place + zeros + ones - 1
        mask >>= ones
        place += zeros + ones

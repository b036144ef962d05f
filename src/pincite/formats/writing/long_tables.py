"""Write grids of texts as tables, a long one in parts that each repeat the header."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import CELL_END, ROW_END, Cell, PackedCells, Table

PART_ROWS = 50
"""Rows of a block, header not counted: few enough for a reader to find a cited row at a glance."""

Spans = dict[tuple[int, int], tuple[int, int]]
"""Row and column → row span and column span, for cells that span more than themselves."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table to be written.

    Attributes:
        header: The rows that name the columns.
        body: The other rows, their texts joined by `CELL_END`.
        columns: Minimum number of columns; a part with a longer row has more.
        caption: The text above it.
        address: Returns the address of a range of rows in the source. Its arguments are the first row, the last row
            (both from 0, the header counted) and the number of columns.
        spans: Spans by row and column, rows counted from the header on.
    """

    header: Sequence[str]
    body: Iterable[str]
    columns: int
    caption: str
    address: Callable[[int, int, int], str]
    spans: Spans


def write(writer: PageWriter, grid: Grid, call: Call) -> None:
    """Write a grid as blocks of at most `PART_ROWS` rows."""
    body = iter(grid.body)
    row = len(grid.header)
    first = True
    # At least one part, as a table may consist of its header alone.
    while (part := list(islice(body, PART_ROWS))) or first:
        call.check()
        end = row + len(part)
        writer.table(_table(grid, part, row, first=first))
        first, row = False, end


def _table(grid: Grid, part: list[str], row: int, *, first: bool) -> Table:
    headers = len(grid.header)
    rows = [*grid.header, *part]
    # Rows may be ragged: all get the columns of the longest.
    columns = max(grid.columns, 1 + max((text.count(CELL_END) for text in rows), default=0))
    rows = [text + CELL_END * (columns - 1 - text.count(CELL_END)) for text in rows]
    start = 0 if first else row
    offset = row - headers
    packed = PackedCells(ROW_END.join(rows), columns, headers)
    spans = _in_part(grid.spans, headers, offset, len(rows)) if grid.spans else {}
    return Table(
        rows=len(rows),
        columns=columns,
        cells=tuple(_spanned(packed, spans)) if spans else packed,
        header_rows=headers,
        caption=grid.caption if first else "",
        place=grid.address(start, row + len(part) - 1, columns),
        continued=not first,
    )


def _in_part(spans: Spans, headers: int, offset: int, rows: int) -> Spans:
    """The spans that overlap a part, counted in its rows and clipped to it."""
    clipped: Spans = {}
    for (row, column), (height, width) in spans.items():
        in_header = row < headers
        top = row if in_header else max(row - offset, headers)
        bottom = min(row + height, headers) if in_header else min(row + height - offset, rows)
        if top < bottom:
            clipped[top, column] = (bottom - top, width)
    return clipped


def _spanned(cells: PackedCells, spans: Spans) -> Iterator[Cell]:
    covered = {
        (row + down, column + right)
        for (row, column), (height, width) in spans.items()
        for down in range(height)
        for right in range(width)
        if down or right
    }
    for cell in cells:
        position = (cell.row, cell.column)
        if position in spans:
            yield Cell(*position, cell.text, *spans[position], header=cell.header)
        elif position not in covered:
            yield cell

"""Write the regions of a sheet as Markdown: captions, notes and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.formats.writing import long_tables
from pincite.formats.writing.addresses import area, in_sheet
from pincite.formats.writing.long_tables import Grid, Spans
from pincite.formats.writing.page_writer import PageWriter
from pincite.formats.writing.table_headers import BODY_ROWS, HEADER_SEARCH_ROWS, find_header, is_value
from pincite.formats.xlsx.grid import Region, SheetGrid, regions
from pincite.model.call import Call
from pincite.model.document import CELL_END

MAX_HEADER_ROWS = 3
"""Rows of a header with grouped columns; more of them are rather data."""


@dataclass(slots=True)
class _Note:
    """A single cell of text, which may be the caption of the next region."""

    region: Region
    text: str


def write_regions(writer: PageWriter, name: str, grid: SheetGrid, spans: Spans, call: Call) -> None:
    """Write a sheet's regions in reading order.

    Args:
        writer: Receives the blocks.
        name: The sheet's name.
        grid: The sheet's cells.
        spans: The sheet's merged cells, in rows and columns of the grid.
        call: Checked for cancellation between blocks.
    """
    note: _Note | None = None
    for region in regions(grid):
        call.check()
        caption = ""
        if note is not None:
            if _is_above(note.region, region):
                caption = note.text
            else:
                writer.paragraph(note.text)
        text = _single_cell(grid, region, spans)
        # Kept back: it is the caption if a table follows below.
        note = _Note(region, text) if text and not is_value(text) else None
        if note is None:
            _write_region(writer, _Part(name, grid, region, spans), caption, call)
        elif caption:
            writer.paragraph(caption)
    if note is not None:
        writer.paragraph(note.text)


def _is_above(note: Region, region: Region) -> bool:
    return note.bottom < region.top and note.left <= region.right and region.left <= note.right


def _single_cell(grid: SheetGrid, region: Region, spans: Spans) -> str:
    """Return the text of a region of one cell; empty for any other region."""
    height, width = spans.get((region.top, region.left), (1, 1))
    if region.bottom - region.top >= height or region.right - region.left >= width:
        return ""
    return grid.texts(grid.rows[region.top], region.left, region.left).strip()


@dataclass(frozen=True, slots=True)
class _Part:
    """A region of a sheet's grid; rows and columns count from its top left."""

    name: str
    grid: SheetGrid
    region: Region
    merged: Spans

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.region.right - self.region.left + 1

    def packed(self, start: int, end: int | None = None) -> Iterator[str]:
        """Yield the packed texts of the rows from `start` to `end`, exclusive."""
        top, bottom, left, right = self.region
        stop = bottom + 1 if end is None else min(top + end, bottom + 1)
        for index in range(top + start, stop):
            yield self.grid.texts(self.grid.rows[index], left, right)

    def spans(self, start: int = 0) -> Spans:
        """Return the merged cells that begin at or below row `start`, with rows counted from it."""
        top, bottom, left, right = self.region
        return {
            (row - top - start, column - left): (min(height, bottom + 1 - row), min(width, right + 1 - column))
            for (row, column), (height, width) in self.merged.items()
            if top + start <= row <= bottom and left <= column <= right
        }

    def address(self, start: int, end: int, columns: int) -> str:
        """Return the address of rows in the sheet."""
        rows, top, left = self.grid.rows, self.region.top, self.region.left
        right = self.grid.columns[left + columns - 1]
        return in_sheet(
            self.name, area(rows[top + start].number, self.grid.columns[left], rows[top + end].number, right)
        )


def _write_region(writer: PageWriter, part: _Part, caption: str, call: Call) -> None:
    top = [text.split(CELL_END) for text in part.packed(0, HEADER_SEARCH_ROWS + BODY_ROWS)]
    spans = part.spans()
    first, headers = _header(top, part.width, spans)
    notes = [" ".join(filter(None, row)) for row in top[:first]]
    if any(sum(map(bool, row)) > 1 for row in top[:first]):
        above = Grid((), list(part.packed(0, first)), part.width, caption, part.address, _first_rows(spans, first))
        long_tables.write(writer, above, call)
        caption = ""
    elif notes:
        if caption:
            writer.paragraph(caption)
        caption = notes[0] if len(notes) == 1 else ""
        if not caption:
            writer.paragraph("\n".join(notes))

    def address(start: int, end: int, columns: int) -> str:
        return part.address(first + start, first + end, columns)

    header = list(part.packed(first, first + headers))
    body = part.packed(first + headers)
    long_tables.write(writer, Grid(header, body, part.width, caption, address, part.spans(first)), call)


def _header(top: Sequence[Sequence[str]], width: int, spans: Spans) -> tuple[int, int]:
    """Return the first header row and the number of header rows; without a header, the first row after notes, and 0.

    A row of merged cells above names is a header row, too, as it groups the columns.
    """
    header_row = find_header(top, width)
    if header_row is None:
        return _count_notes(top, width), 0
    first, end = header_row, header_row + 1
    while first and end - first < MAX_HEADER_ROWS and _is_group_row(top[first - 1], first - 1, spans):
        first -= 1
    while end < len(top) and end - first < MAX_HEADER_ROWS and _is_group_row(top[end - 1], end - 1, spans):
        if any(is_value(text) for text in top[end] if text):
            break  # the row below the groups is data, not names
        end += 1
    return first, end - first


def _count_notes(top: Sequence[Sequence[str]], width: int) -> int:
    """The number of rows at the top with a single text, in the first column, above a table of several columns."""
    notes = 0
    for row in top:
        if sum(map(bool, row)) != 1 or not row[0]:
            break
        notes += 1
    return notes if width > 1 and notes < len(top) else 0


def _is_group_row(row: Sequence[str], number: int, spans: Spans) -> bool:
    """Return True if a row has texts over several columns each, other than one title over all."""
    merged = [
        column for (span_row, column), (_, width) in spans.items() if span_row == number and width > 1 and row[column]
    ]
    return bool(merged) and (sum(map(bool, row)) > 1 or merged[0] > 0)


def _first_rows(spans: Spans, rows: int) -> Spans:
    return {
        (row, column): (min(height, rows - row), width)
        for (row, column), (height, width) in spans.items()
        if row < rows
    }

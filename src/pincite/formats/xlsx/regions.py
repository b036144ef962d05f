"""The regions of a sheet as Markdown: captions, notes and tables."""

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


@dataclass(slots=True)
class _Note:
    """A text that stands alone, and may be the caption of what follows."""

    region: Region
    text: str


def write_regions(writer: PageWriter, name: str, grid: SheetGrid, spans: Spans, call: Call) -> None:
    """Write a sheet's regions in reading order.

    Args:
        writer: Where they go.
        name: The sheet's name.
        grid: Its cells.
        spans: Its merged cells, in the grid's rows and columns.
        call: Asked between blocks.
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
        text = _single(grid, region, spans)
        note = _Note(region, text) if text and not is_value(text) else None
        if note is None:
            _write_region(writer, _Part(name, grid, region, spans), caption, call)
        elif caption:
            writer.paragraph(caption)
    if note is not None:
        writer.paragraph(note.text)


def _is_above(note: Region, region: Region) -> bool:
    return note.bottom < region.top and note.left <= region.right and region.left <= note.right


def _single(grid: SheetGrid, region: Region, spans: Spans) -> str:
    """The text of a region that is one cell; empty for every other region."""
    height, width = spans.get((region.top, region.left), (1, 1))
    if region.bottom - region.top >= height or region.right - region.left >= width:
        return ""
    return grid.texts(grid.rows[region.top], region.left, region.left).strip()


@dataclass(frozen=True, slots=True)
class _Part:
    """A region of a sheet's grid, with rows and columns of its own."""

    name: str
    grid: SheetGrid
    region: Region
    merged: Spans

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.region.right - self.region.left + 1

    def packed(self, start: int, end: int | None = None) -> Iterator[str]:
        """The packed texts of rows."""
        top, bottom, left, right = self.region
        stop = bottom + 1 if end is None else min(top + end, bottom + 1)
        for index in range(top + start, stop):
            yield self.grid.texts(self.grid.rows[index], left, right)

    def spans(self, start: int = 0) -> Spans:
        """The merged cells that begin in the region from a row on, counted from there."""
        top, bottom, left, right = self.region
        return {
            (row - top - start, column - left): (min(height, bottom + 1 - row), min(width, right + 1 - column))
            for (row, column), (height, width) in self.merged.items()
            if top + start <= row <= bottom and left <= column <= right
        }

    def address(self, start: int, end: int, columns: int) -> str:
        """Where rows are in the sheet."""
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
        above = Grid((), list(part.packed(0, first)), part.width, caption, part.address, _within(spans, first))
        long_tables.write(writer, above, call)
        caption = ""
    elif len(notes) == 1 and not caption:
        caption = notes[0]
    elif notes:
        writer.paragraph("\n".join(notes))

    def address(start: int, end: int, columns: int) -> str:
        return part.address(first + start, first + end, columns)

    header = list(part.packed(first, first + headers))
    body = part.packed(first + headers)
    long_tables.write(writer, Grid(header, body, part.width, caption, address, part.spans(first)), call)


def _header(top: Sequence[Sequence[str]], width: int, spans: Spans) -> tuple[int, int]:
    """The first header row, and how many there are; without one, the first row that is no note, and 0.

    Merged cells over names make one more header row: the row that holds them and the one below.
    """
    found = find_header(top, width)
    if found is None:
        return _notes(top, width), 0
    first, end = found, found + 1
    while first and end - first < MAX_HEADER_ROWS and _groups(top[first - 1], first - 1, spans):
        first -= 1
    while end < len(top) and end - first < MAX_HEADER_ROWS and _groups(top[end - 1], end - 1, spans):
        if any(is_value(text) for text in top[end] if text):
            break
        end += 1
    return first, end - first


def _notes(top: Sequence[Sequence[str]], width: int) -> int:
    """How many rows at the top hold one text each, where the table below has more columns than two."""
    notes = 0
    for row in top:
        if sum(map(bool, row)) != 1 or not row[0]:
            break
        notes += 1
    return notes if width > 1 and notes < len(top) else 0


def _groups(row: Sequence[str], number: int, spans: Spans) -> bool:
    """Whether a row holds names over several columns each, other than one title over all."""
    merged = [column for (at, column), (_, width) in spans.items() if at == number and width > 1 and row[column]]
    return bool(merged) and (sum(map(bool, row)) > 1 or merged[0] > 0)


def _within(spans: Spans, rows: int) -> Spans:
    return {
        (row, column): (min(height, rows - row), width)
        for (row, column), (height, width) in spans.items()
        if row < rows
    }

"""Tables: cells on their places in the grid (WHATWG HTML, 4.9.12), spans as far as the table goes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from pincite.model.document import Cell, Table

MAX_COLUMNS = 1000
"""Columns of a table, and of a cell's span (WHATWG HTML, 4.9.11)."""

MAX_ROW_SPAN = 65_534
SPARSE = 20
"""Places for each cell beyond which a table is no grid."""

_FREE_PLACES = 10_000


@dataclass(slots=True)
class _Row:
    in_head: bool
    all_headers: bool = True
    cells: int = 0


@dataclass(slots=True)
class Grid:
    """A table that is being read.

    Attributes:
        caption: Its caption.
        in_head: Whether the rows that come are in `thead`.
    """

    caption: str = ""
    in_head: bool = False
    _rows: list[_Row] = field(default_factory=list[_Row])
    _cells: list[Cell] = field(default_factory=list[Cell])
    _taken: list[int] = field(default_factory=list[int])
    _beyond: list[str] = field(default_factory=list[str])
    _column: int = 0

    @property
    def beyond(self) -> str:
        """The texts of cells beyond the widest that a table may be."""
        return "\n".join(filter(None, self._beyond))

    def row(self) -> None:
        """A row begins; one without cells counts for nothing."""
        if not self._rows or self._rows[-1].cells:
            self._rows.append(_Row(self.in_head))
        self._column = 0

    def cell(self, text: str, attributes: Mapping[str, str | None], *, header: bool) -> None:
        """A cell of that row."""
        if not self._rows:
            self.row()
        row = self._rows[-1]
        row.cells += 1
        row.all_headers = row.all_headers and header
        number, column = len(self._rows) - 1, self._column
        while column < len(self._taken) and self._taken[column] > number:
            column += 1
        if column >= MAX_COLUMNS:
            self._beyond.append(text)
            self._column = column
            return
        rows = _span(attributes.get("rowspan"), MAX_ROW_SPAN) or MAX_ROW_SPAN
        columns = min(_span(attributes.get("colspan"), MAX_COLUMNS) or 1, MAX_COLUMNS - column)
        self._cells.append(Cell(number, column, text, rows, columns, header))
        self._column = column + columns
        if rows > 1:
            self._taken += [0] * (self._column - len(self._taken))
            self._taken[column : self._column] = [number + rows] * columns

    def table(self) -> Table:
        """The table; columns in which no cell begins are left out, spans end with it."""
        rows = sum(row.cells > 0 for row in self._rows)
        starts = sorted({cell.column for cell in self._cells})
        place = {column: index for index, column in enumerate(starts)}
        ends = _ends(starts)
        cells = tuple(
            Cell(
                cell.row,
                place[cell.column],
                cell.text,
                min(cell.row_span, rows - cell.row),
                ends[min(cell.column + cell.column_span, len(ends) - 1)] - place[cell.column],
                cell.header,
            )
            for cell in self._cells
        )
        headers = sum(1 for _ in takewhile(lambda row: row.in_head or row.all_headers, self._rows[:rows]))
        return Table(rows, max(1, len(starts)), cells, headers, self.caption)


def is_sparse(table: Table) -> bool:
    """Whether a table is so much larger than what it holds that it would fill memory with nothing."""
    return table.rows * table.columns > SPARSE * len(table.cells) + _FREE_PLACES


def lines(table: Table) -> list[str]:
    """A row's cells, one after the other."""
    found: dict[int, list[str]] = {}
    for cell in table.cells:
        if cell.text.strip():
            found.setdefault(cell.row, []).append(cell.text)
    return [" | ".join(texts) for texts in found.values()]


def _ends(starts: list[int]) -> list[int]:
    """How many columns begin before each place of the grid."""
    last = starts[-1] + 2 if starts else 1
    ends = [0] * last
    for start in starts:
        ends[start + 1] = 1
    for place in range(1, last):
        ends[place] += ends[place - 1]
    return ends


def _span(value: str | None, most: int) -> int:
    if not value:
        return min(1, most)
    text = value.strip()
    digits = text.isascii() and text.isdigit()
    return min(int(text[:9]), most) if digits else 1

"""Tables by the HTML table model (WHATWG HTML, 4.9.12): cells at their grid positions, spans clipped to the table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from pincite.model.document import Cell, Table
from pincite.text.tables.column_names import with_named_columns

MAX_COLUMNS = 1000
"""Columns of a table, and of a cell's span (WHATWG HTML, 4.9.11)."""

MAX_ROW_SPAN = 65_534
"""Maximum row span (WHATWG HTML, 4.9.11)."""

MAX_POSITIONS_PER_CELL = 20
"""Grid positions for each cell, above which a table is too sparse to be written as a grid."""

_ALWAYS_ALLOWED_POSITIONS = 10_000
"""A grid of this size is cheap, however empty."""


@dataclass(slots=True)
class _Row:
    in_head: bool
    all_headers: bool = True
    cells: int = 0


@dataclass(slots=True)
class Grid:
    """Builder of a table, row by row.

    Attributes:
        caption: The table's caption.
        in_head: True while rows of `thead` are added.
    """

    caption: str = ""
    in_head: bool = False
    _rows: list[_Row] = field(default_factory=list[_Row])
    _cells: list[Cell] = field(default_factory=list[Cell])
    # For each column the first row that no cell above spans into.
    _free_from_row: list[int] = field(default_factory=list[int])
    _overflow: list[str] = field(default_factory=list[str])
    _column: int = 0

    @property
    def overflow(self) -> str:
        """The texts of the cells beyond `MAX_COLUMNS`, one a line."""
        return "\n".join(filter(None, self._overflow))

    def row(self) -> None:
        """Begin a row; one that gets no cell is dropped."""
        if not self._rows or self._rows[-1].cells:
            self._rows.append(_Row(self.in_head))
        self._column = 0

    def cell(self, text: str, attributes: Mapping[str, str | None], *, header: bool) -> None:
        """Add a cell to the current row, at the next free column."""
        if not self._rows:
            self.row()
        row = self._rows[-1]
        row.cells += 1
        row.all_headers = row.all_headers and header
        number, column = len(self._rows) - 1, self._column
        # Columns that a cell above spans into are taken.
        while column < len(self._free_from_row) and self._free_from_row[column] > number:
            column += 1
        if column >= MAX_COLUMNS:
            self._overflow.append(text)
            self._column = column
            return
        # A row span of 0 reaches to the end of the table.
        rows = _span(attributes.get("rowspan"), MAX_ROW_SPAN) or MAX_ROW_SPAN
        columns = min(_span(attributes.get("colspan"), MAX_COLUMNS) or 1, MAX_COLUMNS - column)
        self._cells.append(Cell(number, column, text, rows, columns, header))
        self._column = column + columns
        if rows > 1:
            self._free_from_row += [0] * (self._column - len(self._free_from_row))
            self._free_from_row[column : self._column] = [number + rows] * columns

    def table(self) -> Table:
        """Return the table: without columns in which no cell begins, with spans clipped to its rows and columns."""
        rows = sum(row.cells > 0 for row in self._rows)
        starts = sorted({cell.column for cell in self._cells})
        index_of = {column: index for index, column in enumerate(starts)}
        ends = _ends(starts)
        cells = tuple(
            Cell(
                cell.row,
                index_of[cell.column],
                cell.text,
                min(cell.row_span, rows - cell.row),
                ends[min(cell.column + cell.column_span, len(ends) - 1)] - index_of[cell.column],
                cell.header,
            )
            for cell in self._cells
        )
        # Rows of `th` alone are headers even outside of `thead`.
        headers = sum(1 for _ in takewhile(lambda row: row.in_head or row.all_headers, self._rows[:rows]))
        return with_named_columns(Table(rows, max(1, len(starts)), cells, headers, self.caption))


def is_sparse(table: Table) -> bool:
    """Return True if a table is so much larger than its content that a grid would fill memory with empty cells."""
    return table.rows * table.columns > MAX_POSITIONS_PER_CELL * len(table.cells) + _ALWAYS_ALLOWED_POSITIONS


def lines(table: Table) -> list[str]:
    """Return a line for each row with text: its cells, separated by bars."""
    texts_by_row: dict[int, list[str]] = {}
    for cell in table.cells:
        if cell.text.strip():
            texts_by_row.setdefault(cell.row, []).append(cell.text)
    return [" | ".join(texts) for texts in texts_by_row.values()]


def _ends(starts: list[int]) -> list[int]:
    """Cumulative count of columns: how many begin before each position of the grid."""
    last = starts[-1] + 2 if starts else 1
    ends = [0] * last
    for start in starts:
        ends[start + 1] = 1
    for index in range(1, last):
        ends[index] += ends[index - 1]
    return ends


def _span(value: str | None, maximum: int) -> int:
    if not value:
        return min(1, maximum)
    text = value.strip()
    digits = text.isascii() and text.isdigit()
    return min(int(text[:9]), maximum) if digits else 1

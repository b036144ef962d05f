"""Join the cells into which programs for filings part a figure, and leave out the columns that only set distances.

A filing to the SEC sets `$`, the figure and `)` in cells of their own, with empty cells between two years.
"""

import re
from dataclasses import replace

from pincite.model.document import Cell, Table

MIN_SPACERS_SHARE = 0.3
"""Share of a table's columns without a text of their own from which they set distances; fewer may be to fill in."""

_CURRENCY = re.compile(r"(?:[A-Z]{1,3})?[$€£¥₹]")
_FIGURE = re.compile(r"[(+\u2212-]?[\d.,]*\d|[—–-]")
_END = re.compile(r"\)?%?\)?")


def without_spacers(table: Table) -> Table:
    """Return a table without columns that only set distances; as it is if it has few of them."""
    cells = [cell for cell in table.cells if cell.text]
    if len(cells) == len(table.cells) or table.header_rows > 1:
        return table
    cells = _joined(cells)
    kept = _kept_columns(cells)
    if table.columns - len(kept) < MIN_SPACERS_SHARE * table.columns or not kept:
        return table
    columns = {column: index for index, column in enumerate(sorted(kept))}
    rows = {row: index for index, row in enumerate(sorted({cell.row for cell in cells}))}
    moved = [_moved(cell, columns, rows) for cell in cells]
    header_rows = sum(row < table.header_rows for row in rows)
    return replace(table, rows=len(rows), columns=len(columns), cells=tuple(moved), header_rows=header_rows)


def _joined(cells: list[Cell]) -> list[Cell]:
    """Return the cells with signs of currencies before their figure, and closing signs after it."""
    joined: list[Cell] = []
    for cell in cells:
        last = joined[-1] if joined and joined[-1].row == cell.row else None
        if last is not None and _CURRENCY.fullmatch(last.text) and _FIGURE.match(cell.text):
            joined[-1] = replace(cell, text=f"{last.text}{cell.text}")
        elif last is not None and _END.fullmatch(cell.text) and _FIGURE.search(last.text):
            joined[-1] = replace(last, text=f"{last.text}{cell.text}")
        else:
            joined.append(cell)
    return joined


def _kept_columns(cells: list[Cell]) -> set[int]:
    """Return the columns of cells that span no others, and the first of each cell that covers none of these."""
    kept = {cell.column for cell in cells if cell.column_span == 1}
    for cell in sorted(cells, key=lambda cell: cell.column_span):
        if kept.isdisjoint(range(cell.column, cell.column + cell.column_span)):
            kept.add(cell.column)
    return kept


def _moved(cell: Cell, columns: dict[int, int], rows: dict[int, int]) -> Cell:
    covered = [columns[column] for column in range(cell.column, cell.column + cell.column_span) if column in columns]
    row_span = sum(row in rows for row in range(cell.row, cell.row + cell.row_span))
    return replace(cell, row=rows[cell.row], column=covered[0], column_span=len(covered), row_span=row_span)

"""Name the columns of a table: by its own header, and by rows within it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain

from pincite.text.tables.grids import TextGrid
from pincite.text.values.tokens import read_quantities

_MAX_HEADER_ROW = 60
"""Rows of a larger grid in which the header of a table of goods is looked for."""
_MAX_JOINED_ROWS = 3
"""Rows of words one below the other that name columns together."""


def headers_of(grid: TextGrid) -> list[tuple[range, Mapping[int, str]]]:
    """Return what may name the columns of a table, by column, each with its rows; it is over those below them.

    That is its own header, each row of words alone, and such rows together.
    """
    return [(rows, names) for rows in _header_rows(grid) if (names := _names(grid, rows))]


def _header_rows(grid: TextGrid) -> Iterator[range]:
    if grid.header_rows:
        yield range(grid.header_rows)
    first = 0
    # A reader may take the first row of values for one of the header.
    has_values = any(read_quantities(cell.text) for cells in grid.rows[1 : grid.header_rows] for cell in cells)
    for number in range(0 if has_values else grid.header_rows, min(len(grid.rows) - 1, _MAX_HEADER_ROW)):
        cells = grid.rows[number]
        if len(cells) < 2 or any(read_quantities(cell.text) for cell in cells):  # noqa: PLR2004 - one names no columns
            first = number + 1
            continue
        yield range(number, number + 1)
        if 0 < number - first < _MAX_JOINED_ROWS:
            yield range(first, number + 1)


def _names(grid: TextGrid, rows: range) -> Mapping[int, str]:
    """Return the words of rows by column; a phrase over several columns is of each of them, and over all of none."""
    parts: defaultdict[int, list[str]] = defaultdict(list)
    named = [grid.rows[number] for number in rows if all(one.column_span < grid.columns for one in grid.rows[number])]
    for cell in chain.from_iterable(named):
        for column in range(cell.column, cell.column + cell.column_span):
            parts[column] += [cell.text] * (cell.text not in parts[column])
    last: defaultdict[str, list[int]] = defaultdict(list)
    for cell in grid.rows[rows.stop - 1]:
        last[cell.text].append(cell.column)
    alike = [columns for columns in last.values() if len(columns) > 1]
    for number in rows[:-1]:
        over = [cell for cell in grid.rows[number] if any(cell.column in columns for columns in alike)]
        # `Male` and `Female` over `Total | Under 18 | Total | Under 18`: the first is over the first of each.
        for columns in alike:
            for cell, column in zip(over, columns, strict=False) if len(over) == len(columns) else ():
                parts[column] = [cell.text, *(text for text in parts[column] if text not in {top.text for top in over})]
    return {column: " ".join(texts) for column, texts in parts.items()}

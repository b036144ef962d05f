"""Tell what the columns of a table are: periods, units, answers of yes and no."""

import re
from collections.abc import Mapping
from itertools import chain

from pincite.text.periods import years_in
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.values.booleans import FALSE_WORDS, TRUE_WORDS, read_boolean
from pincite.text.values.dates import read_dates

_YEAR = re.compile(r"(?<![\w.,/-])(?:FY|CY|Q[1-4]|H[12])?\s?(?P<year>(?:19|20)\d\d)(?:[/-]\d{2,4})?E?(?![\w.,]*\d)")
_MAX_PERIOD_CHARS = 40
"""Length up to which a header that has a year is the name of a period."""
_UNIT_HEADERS = frozenset(
    "unit units einheit einheiten unité unités unidad unidades unità eenheid uom 单位 単位".split(" ")  # noqa: SIM905
)
_MIN_COLUMNS = 2


def period_columns(grid: TextGrid) -> Mapping[int, frozenset[str]]:
    """Return the years of each column that is of a period, by column; empty unless there are two.

    They are named by the header, or by the first row below it if that has no name of its own.
    """
    below = [cells for cells in grid.rows[grid.header_rows : grid.header_rows + 1] if cells and cells[0].column > 0]
    for cells in (*grid.rows[: grid.header_rows], *below):
        named = [(cell, years) for cell in cells if cell.column > 0 and (years := _years(cell.text))]
        if len({cell.text for cell, _ in named}) >= _MIN_COLUMNS:
            return {cell.column + part: years for cell, years in named for part in range(cell.column_span)}
    return {}


def _years(text: str) -> frozenset[str]:
    if len(text) > _MAX_PERIOD_CHARS or not (_YEAR.search(text) or next(read_dates(text), None)):
        return frozenset()
    return years_in(text)


def differs_by_period(grid: TextGrid, cell: TextCell) -> bool:
    """Return True if a cell's row has other values for other periods: so do the columns next to them, as a change."""
    row = (grid.covering(cell.row, column) for column in period_columns(grid))
    return len({value.text for value in row if value is not None}) > 1


def unit_of_row(grid: TextGrid, row: int) -> str:
    """Return the unit that a row has in a column of units; empty without one."""
    for cell in chain.from_iterable(grid.rows[: grid.header_rows]):
        if cell.text.lower().strip(" .:") in _UNIT_HEADERS:
            unit = grid.covering(row, cell.column)
            return unit.text if unit is not None and unit.row >= grid.header_rows else ""
    return ""


def truth_columns(grid: TextGrid) -> tuple[int, int] | None:
    """Return the columns of yes and no, to be ticked; None if the first row names none."""
    columns: dict[bool, int] = {}
    for cell in grid.rows[0] if grid.rows else ():
        word = cell.text.lower().strip(" .:?")
        if len(word) > 1 and word in TRUE_WORDS | FALSE_WORDS:
            columns.setdefault(word in TRUE_WORDS, cell.column)
    return (columns[True], columns[False]) if len(columns) == _MIN_COLUMNS else None


def ticked(grid: TextGrid, row: int) -> tuple[TextCell, bool] | None:
    """Return the cell below yes that is ticked or has an empty box, and which of both; None if the row is not clear."""
    columns = truth_columns(grid)
    if columns is None or row == 0:
        return None
    yes, no = (grid.covering(row, column) for column in columns)
    is_yes, is_no = (read_boolean(cell.text) if cell else None for cell in (yes, no))
    if yes is None or is_yes is None or (is_yes is is_no):
        return None
    return yes, is_yes

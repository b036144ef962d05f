"""Tell whether a value is of the period that its field is of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pincite.text.tables.columns import differs_by_period, period_columns
from pincite.text.tables.grids import TextCell, TextGrid

NO_YEARS = frozenset[str]()
_YEAR_BEFORE = re.compile(r"(?<![\d.,])(?P<year>(?:19|20)\d\d)\s*[:：=]\s*[-+(€$£\u2212]{0,3}\s*\Z")  # noqa: RUF001 - CJK
_MAX_LABEL_CHARS = 20


@dataclass(frozen=True, slots=True)
class Period:
    """The years that a value must be of.

    Attributes:
        years: The years; empty for any.
        is_named: Whether the field's own name has them: then a table without them has no value of the field.
    """

    years: frozenset[str] = NO_YEARS
    is_named: bool = False


ANY_PERIOD = Period()


def wrong_period(period: Period, grid: TextGrid | None, cell: TextCell | None, before: str) -> str:
    """Return a problem if a value is of another year; empty if nothing says so.

    Args:
        period: The field's.
        grid: The value's table, whose columns may be of years.
        cell: The value's cell in it.
        before: The text of its line before the value: `2023: ` is the year of what follows.
    """
    if not period.years:
        return ""
    if grid is None or cell is None:
        label = _YEAR_BEFORE.search(before[-_MAX_LABEL_CHARS:])
        is_other = label is not None and label["year"] not in period.years
        return _problem({label["year"]}, period) if label is not None and is_other else ""
    columns = period_columns(grid)
    years = columns.get(cell.column, NO_YEARS)
    if not years or years & period.years or not differs_by_period(grid, cell):
        return ""
    is_there = any(period.years & years for years in columns.values())
    return _problem(years, period) if is_there or period.is_named else ""


def _problem(found: Iterable[str], period: Period) -> str:
    return f"the value is of {'/'.join(sorted(found))}, and the field of {'/'.join(sorted(period.years))}"

"""Tell what fits a field by its label and is not its value: it is of another period, or no year."""

import re

from pincite.agents.rules.options import Field
from pincite.agents.rules.typing import TypedValue
from pincite.text.periods import is_year_field
from pincite.text.tables.columns import differs_by_period, period_columns, unit_of_row
from pincite.text.terms.pairs import Pair, Source
from pincite.text.values.tokens import stated_unit

_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")


def unit_of(candidate: Pair) -> str:
    """Return the unit that a candidate's row, label or header states for it."""
    of_row = unit_of_row(candidate.grid, candidate.cell.row) if candidate.grid and candidate.cell else ""
    return of_row or stated_unit((candidate.label, candidate.header))


def is_of_a_period(field: Field, candidate: Pair) -> bool:
    """Return True for the value of one period where others have another, unless the field names this one."""
    if candidate.grid is None or candidate.cell is None or not differs_by_period(candidate.grid, candidate.cell):
        return False
    years = period_columns(candidate.grid).get(candidate.cell.column, frozenset())
    return not any(year in f"{field.path[-1]} {field.node.description}" for year in years)


def is_no_year(field: Field, candidate: Pair, typed: TypedValue) -> bool:
    """Return True for a figure that is no year where the field's name says that it is one, and for one of a sentence.

    The name of a row has the year of the row, and sentences compare with other years: what a report says of
    "fiscal 2021" is not that it is of 2021.
    """
    if not is_year_field(str(field.path[-1])):
        return False
    years = re.findall(r"\d+", str(typed.value))
    is_of_row = candidate.grid is not None and candidate.source is Source.IN_TEXT
    return candidate.is_prose or is_of_row or not any(_YEAR.fullmatch(year) for year in years)

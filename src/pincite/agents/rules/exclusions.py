"""Tell what fits a field by its label and is not its value: of another period, of a comparison, of a verb."""

import re

from pincite.agents.rules.options import Field
from pincite.agents.rules.typing import TypedValue
from pincite.model.schema import Leaf, LeafType
from pincite.text.periods import is_year_field
from pincite.text.tables.columns import differs_by_period, period_columns, unit_of_row
from pincite.text.terms.fitting import AMOUNTS
from pincite.text.terms.labels import label_terms
from pincite.text.terms.pairs import PREPOSITIONS, Pair, Source
from pincite.text.values.tokens import stated_unit

_COPULAS = frozenset({"is", "was", "ist", "war", "lautet", "est", "es", "è", "bedraagt", "luidt"})
"""Between a name and its value in a sentence."""
_NUMBER = re.compile(r"[-+\d.,'’\s]+")
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_PERCENT_COLUMN = re.compile(r"(?<![\d\s])\s*%")
"""A header such as `VAT %`, not a label such as `VAT 20 %`."""
_LAW = re.compile(
    r"§|\b(?:nach|gemäß|gemäss|gem|laut|pursuant to|according to|selon|en vertu de|según|ai sensi di)"
    r"\.?(?:\s+(?:nr|no|art|abs|n°)\.?)*\s*\Z",
    re.IGNORECASE,
)
"""What comes before the number of a clause; recognised text may have lost its sign."""


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


def is_of_something_else(field: Field, node: Leaf, candidate: Pair) -> bool:
    """Return True if the words around a text say that it is a part of something else than the field."""
    is_other = is_percent(field, candidate) or is_of_a_verb(field, node, candidate)
    return is_other or is_of_a_law(field, candidate)


def is_of_a_verb(field: Field, node: Leaf, candidate: Pair) -> bool:
    """Return True if a sentence continues between a text's name and a number: "the Company operated 1,355 stores"."""
    is_number = candidate.is_prose and node.type in (LeafType.NUMBER, LeafType.INTEGER)
    if candidate.source is not Source.IN_TEXT or not (node.type is LeafType.STRING or is_number):
        return False
    words = candidate.label.split()
    if not words or not _NUMBER.fullmatch(candidate.value):
        return False
    last = words[-1].strip("()[],;.#").lower()
    return last.isalpha() and last not in PREPOSITIONS | _COPULAS and not label_terms(last) & field.kind


def is_of_a_law(field: Field, candidate: Pair) -> bool:
    """Return True for the number of a clause of law instead of an identifier: `nach § 4 Nr. 14 UStG`."""
    return "number" in field.kind and _LAW.search(candidate.label) is not None


def is_percent(field: Field, candidate: Pair) -> bool:
    """Return True if a column of per cents is no column of the field's: an amount is none."""
    is_column = "%" in candidate.header or _PERCENT_COLUMN.search(candidate.label) is not None
    return is_column and bool(field.kind & AMOUNTS)

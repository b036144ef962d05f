"""Read lists of objects from tables whose columns are their fields and whose rows are their elements."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby, pairwise

from pincite.agents.rules.typing import TypedValue, typed_value
from pincite.model.schema import Leaf, LeafType, ObjectNode
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.tables.headers import headers_of
from pincite.text.terms.labels import IDENTIFIERS, contradicts, is_amount_label, label_terms
from pincite.text.terms.pairs import value_end
from pincite.text.terms.vocabulary import COLONS, Vocabulary
from pincite.text.values.tokens import Conventions

_MIN_COLUMN_SCORE = 0.34
"""Least share of a field's terms that a column's header must have, or the header's that the field has."""
_NAME_END = re.compile(r"[\d(]")
"""Where the name of a row of totals ends: `VAT 20 % (reduced)`."""
_TOTAL = frozenset({"total"})
_MIN_FIELDS = 2
"""Columns that must be those of fields: one alone occurs by chance."""
_MIN_SHARED = 2 / 3
"""Share of the best table's fields that another table of the list has more of, and of the best header's score."""
_SAMPLE_ROWS = 50
"""Rows whose values tell the type of a column."""


@dataclass(frozen=True, slots=True)
class Record:
    """An element of a list.

    Attributes:
        values: Values by field, each with its cell.
    """

    values: Mapping[str, tuple[TypedValue, TextCell]]

    @property
    def start(self) -> int:
        """Where its first value begins."""
        return min(cell.start for _, cell in self.values.values())


def read_records(
    node: ObjectNode, name: frozenset[str], grids: Sequence[TextGrid], form: Conventions, vocabulary: Vocabulary
) -> tuple[list[Record], list[TextGrid]]:
    """Return the elements of a list of objects, and the tables that have them.

    All tables with nearly all fields of the best one count: a long table continues over pages. Parts of a table under
    headers of their own that differ are several lists: those with the name of the list in it, else none.

    Args:
        node: The fields of an element.
        name: The terms of the list's name.
        grids: The document's tables.
        form: How the document writes numbers and dates.
        vocabulary: What labels of the document may be called.
    """
    leaves = {key: child for key, child in node.fields.items() if isinstance(child, Leaf)}
    needed = min(_MIN_FIELDS, len(leaves))
    scored = [one for grid in grids for one in _headers(leaves, needed, grid, form)]
    if not scored:
        return [], []
    best = max(scored, key=lambda one: (one.score, len(one.grid.rows)))
    taken = [one for one in scored if len(one.columns.keys() & best.columns.keys()) > _MIN_SHARED * len(best.columns)]
    parts = groupby(taken, key=lambda one: one.grid.start)
    if any(one.is_other(two) for _, of_table in parts for one, two in combinations(of_table, 2)):
        taken = [one for one in taken if name & frozenset[str]().union(*one.names.values())]
    records = {record.start: record for one in taken for record in _rows(one, leaves, form, vocabulary)}
    return list(records.values()), list({one.grid.start: one.grid for one in taken}.values())


@dataclass(frozen=True, slots=True)
class _Header:
    """What names the columns of a table, or of the part of one below it.

    Attributes:
        grid: The table.
        rows: Its rows.
        end: One past the last row below it.
        columns: The column of each field.
        names: The terms of what names it.
        naming: How well the names are the fields'.
        score: The same with the types of the values below.
    """

    grid: TextGrid
    rows: range
    end: int
    columns: Mapping[str, int]
    names: Mapping[str, frozenset[str]]
    naming: float
    score: float

    def is_other(self, other: "_Header") -> bool:
        """Return True if two parts of a table have words over a column that the other lacks: `Credits: date`."""
        both = ((own, other.names[key]) for key, own in self.names.items() if key in other.names)
        return any(own - terms and terms - own for own, terms in both)


def _headers(leaves: Mapping[str, Leaf], needed: int, grid: TextGrid, form: Conventions) -> list[_Header]:
    """Return the header of each part of a table: a table of goods may be a part of a larger grid.

    Rows of words are a header if they name as many fields as are needed, nearly as well as any do in the table; of
    those that share rows or touch, the best is.
    """
    found: list[_Header] = []
    for rows, headers in sorted(headers_of(grid), key=lambda one: (one[0].start, one[0].stop)):
        pairs = _columns(leaves, headers, grid.rows[rows.stop :], form)
        if len(pairs) < needed:
            continue
        columns = {key: column for key, (column, _) in pairs.items()}
        score = sum(score for _, score in pairs.values())
        names = {key: label_terms(headers[column]) for key, column in columns.items()}
        # Other parts below have other types: what a header names tells whether it is one.
        naming = sum(score for _, score in _columns(leaves, headers, (), form).values())
        part = _Header(grid, rows, len(grid.rows), columns, names, naming, score)
        if found and rows.start <= found[-1].rows.stop:
            part = max(found.pop(), part, key=lambda one: one.score)
        found.append(part)
    least = _MIN_SHARED * max((one.naming for one in found), default=0.0)
    found = [one for one in found if one.naming > least]
    return [replace(one, end=below.rows.start) for one, below in pairwise(found)] + found[-1:]


def _columns(
    leaves: Mapping[str, Leaf], headers: Mapping[int, str], body: Sequence[Sequence[TextCell]], form: Conventions
) -> dict[str, tuple[int, float]]:
    """Return the column of each field: one assignment, the best pair first."""
    pairs = sorted(
        (
            (_fit(key, leaf, header) * _typed_share(key, leaf, body, column, form), key, column)
            for key, leaf in leaves.items()
            for column, header in headers.items()
        ),
        key=lambda pair: -pair[0],
    )
    found: dict[str, tuple[int, float]] = {}
    taken: set[int] = set()
    for value, key, column in pairs:
        # What has a field's whole name may have that of another one, too.
        if value >= _MIN_COLUMN_SCORE and key not in found and (column not in taken or value >= 1):
            found[key] = (column, value)
            taken.add(column)
    return found


def _typed_share(key: str, leaf: Leaf, body: Sequence[Sequence[TextCell]], column: int, form: Conventions) -> float:
    """Return the share of a column's values that are of a field's type; of a column without values all are."""
    texts = [cell.text for cells in body[:_SAMPLE_ROWS] for cell in cells if cell.column == column]
    return sum(_typed(key, leaf, text, form) is not None for text in texts) / len(texts) if texts else 1.0


def _typed(key: str, leaf: Leaf, text: str, form: Conventions) -> TypedValue | None:
    terms = label_terms(key)
    # The number of a row may have one digit.
    return typed_value(text, leaf, terms - IDENTIFIERS if text.isdecimal() else terms, form)


def _fit(key: str, leaf: Leaf, header: str) -> float:
    own, label = label_terms(key), label_terms(header)
    described = label_terms(leaf.description)
    if not label or contradicts(own, label):
        return 0.0
    plain = header.strip().lower() == key.replace("_", " ").lower()
    exact = plain or header.strip().lower() in leaf.description.lower().split(", ")
    shared, also = own & label, described & label
    if not shared and not also:
        return float(exact)
    coverage = len(shared) / max(1, len(own))
    precision = len(label & (own | described)) / len(label)
    return exact + 0.6 * max(coverage, 0.7 * len(also) / max(1, len(described))) + 0.4 * precision


def _is_total(label: str, layout: Mapping[str, int], column: int) -> bool:
    """Return True for the name of a total of the rows above: of anything, or of what its column lists."""
    terms = label_terms(label)
    listed = (label_terms(key) for key, own in layout.items() if own == column)
    return is_amount_label(label) or any(terms - names == _TOTAL for names in listed)


def _rows(header: _Header, leaves: Mapping[str, Leaf], form: Conventions, vocabulary: Vocabulary) -> list[Record]:
    records: list[Record] = []
    grid, layout = header.grid, header.columns
    counted = {column for key, column in layout.items() if leaves[key].type in (LeafType.NUMBER, LeafType.INTEGER)}
    for cells in grid.rows[header.rows.stop : header.end]:
        if any(_is_total(_NAME_END.split(cell.text, maxsplit=1)[0], layout, cell.column) for cell in cells[:1]):
            continue
        # The name of a total may be in a column of figures.
        is_other = any(is_amount_label(cell.text) for cell in cells if cell.column in counted)
        is_other |= any(cell.text[-1:] in COLONS for cell in cells)
        if is_other:
            continue
        values: dict[str, tuple[TypedValue, TextCell]] = {}
        own = 0
        for key, column in layout.items():
            cell = grid.covering(cells[0].row, column) if cells else None
            text = cell.text[: value_end(cell.text, vocabulary)[0]] if cell is not None else ""
            value = _typed(key, leaves[key], text, form)
            if cell is not None and value is not None:
                values[key] = (value, cell)
                own += cell.row == cells[0].row
        # A row of one cell heads a group or continues the text above.
        if own >= min(_MIN_FIELDS, len(layout)):
            records.append(Record(values))
    return records

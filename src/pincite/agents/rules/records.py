"""Read lists of objects from tables whose columns are their fields and whose rows are their elements."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.agents.rules.typing import TypedValue, typed_value
from pincite.model.schema import Leaf, ObjectNode
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.terms.labels import contradicts, is_amount_label, label_terms
from pincite.text.values.tokens import Conventions

_MIN_COLUMN_SCORE = 0.34
"""Least share of a field's terms that a column's header must have, or the header's that the field has."""
_NAME_END = re.compile(r"[\d(]")
"""Where the name of a row of totals ends: `VAT 20 % (reduced)`."""
_MIN_FIELDS = 2
"""Columns that must be those of fields: one alone occurs by chance."""
_SAMPLE_ROWS = 50
"""Rows whose values tell the type of a column."""


@dataclass(frozen=True, slots=True)
class Record:
    """An element of a list.

    Attributes:
        values: Values by field, each with its cell.
    """

    values: Mapping[str, tuple[TypedValue, TextCell]]


def read_records(node: ObjectNode, grids: Sequence[TextGrid], form: Conventions) -> tuple[list[Record], list[TextGrid]]:
    """Return the elements of a list of objects, and the tables that have them.

    All tables with the best one's headers count: a long table continues over pages, or in several sections.

    Args:
        node: The fields of an element.
        grids: The document's tables.
        form: How the document writes numbers and dates.
    """
    leaves = {key: child for key, child in node.fields.items() if isinstance(child, Leaf)}
    needed = min(_MIN_FIELDS, len(leaves))
    mapped = [(grid, _columns(leaves, grid, form)) for grid in grids if grid.header_rows]
    scored = [(sum(score for _, score in columns.values()), grid, columns) for grid, columns in mapped]
    scored = [one for one in scored if len(one[2]) >= needed]
    if not scored:
        return [], []
    _, best, best_columns = max(scored, key=lambda one: (one[0], len(one[1].rows)))
    layout = {key: column for key, (column, _) in best_columns.items()}
    names = _header_names(best, layout)
    layouts = [(grid, {key: column for key, (column, _) in columns.items()}) for _, grid, columns in scored]
    taken = [(grid, columns) for grid, columns in layouts if _header_names(grid, columns) == names]
    records = [record for grid, columns in taken for record in _rows(grid, columns, leaves, form, needed)]
    return records, [grid for grid, _ in taken]


def _header_names(grid: TextGrid, layout: Mapping[str, int]) -> dict[str, str]:
    """Return the header of each field's column, without its spaces."""
    headers = _headers(grid)
    return {key: "".join(headers[column].split()).casefold() for key, column in layout.items()}


def _headers(grid: TextGrid) -> dict[int, str]:
    headers: dict[int, str] = {}
    for cells in grid.rows[: grid.header_rows]:
        for cell in cells:
            headers[cell.column] = f"{headers.get(cell.column, '')} {cell.text}".strip()
    return headers


def _columns(leaves: Mapping[str, Leaf], grid: TextGrid, form: Conventions) -> dict[str, tuple[int, float]]:
    """Return the column of each field: one assignment, the best pair first."""
    headers = _headers(grid)
    pairs = sorted(
        (
            (_fit(key, leaf, header) * _typed_share(key, leaf, grid, column, form), key, column)
            for key, leaf in leaves.items()
            for column, header in headers.items()
        ),
        key=lambda pair: -pair[0],
    )
    found: dict[str, tuple[int, float]] = {}
    taken: set[int] = set()
    for value, key, column in pairs:
        if value >= _MIN_COLUMN_SCORE and key not in found and column not in taken:
            found[key] = (column, value)
            taken.add(column)
    return found


def _typed_share(key: str, leaf: Leaf, grid: TextGrid, column: int, form: Conventions) -> float:
    """Return the share of a column's values that are of a field's type; of a column without values all are."""
    body = grid.rows[grid.header_rows :][:_SAMPLE_ROWS]
    texts = [cell.text for cells in body for cell in cells if cell.column == column]
    return (
        sum(typed_value(text, leaf, label_terms(key), form) is not None for text in texts) / len(texts)
        if texts
        else 1.0
    )


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


def _rows(
    grid: TextGrid, layout: Mapping[str, int], leaves: Mapping[str, Leaf], form: Conventions, needed: int
) -> list[Record]:
    records: list[Record] = []
    for cells in grid.rows[grid.header_rows :]:
        if cells and is_amount_label(_NAME_END.split(cells[0].text, maxsplit=1)[0]):
            continue  # a total of the rows above
        values: dict[str, tuple[TypedValue, TextCell]] = {}
        own = 0
        for key, column in layout.items():
            cell = grid.covering(cells[0].row, column) if cells else None
            value = typed_value(cell.text, leaves[key], label_terms(key), form) if cell is not None else None
            if cell is not None and value is not None:
                values[key] = (value, cell)
                own += cell.row == cells[0].row
        # A row of one cell heads a group or continues the text above.
        if own >= min(needed, len(layout)):
            records.append(Record(values))
    return records

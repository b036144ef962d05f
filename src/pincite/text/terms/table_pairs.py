"""The grammar of labels in tables: what the cells of a form or a table with headers say as label and value."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pincite.text.tables.columns import ticked, truth_columns
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.terms.labels import PARTIES, is_amount_label, is_known, label_terms
from pincite.text.terms.pairs import (
    LONG_NUMBER,
    MAX_VALUE_CHARS,
    Pair,
    Source,
    may_name_row,
    next_label,
    of_lines,
)
from pincite.text.terms.vocabulary import BARE_AMOUNT, COLON, COLONS, Vocabulary, implied_terms
from pincite.text.values.tokens import read_quantities, read_tokens
from pincite.text.values.units import UNITS

_UNIT = re.compile(rf"{UNITS}|[^\W\d_]{{1,4}}/[^\W\d_]{{1,4}}\s?[23²³]?")
_NUMBER_AT_END = re.compile(r"\d\Z")
_DASHES = frozenset("-–—")
_FORM_COLUMNS = 2
"""Columns of a form: a label and its value."""


def of_table(grid: TextGrid, heading: tuple[str, ...], vocabulary: Vocabulary) -> Iterator[Pair]:
    """Yield the pairs of a table, whose labels the heading over it qualifies."""
    header_rows = _header_rows(grid)
    headers = {cell.column: cell.text for cells in grid.rows[: min(header_rows, grid.header_rows)] for cell in cells}
    body = grid.rows[header_rows:]
    lists_items = _lists_items(headers.values())
    answers = truth_columns(grid)
    # The first row of a form of two columns may look like a header, and is a label with its value.
    for cells in grid.rows if _is_form(grid) else body:
        above = grid.groups[cells[0].row] if cells else None
        is_of_labels = _is_of_labels(cells, vocabulary)
        context = tuple(filter(None, (*heading, above.text if above else "")))
        label: TextCell | None = None
        answer = ticked(grid, cells[0].row) if cells else None
        for cell in cells:
            is_answer = answers is not None and cell.row > 0 and cell.column in answers
            if is_answer and not (answer is not None and cell is answer[0]):
                continue
            header = "" if is_answer else headers.get(cell.column, "")
            is_only_label = not is_answer and (is_of_labels or vocabulary.is_only_label(cell.text))
            yield from _in_cell(cell, grid, context, vocabulary, lists_items=lists_items)
            is_value = len(cell.text) <= MAX_VALUE_CHARS and not is_only_label
            if label is not None and is_value:
                # A header is of the rows that begin in the first column: what is set in from it has its own.
                of_row = header if label.column == 0 and cell.row >= grid.header_rows else ""
                is_of_item = lists_items and not is_amount_label(label.text)
                # Who somebody is has a line of its own, above the address.
                is_party = label_terms(label.text) & PARTIES and "address" not in label_terms(label.text)
                end, is_open = next_label(next(cell.lines())[1] if is_party else cell.text, vocabulary)
                yield Pair(
                    label.text, context, cell.start, cell.start + end, cell.text[:end], label.start,
                    Source.TABLE_ROW, grid, cell, of_row, is_of_item=is_of_item, is_open=is_open,
                )  # fmt: skip
            # With a header the first cell names the row; without one a cell of words names what is right of it.
            # The name of a sum names what is right of it in any table, and so does a label with a colon.
            is_label = not header_rows and (is_only_label or not any(map(str.isdigit, cell.text)))
            if label is None or is_label or cell.text[-1:] in COLONS or is_amount_label(cell.text):
                label = cell if may_name_row(cell.text) else label
            if label is cell and _NUMBER_AT_END.search(cell.text) and vocabulary.has_value(cell.text):
                label = None  # it has its own
            over = _label_over(grid, cell, vocabulary) if is_value and len(body) > 1 else None
            if header and len(body) == 1 and is_value:
                row_name = label.text if label is not None and label is not cell else ""
                yield Pair(
                    header, heading, cell.start, cell.end, cell.text, cell.start, Source.TABLE_COLUMN, grid, cell,
                    row=row_name, is_of_item=lists_items,
                )  # fmt: skip
            elif over is not None and over is not label:
                yield Pair(
                    over.text, context, cell.start, cell.end, cell.text, cell.start, Source.TABLE_COLUMN, grid, cell
                )


def _is_of_labels(cells: Sequence[TextCell], vocabulary: Vocabulary) -> bool:
    """Return True if a row has several labels in capitals alone, above their values."""
    is_capital = all(cell.text.isupper() and not any(map(str.isdigit, cell.text)) for cell in cells)
    return is_capital and len(cells) > 1 and all(vocabulary.is_label(cell.text) for cell in cells[:1])


def _header_rows(grid: TextGrid) -> int:
    """Return the number of header rows; 0 if the first row has values, and so is one of a form."""
    first = grid.rows[0] if grid.rows and grid.header_rows == 1 else ()
    is_row = any(cell.text[-1:] in COLONS or COLON.search(cell.text) for cell in first)
    is_row |= any(token.days for cell in first for token in read_tokens(cell.text)) and len(grid.rows) > 1
    measured = [cell for cell in first if any(one.unit for one in read_quantities(cell.text))]
    is_row |= any(LONG_NUMBER.search(cell.text) or BARE_AMOUNT.fullmatch(cell.text) for cell in first)
    is_row |= bool(measured) and 2 * len(measured) >= len(first)
    below = [cell.text for cell in grid.rows[grid.header_rows]] if 0 < grid.header_rows < len(grid.rows) else []
    is_of_units = any(map(_UNIT.fullmatch, below)) and all(_UNIT.fullmatch(one) or one in _DASHES for one in below)
    return 0 if is_row else grid.header_rows + is_of_units


def _label_over(grid: TextGrid, cell: TextCell, vocabulary: Vocabulary) -> TextCell | None:
    """Return the label directly above a cell of a form, where no further value is below it."""
    over = grid.covering(cell.row - 1, cell.column) if cell.row else None
    below = grid.covering(cell.row + 1, cell.column)
    is_label = over is not None and over is not cell and vocabulary.is_label(over.text)
    is_column = (
        below is not None
        and below is not cell
        and below.column == cell.column
        and implied_terms(below.text) == implied_terms(cell.text)
        and not vocabulary.is_label(below.text)
    )
    return over if is_label and not is_column and not vocabulary.is_label(cell.text) else None


def _is_form(grid: TextGrid) -> bool:
    """Return True if the first row of a table of two columns may be a label and its value, as the rows below."""
    below = [cells[0].text for cells in grid.rows[1:] if cells and cells[0].column == 0]
    return grid.columns == _FORM_COLUMNS and (grid.header_rows == 0 or 2 * sum(map(is_known, below)) >= len(below))


def _lists_items(headers: Iterable[str]) -> bool:
    """Return True if a table's columns are those of goods: what, how many, for how much."""
    terms = [label_terms(header) for header in headers]
    return len(terms) > _FORM_COLUMNS and any("quantity" in one for one in terms)


def _in_cell(
    cell: TextCell, grid: TextGrid, context: tuple[str, ...], vocabulary: Vocabulary, *, lists_items: bool
) -> Iterator[Pair]:
    for one in of_lines(cell.lines(), context, vocabulary):
        is_of_item = lists_items and not is_amount_label(cell.text.partition(":")[0])
        yield replace(one, grid=grid, cell=cell, is_of_item=is_of_item)

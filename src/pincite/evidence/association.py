"""Tell which label, row and column a value has, and whether they are those of its field."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.evidence.values import ValueMatch
from pincite.text.tables.grids import TextCell, TextGrid
from pincite.text.terms.labels import (
    contradicts,
    contrasts_of,
    is_amount_label,
    label_terms,
    total_qualifiers,
)
from pincite.text.values.booleans import read_boxes
from pincite.text.values.tokens import CURRENCY, read_tokens

_LABEL_BEFORE = re.compile(r"(?P<label>[^\n|:：.;]{2,80}?)\s*[:：=]?\s*\Z")  # noqa: RUF001 - the colon of CJK text
_LINE_LABEL = re.compile(r"^[ \t>*_-]*(?P<label>[^\n:|.;]{2,60}?)[ \t*_]*:[ \t*_]+(?=\S)", re.MULTILINE)
_CURRENCY_BEFORE = re.compile(rf"{CURRENCY}\s*\Z")
_MARKUP = " \t\r\n>*_#-"
_MAX_ABOVE_CHARS = 80
"""Length of a label in the line above a value, and of the words after one that may name it: `12 employees`."""
_LINE_START = re.compile(r"[^\n]*\Z")
_PERCENT = re.compile(r"\s?%|(?<=%)")
_MAX_LABELLED_ROWS = 300
"""Rows of a table up to which another row may have the field's label: a longer one is a table of records."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Association:
    """The label and place of a value.

    Attributes:
        label: The text that names it; empty if none is known.
        row: Row of its cell, from 0; None outside of a table.
        column: Column of it.
        problem: Why it is not the field's value; empty if nothing speaks against it.
        fit: How well the label names the field, about 1 for its own name.
        rule: What tells what the value is where no label does; empty for a label.
    """

    label: str
    row: int | None = None
    column: int | None = None
    problem: str = ""
    fit: float = 1.0
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """A quoted part of a document.

    Attributes:
        text: The document's text.
        span: The part.
        grid: The table that it is in.
        headings: The headings above it.
    """

    text: str
    span: Span
    grid: TextGrid | None
    headings: Sequence[str]

    def labels(self, index: int) -> list[str]:
        """Return the texts that may state the unit of a number at an index of the document's text."""
        cell = self.grid.cell_at(index) if self.grid else None
        if self.grid is None or cell is None:
            return [self.line_before(index)]
        return [one.text for one in (*row_labels(self.grid, cell), *column_headers(self.grid, cell))]

    def line_before(self, index: int) -> str:
        """Return the text of the line before an index."""
        match = _LINE_START.search(self.text, max(0, index - 200), index)
        return match[0] if match else ""


def row_labels(grid: TextGrid, cell: TextCell) -> list[TextCell]:
    """Return the cell that names a cell's row: the first one under a header, else the nearest of words to the left."""
    left = [grid.covering(cell.row, column) for column in range(cell.column)]
    named = [one for one in left if one is not None and any(map(str.isalpha, one.text))]
    amounts = [one for one in named if is_amount_label(one.text)]
    if amounts:
        # The name of a sum names what is right of it in any table.
        return amounts[-1:]
    if grid.header_rows and cell.row >= grid.header_rows:
        return named[:1]
    words = [one for one in named if not any(map(str.isdigit, one.text))]
    return (words or named)[-1:]


def column_headers(grid: TextGrid, cell: TextCell) -> list[TextCell]:
    """Return the header cells above a cell."""
    above = (grid.covering(row, cell.column) for row in range(min(grid.header_rows, cell.row)))
    return [one for one in above if one is not None]


def associate(place: Place, match: ValueMatch, field: str, model: str, *, is_named: bool = False) -> Association:
    """Return the label and place of a value, and what speaks against its being the field's.

    Args:
        place: The quoted part.
        match: The value in it.
        field: The field's name and description; empty to check no label.
        model: The product model whose column the value must be in; empty for none.
        is_named: Whether the document's pairs tell which label names the field best.
    """
    start = place.span[0] + match.start
    end = place.span[0] + match.end
    if _is_of_empty_box(place, start):
        return Association("", problem="its box is not ticked, and another one is")
    percent = _PERCENT.match(place.text, end) is not None
    cell = place.grid.cell_at(start) if place.grid else None
    if place.grid is None or cell is None:
        before = place.line_before(start)
        label = _label_in_line(before) or (_line_above(place.text, start) if not before.strip(_MARKUP) else "")
        return Association(label, problem=_problem(field, "" if is_named else label, place.headings[-1:], percent))
    labels = row_labels(place.grid, cell)
    headers = column_headers(place.grid, cell)
    label = " ".join(one.text for one in labels) or " ".join(one.text for one in headers)
    group = place.grid.groups[cell.row]
    around = (group.text,) if group else tuple(place.headings[-1:])
    if _names(headers, field):
        # In a table of records the column names the field, and the row's first cell the record.
        problem = _problem(field, " ".join(one.text for one in headers), (), percent)
    else:
        problem = _problem(field, label, (*around, *(one.text for one in headers)), percent)
    problem = problem or ("" if is_named else _wrong_row(place.grid, cell, field, label))
    # A label and its value may share a cell.
    label = _label_in_line(cell.text[: start - cell.start]) or label
    if not problem and model and headers and not _is_of_model(place.grid, cell, model, headers):
        problem = f"the value is in the column {headers[-1].text!r}, not in that of {model!r}"
    return Association(label, cell.row, cell.column, problem)


def _label_in_line(before: str) -> str:
    """Return the words before a value, from the last value on: what is before that one is its label."""
    before = _CURRENCY_BEFORE.sub("", before)
    tokens = read_tokens(before)
    gaps = zip([0, *(one.end for one in tokens)], [*(one.start for one in tokens), len(before)], strict=True)
    found = (_LABEL_BEFORE.search(before[start:end].rstrip(" .:(*_")) for start, end in reversed(list(gaps)))
    return next((one["label"].strip(" -*#,()") for one in found if one and label_terms(one["label"])), "")


def _line_above(text: str, index: int) -> str:
    line = text[max(0, index - _MAX_ABOVE_CHARS) : index].rstrip(_MARKUP).rpartition("\n")[2]
    # A line with a value of its own is no label.
    return "" if _LINE_LABEL.match(line) else line.strip(_MARKUP + ":")


def _is_of_empty_box(place: Place, index: int) -> bool:
    """Return True if an index is in an option that is not ticked, of a cell or line where another one is."""
    cell = place.grid.cell_at(index) if place.grid else None
    line = place.text.rfind("\n", 0, index) + 1, place.text.find("\n", index)
    first, last = (cell.start, cell.end) if cell else line
    boxes = read_boxes(place.text[first : last if last >= 0 else len(place.text)])
    is_empty = any(one.mark_end <= index - first < one.end and not one.is_ticked for one in boxes)
    return is_empty and any(one.is_ticked for one in boxes)


def _problem(field: str, label: str, context: Sequence[str], is_percent: bool) -> str:
    """Return why a label cannot be the field's: it, or what it is under, has the opposite of the field's qualifiers."""
    found = _terms(label + " %" * is_percent)
    own = _field_terms(field, label_terms(field), found)
    if label and contradicts(own, found):
        return f"the label {label!r} is of another field"
    for one in context:
        # A heading qualifies what the label leaves open, never against the label's own words.
        if contradicts(own, label_terms(one), is_context=True) and not contrasts_of(label_terms(one)) & contrasts_of(
            found
        ):
            return f"it is under {one!r}, which is of another field"
    return ""


def _terms(label: str) -> frozenset[str]:
    terms = label_terms(label)
    return terms | {"rate"} if label.endswith("%") and "tax" in terms else terms  # `VAT 20 %`


def _field_terms(field: str, terms: frozenset[str], label: frozenset[str]) -> frozenset[str]:
    """Return a field's terms, with what kind of total it is unless the label is that of a total without tax.

    A field `total` is no tax and no payment. Without a word that says so, it may be a total without tax: the price of
    an item is.
    """
    return terms if "net" in label else terms | total_qualifiers(_name(field), terms)


def _name(field: str) -> frozenset[str]:
    return label_terms(field.partition(":")[0])


def _names(headers: Sequence[TextCell], field: str) -> bool:
    """Return True if a column's header has a term of a field's own name."""
    name = _name(field)
    terms = [label_terms(one.text) for one in headers]
    whole = name | label_terms(field)
    return any(name & one and not contradicts(_field_terms(field, whole, one), one) for one in terms)


def _wrong_row(grid: TextGrid, cell: TextCell, field: str, label: str) -> str:
    """Return a problem if another row's label is the field's name, or has all of it where this one has nothing.

    A column that has a part of the name may name the field, and its rows the records: then only a label that is the
    name counts.
    """
    name = _name(field)
    own = label_terms(label)
    headers = column_headers(grid, cell)
    is_named = _names(headers, field)
    is_of_column = any(_plain(one.text) == _plain(field.partition(":")[0]) for one in headers)
    if not name or is_of_column or len(grid.rows) > _MAX_LABELLED_ROWS or _plain(label) == _plain(field):
        return ""
    for cells in grid.rows[grid.header_rows :]:
        other = next((one for one in cells if any(map(str.isalpha, one.text))), None)
        if other is not None and other.row != cell.row:
            terms = label_terms(other.text)
            has_name = terms == name or (name <= terms and not own & name and not is_named)
            if _plain(other.text) == _plain(field) or (own != name and has_name):
                return f"the label {other.text!r} is that of the field, not {label!r}"
    return ""


def _is_of_model(grid: TextGrid, cell: TextCell, model: str, headers: Sequence[TextCell]) -> bool:
    columns = range(cell.column, cell.column + cell.column_span)
    spanned = [grid.covering(row, column) for column in columns for row in range(min(grid.header_rows, cell.row))]
    names = {_plain(one.text) for one in (*headers, *filter(None, spanned))}
    known = {_plain(one.text) for cells in grid.rows[: grid.header_rows] for one in cells}
    # A table whose header does not name the model has no column of it.
    return _plain(model) in names or _plain(model) not in known


def _plain(text: str) -> str:
    return re.sub(r"[^\w]+", "", text).lower()

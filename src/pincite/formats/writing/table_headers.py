"""Find the row at the top of a grid of texts that names its columns."""

import re
from collections.abc import Sequence

from pincite.formats.writing.numerals import YEAR

HEADER_SEARCH_ROWS = 10
"""Rows at the top among which a header is searched."""
UNIQUENESS_WEIGHT, TEXT_WEIGHT, COVERAGE_WEIGHT = 0.5, 0.3, 0.2
"""Weights of a row's score: the share of distinct texts, of texts that are words, and of filled columns."""
BODY_ROWS = 20
"""Rows below a header that are compared with it."""

_MIN_LEAD = 0.08
"""How much more a lower row must score: two unnamed columns out of five do not disqualify the upper one."""
_NUMERIC_SHARE = 0.8
"""Share of values above which a column is one of values: dashes, notes and totals may be among them."""
_LABEL_END = (":", "\uff1a")
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")
_NUMBER = re.compile(
    r"[-+\u2212(]?\s?(?:[A-Z]{3}\s|[A-Z]{0,2}\$|[€£¥₹])?\s?[-+\u2212]?"
    r"(?:\d[\d.,'’\s]{0,400}|\.\d{1,400})(?:[eE][-+]?\d{1,4})?\s?(?:%|[A-Z]{3}|[€£¥₹$])?\)?"
)
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d.*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?: .*)?|\d\d?:\d\d(?::\d\d.*)?"
)


def is_number(text: str) -> bool:
    """Return True if a text is a number, with or without a currency, a percent sign or brackets."""
    return _NUMBER.fullmatch(text.strip()) is not None


def is_date(text: str) -> bool:
    """Return True if a text is a date, a time or both."""
    return _DATE.fullmatch(text.strip()) is not None


def is_value(text: str) -> bool:
    """Return True if a text is a number or a date, and so no column's name."""
    return is_number(text) or is_date(text)


def score(row: Sequence[str], width: int) -> float:
    """Return how likely a row names columns, 0..1; a year counts as a name.

    Args:
        row: The texts of its cells, empty for empty cells.
        width: Number of columns of the table.
    """
    filled = [text.strip() for text in row if text.strip()]
    if not filled:
        return 0.0
    words = sum(_is_name(text) for text in filled)
    unique = len({text.casefold() for text in filled})
    return (
        UNIQUENESS_WEIGHT * unique / len(filled)
        + TEXT_WEIGHT * words / len(filled)
        + COVERAGE_WEIGHT * min(1, len(filled) / width)
    )


def find_header(rows: Sequence[Sequence[str]], width: int) -> int | None:
    """Return the index of the row among the first ten that names the columns; None if there is none.

    The row with the best score is the candidate, the upper one of two that score about the same. It is a header if
    a column of values follows it, or if it is all words and no record like those below.

    Args:
        rows: The first `HEADER_SEARCH_ROWS + BODY_ROWS` rows of the table, or more.
        width: Number of columns of the table.
    """
    best, best_score = None, 0.0
    for number, row in enumerate(rows[:HEADER_SEARCH_ROWS]):
        row_score = 0.0 if _is_note(row, width) else score(row, width)
        if row_score > best_score + (_MIN_LEAD if best is not None else 0):
            best, best_score = number, row_score
    if best is None or not _is_header(rows[best], rows[best + 1 : best + 1 + BODY_ROWS], width):
        return None
    return best


def _is_note(row: Sequence[str], width: int) -> bool:
    """A note above a table is one text in the first of several columns."""
    return width > 1 and bool(row) and bool(row[0].strip()) and not any(text.strip() for text in row[1:])


def _is_header(row: Sequence[str], body: Sequence[Sequence[str]], width: int) -> bool:
    if not body:
        return False
    has_value_column = False
    for column, text in enumerate(row):
        values = [below[column] for below in body if column < len(below) and below[column].strip()]
        if not values or not text.strip():
            continue
        is_value_column = sum(map(is_value, values)) > _NUMERIC_SHARE * len(values)
        # A value above values is data: this row is not a header.
        if is_value_column and not _is_name(text):
            return False
        has_value_column = has_value_column or is_value_column
    if has_value_column:
        return True
    return width > 1 and all(_is_name(text) for text in row if text.strip()) and not _is_record(row, body)


def _is_record(row: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """Return True if a row of words is one like those below: a label with its value, a number, a text that recurs."""
    if list(row) in [list(below) for below in body]:
        return False  # the header, as it is printed on every page
    labels = [below[0].strip() for below in body if below and below[0].strip()]
    if row[0].strip().endswith(_LABEL_END):
        return 2 * sum(label.endswith(_LABEL_END) for label in labels) >= len(labels)
    return any(
        text.strip() and _recurs(text.strip(), [below[column].strip() for below in body if column < len(below)])
        for column, text in enumerate(row)
    )


def _recurs(text: str, values: Sequence[str]) -> bool:
    """Return True if a text is among values, or most are like it but for their numbers (`Step 1`, `Step 2`)."""
    filled = [value for value in values if value]
    if text in filled:
        return True
    shape = _DIGITS.sub("0", text)
    is_numbered = shape != text and _LETTER.search(text) is not None
    return is_numbered and 2 * sum(_DIGITS.sub("0", value) == shape for value in filled) > len(filled)


def _is_name(text: str) -> bool:
    return YEAR.fullmatch(text.strip()) is not None or not is_value(text)

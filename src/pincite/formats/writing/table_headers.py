"""Which rows at the top of a grid of texts name its columns."""

import re
from collections.abc import Sequence

HEADER_SEARCH_ROWS = 10
"""A header is looked for among so many rows."""
UNIQUENESS, TEXT, COVERAGE = 0.5, 0.3, 0.2
"""The weights of a row's score: its texts differ, are words, fill the columns."""
BODY_ROWS = 20
"""Rows below a header that it is compared with."""

_MARGIN = 0.08
"""A lower row must be better by this much: a name that is missing (two columns out of five) is no reason."""
_NUMERIC_SHARE = 0.8
_NUMBER = re.compile(
    r"[-+\u2212(]?\s?(?:[A-Z]{3}\s|[A-Z]{0,2}\$|[€£¥₹])?\s?[-+\u2212]?"
    r"(?:\d[\d.,'’\s]{0,400}|\.\d{1,400})(?:[eE][-+]?\d{1,4})?\s?(?:%|[A-Z]{3}|[€£¥₹$])?\)?"
)
_DATE = re.compile(
    r"\d{4}-\d\d?-\d\d?(?:[T ]\d\d?:\d\d.*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?: .*)?|\d\d?:\d\d(?::\d\d.*)?"
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def is_number(text: str) -> bool:
    """Whether a text is a number, with a currency, a percent sign or brackets or without."""
    return _NUMBER.fullmatch(text.strip()) is not None


def is_date(text: str) -> bool:
    """Whether a text is a date, a time or both."""
    return _DATE.fullmatch(text.strip()) is not None


def is_value(text: str) -> bool:
    """Whether a text is a number or a date, so that it names nothing."""
    return is_number(text) or is_date(text)


def score(row: Sequence[str], width: int) -> float:
    """How much a row looks like names of columns, 0..1; a year counts as a name.

    Args:
        row: Its texts, empty ones for empty cells.
        width: Columns of the table.
    """
    filled = [text.strip() for text in row if text.strip()]
    if not filled:
        return 0.0
    words = sum(_is_name(text) for text in filled)
    unique = len({text.casefold() for text in filled})
    return UNIQUENESS * unique / len(filled) + TEXT * words / len(filled) + COVERAGE * min(1, len(filled) / width)


def find_header(rows: Sequence[Sequence[str]], width: int) -> int | None:
    """The row among the first ten that names the columns; None where every row is one of values.

    The best score counts, the upper row of two that are about as good. It is a header if it differs
    in kind from what is below, or if all is words.

    Args:
        rows: The first rows of the table, `HEADER_SEARCH_ROWS + BODY_ROWS` are enough.
        width: Columns of the table.
    """
    best, reached = None, 0.0
    for number, row in enumerate(rows[:HEADER_SEARCH_ROWS]):
        points = 0.0 if _is_note(row, width) else score(row, width)
        if points > reached + (_MARGIN if best is not None else 0):
            best, reached = number, points
    if best is None or not _names(rows[best], rows[best + 1 : best + 1 + BODY_ROWS], width):
        return None
    return best


def _is_note(row: Sequence[str], width: int) -> bool:
    """Whether a row has one text, at the left of a table of several columns."""
    return width > 1 and bool(row) and bool(row[0].strip()) and not any(text.strip() for text in row[1:])


def _names(row: Sequence[str], body: Sequence[Sequence[str]], width: int) -> bool:
    if not body:
        return False
    differs = False
    for column, text in enumerate(row):
        values = [below[column] for below in body if column < len(below) and below[column].strip()]
        if not values or not text.strip():
            continue
        of_values = sum(map(is_value, values)) > _NUMERIC_SHARE * len(values)
        if of_values and not _is_name(text):
            return False
        differs = differs or of_values
    return differs or (width > 1 and all(_is_name(text) for text in row if text.strip()))


def _is_name(text: str) -> bool:
    return _YEAR.fullmatch(text.strip()) is not None or not is_value(text)

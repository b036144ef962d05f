"""Find the delimiter of a delimited text."""

import csv
from collections import Counter
from itertools import groupby

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_LINES = 200
SAMPLE_CHARACTERS = 200_000
"""Part of a text that the delimiter is found in: it is parsed once for each delimiter."""

_STRAY_QUOTE_PENALTY = 0.8
"""Share of the score lost if every row has a quotation mark within a cell: a sign of a wrong delimiter."""


def find_delimiter(text: str) -> str:
    """Return the delimiter that makes the records' numbers of columns most consistent; a comma if none splits them.

    The score counts the records with the most common number of columns, and the longest run of them, as notes above a
    table agree by chance only. More columns score higher, by 1 - 1/width.
    """
    lines = text[:SAMPLE_CHARACTERS].splitlines(keepends=True)[:SAMPLE_LINES]
    return max(DELIMITERS, key=lambda delimiter: _consistency(lines, delimiter))


def _consistency(lines: list[str], delimiter: str) -> float:
    rows = _rows(lines, delimiter)
    widths = [len(row) for row in rows]
    counts = Counter(width for width in widths if width > 1)
    if not counts:
        return 0.0
    width, matching = max(counts.items(), key=lambda item: (item[1], item[0]))
    run = max(sum(1 for _ in group) for value, group in groupby(widths) if value == width)
    stray = sum(any('"' in cell for cell in row) for row in rows)
    share = (matching + run) / 2 / len(rows)
    # Squared: agreement of most records outweighs many columns in few.
    return share * share * (1 - 1 / width) * (1 - _STRAY_QUOTE_PENALTY * stray / len(rows))


def _rows(lines: list[str], delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        rows.extend(row for row in csv.reader(lines, delimiter=delimiter) if row)
    except csv.Error:  # a field over the size limit: the rows before it are enough
        return rows
    return rows

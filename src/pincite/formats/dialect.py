"""Which character parts the columns of a delimited text."""

import csv
from collections import Counter
from collections.abc import Sequence
from itertools import islice

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_LINES = 200


def find_delimiter(text: str) -> str:
    """The delimiter under which most records have the same number of columns; a comma where none parts them.

    Notes above a table do no harm: they are few. A record is worth more the more columns it has, as a
    decimal comma parts every number of a table of two columns once.
    """
    sample = text[: SAMPLE_LINES * 1000]
    return max(DELIMITERS, key=lambda delimiter: _consistency(sample, delimiter))


def _consistency(sample: str, delimiter: str) -> float:
    widths = [len(row) for row in islice(_rows(sample, delimiter), SAMPLE_LINES) if row]
    counts = Counter(width for width in widths if width > 1)
    if not counts:
        return 0.0
    width, same = max(counts.items(), key=lambda item: (item[1], item[0]))
    share = same / len(widths)
    return share * share * (width - 1) / width * (1 + 0.01 * min(width, 20))


def _rows(sample: str, delimiter: str) -> Sequence[list[str]]:
    lines = sample.splitlines()[:SAMPLE_LINES]
    rows: list[list[str]] = []
    try:
        rows.extend(csv.reader(lines, delimiter=delimiter, skipinitialspace=True))
    except csv.Error:
        return rows
    return rows

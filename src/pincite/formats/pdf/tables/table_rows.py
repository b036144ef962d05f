"""Which rows of a page make a table: runs of rows whose values stand under each other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite.formats.pdf.tables.columns import OVERLAP, Column, add_values, shared, value_columns
from pincite.formats.pdf.tables.header_rows import is_years
from pincite.formats.pdf.tables.segments import Kind, Row

LONGEST_GAP = 6.0
"""Empty space (em) that no table goes on across."""
MIN_VALUE_GAP_EM = 2.5
"""A single value this far (em) from its label may be a table's."""
MOST_LABELS = 8
"""Rows without a value in a row that begin at the table's left edge, between rows with values."""
MOST_LINES = 24
"""Rows without a value in a row, wherever they begin: long records."""
LARGER = 1.12
"""Text larger than a table's by this factor is a heading."""
MIN_COLUMN_SEGMENTS = 4
"""So many segments in one line are columns, though one of them alone is a value."""
MOST_COLUMNS = 100
"""Of values; more are a drawing."""
MOST_TRIED = 30
"""Rows that make no table are tried again, without the first, only if they are no more."""
MIN_ONLY_ROW_VALUES = 3
"""A label and so many values are a table though they are its only row."""
MIN_TEXT_TABLE_SEGMENTS = 3
"""Rows of a value between two texts or more are a table though the value is no amount."""
NEAR_ROWS = 5
"""A header is one of so many rows above a table's only one."""
PROSE_WORDS = 7
EDGE = 1.5
"""Running text begins no further (em) right of a table's left edge."""
RECORD_GAP = 1.45
"""Lines of one record are no further apart (em)."""
_NUMBERED = re.compile(r"(?:\w+ )?[A-Z]{0,2}\d{1,2}(?:\.\d{1,2})*[.:)]? +[^\W\d_a-z]")
_RISING = 0.7


@dataclass(frozen=True, slots=True)
class Run:
    """Rows `first` up to `last` of a page, the body of a table; `anchors` hold values."""

    first: int
    last: int
    anchors: tuple[int, ...]


def is_anchor(row: Row) -> bool:
    """Whether a row shows by itself that columns are there."""
    in_columns = len(row.values) > 1 or (len(row.segments) >= MIN_COLUMN_SEGMENTS and bool(row.values))
    return in_columns and not is_years(row)


def is_weak(row: Row) -> bool:
    """Whether a row has one value, far from the text before it."""
    values = row.values
    if len(values) != 1 or values[0].kind is Kind.YEAR or len(row.segments) == 1:
        return False
    index = row.segments.index(values[0])
    return index > 0 and values[0].core[0] - row.segments[index - 1].x1 > MIN_VALUE_GAP_EM * row.size


def runs(rows: Sequence[Row]) -> list[Run]:
    """The bodies of the tables of a page, from the top."""
    found: list[Run] = []
    index = 0
    while index < len(rows):
        following = index + 1
        if is_anchor(rows[index]) or is_weak(rows[index]):
            run, columns = _grow(rows, index)
            if _is_table(rows, run, columns):
                found.append(run)
                following = run.last
            elif len(run.anchors) > MOST_TRIED:
                following = run.last
        index = following
    return found


def _grow(rows: Sequence[Row], start: int) -> tuple[Run, list[Column]]:
    """The rows from `start` on whose values stand under each other, and the columns that they make."""
    first = rows[start]
    anchors = [start]
    columns = value_columns([first])
    crossing = labels = 0
    for index in range(start + 1, len(rows)):
        row, above = rows[index], rows[index - 1]
        if row.y0 - above.y1 > LONGEST_GAP * row.size or is_heading(row, first):
            break
        if row.values and not is_years(row):
            if len(columns) > MOST_COLUMNS or not _fits(
                row, columns, close=row.base - above.base <= RECORD_GAP * row.size
            ):
                break
            anchors.append(index)
            add_values(columns, row, index)
            columns.sort(key=lambda column: column.x0)
            crossing = labels = 0
            continue
        labels += row.x0 <= first.x0 + EDGE * row.size
        crossing = crossing + 1 if crosses(row, columns, first.x0) else 0
        if _is_header(row, columns) or labels > MOST_LABELS or index - anchors[-1] > MOST_LINES or crossing > 1:
            break
    return Run(start, anchors[-1] + 1, tuple(anchors)), columns


def is_heading(row: Row, anchor: Row) -> bool:
    """Whether a row is no label of a table: larger than its text, or bold with a section number."""
    if row.values:
        return False
    return row.size > LARGER * anchor.size or bool(row.bold and not anchor.bold and _NUMBERED.match(row.text))


def _fits(row: Row, columns: Sequence[Column], *, close: bool) -> bool:
    """Whether at least half of a row's values stand in the columns known so far.

    A row close below another may begin columns of its own.
    """
    values = row.values
    inside = sum(any(shared(*segment.core, column) > OVERLAP for column in columns) for segment in values)
    beside = sum(all(shared(*segment.core, column) == 0 for column in columns) for segment in values)
    return 2 * inside >= len(values) or (close and inside + beside == len(values))


def _is_header(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a row names columns: years, or texts over two or more of them."""
    if is_years(row):
        return True
    first = (
        next((index for index, column in enumerate(columns) if shared(segment.x0, segment.x1, column) > OVERLAP), None)
        for segment in row.texts
    )
    return len({index for index in first if index is not None}) > 1


def crosses(row: Row, columns: Sequence[Column], left: float) -> bool:
    """Whether running text from the table's left edge reaches into the columns of values."""
    if len(row.segments) > 1 or row.x0 > left + EDGE * row.size:
        return False
    return row.x1 > columns[0].x0 and len(row.text.split()) >= PROSE_WORDS


def _is_table(rows: Sequence[Row], run: Run, columns: Sequence[Column]) -> bool:
    anchors = [rows[index] for index in run.anchors]
    strong = [row for row in anchors if is_anchor(row)]
    labelled = [row for row in anchors if row.texts]
    if _is_contents(anchors):
        return False
    if len(strong) > 1:
        return len(labelled) > 1 or 2 * len(labelled) >= len(anchors)
    if len(strong) == 1 and strong[0].texts:
        if len(strong[0].values) >= MIN_ONLY_ROW_VALUES and strong[0].texts:
            return True
        above = rows[max(0, run.first - NEAR_ROWS) : run.first]
        return any(row.base > anchors[0].base - LONGEST_GAP * row.size and _is_header(row, columns) for row in above)
    wide = [row for row in anchors if len(row.segments) >= MIN_TEXT_TABLE_SEGMENTS]
    if len(wide) > 1 and 2 * len(wide) >= len(anchors):
        return True
    money = [row for row in anchors if row.values and re.search(r"[.,]\d|[$€£%—]", row.values[-1].text)]
    return len(anchors) > 1 and len(labelled) == len(anchors) and len(money) == len(anchors)


def _is_contents(anchors: Sequence[Row]) -> bool:
    """Whether rows end in page numbers: plain whole numbers that rise."""
    last = [row.values[-1].text for row in anchors if len(row.values) == 1]
    numbers = [int(text) for text in last if re.fullmatch(r"\d{1,4}", text)]
    if len(numbers) < max(2, _RISING * len(anchors)):
        return False
    rising = sum(a <= b for a, b in pairwise(numbers))
    return rising >= _RISING * (len(numbers) - 1)

"""Detection of table bodies: runs of rows with vertically aligned values."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.formats.pdf.tables.segments import Kind, Row, Segment

MIN_COLUMN_OVERLAP_SHARE = 0.3
"""Overlap with a column, as a share of the narrower interval, above which a segment belongs to it."""
MAX_TABLE_GAP_EM = 6.0
"""Empty space that ends a table."""
MIN_VALUE_GAP_EM = 2.5
"""Gap between a label and a single value that hints at a table."""
MAX_LABEL_ROWS = 8
"""Consecutive rows without a value at the table's left edge; more end the table."""
MAX_VALUELESS_ROWS = 24
"""Consecutive rows without a value, indented ones included, as in records with long descriptions."""
HEADING_SIZE_RATIO = 1.12
"""Font size of a heading relative to the table's text."""
MIN_COLUMN_SEGMENTS = 4
"""Segments of a row that show columns even with a single value."""
MAX_COLUMNS = 100
"""Value columns; more are a drawing, and each row is compared with all of them."""
MAX_RETRY_ANCHORS = 30
"""Rows with values of a rejected run up to which the search resumes at its second row; after a longer one it resumes
behind the run, to avoid quadratic time."""
MIN_ONLY_ROW_VALUES = 3
"""Values of a labelled row that make a table by itself."""
MIN_TEXT_TABLE_SEGMENTS = 3
"""Segments of rows that make a table although their only value is no amount."""
MAX_HEADER_DISTANCE_ROWS = 5
"""Rows searched for a header above a table of a single row."""
MIN_PROSE_WORDS = 7
"""Words from which a row across the value columns is running text, not a label."""
LEFT_EDGE_TOLERANCE_EM = 1.5
"""Distance right of the table's left edge within which a row begins at that edge."""
MAX_RECORD_STEP_EM = 1.45
"""Distance of two lines of one record."""
MAX_HEADING_SEGMENTS = 2
"""Segments of a numbered heading: number and title. `Metric Q1 Q2` has more."""
_NUMBERED = re.compile(r"(?:\w+ )?[A-Z]{0,2}\d{1,2}(?:\.\d{1,2})*[.:)]? +[^\W\d_a-z]")
"""A section number before a capitalised word: `2.1 Scope`, `Note 3. Revenue`."""
_MIN_RISING_SHARE = 0.7
"""Share of rows that end in rising whole numbers from which they are a table of contents."""


@dataclass(slots=True)
class Column:
    """Interval of x with the segments that support it.

    Attributes:
        outer: The interval widened by currency signs and note marks, over which headers are centred.
        values: Number of values in it.
        texts: Number of texts in it.
        rows: Indices of the supporting rows.
    """

    x0: float
    x1: float
    outer: tuple[float, float]
    values: int = 0
    texts: int = 0
    rows: set[int] = field(default_factory=set[int])

    @property
    def centre(self) -> float:
        """Middle of the outer interval."""
        return (self.outer[0] + self.outer[1]) / 2


def overlap_share(x0: float, x1: float, column: Column) -> float:
    """Return the overlap of an interval and a column, as a share of the narrower one."""
    # Most are apart, and this runs for each column of each segment.
    if x1 <= column.x0 or x0 >= column.x1:
        return 0.0
    overlap = min(x1, column.x1) - max(x0, column.x0)
    # No narrower than 0.1 pt: a glyph without width must not divide by zero.
    return overlap / max(0.1, min(x1 - x0, column.x1 - column.x0)) if overlap > 0 else 0.0


def value_columns(rows: Iterable[Row]) -> list[Column]:
    """Group the values of rows into columns; no column gets two values of one row."""
    columns: list[Column] = []
    # Rows with the most values first: they tell the columns apart, others only widen them.
    for index, row in enumerate(sorted(rows, key=lambda row: -len(row.values))):
        add_values(columns, row, index)
    return sorted(columns, key=lambda column: column.x0)


def add_values(columns: list[Column], row: Row, number: int) -> None:
    """Add the values of a row, widening columns or appending new ones; leaves `columns` unsorted."""
    for segment in row.values:
        _add(columns, segment.core, (segment.x0, segment.x1), number, value=True)


def _add(
    columns: list[Column], core: tuple[float, float], outer: tuple[float, float], row: int, *, value: bool
) -> None:
    x0, x1 = core
    # A column takes at most one value of each row.
    best, most = None, MIN_COLUMN_OVERLAP_SHARE
    for column in columns:
        share = overlap_share(x0, x1, column)
        if share > most and row not in column.rows:
            best, most = column, share
    if best is None:
        best = Column(x0, x1, outer)
        columns.append(best)
    else:
        _widen(best, columns, x0, x1)
    best.outer = (min(best.outer[0], outer[0]), max(best.outer[1], outer[1]))
    best.rows.add(row)
    best.values += value
    best.texts += not value


def _widen(column: Column, columns: Iterable[Column], x0: float, x1: float) -> None:
    """Widen a column to an interval, but not into another column."""
    for other in columns:
        if other is not column:
            if other.x0 >= column.x1:
                x1 = min(x1, max(column.x1, other.x0))
            elif other.x1 <= column.x0:
                x0 = max(x0, min(column.x0, other.x1))
    column.x0, column.x1 = min(column.x0, x0), max(column.x1, x1)


def all_columns(rows: Sequence[Row], values: Sequence[Column]) -> list[Column]:
    """Return the value columns and the text columns around them, from the left.

    A text column other than the leftmost needs two rows, or one in a table of up to three.
    """
    texts: list[Column] = []
    for index, row in enumerate(sorted(rows, key=lambda row: -len(row.segments))):
        for segment in row.texts:
            # A text that overlaps a value column supports no column of its own.
            if not any(overlap_share(segment.x0, segment.x1, column) > 0 for column in values):
                _add(texts, (segment.x0, segment.x1), (segment.x0, segment.x1), index, value=False)
    first = min(texts, key=lambda column: column.x0, default=None)
    needed = 1 if len(rows) <= 3 else 2  # noqa: PLR2004
    kept = [column for column in texts if column is first or len(column.rows) >= needed]
    return sorted([*values, *kept], key=lambda column: column.x0)


def column_of(segment: Segment, columns: Sequence[Column]) -> tuple[int, int]:
    """Return index of the first column of a segment and the number of columns it spans."""
    x0, x1 = segment.core if segment.kind is not Kind.TEXT else (segment.x0, segment.x1)
    shares = [overlap_share(x0, x1, column) for column in columns]
    overlapped = [index for index, share in enumerate(shares) if share > MIN_COLUMN_OVERLAP_SHARE]
    if not overlapped:
        return min(range(len(columns)), key=lambda index: _distance(x0, x1, columns[index])), 1
    # A value has one column; only texts span several.
    if segment.kind is not Kind.TEXT:
        return max(overlapped, key=lambda index: shares[index]), 1
    return overlapped[0], overlapped[-1] - overlapped[0] + 1


def _distance(x0: float, x1: float, column: Column) -> float:
    return max(column.x0 - x1, x0 - column.x1, 0.0)


@dataclass(frozen=True, slots=True)
class Run:
    """Body of a table: row indices `first` to `last`, exclusive; `anchors` are the rows with values."""

    first: int
    last: int
    anchors: tuple[int, ...]


def is_year_row(row: Row) -> bool:
    """Return True if all values of a row are years, which makes it a header."""
    values = row.values
    return bool(values) and all(segment.kind is Kind.YEAR for segment in values)


def is_anchor(row: Row) -> bool:
    """Return True if a row alone shows columns."""
    in_columns = len(row.values) > 1 or (len(row.segments) >= MIN_COLUMN_SEGMENTS and bool(row.values))
    return in_columns and not is_year_row(row)


def is_weak_anchor(row: Row) -> bool:
    """Return True if a row has one value, far from the text before it."""
    values = row.values
    if len(values) != 1 or values[0].kind is Kind.YEAR or len(row.segments) == 1:
        return False
    index = row.segments.index(values[0])
    return index > 0 and values[0].core[0] - row.segments[index - 1].x1 > MIN_VALUE_GAP_EM * row.size


def runs(rows: Sequence[Row]) -> list[Run]:
    """Return the table bodies of a page, from the top."""
    bodies: list[Run] = []
    index = 0
    while index < len(rows):
        next_index = index + 1
        if is_anchor(rows[index]) or is_weak_anchor(rows[index]):
            run, columns = _grow(rows, index)
            if _is_table(rows, run, columns):
                bodies.append(run)
                next_index = run.last
            elif len(run.anchors) > MAX_RETRY_ANCHORS:
                next_index = run.last
        index = next_index
    return bodies


def _grow(rows: Sequence[Row], start: int) -> tuple[Run, list[Column]]:
    """Return the run of rows with aligned values from row `start` on, and its value columns."""
    first = rows[start]
    anchors = [start]
    columns = value_columns([first])
    crossing = labels = 0
    for index in range(start + 1, len(rows)):
        row, above = rows[index], rows[index - 1]
        if row.y0 - above.y1 > MAX_TABLE_GAP_EM * row.size or is_heading(row, first):
            break
        if row.values and not is_year_row(row):
            if len(columns) > MAX_COLUMNS or not _fits(
                row, columns, close=row.base - above.base <= MAX_RECORD_STEP_EM * row.size
            ):
                break
            anchors.append(index)
            add_values(columns, row, index)
            columns.sort(key=lambda column: column.x0)
            crossing = labels = 0
            continue
        labels += row.x0 <= first.x0 + LEFT_EDGE_TOLERANCE_EM * row.size
        # A single line of running text may be a long label; two in a row end the table.
        crossing = crossing + 1 if crosses(row, columns, first.x0) else 0
        # A row that names columns begins another table.
        if (
            _names_columns(row, columns)
            or labels > MAX_LABEL_ROWS
            or index - anchors[-1] > MAX_VALUELESS_ROWS
            or crossing > 1
        ):
            break
    return Run(start, anchors[-1] + 1, tuple(anchors)), columns


def is_heading(row: Row, anchor: Row) -> bool:
    """Return True if a row is a heading: larger than the table's text, or bold with a section number."""
    if row.values:
        return False
    is_numbered = row.bold and not anchor.bold and len(row.segments) <= MAX_HEADING_SEGMENTS
    return row.size > HEADING_SIZE_RATIO * anchor.size or bool(is_numbered and _NUMBERED.match(row.text))


def _fits(row: Row, columns: Sequence[Column], *, close: bool) -> bool:
    """Return True if at least half of a row's values are in the known columns.

    A row `close` below another may add columns: none of its values may then overlap a known column only slightly.
    """
    values = row.values
    inside = sum(
        any(overlap_share(*segment.core, column) > MIN_COLUMN_OVERLAP_SHARE for column in columns) for segment in values
    )
    outside = sum(all(overlap_share(*segment.core, column) == 0 for column in columns) for segment in values)
    return 2 * inside >= len(values) or (close and inside + outside == len(values))


def _names_columns(row: Row, columns: Sequence[Column]) -> bool:
    """Return True if a row names columns: years only, or texts over two or more columns."""
    if is_year_row(row):
        return True
    overlapped = (
        next(
            (
                index
                for index, column in enumerate(columns)
                if overlap_share(segment.x0, segment.x1, column) > MIN_COLUMN_OVERLAP_SHARE
            ),
            None,
        )
        for segment in row.texts
    )
    return len({index for index in overlapped if index is not None}) > 1


def crosses(row: Row, columns: Sequence[Column], left: float) -> bool:
    """Return True if running text from the table's left edge reaches into the value columns."""
    if len(row.segments) > 1 or row.x0 > left + LEFT_EDGE_TOLERANCE_EM * row.size:
        return False
    return row.x1 > columns[0].x0 and len(row.text.split()) >= MIN_PROSE_WORDS


def _is_table(rows: Sequence[Row], run: Run, columns: Sequence[Column]) -> bool:
    anchors = [rows[index] for index in run.anchors]
    strong_rows = [row for row in anchors if is_anchor(row)]
    labelled_rows = [row for row in anchors if row.texts]
    if _is_page_list(anchors):  # page numbers align like values
        return False
    if len(strong_rows) > 1:
        return True
    # A single one needs three values, or a header close above.
    if len(strong_rows) == 1 and strong_rows[0].texts:
        if len(strong_rows[0].values) >= MIN_ONLY_ROW_VALUES:
            return True
        above = rows[max(0, run.first - MAX_HEADER_DISTANCE_ROWS) : run.first]
        return any(
            row.base > anchors[0].base - MAX_TABLE_GAP_EM * row.size and _names_columns(row, columns) for row in above
        )
    # Rows of several texts with one value each.
    wide_rows = [row for row in anchors if len(row.segments) >= MIN_TEXT_TABLE_SEGMENTS]
    if len(wide_rows) > 1 and 2 * len(wide_rows) >= len(anchors):
        return True
    # Labels with one value each are a table only if all values are amounts; whole numbers may be anything.
    amounts = [row for row in anchors if row.values and re.search(r"[.,]\d|[$€£%—]", row.values[-1].text)]
    return len(anchors) > 1 and len(labelled_rows) == len(anchors) and len(amounts) == len(anchors)


def _is_page_list(anchors: Sequence[Row]) -> bool:
    """Return True if rows end in rising whole numbers, as a table of contents does."""
    last = [row.values[-1].text for row in anchors if len(row.values) == 1]
    numbers = [int(text) for text in last if re.fullmatch(r"\d{1,4}", text)]
    if len(numbers) < max(2, _MIN_RISING_SHARE * len(anchors)):
        return False
    rising = sum(a <= b for a, b in pairwise(numbers))
    return rising >= _MIN_RISING_SHARE * (len(numbers) - 1)

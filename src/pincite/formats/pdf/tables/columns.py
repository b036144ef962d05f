"""Columns of a run of rows: intervals of x in which its segments overlap."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pincite.formats.pdf.tables.segments import Kind, Row, Segment

MIN_COLUMN_OVERLAP_SHARE = 0.3
"""Overlap with a column, as a share of the narrower interval, above which a segment belongs to it."""


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

"""Columns of a run of rows: intervals of x that its segments share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pincite.formats.pdf.tables.segments import Kind, Row, Segment

OVERLAP = 0.3
"""Intervals that share more than this of the narrower one are of one column."""


@dataclass(slots=True)
class Column:
    """An interval of x.

    Attributes:
        outer: With signs before the values and marks behind them: what a header stands over.
        values: How many values support it.
        texts: How many texts.
        rows: Which of the rows given.
    """

    x0: float
    x1: float
    outer: tuple[float, float]
    values: int = 0
    texts: int = 0
    rows: set[int] = field(default_factory=set[int])

    @property
    def centre(self) -> float:
        """The middle of what a header stands over."""
        return (self.outer[0] + self.outer[1]) / 2


def shared(x0: float, x1: float, column: Column) -> float:
    """How much of the narrower of an interval and a column is common to both."""
    common = min(x1, column.x1) - max(x0, column.x0)
    return common / max(0.1, min(x1 - x0, column.x1 - column.x0)) if common > 0 else 0.0


def value_columns(rows: Iterable[Row]) -> list[Column]:
    """The columns that values make; two values of one row are never of one column."""
    columns: list[Column] = []
    for number, row in enumerate(sorted(rows, key=lambda row: -len(row.values))):
        add_values(columns, row, number)
    return sorted(columns, key=lambda column: column.x0)


def add_values(columns: list[Column], row: Row, number: int) -> None:
    """Let the values of a row widen their columns, or make new ones; in no order."""
    for segment in row.values:
        _add(columns, segment.core, (segment.x0, segment.x1), number, value=True)


def _add(
    columns: list[Column], core: tuple[float, float], outer: tuple[float, float], row: int, *, value: bool
) -> None:
    x0, x1 = core
    free = [column for column in columns if row not in column.rows]
    best = max(free, key=lambda column: shared(x0, x1, column), default=None)
    if best is None or shared(x0, x1, best) <= OVERLAP:
        best = Column(x0, x1, outer)
        columns.append(best)
    else:
        _widen(best, columns, x0, x1)
    best.outer = (min(best.outer[0], outer[0]), max(best.outer[1], outer[1]))
    best.rows.add(row)
    best.values += value
    best.texts += not value


def _widen(column: Column, columns: Iterable[Column], x0: float, x1: float) -> None:
    """Let a column reach as far as an interval, but not into another."""
    for other in columns:
        if other is not column:
            if other.x0 >= column.x1:
                x1 = min(x1, max(column.x1, other.x0))
            elif other.x1 <= column.x0:
                x0 = max(x0, min(column.x0, other.x1))
    column.x0, column.x1 = min(column.x0, x0), max(column.x1, x1)


def all_columns(rows: Sequence[Row], values: Sequence[Column]) -> list[Column]:
    """Value columns and the text columns left of, between and right of them.

    A text column away from the labels needs two rows (one in a table of up to three).
    """
    texts: list[Column] = []
    for number, row in enumerate(sorted(rows, key=lambda row: -len(row.segments))):
        for segment in row.texts:
            if not any(shared(segment.x0, segment.x1, column) > 0 for column in values):
                _add(texts, (segment.x0, segment.x1), (segment.x0, segment.x1), number, value=False)
    first = min(texts, key=lambda column: column.x0, default=None)
    needed = 1 if len(rows) <= 3 else 2  # noqa: PLR2004
    kept = [column for column in texts if column is first or len(column.rows) >= needed]
    return sorted([*values, *kept], key=lambda column: column.x0)


def column_of(segment: Segment, columns: Sequence[Column]) -> tuple[int, int]:
    """The first column of a segment and how many it reaches over."""
    x0, x1 = segment.core if segment.kind is not Kind.TEXT else (segment.x0, segment.x1)
    shares = [shared(x0, x1, column) for column in columns]
    over = [index for index, share in enumerate(shares) if share > OVERLAP]
    if not over:
        return min(range(len(columns)), key=lambda index: _distance(x0, x1, columns[index])), 1
    if segment.kind is not Kind.TEXT:
        return max(over, key=lambda index: shares[index]), 1
    return over[0], over[-1] - over[0] + 1


def _distance(x0: float, x1: float, column: Column) -> float:
    return max(column.x0 - x1, x0 - column.x1, 0.0)

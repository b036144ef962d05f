"""Lines of a table's body, joined to the rows that they are of: wrapped labels, records of several lines."""

import math
from collections.abc import Sequence

from pincite.formats.pdf.tables.columns import Column, column_of
from pincite.formats.pdf.tables.segments import Kind, Row, Segment, middle
from pincite.formats.pdf.tables.table_rows import RECORD_GAP

BESIDE = 0.8
"""Lines less apart (em) cannot stand under each other: they are cells of one row, set at other heights."""
FULL = 0.8
"""A label this far through its column may go on in the next line."""
SAME_SIZE = 0.1
Texts = dict[int, list[Segment]]
"""The segments of a grid's row, by column."""


def text_columns(columns: Sequence[Column]) -> list[int]:
    """The columns that hold more texts than values."""
    return [index for index, column in enumerate(columns) if column.texts > column.values]


def records(rows: Sequence[Row], columns: Sequence[Column]) -> list[Texts]:
    """The rows of a table, by column, each with all its lines.

    Args:
        rows: The body's lines.
        columns: At least one.
    """
    texts = text_columns(columns)
    goes_on = _is_record if len(texts) > 1 else _is_label
    joined: list[Texts] = []
    above: Row | None = None
    for row in rows:
        cells = _placed(row, columns)
        apart = row.base - above.base if above is not None else math.inf
        if joined and (
            (apart < BESIDE * row.size and _is_beside(joined[-1], cells))
            or (apart <= RECORD_GAP * row.size and goes_on(joined[-1], cells, columns))
        ):
            for index, segments in cells.items():
                joined[-1].setdefault(index, []).extend(segments)
        else:
            joined.append(cells)
        above = row
    return joined


def _placed(row: Row, columns: Sequence[Column]) -> Texts:
    texts: Texts = {}
    for segment in row.segments:
        texts.setdefault(column_of(segment, columns)[0], []).append(segment)
    return texts


def _is_record(record: Texts, cells: Texts, columns: Sequence[Column]) -> bool:
    """Whether a line goes on with a record: no key of its own, and no value where the record has one."""
    del columns
    return not (0 in cells and 0 in record) and not _conflict(record, cells)


def _is_beside(record: Texts, cells: Texts) -> bool:
    """Whether a line stands between the lines of a row: no value twice, and below what its columns already hold."""
    below = all(
        middle(parts[0].words) - middle(record[index][-1].words) >= BESIDE * parts[0].words[0].size
        for index, parts in cells.items()
        if index in record
    )
    return below and not _conflict(record, cells)


def _conflict(record: Texts, cells: Texts) -> bool:
    """Whether a line has a value where the record already has something."""
    return any(index in record and any(part.kind is not Kind.TEXT for part in parts) for index, parts in cells.items())


def _is_label(record: Texts, cells: Texts, columns: Sequence[Column]) -> bool:
    """Whether a line goes on with a label that was too long for its column."""
    if 0 not in record or 0 not in cells or (len(cells) > 1 and len(record) > 1):
        return False
    return _goes_on(record[0][-1], cells[0][0], columns, alone=len(record) == 1)


def wraps(above: Row, row: Row, columns: Sequence[Column]) -> bool:
    """Whether a label alone in its line goes on in the next one."""
    return above.segments[0].kind is Kind.TEXT and _goes_on(
        above.segments[0], row.segments[0], columns, alone=len(above.segments) == 1
    )


def _goes_on(before: Segment, after: Segment, columns: Sequence[Column], *, alone: bool) -> bool:
    text = before.text
    last, first = before.words[-1], after.words[0]
    if text.endswith(":") or last.bold != first.bold or abs(last.size - first.size) > SAME_SIZE * first.size:
        return False
    needed = before.x1 + first.x1 - first.x0
    column = columns[0]
    if text.count("(") > text.count(")") or first.text[:1].islower():
        return needed >= column.x0 + FULL * (column.x1 - column.x0)
    return alone and len(columns) > 1 and needed > columns[1].outer[0]

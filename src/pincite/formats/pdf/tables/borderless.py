"""Tables without rules: columns by the values that stand under each other, rows by their lines."""

from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.pdf.tables.columns import Column, all_columns, column_of, value_columns
from pincite.formats.pdf.tables.draft import TableDraft, WordCell
from pincite.formats.pdf.tables.header_rows import FARTHEST, HeaderCell, header_cells, named_only, names_columns
from pincite.formats.pdf.tables.records import BESIDE, Texts, records, text_columns, wraps
from pincite.formats.pdf.tables.segments import ALIGNED, Row
from pincite.formats.pdf.tables.table_rows import LARGER, PROSE_WORDS, RECORD_GAP, Run, crosses, is_heading, runs

MOST_HEADER_LINES = 12
"""Above a table's first value."""
MOST_LABELS = 4
"""Lines of labels alone between a header and the first value."""
HEADER_GAP = 2.6
"""A header row stands no further (em) from the row below it."""


def find_stream(rows: Sequence[Row]) -> list[TableDraft]:
    """The tables of a page whose rows are given from the top."""
    found: list[TableDraft] = []
    floor = 0
    for run in runs(rows):
        table, last = _table(rows, run, floor)
        found.append(table)
        floor = last
    return found


def _table(rows: Sequence[Row], run: Run, floor: int) -> tuple[TableDraft, int]:
    anchors = [rows[index] for index in run.anchors]
    values = value_columns(anchors)
    first = _header_start(rows, run, values, floor)
    body = rows[run.first : run.last]
    columns = all_columns(body, values)
    if first == run.first:
        first = _lead(rows, run, columns, floor)
    last = _tail(rows, run, columns)
    split = _body_start(rows, first, run, values)
    columns = sorted([*columns, *named_only(rows[first:split], columns)], key=lambda column: column.x0)
    header = header_cells(rows[first:split], columns)
    grid = records(rows[split:last], columns)
    return _draft(header, grid, len(columns), rows[first:last]), last


def _header_start(rows: Sequence[Row], run: Run, values: Sequence[Column], floor: int) -> int:
    """The topmost row of the header; the body's first row where there is none."""
    body = rows[run.first]
    start, labels = run.first, 0
    left = min(anchor.x0 for anchor in rows[run.first : run.last])
    for index in range(run.first - 1, max(floor, run.first - MOST_HEADER_LINES) - 1, -1):
        row, below = rows[index], rows[index + 1]
        if below.y0 - row.y1 > HEADER_GAP * body.size or is_heading(row, body):
            break
        prose = crosses(row, values, max(left, values[0].x0 - FARTHEST * row.size))
        if prose and not (start == run.first and index and _is_header(rows[index - 1], values)):
            break
        beside = start < run.first and rows[start].base - row.base <= RECORD_GAP * row.size and not row.bold
        beside = beside and row.x0 > left and len(row.text.split()) < PROSE_WORDS
        if names_columns(row, values) or beside:
            start, labels = index, 0
        else:
            labels += 1
            if labels > (MOST_LABELS if start == run.first else 0):
                break
    return start


def _is_header(row: Row, values: Sequence[Column]) -> bool:
    """Whether a row names more than one column."""
    return len(row.segments) > 1 and names_columns(row, values)


def _body_start(rows: Sequence[Row], first: int, run: Run, values: Sequence[Column]) -> int:
    """One past the header's last row: rows of labels alone below it are of the body."""
    last = first
    for index in range(first, run.first):
        row = rows[index]
        beside = index > first and row.base - rows[index - 1].base < BESIDE * row.size
        stacked = any(
            abs(row.x0 - other.x0) <= ALIGNED * row.size for other in rows[first:last] if len(other.segments) == 1
        )
        if names_columns(row, values) or (last == index and index > first and (beside or stacked)):
            last = index + 1
    return last


def _lead(rows: Sequence[Row], run: Run, columns: Sequence[Column], floor: int) -> int:
    """The first line of the label with which a table without a header begins."""
    first = run.first
    while first > floor and len(rows[first - 1].segments) == 1:
        row, above = rows[first], rows[first - 1]
        if row.base - above.base > RECORD_GAP * row.size or not wraps(above, row, columns):
            break
        first -= 1
    return first


def _tail(rows: Sequence[Row], run: Run, columns: Sequence[Column]) -> int:
    """One past the last row: lines below the last value that go on with its record."""
    texts = [columns[index] for index in text_columns(columns)]
    if len(texts) < 2:  # noqa: PLR2004
        return _label_end(rows, run.last, columns)
    last = run.last
    body = rows[run.first : run.last]
    widest = max((row.base - above.base for above, row in pairwise(body)), default=0.0)
    for row, above in zip(rows[last:], rows[last - 1 :], strict=False):
        apart = row.base - above.base
        if row.size > LARGER * above.size or row.values or _crosses_all(row, columns):
            break
        inside = len(row.segments) > 1 or row.x0 >= texts[1].x0 - row.size
        if apart > RECORD_GAP * row.size and not (inside and apart <= widest and row.x0 > columns[0].x0 - row.size):
            break
        last += 1
    return last


def _label_end(rows: Sequence[Row], last: int, columns: Sequence[Column]) -> int:
    """One past the line with which the label of the row before `last` ends."""
    while last < len(rows) and len(rows[last].segments) == 1:
        row, above = rows[last], rows[last - 1]
        apart = row.base - above.base
        starts = row.x0 < columns[0].x1 and row.texts
        beside = apart < BESIDE * row.size
        if not starts or not (beside or (apart <= RECORD_GAP * row.size and wraps(above, row, columns))):
            break
        last += 1
    return last


def _crosses_all(row: Row, columns: Sequence[Column]) -> bool:
    """Whether a text goes through more than half of the columns: it is below the table, not of it."""
    return any(2 * column_of(segment, columns)[1] > len(columns) for segment in row.segments)


def _draft(header: list[list[HeaderCell]], grid: Sequence[Texts], columns: int, rows: Sequence[Row]) -> TableDraft:
    cells = [
        WordCell(number, entry.column, entry.words, 1, entry.span)
        for number, entries in enumerate(header)
        for entry in entries
    ]
    for number, texts in enumerate(grid, len(header)):
        for column in sorted(texts):
            words = tuple(word for segment in texts[column] for word in segment.words)
            cells.append(WordCell(number, column, words))
    words = tuple(word for row in rows for word in row.words)
    return TableDraft(len(header) + len(grid), columns, len(header), tuple(cells), words)

"""Rows of ruled tables whose rules part columns alone: all rows below the header are between the same two rules."""

from collections import Counter
from collections.abc import Sequence

from pincite.formats.pdf.page.words import Word, visual_lines
from pincite.formats.pdf.tables.band_cells import MIN_BODY_ROWS, Cells, has_values, split_rows
from pincite.formats.pdf.tables.draft import TableDraft, WordCell

MAX_LINES = 300
"""Lines of a row of the grid; a page of tables has fewer."""


def with_open_rows(draft: TableDraft) -> TableDraft:
    """Return a ruled table with the lines of its last row as rows, if no rule parts any rows and they tell them.

    They do if each row has a cell in the first column and another one.
    """
    last = [cell for cell in draft.cells if cell.row == draft.rows - 1]
    header = [cell for cell in draft.cells if cell.row < draft.rows - 1]
    is_open = draft.header_rows == draft.rows - 1 or (draft.rows == MIN_BODY_ROWS and _are_names(header, draft.columns))
    if not header or not is_open or any(cell.column_span > 1 or cell.row_span > 1 for cell in last):
        return draft
    rows = _rows_of(last)
    if len(rows) < MIN_BODY_ROWS:
        return draft
    cells = [
        WordCell(number, column, tuple(row[column]))
        for number, row in enumerate(rows, draft.rows - 1)
        for column in sorted(row)
    ]
    number = draft.rows - 1
    return TableDraft(number + len(rows), draft.columns, number, (*header, *cells), draft.words)


def _are_names(cells: Sequence[WordCell], columns: int) -> bool:
    """Return True if each column has a cell of one line."""
    return len(cells) == columns and all(len(visual_lines(cell.words)) == 1 for cell in cells)


def _rows_of(cells: Sequence[WordCell]) -> list[Cells]:
    """Return the rows that the lines of one row of a grid make; one if it has a single line in a column."""
    columns = {word.first: cell.column for cell in cells for word in cell.words}
    lines = visual_lines([word for cell in cells for word in cell.words])
    by_line = [_by_column(line.words, columns) for line in lines]
    counts = Counter(column for line in by_line for column in line)
    if len(lines) > MAX_LINES or (counts[0] == 1 and not has_values(by_line)):
        return []
    rows = split_rows(lines, by_line, len(counts))
    # The first row may go on from another page.
    are_rows = all(0 in row and len(row) > 1 for row in rows[1:])
    return rows if are_rows and not _is_label_wrapped(rows) else []


def _is_label_wrapped(rows: Sequence[Cells]) -> bool:
    """Return True if a label begins with a small letter, and the first one with a capital."""
    firsts = [row[0][0].text[0] for row in rows if 0 in row]
    return any(map(str.islower, firsts)) and firsts[0].isupper()


def _by_column(words: Sequence[Word], columns: dict[int, int]) -> Cells:
    cells: Cells = {}
    for word in words:
        cells.setdefault(columns[word.first], []).append(word)
    return cells

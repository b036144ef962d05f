"""Detection of the tables of an untagged page, by ruling lines or by aligned values."""

from collections.abc import Callable, Container, Iterable, Sequence

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.placed_text import PlacedText, text_of
from pincite.formats.pdf.page.rules import page_rules
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import DetectedTable, TableDraft, detected_table
from pincite.formats.pdf.tables.ruled import find_ruled
from pincite.formats.pdf.tables.segments import Row, rows_of


def find_tables(
    lines: Sequence[Line], page: PdfPage, to_text: Callable[[Iterable[Word]], PlacedText] = text_of
) -> tuple[DetectedTable, ...]:
    """Detect the tables of a page, from the top.

    Args:
        lines: All lines of the page.
        page: The open page, for its ruling lines.
        to_text: Joins the words of a cell to text.
    """
    rows = rows_of(lines)
    if not any(len(row.segments) > 1 for row in rows):
        return ()
    ruled = find_ruled([word for line in lines for word in line.words], page_rules(page))
    return tuple(detected_table(draft, to_text) for draft in choose_tables(lines, rows, ruled))


def choose_tables(lines: Sequence[Line], rows: Sequence[Row], ruled: Sequence[TableDraft]) -> list[TableDraft]:
    """Choose ruled tables, and borderless ones on the rest of the page.

    A ruled table is dropped where its grid is coarser than the aligned values: boxes of most invoices are shading.
    """
    borderless = find_borderless(rows)
    between = {word.first for draft in ruled for word in draft.words}
    kept = [draft for draft in ruled if not any(_is_coarser(draft, other, between) for other in borderless)]
    if kept:
        # Again on the rest of the page: words of ruled tables must not be found a second time.
        borderless = find_borderless(rows_of(lines, {word.first for draft in kept for word in draft.words}))
    return sorted([*kept, *borderless], key=lambda draft: min(word.y0 for word in draft.words))


def _is_coarser(ruled: TableDraft, borderless: TableDraft, between: Container[int]) -> bool:
    """Return True if a ruled table separates fewer rows than a borderless one.

    Either two or more cells between rules contain values of several rows, or at least as many rows with values are
    outside of all rules as inside.

    Args:
        ruled: A ruled table.
        borderless: A borderless table on the same page.
        between: Words of all ruled tables, by index of the first character.
    """
    x0, x1 = min(word.x0 for word in ruled.words), max(word.x1 for word in ruled.words)
    rows: dict[int, int] = {}
    for cell in borderless.cells:
        # Only values: a label may belong to several of their rows.
        if cell.column and cell.row >= borderless.header_rows:
            for word in cell.words:
                if x0 <= (word.x0 + word.x1) / 2 <= x1:
                    rows[word.first] = cell.row
    rows_by_cell = [{rows[word.first] for word in cell.words if word.first in rows} for cell in ruled.cells]
    inside = set[int]().union(*rows_by_cell)
    beyond = {row for first, row in rows.items() if first not in between} - inside
    return sum(len(cell_rows) > 1 for cell_rows in rows_by_cell) > 1 or (bool(inside) and len(beyond) >= len(inside))

"""The tables of an untagged page: between rules, or by the values that stand under each other."""

from collections.abc import Container, Sequence

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.placed_text import text_of
from pincite.formats.pdf.page.rules import page_rules
from pincite.formats.pdf.page.words import Line
from pincite.formats.pdf.tables.borderless import find_stream
from pincite.formats.pdf.tables.draft import DetectedTable, TableDraft, detected_table
from pincite.formats.pdf.tables.ruled import find_lattice
from pincite.formats.pdf.tables.segments import Row, rows_of


def find(lines: Sequence[Line], page: PdfPage) -> tuple[DetectedTable, ...]:
    """The tables of a page, from the top.

    Args:
        lines: All that stands on the page.
        page: Where rules are looked for.
    """
    rows = rows_of(lines)
    if not any(len(row.segments) > 1 for row in rows):
        return ()
    ruled = find_lattice([word for line in lines for word in line.words], page_rules(page))
    return tuple(detected_table(draft, text_of) for draft in chosen(lines, rows, ruled))


def chosen(lines: Sequence[Line], rows: Sequence[Row], ruled: Sequence[TableDraft]) -> list[TableDraft]:
    """The tables by their rules, and those by their values on the rest of the page.

    Rules that part the rows less finely than the values do are no grid of this table's cells.
    """
    streamed = find_stream(rows)
    between = {word.first for draft in ruled for word in draft.words}
    kept = [draft for draft in ruled if not any(_is_coarser(draft, other, between) for other in streamed)]
    if kept:
        streamed = find_stream(rows_of(lines, {word.first for draft in kept for word in draft.words}))
    return sorted([*kept, *streamed], key=lambda draft: min(word.y0 for word in draft.words))


def _is_coarser(ruled: TableDraft, streamed: TableDraft, between: Container[int]) -> bool:
    """Whether rules part less of a table than its values do.

    That is: cells between rules hold values of several rows, or the rows with values go on beyond all rules.

    Args:
        ruled: A table between rules.
        streamed: A table by its values.
        between: First characters of all words that stand between rules.
    """
    x0, x1 = min(word.x0 for word in ruled.words), max(word.x1 for word in ruled.words)
    rows: dict[int, int] = {}
    for cell in streamed.cells:
        if cell.column and cell.row >= streamed.header_rows:
            for word in cell.words:
                if x0 <= (word.x0 + word.x1) / 2 <= x1:
                    rows[word.first] = cell.row
    in_cells = [{rows[word.first] for word in cell.words if word.first in rows} for cell in ruled.cells]
    inside = set[int]().union(*in_cells)
    beyond = {row for first, row in rows.items() if first not in between} - inside
    return sum(len(found) > 1 for found in in_cells) > 1 or (bool(inside) and len(beyond) >= len(inside))

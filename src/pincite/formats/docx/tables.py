"""Tables (ECMA-376 part 1, 17.4): cells with their spans, without unused grid columns."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

from pincite.formats.docx.names import TR, VAL, number, toggle, value, w
from pincite.formats.ooxml.package import Element, children
from pincite.model.document import Cell, Table
from pincite.text.tables.column_names import with_named_columns

_TC, _TR_PR, _TC_PR = w("tc"), w("trPr"), w("tcPr")
_MERGE, _SPAN, _BEFORE = w("vMerge"), w("gridSpan"), w("gridBefore")
_TRANSPARENT = frozenset(map(w, ("sdt", "sdtContent", "customXml", "ins", "moveTo")))
_FIRST_ROW = 0x20
"""The bit of `w:tblLook` for a differently formatted first row (17.4.55)."""


def read_table(element: Element, text_of: Callable[[Element], str], *, first_row_apart: bool = False) -> Table:
    """Return a table.

    Args:
        element: The `w:tbl`.
        text_of: Returns the text of a `w:tc`; called once for each cell, in order.
        first_row_apart: True if the table's style formats the first row differently.
    """
    rows = [row for row in _within(element, TR) if not _is_deleted(row)]
    cells: list[Cell] = []
    above: dict[int, int] = {}
    for row_number, row in enumerate(rows):
        below: dict[int, int] = {}
        for column, span, continues, cell in _grid_cells(row):
            owner = above.get(column)
            # A continued cell without one above, in a damaged table, is a cell of its own.
            if continues and owner is not None:
                cells[owner] = replace(cells[owner], row_span=row_number - cells[owner].row + 1)
            else:
                owner = len(cells)
                cells.append(Cell(row_number, column, text_of(cell), 1, span))
            below[column] = owner
        above = below
    headers = _header_rows(element, rows, first_row_apart=first_row_apart)
    return with_named_columns(_on_used_columns(cells, len(rows), headers))


def _within(parent: Element, tag: str) -> Iterator[Element]:
    """Yield rows of a table or cells of a row, including those in content controls and tracked changes."""
    stack = list(children(parent))[::-1]
    while stack:
        node = stack.pop()
        if node.tag == tag:
            yield node
        elif node.tag in _TRANSPARENT:
            stack += list(children(node))[::-1]


def _grid_cells(row: Element) -> Iterator[tuple[int, int, bool, Element]]:
    """Yield each cell of a row with its grid column, its span, and whether it continues the cell above."""
    column = number(value(row, _TR_PR, _BEFORE))
    for cell in _within(row, _TC):
        span, continues = 1, False
        properties = cell.find(_TC_PR)
        for entry in properties if properties is not None else ():
            if entry.tag == _SPAN:
                span = max(1, number(entry.get(VAL), 1))
            elif entry.tag == _MERGE:
                continues = entry.get(VAL) != "restart"
        yield column, span, continues, cell
        column += span


def _is_deleted(row: Element) -> bool:
    properties = row.find(_TR_PR)
    return properties is not None and properties.find(w("del")) is not None


def _header_rows(table: Element, rows: list[Element], *, first_row_apart: bool) -> int:
    """The number of rows that repeat on every page; else 1 if the table's style formats the first row differently."""
    marked = sum(1 for _ in takewhile(lambda row: toggle(row.find(_TR_PR), w("tblHeader")), rows))
    if marked or not first_row_apart or len(rows) == 1:
        return marked
    properties = table.find(w("tblPr"))
    style = properties.find(w("tblLook")) if properties is not None else None
    if style is None:
        return 0
    first_row = style.get(w("firstRow"))
    if first_row is not None:
        return int(first_row in ("1", "true", "on"))
    try:
        return int(bool(int(style.get(w("val")) or "0", 16) & _FIRST_ROW))
    except ValueError:
        return 0


def _on_used_columns(cells: list[Cell], rows: int, header_rows: int) -> Table:
    """The table without columns in which no cell begins; spans count the others."""
    # Word's grid has a column for every edge of any cell, so that most of its columns are none of the table.
    starts = sorted({cell.column for cell in cells})
    placed = tuple(
        replace(
            cell,
            column=(column := bisect_left(starts, cell.column)),
            column_span=max(1, bisect_left(starts, cell.column + cell.column_span) - column),
            header=cell.row < header_rows,
        )
        for cell in cells
    )
    return Table(rows, max(1, len(starts)), placed, header_rows)

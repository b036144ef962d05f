"""Tables (ECMA-376 part 1, 17.4): cells with their spans, on the columns that the rows really use."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

from pincite.formats.docx.names import number, toggle, value, w
from pincite.formats.ooxml.package import Element, children
from pincite.model.document import Cell, Table

_TR, _TC, _TR_PR, _TC_PR = w("tr"), w("tc"), w("trPr"), w("tcPr")
_MERGE, _SPAN, _BEFORE, _VAL = w("vMerge"), w("gridSpan"), w("gridBefore"), w("val")
_THROUGH = frozenset(map(w, ("sdt", "sdtContent", "customXml", "ins", "moveTo")))
_FIRST_ROW = 0x20
"""The bit of `w:tblLook` for a first row that stands apart (17.4.55)."""


def read_table(element: Element, text_of: Callable[[Element], str], *, first_row_apart: bool = False) -> Table:
    """A table.

    Args:
        element: `w:tbl`.
        text_of: The text of a `w:tc`; asked once for each cell, in order.
        first_row_apart: Whether the table's style sets a first row apart.
    """
    rows = [row for row in _within(element, _TR) if not _is_deleted(row)]
    cells: list[Cell] = []
    above: dict[int, int] = {}
    for place, row in enumerate(rows):
        below: dict[int, int] = {}
        for column, span, continues, cell in _places(row):
            owner = above.get(column)
            if continues and owner is not None:
                cells[owner] = replace(cells[owner], row_span=place - cells[owner].row + 1)
            else:
                owner = len(cells)
                cells.append(Cell(place, column, text_of(cell), 1, span))
            below[column] = owner
        above = below
    headers = _header_rows(element, rows, first_row_apart=first_row_apart)
    return _on_used_columns(cells, len(rows), headers)


def _within(parent: Element, tag: str) -> Iterator[Element]:
    """Rows of a table or cells of a row, also those in content controls and tracked changes."""
    stack = list(children(parent))[::-1]
    while stack:
        node = stack.pop()
        if node.tag == tag:
            yield node
        elif node.tag in _THROUGH:
            stack += list(children(node))[::-1]


def _places(row: Element) -> Iterator[tuple[int, int, bool, Element]]:
    """Each cell with its column in the grid, its columns, and whether it goes on with the cell above."""
    column = number(value(row, _TR_PR, _BEFORE))
    for cell in _within(row, _TC):
        span, continues = 1, False
        properties = cell.find(_TC_PR)
        for entry in properties if properties is not None else ():
            if entry.tag == _SPAN:
                span = max(1, number(entry.get(_VAL), 1))
            elif entry.tag == _MERGE:
                continues = entry.get(_VAL) != "restart"
        yield column, span, continues, cell
        column += span


def _is_deleted(row: Element) -> bool:
    properties = row.find(_TR_PR)
    return properties is not None and properties.find(w("del")) is not None


def _header_rows(table: Element, rows: list[Element], *, first_row_apart: bool) -> int:
    """Rows at the top that are repeated on every page; else the first one where the table's look sets it apart."""
    marked = sum(1 for _ in takewhile(lambda row: toggle(row.find(_TR_PR), w("tblHeader")), rows))
    if marked or not first_row_apart or len(rows) == 1:
        return marked
    properties = table.find(w("tblPr"))
    look = properties.find(w("tblLook")) if properties is not None else None
    if look is None:
        return 0
    first_row = look.get(w("firstRow"))
    if first_row is not None:
        return int(first_row in ("1", "true", "on"))
    try:
        return int(bool(int(look.get(w("val")) or "0", 16) & _FIRST_ROW))
    except ValueError:
        return 0


def _on_used_columns(cells: list[Cell], rows: int, header_rows: int) -> Table:
    """The table without columns in which no cell begins: spans are counted in those that are left."""
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

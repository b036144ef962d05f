"""Tables (ECMA-376 part 1, 17.4): cells with their spans, without unused grid columns."""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import takewhile

from pincite.formats.docx.names import RPR, TR, VAL, number, toggle, value, w
from pincite.formats.ooxml.package import Element, children
from pincite.model.document import Cell, Table
from pincite.text.tables.column_names import with_named_columns

_TC, _TR_PR, _TC_PR = w("tc"), w("trPr"), w("tcPr")
_MERGE, _SPAN, _BEFORE = w("vMerge"), w("gridSpan"), w("gridBefore")
_TRANSPARENT = frozenset(map(w, ("sdt", "sdtContent", "customXml", "ins", "moveTo")))
_NO_FILLS, _NO_PATTERNS = (None, "auto", "FFFFFF"), (None, "clear", "nil")
_ROWS_BELOW = 20
"""Rows that are compared with one that may stand out."""
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
    return with_named_columns(_on_used_columns(cells, len(rows), headers), partial(_stands_out, rows))


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


def _stands_out(rows: list[Element], number: int) -> bool:
    """Return True for a row all of whose cells are shaded, or bold, as hardly one of those below it is."""
    below = rows[number + 1 : number + 1 + _ROWS_BELOW]
    return any(
        is_marked(rows[number]) and sum(map(is_marked, below)) < len(below) / 2 for is_marked in (_is_shaded, _is_bold)
    )


def _is_shaded(row: Element) -> bool:
    shadings = [cell.find(f"{_TC_PR}/{w('shd')}") for cell in _within(row, _TC)]
    return bool(shadings) and all(
        shading is not None and (shading.get(VAL) not in _NO_PATTERNS or shading.get(w("fill")) not in _NO_FILLS)
        for shading in shadings
    )


def _is_bold(row: Element) -> bool:
    runs = [run for run in row.iter(w("r")) if any((text.text or "").strip() for text in run.iter(w("t")))]
    return bool(runs) and all(toggle(run.find(RPR), w("b")) for run in runs)


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

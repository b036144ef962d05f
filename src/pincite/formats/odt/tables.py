"""Tables (OpenDocument 1.3, 9): rows with cells that span, those above marked as header."""

from collections.abc import Callable, Iterator

from pincite.formats.odt.names import count, prefixed
from pincite.formats.ooxml.package import Element
from pincite.formats.writing.grid import MAX_COLUMNS, MAX_ROW_SPAN, Grid

_GROUPS = frozenset({"table:table-row-group", "table:table-rows"})
_MAX_REPEATED = 64
"""Columns of one empty cell that is repeated; a text has no more."""


def read_grid(element: Element, text_of: Callable[[Element], str]) -> Grid:
    """Return the cells of a `table:table`.

    Args:
        element: The table.
        text_of: Returns the text of a cell; called once for each, in order.
    """
    grid = Grid()
    for row, is_header in _rows(element, is_header=False):
        grid.in_head = is_header
        grid.row()
        for cell in row:
            # Covered cells are those that a cell above or at the left spans.
            if prefixed(cell) != "table:table-cell":
                continue
            text = text_of(cell)
            spans = {
                "rowspan": str(count(cell, "table:number-rows-spanned", 1, MAX_ROW_SPAN)),
                "colspan": str(count(cell, "table:number-columns-spanned", 1, MAX_COLUMNS)),
            }
            for _ in range(count(cell, "table:number-columns-repeated", 1, _MAX_REPEATED)):
                grid.cell(text, spans, header=is_header)
    return grid


def _rows(element: Element, *, is_header: bool) -> Iterator[tuple[Element, bool]]:
    for child in element:
        name = prefixed(child)
        if name == "table:table-row":
            yield child, is_header
        elif name == "table:table-header-rows":
            yield from _rows(child, is_header=True)
        elif name in _GROUPS:
            yield from _rows(child, is_header=is_header)

"""Rows of tables ([MS-DOC] 2.9.315: TDefTableOperand) as WordprocessingML."""

import struct
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import unpack_from

from pincite.formats.doc.markup import number, value
from pincite.formats.doc.modifiers import Code, Modifiers

_CELL_BYTES = 20
_MIN_GAP_TWIPS = 30
"""Edges nearer than half a millimetre are the same edge, drawn in two rows."""
_HORIZONTAL, _VERTICAL = 0x3, 0x3 << 5
_RESTART = 0x3 << 5
_MAX_CELLS = 63


@dataclass(frozen=True, slots=True)
class Row:
    """A row.

    Attributes:
        cells: The content of its cells.
        edges: The edges of its cells from left to right in twips; empty if they are not known.
        merges: The flags of each cell that is merged with others.
        is_header: True if it repeats on every page.
    """

    cells: tuple[str, ...]
    edges: tuple[int, ...]
    merges: tuple[int, ...]
    is_header: bool


@dataclass(slots=True)
class OpenTable:
    """A table that is not complete yet.

    Attributes:
        rows: Its complete rows.
        cells: The contents of the complete cells of the next row.
        content: The parts of the next cell.
    """

    rows: list[Row] = field(default_factory=list[Row])
    cells: list[str] = field(default_factory=list[str])
    content: list[str] = field(default_factory=list[str])


def row_of(cells: Sequence[str], changes: Modifiers) -> Row:
    """Return a row from the content of its cells and the modifiers of its end."""
    edges, merges = _definition(changes.get(Code.CELLS, b""))
    if len(edges) != len(cells) + 1:
        edges, merges = (), ()
    return Row(tuple(cells), edges, merges, bool(number(changes, Code.HEADER_ROW)))


def _definition(operand: bytes) -> tuple[tuple[int, ...], tuple[int, ...]]:
    try:
        count = min(operand[0], _MAX_CELLS)
        edges = unpack_from(f"<{count + 1}h", operand, 1)
    except (IndexError, struct.error):
        return (), ()
    offsets = range(1 + 2 * (count + 1), len(operand) - 1, _CELL_BYTES)
    merges = tuple(unpack_from("<H", operand, offset)[0] for offset in offsets)[:count]
    return edges, merges + (0,) * (count - len(merges))


def rows_markup(rows: Sequence[Row]) -> str:
    """Return the rows as `w:tbl`; empty without rows."""
    grid = _grid(rows)
    lines = [_row(row, grid) for row in rows if row.cells]
    return f"<w:tbl>{''.join(lines)}</w:tbl>" if lines else ""


def _grid(rows: Sequence[Row]) -> list[int]:
    """The edges of all rows, each once."""
    grid: list[int] = []
    for edge in sorted({edge for row in rows for edge in row.edges}):
        if not grid or edge - grid[-1] >= _MIN_GAP_TWIPS:
            grid.append(edge)
    return grid


def _column(grid: Sequence[int], edge: int) -> int:
    """The index of the last edge of the grid that is not right of an edge."""
    index = bisect_left(grid, edge)
    return index if index < len(grid) and grid[index] == edge else max(0, index - 1)


def _row(row: Row, grid: Sequence[int]) -> str:
    columns = [_column(grid, edge) for edge in row.edges]
    properties = "<w:tblHeader/>" if row.is_header else ""
    if columns and columns[0]:
        properties += value("gridBefore", columns[0])
    cells: list[str] = []
    index = 0
    while index < len(row.cells):
        last = _last_merged(row, index)
        span = max(1, columns[last + 1] - columns[index]) if columns else 1
        cells.append(_cell(row, index, last, span))
        index = last + 1
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def _last_merged(row: Row, index: int) -> int:
    """The last cell that is merged with a cell: those that follow it, are flagged and have no text."""
    if not row.merges or not row.merges[index] & _HORIZONTAL:
        return index
    last = index
    while last + 1 < len(row.cells) and row.merges[last + 1] & _HORIZONTAL and "<w:t " not in row.cells[last + 1]:
        last += 1
    return last


def _cell(row: Row, first: int, last: int, span: int) -> str:
    merge = row.merges[first] & _VERTICAL if row.merges else 0
    properties = value("gridSpan", span)
    if merge:
        properties += value("vMerge", "restart") if merge == _RESTART else "<w:vMerge/>"
    content = "".join(row.cells[first : last + 1])
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"

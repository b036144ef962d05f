"""Tables by their tags: rows, spans, header rows, and the order that the file has them in."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.tagged.structure import Element
from pincite.formats.writing.grid import Grid
from pincite.formats.writing.text_boxes import CAPTION, TextBox
from pincite.model.document import Table

_NO_WORD = re.compile(r"[\W_]+")
_NO_CELL = Element("TD")


@dataclass(frozen=True, slots=True)
class TaggedTable:
    """A table and where its cells stand."""

    table: Table
    boxes: tuple[TextBox, ...]


@dataclass(slots=True)
class _Row:
    """A row: whether it is in `THead`, its cells and their texts."""

    in_head: bool
    cells: list[Element]
    texts: list[PlacedText]

    @property
    def width(self) -> int:
        return sum(cell.columns for cell in self.cells)

    @property
    def is_header(self) -> bool:
        """Whether it names columns, as far as its own tags tell."""
        return self.in_head or all(cell.kind == "TH" and cell.scope != "Row" for cell in self.cells)

    @property
    def is_alone(self) -> bool:
        """Whether it has one cell, which may as well name the rows below it."""
        return not self.in_head and len(self.cells) == 1


def read_table(
    element: Element, text_of: Callable[[Element], PlacedText], in_file_order: Callable[[Element], str]
) -> TaggedTable | None:
    """A table; None where it has no cell with text.

    Args:
        element: `Table`.
        text_of: The text of a cell or caption; asked once for each, in order.
        in_file_order: The text of an element in the file's order.
    """
    source = in_file_order(element)
    caption = _caption(element, text_of)
    rows = list(_rows(element, text_of))
    if not any(text.text.strip() for row in rows for text in row.texts):
        return None
    headers = _header_rows(rows)
    _align(rows)
    grid = Grid()
    for row in rows:
        grid.row()
        for cell, text in zip(row.cells, row.texts, strict=True):
            spans = {"rowspan": str(cell.rows), "colspan": str(cell.columns)}
            grid.cell(text.text, spans, header=cell.kind == "TH")
    table = grid.table()
    cells = tuple(replace(cell, header=cell.header or cell.row < headers) for cell in table.cells)
    in_cells = _folded(" ".join([caption.text, *(cell.text for cell in cells)]))
    table = replace(
        table,
        cells=cells,
        header_rows=headers,
        caption=caption.text,
        source=source if _folded(source) != in_cells else "",
    )
    return TaggedTable(table, tuple(_boxes(caption, [text for row in rows for text in row.texts], table)))


def header_of(table: Table) -> tuple[str, ...]:
    """What names the columns of a table, to tell whether another one goes on with it; nothing without header rows."""
    cells = (cell for cell in table.cells if cell.row < table.header_rows)
    names = tuple(" ".join(cell.text.split()) for cell in cells)
    return (str(table.columns), *names) if any(names) else ()


def _rows(element: Element, text_of: Callable[[Element], PlacedText], *, in_head: bool = False) -> Iterator[_Row]:
    """The rows of a table that have cells; those of tables in its cells are not its own."""
    for child in element.children:
        if not isinstance(child, Element):
            continue
        if child.kind == "TR":
            cells = [cell for cell in child.children if isinstance(cell, Element) and cell.kind in ("TH", "TD")]
            if cells:
                yield _Row(in_head, cells, [text_of(cell) for cell in cells])
        elif child.kind not in ("TH", "TD", "Caption"):
            yield from _rows(child, text_of, in_head=in_head or child.kind == "THead")


def _header_rows(rows: Sequence[_Row]) -> int:
    """How many rows at the top name the columns."""
    top = list(takewhile(lambda row: row.is_header, rows))
    while top and top[-1].is_alone:
        top.pop()
    return len(top)


def _caption(element: Element, text_of: Callable[[Element], PlacedText]) -> PlacedText:
    captions = [child for child in element.children if isinstance(child, Element) and child.kind == "Caption"]
    found = PlacedText()
    for caption in captions:
        found = found.joined(text_of(caption), " ")
    return found


def _align(rows: Sequence[_Row]) -> None:
    """Move the cells of rows that lack some below those that stand over them on the page."""
    width = max(row.width for row in rows)
    columns = _extents(rows, width)
    if not columns or any(cell.rows > 1 for row in rows for cell in row.cells):
        return
    for row in rows:
        if row.width < width:
            _fill(row, columns)


def _extents(rows: Sequence[_Row], width: int) -> list[tuple[float, float]]:
    """From where to where the columns reach, by rows that lack no cell; nothing where one is empty in all of them."""
    found: dict[int, tuple[float, float]] = {}
    for row in rows:
        column = 0
        for cell, text in zip(row.cells, row.texts, strict=True):
            if row.width == width and cell.columns == 1 and text.boxes:
                left, right = _extent(text)
                known = found.get(column, (left, right))
                found[column] = min(left, known[0]), max(right, known[1])
            column += cell.columns
    return [found[column] for column in range(width)] if len(found) == width else []


def _extent(text: PlacedText) -> tuple[float, float]:
    return min(found.box.x0 for found in text.boxes), max(found.box.x1 for found in text.boxes)


def _fill(row: _Row, columns: Sequence[tuple[float, float]]) -> None:
    """Put empty cells into a row, so that each of its own stands in the column that it overlaps most."""
    cells, texts, column = list[Element](), list[PlacedText](), 0
    left = row.width
    for cell, text in zip(row.cells, row.texts, strict=True):
        if text.boxes:
            places = range(column, len(columns) - left + 1)
            best = max(places, key=lambda place: _overlap(_extent(text), columns[place : place + cell.columns]))
            cells += [_NO_CELL] * (best - column)
            texts += [PlacedText()] * (best - column)
            column = best
        cells.append(cell)
        texts.append(text)
        column += cell.columns
        left -= cell.columns
    row.cells, row.texts = cells, texts


def _overlap(extent: tuple[float, float], columns: Sequence[tuple[float, float]]) -> float:
    """How far an extent and columns overlap; below 0 how far they are apart."""
    return min(extent[1], columns[-1][1]) - max(extent[0], columns[0][0])


def _boxes(caption: PlacedText, texts: Sequence[PlacedText], table: Table) -> Iterator[TextBox]:
    yield from caption.boxes_at(CAPTION)
    if len(texts) == len(table.cells):  # else it has cells beyond the widest that a table may be
        for cell, text in zip(table.cells, texts, strict=True):
            yield from text.boxes_at(cell.row, cell.column)


def _folded(text: str) -> str:
    return _NO_WORD.sub("", text).lower()

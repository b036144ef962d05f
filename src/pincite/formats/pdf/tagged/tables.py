"""Tagged tables: rows, spans, header rows, titles among their rows, and the text in file order."""

import statistics
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.pdf.tables.draft import letters
from pincite.formats.pdf.tagged.structure import Element
from pincite.formats.writing.grid import Grid
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import CAPTION, TextBox
from pincite.model.document import BlockKind, Table

MIN_TITLE_SIZE_RATIO = 1.25
"""Font size of a title relative to the cells' median.

In 64 tagged files titles have 1.25 to 2.9 times, notes such as `(dollars in millions)` 1, questions of forms 1.1 to
1.22.
"""
_EMPTY_CELL = Element("TD")


def title_rows(table: Element, words_of: Callable[[Element], Sequence[Word]]) -> list[tuple[Element, int]]:
    """Return the first rows of a table that are titles, each with its level from 1: one text in larger type.

    Args:
        table: The `Table` element.
        words_of: Returns the words of an element.
    """
    rows = list(_row_elements(table))
    sizes = [word.size for row in rows for word in words_of(row) for _ in word.text]
    if not sizes:
        return []
    median = statistics.median(sizes)
    titles: list[tuple[Element, float]] = []
    for row in rows:
        texts = [words for child in _elements(row) if (words := words_of(child))]
        size = max((word.size for words in texts for word in words), default=0.0)
        if len(texts) != 1 or size < MIN_TITLE_SIZE_RATIO * median:
            break
        titles.append((row, size))
    # A table of nothing but larger texts is a list, or the layout of a page.
    if len(titles) == len(rows):
        return []
    ranked = sorted({size for _, size in titles}, reverse=True)
    return [(row, ranked.index(size) + 1) for row, size in titles]


def without_rows(table: Element, rows: Container[int]) -> Element:
    """Return a table without some of its rows, given by `id()`."""
    children = (
        child if isinstance(child, int) else without_rows(child, rows) if child.kind != "TR" else child
        for child in table.children
        if isinstance(child, int) or id(child) not in rows
    )
    return replace(table, children=tuple(children))


def _row_elements(element: Element) -> Iterator[Element]:
    for child in _elements(element):
        if child.kind == "TR":
            yield child
        elif child.kind in ("THead", "TBody", "TFoot"):
            yield from _row_elements(child)


def _elements(element: Element) -> Iterator[Element]:
    return (child for child in element.children if isinstance(child, Element))


@dataclass(frozen=True, slots=True)
class TaggedTable:
    """A table with the boxes of its cells."""

    table: Table
    boxes: tuple[TextBox, ...]


@dataclass(slots=True)
class _Row:
    """A row with its cells and their texts; `in_head` if it is in `THead`."""

    in_head: bool
    cells: list[Element]
    texts: list[PlacedText]

    @property
    def width(self) -> int:
        return sum(cell.column_span for cell in self.cells)

    @property
    def is_header(self) -> bool:
        """True if the row's own tags make it a header row: in `THead`, or only `TH` without the scope `Row`."""
        return self.in_head or all(cell.kind == "TH" and cell.scope != "Row" for cell in self.cells)

    @property
    def is_single_cell(self) -> bool:
        """True for a single cell outside of `THead`, which may be the title of the rows below it."""
        return not self.in_head and len(self.cells) == 1


def read_table(
    element: Element, text_of: Callable[[Element], PlacedText], in_file_order: Callable[[Element], str]
) -> TaggedTable | None:
    """Convert a `Table` element; None if no cell has text.

    Args:
        element: The `Table` element.
        text_of: Returns the text of a cell or caption; called once for each, in order, because it consumes content.
        in_file_order: Returns the text of an element in file order, without consuming it.
    """
    source = in_file_order(element)  # before text_of consumes the content
    caption = _caption(element, text_of)
    rows = list(_rows(element, text_of))
    if not any(text.text.strip() for row in rows for text in row.texts):
        return None
    # Before cells are inserted: the row's own tags tell whether it is a header.
    headers = _count_header_rows(rows)
    _align_rows(rows)
    grid = Grid()
    for row in rows:
        grid.row()
        for cell, text in zip(row.cells, row.texts, strict=True):
            spans = {"rowspan": str(cell.row_span), "colspan": str(cell.column_span)}
            grid.cell(text.text, spans, header=cell.kind == "TH")
    table = grid.table()
    if not any(cell.kind == "TH" for row in rows for cell in row.cells):
        headers = headers or table.header_rows
    cells = tuple(replace(cell, header=cell.header or cell.row < headers) for cell in table.cells)
    in_cells = letters(" ".join([caption.text, *(cell.text for cell in cells)]))
    table = replace(
        table,
        cells=cells,
        header_rows=headers,
        caption=caption.text,
        source=source if letters(source) != in_cells else "",
    )
    return TaggedTable(table, tuple(_boxes(caption, [text for row in rows for text in row.texts], table)))


def header_key(table: Table) -> tuple[str, ...]:
    """Return column count and header texts, equal for a table and its continuation; empty without header rows."""
    cells = (cell for cell in table.cells if cell.row < table.header_rows)
    names = tuple(" ".join(cell.text.split()) for cell in cells)
    return (str(table.columns), *names) if any(names) else ()


def _rows(element: Element, text_of: Callable[[Element], PlacedText], *, in_head: bool = False) -> Iterator[_Row]:
    """Yield the rows of a table that have cells, without those of nested tables."""
    for child in element.children:
        if not isinstance(child, Element):
            continue
        if child.kind == "TR":
            cells = [cell for cell in child.children if isinstance(cell, Element) and cell.kind in ("TH", "TD")]
            if cells:
                yield _Row(in_head, cells, [text_of(cell) for cell in cells])
        elif child.kind not in ("TH", "TD", "Caption"):
            yield from _rows(child, text_of, in_head=in_head or child.kind == "THead")


def _count_header_rows(rows: Sequence[_Row]) -> int:
    top = list(takewhile(lambda row: row.is_header, rows))
    while top and top[-1].is_single_cell:
        top.pop()
    return len(top)


def _caption(element: Element, text_of: Callable[[Element], PlacedText]) -> PlacedText:
    captions = [child for child in element.children if isinstance(child, Element) and child.kind == "Caption"]
    joined = PlacedText()
    for caption in captions:
        joined = joined.joined(text_of(caption), " ")
    return joined


def _align_rows(rows: Sequence[_Row]) -> None:
    """Insert empty cells into incomplete rows, so that their cells are in the columns they overlap on the page."""
    width = max(row.width for row in rows)
    columns = _column_extents(rows, width)
    # With row spans, a row with fewer cells need not lack any.
    if not columns or any(cell.row_span > 1 for row in rows for cell in row.cells):
        return
    for row in rows:
        if row.width < width:
            _fill_gaps(row, columns)


def _column_extents(rows: Sequence[_Row], width: int) -> list[tuple[float, float]]:
    """Return the x extents of the columns, from complete rows; empty if a column has no text in any of them."""
    extents: dict[int, tuple[float, float]] = {}
    for row in rows:
        column = 0
        for cell, text in zip(row.cells, row.texts, strict=True):
            if row.width == width and cell.column_span == 1 and text.boxes:
                left, right = _text_extent(text)
                previous = extents.get(column, (left, right))
                extents[column] = min(left, previous[0]), max(right, previous[1])
            column += cell.column_span
    return [extents[column] for column in range(width)] if len(extents) == width else []


def _text_extent(text: PlacedText) -> tuple[float, float]:
    return min(line.box.x0 for line in text.boxes), max(line.box.x1 for line in text.boxes)


def _fill_gaps(row: _Row, columns: Sequence[tuple[float, float]]) -> None:
    """Insert empty cells into a row, so that each cell is in the column it overlaps most."""
    cells, texts, column = list[Element](), list[PlacedText](), 0
    remaining = row.width
    for cell, text in zip(row.cells, row.texts, strict=True):
        if text.boxes:
            starts = range(column, len(columns) - remaining + 1)
            target = max(
                starts, key=lambda start: _overlap(_text_extent(text), columns[start : start + cell.column_span])
            )
            cells += [_EMPTY_CELL] * (target - column)
            texts += [PlacedText()] * (target - column)
            column = target
        cells.append(cell)
        texts.append(text)
        column += cell.column_span
        remaining -= cell.column_span
    row.cells, row.texts = cells, texts


def _overlap(extent: tuple[float, float], columns: Sequence[tuple[float, float]]) -> float:
    """Return the overlap of an extent and columns in points; negative if they are apart."""
    return min(extent[1], columns[-1][1]) - max(extent[0], columns[0][0])


def _boxes(caption: PlacedText, texts: Sequence[PlacedText], table: Table) -> Iterator[TextBox]:
    yield from caption.boxes_at(CAPTION)
    if len(texts) == len(table.cells):  # otherwise the grid has dropped cells beyond its maximum width
        for cell, text in zip(table.cells, texts, strict=True):
            yield from text.boxes_at(cell.row, cell.column)


@dataclass(slots=True)
class Piece:
    """A block to be written.

    Attributes:
        kind: Block kind.
        text: Text with boxes, except for lists and tables.
        level: Heading level; 0 for other kinds.
        items: List items, each with its placed text.
        table: The table, for tables only.
        code: Lines of a paragraph that is code by its fonts: it may be a part of a block.
        is_group: True for such a line that is tagged as a group.
    """

    kind: BlockKind
    text: PlacedText = field(default_factory=PlacedText)
    level: int = 0
    items: Sequence[tuple[Item, PlacedText]] = ()
    table: TaggedTable | None = None
    code: Sequence[Line] = ()
    is_group: bool = False

    @property
    def top(self) -> float | None:
        """Top edge on the page in points; None for a block without boxes."""
        return min((line.box.y0 for line in self._boxes()), default=None)

    def write(self, writer: PageWriter) -> None:
        """Write the block."""
        text, boxes = self.text.text, tuple(self._boxes())
        if self.table:
            writer.table(self.table.table, boxes=boxes)
        elif self.kind is BlockKind.HEADING:
            writer.heading(self.level, text, boxes=boxes)
        elif self.kind is BlockKind.LIST:
            writer.items([item for item, _ in self.items], boxes=boxes)
        elif self.kind is BlockKind.CODE:
            writer.code(text, boxes=boxes)
        elif self.kind is BlockKind.FIGURE and not boxes:
            writer.figure(text)
        else:
            writer.block(self.kind, text, boxes=boxes)

    def _boxes(self) -> Iterator[TextBox]:
        if self.table:
            return iter(self.table.boxes)
        if self.items:
            return (box for row, (_, text) in enumerate(self.items) for box in text.boxes_at(row))
        return iter(self.text.boxes)

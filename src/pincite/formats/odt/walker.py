"""Read a text into pieces in reading order, one for each paragraph, table and picture."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pincite.formats.docx.notes import NoteKey
from pincite.formats.docx.pieces import Piece, cell_text
from pincite.formats.odt.inline import Line, LineReader
from pincite.formats.odt.lists import Counters, Lists
from pincite.formats.odt.names import MAX_DEPTH, count, prefixed, q, value
from pincite.formats.odt.styles import Styles
from pincite.formats.odt.tables import read_grid
from pincite.formats.ooxml.package import Element
from pincite.formats.writing.grid import is_sparse, lines
from pincite.formats.writing.page_writer import MAX_HEADING_LEVEL, one_line
from pincite.model.call import Call
from pincite.model.document import BlockKind, Table

_CONTENTS = "text:table-of-content"
_INDEXES = frozenset({
    _CONTENTS,
    "text:illustration-index", "text:table-index", "text:object-index", "text:user-index", "text:alphabetical-index",
    "text:bibliography",
})  # fmt: skip
_CONTAINERS = frozenset({
    "text:section", "text:index-body", "text:index-title", "text:numbered-paragraph", "text:list-item", "draw:g",
    "draw:a", "office:text",
})  # fmt: skip
_KINDS_IN_FRAMES = (BlockKind.HEADING, BlockKind.TABLE)


@dataclass(frozen=True, slots=True)
class _Item:
    """The item of a list that a paragraph belongs to.

    Attributes:
        style: Name of the list's style.
        counters: The counters of the list.
        level: Level of the item, from 0.
        start: The number that the item gives itself.
        is_first: True for its first paragraph, which has the label.
    """

    style: str
    counters: Counters
    level: int
    start: str
    is_first: bool


@dataclass(slots=True)
class Walker:
    """Walks one story.

    Attributes:
        styles: The styles of the text.
        lists: Its list styles and counters.
        lines: Reads its paragraphs.
        chart: Returns the table of numbers of the chart in a frame, or None.
        hide: Receives each hidden text, its position and the reason.
        limit: Receives the name of each limit that is reached.
        call: Checked for cancellation at every paragraph.
    """

    styles: Styles
    lists: Lists
    lines: LineReader
    chart: Callable[[Element], Element | None]
    hide: Callable[[str, str, str], None]
    limit: Callable[[str], None]
    call: Call
    _paragraph_number: int = field(default=0)

    def walk(self, container: Element, depth: int = 0, *, contents: bool = False) -> Iterator[Piece]:
        """Yield the pieces of an element that contains paragraphs, lists and tables."""
        if depth > MAX_DEPTH:
            self.limit("max_depth")
            return
        for child in container:
            name = prefixed(child)
            if name in ("text:p", "text:h"):
                yield from self._paragraph(child, depth, contents=contents)
            elif name == "text:list":
                style = value(child, "text:style-name")
                yield from self._list(child, style, self.lists.begin(child, style), 0, depth)
            elif name == "table:table":
                yield from self._table(child, depth)
            elif name in _INDEXES:
                yield from self._index(child, depth, contents=name == _CONTENTS)
            elif name == "text:section" and value(child, "text:display") == "none":
                self.hide(cell_text(list(self.walk(child, depth + 1))), self._place(), "hidden text")
            elif name in _CONTAINERS:
                yield from self.walk(child, depth + 1, contents=contents)
            elif name.startswith("draw:"):
                yield from self._drawing(child, depth)

    def _index(self, element: Element, depth: int, *, contents: bool) -> Iterator[Piece]:
        body = element.find(q("text:index-body"))
        if body is not None:
            yield from self.walk(body, depth + 1, contents=contents)

    def _list(self, element: Element, style: str, counters: Counters, level: int, depth: int) -> Iterator[Piece]:
        if depth > MAX_DEPTH:
            self.limit("max_depth")
            return
        for entry in element:
            is_first = prefixed(entry) == "text:list-item"
            start = value(entry, "text:start-value")
            for child in entry:
                name = prefixed(child)
                if name in ("text:p", "text:h"):
                    item = _Item(style, counters, level, start, is_first)
                    yield from self._paragraph(child, depth + 1, item)
                    is_first = False
                elif name == "text:list":
                    own = value(child, "text:style-name") or style
                    yield from self._list(child, own, counters, level + 1, depth + 1)
                elif name == "table:table":
                    yield from self._table(child, depth + 1)
                elif name.startswith("draw:"):
                    yield from self._drawing(child, depth + 1)

    def _paragraph(
        self, element: Element, depth: int, item: _Item | None = None, *, contents: bool = False
    ) -> Iterator[Piece]:
        self.call.check()
        self._paragraph_number += 1
        line = self.lines.read(element)
        for reason in dict.fromkeys(reason for _, reason in line.hidden):
            text = "".join(text for text, of in line.hidden if of == reason)
            self.hide(text, self._place(), reason)
        style = value(element, "text:style-name")
        if prefixed(element) == "text:h":
            yield self._heading(element, line, item)
        elif line.text:
            yield self._text(line, style, item, contents=contents)
        elif item is not None and item.is_first:
            self._label(item, style)
        for drawing in line.drawings:
            yield from self._drawing(drawing, depth + 1)

    def _heading(self, element: Element, line: Line, item: _Item | None) -> Piece:
        level = count(element, "text:outline-level", 1, MAX_HEADING_LEVEL)
        if value(element, "text:is-list-header") == "true" or not line.text:
            label = ""
        elif item is not None:
            label = self._label(item, value(element, "text:style-name")) if item.is_first else ""
        else:
            label = self.lists.heading_label(level - 1, value(element, "text:start-value"))
        label = line.number or label
        return _piece(BlockKind.HEADING, one_line(f"{label} {line.text}" if line.text else ""), line, level)

    def _text(self, line: Line, style: str, item: _Item | None, *, contents: bool) -> Piece:
        kind = BlockKind.CONTENTS if contents else self.styles.kind(style)
        if kind is BlockKind.HEADING:
            return _piece(kind, one_line(line.text), line, 1)
        if item is None or kind is not BlockKind.PARAGRAPH:
            text = "".join(line.pieces) if kind is BlockKind.CODE else line.text
            return _piece(kind, text, line, caption=self.styles.is_caption(style))
        if not item.is_first:
            return _piece(BlockKind.PARAGRAPH, line.text, line, continued=True)
        return _piece(BlockKind.LIST, line.text, line, item.level, line.number or self._label(item, style))

    def _label(self, item: _Item, paragraph_style: str) -> str:
        style = item.style or self.styles.list_style(paragraph_style)
        return self.lists.label(style, item.counters, item.level, item.start)

    def _drawing(self, element: Element, depth: int) -> Iterator[Piece]:
        """Yield what a frame or shape shows: its picture, the numbers of its chart, its text."""
        if depth > MAX_DEPTH:
            self.limit("max_depth")
            return
        if prefixed(element) == "draw:g":
            yield from self.walk(element, depth + 1)
            return
        chart = self.chart(element)
        if chart is not None:
            yield from self._table(chart, depth + 1)
            return
        names = (element.find(q("svg:title")), element.find(q("svg:desc")))
        text = "; ".join(dict.fromkeys(one_line(name.text) for name in names if name is not None and name.text))
        image = element.find(q("draw:image"))
        part = value(image, "xlink:href").removeprefix("./") if image is not None else ""
        if text or image is not None:
            pictures = (part,) if part and ":" not in part else ()
            yield Piece(BlockKind.FIGURE, text, pictures=pictures)
        outer, self.lines.is_shaded = self.lines.is_shaded, True
        box = element.find(q("draw:text-box"))
        pieces = list(self.walk(element if box is None else box, depth + 1))
        self.lines.is_shaded = outer
        yield from pieces

    def _table(self, element: Element, depth: int) -> Iterator[Piece]:
        """Yield a table, or the content of one that is a frame: a single cell with headings or tables in it."""
        cells: list[list[Piece]] = []
        outer = self.lines.is_shaded
        is_shaded = outer or self.styles.is_shaded("table", value(element, "table:style-name"))

        def text_of(cell: Element) -> str:
            self.lines.is_shaded = is_shaded or self.styles.is_shaded("table-cell", value(cell, "table:style-name"))
            pieces = list(self.walk(cell, depth + 1))
            cells.append(pieces)
            return cell_text(pieces)

        grid = read_grid(element, text_of)
        self.lines.is_shaded = outer
        if len(cells) == 1 and any(piece.kind in _KINDS_IN_FRAMES for piece in cells[0]):
            yield from cells[0]
            return
        yield from self._table_pieces(grid.table(), cells)
        if grid.overflow:
            self.limit("max_columns")
            yield Piece(BlockKind.PARAGRAPH, grid.overflow)

    def _table_pieces(self, table: Table, cells: list[list[Piece]]) -> Iterator[Piece]:
        inner = [piece for pieces in cells for piece in pieces]
        anchors = tuple(name for piece in inner for name in piece.anchors)
        notes = tuple(key for piece in inner for key in piece.notes)
        pictures = tuple(part for piece in inner for part in piece.pictures)
        if is_sparse(table):
            self.limit("max_table_area")
            yield from (Piece(BlockKind.PARAGRAPH, line) for line in lines(table))
        elif table.rows:
            yield Piece(BlockKind.TABLE, "", anchors=anchors, notes=notes, table=table, pictures=pictures)

    def _place(self) -> str:
        return f"paragraph {self._paragraph_number}"


def _piece(
    kind: BlockKind, text: str, line: Line, level: int = 0, label: str = "", *, caption: bool = False,
    continued: bool = False,
) -> Piece:  # fmt: skip
    anchors: tuple[str, ...] = tuple(filter(None, line.anchors))
    notes: tuple[NoteKey, ...] = tuple(line.notes)
    return Piece(kind, text, level, label, anchors, notes, caption=caption, continued=continued)

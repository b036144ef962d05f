"""The body of a story as pieces in reading order: one for each paragraph, table, picture."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pincite.errors import InvalidInput
from pincite.formats.docx.appearance import box_background, cuts_row, is_off_page
from pincite.formats.docx.drawings import Drawing
from pincite.formats.docx.inline import MAX_DEPTH, Line, LineReader
from pincite.formats.docx.names import value, w
from pincite.formats.docx.notes import NoteKey
from pincite.formats.docx.numbering import Label, Numbering
from pincite.formats.docx.properties import Properties, paragraph_properties
from pincite.formats.docx.styles import BODY_LEVEL, Style, Styles
from pincite.formats.docx.tables import read_table
from pincite.formats.ooxml.charts import chart_tables, chart_words
from pincite.formats.ooxml.diagrams import diagram_items
from pincite.formats.ooxml.package import Element, Package, children
from pincite.formats.writing.page_writer import one_line
from pincite.model.call import Call
from pincite.model.document import BlockKind, Table

_TR = w("tr")
_P, _TBL, _SDT, _CONTENT = w("p"), w("tbl"), w("sdt"), w("sdtContent")
_BOOKMARK, _BOOKMARK_NAME, _CHUNK = w("bookmarkStart"), w("name"), w("altChunk")
_THROUGH = frozenset(map(w, ("customXml", "ins", "moveTo", "sdtContent", "smartTag")))
_CONTENTS_GALLERY = "Table of Contents"
_FRAMED = (BlockKind.HEADING, BlockKind.TABLE)
_GO_BACK = "_GoBack"
"""The bookmark where the last editing was."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, table or picture.

    Attributes:
        kind: What it is.
        text: Its text; a picture's alternative text.
        level: Of a heading from 1, of an item from 0.
        label: The number before an item.
        anchors: Bookmarks in it.
        notes: Notes that it names.
        table: Its cells.
        caption: Whether it names the table or picture beside it.
        continued: Whether it goes on with the item before it.
    """

    kind: BlockKind
    text: str
    level: int = 0
    label: str = ""
    anchors: tuple[str, ...] = ()
    notes: tuple[NoteKey, ...] = ()
    table: Table | None = None
    caption: bool = False
    continued: bool = False


@dataclass(slots=True)
class Walker:
    """Walks one story.

    Attributes:
        package: For charts and diagrams.
        styles: Of the document.
        numbering: Of the document.
        lines: Reads the paragraphs of this story.
        hide: Told a hidden text, where it is, and what hides it.
        fail: Told what could not be read.
        limit: Told the name of a limit that cut something.
        call: Asked at every paragraph.
    """

    package: Package
    styles: Styles
    numbering: Numbering
    lines: LineReader
    hide: Callable[[str, str, str], None]
    fail: Callable[[str], None]
    limit: Callable[[str], None]
    call: Call
    _anchors: list[str] = field(default_factory=list[str])
    _notes: list[NoteKey] = field(default_factory=list[NoteKey])
    _before: Line | None = None
    _number: int = 0

    def walk(self, container: Element, depth: int = 0, *, contents: bool = False) -> Iterator[Piece]:
        """The pieces of an element that holds paragraphs and tables."""
        if depth > MAX_DEPTH:
            self.limit("max_depth")
            return
        for child in children(container):
            tag = child.tag
            if tag == _P:
                yield from self._paragraph(child, depth, contents)
            elif tag == _TBL:
                yield from self._table(child, depth)
            elif tag == _SDT:
                inside = child.find(_CONTENT)
                gallery = value(child, w("sdtPr"), w("docPartObj"), w("docPartGallery"))
                if inside is not None:
                    yield from self.walk(inside, depth + 1, contents=contents or gallery == _CONTENTS_GALLERY)
            elif tag == _BOOKMARK:
                self._anchors.append(child.get(_BOOKMARK_NAME) or "")
            elif tag == _CHUNK:
                self.fail("a document that is embedded in this one was not read")
            elif tag in _THROUGH:
                yield from self.walk(child, depth + 1, contents=contents)

    def _paragraph(self, element: Element, depth: int, contents: bool) -> Iterator[Piece]:
        self.call.check()
        self._number += 1
        properties = paragraph_properties(element)
        style = self.styles.paragraph(properties.style)
        line = self.lines.read(element, properties.style, into=self._before)
        self._before = None
        if properties.joined:
            self._before = line
            return
        self._anchors += line.anchors
        self._notes += line.notes
        if line.hidden:
            for reason in dict.fromkeys(reason for _, reason in line.hidden):
                text = "".join(text for text, of in line.hidden if of == reason)
                self.hide(text, f"paragraph {self._number}", reason)
            if not line.pieces and (style.hidden or properties.hidden):
                return
        label, level = self._label(properties, style)
        if piece := self._piece(line.text, properties, style, label, level, contents=contents):
            yield piece
        for drawing in line.drawings:
            yield from self._drawing(drawing, depth)

    def _piece(
        self, text: str, properties: Properties, style: Style, label: Label | None, level: int, *, contents: bool
    ) -> Piece | None:
        if not text.strip():
            return None
        kind, heading_level = _kind(properties, style)
        if contents and kind is BlockKind.PARAGRAPH:
            kind = BlockKind.CONTENTS
        shown = label.text if label else ""
        if kind is BlockKind.HEADING:
            return self._made(kind, one_line(f"{shown} {text}"), heading_level)
        if kind is BlockKind.PARAGRAPH and not style.caption and (label or style.bullet):
            return self._made(BlockKind.LIST, text, max(style.depth, level), shown)
        text = f"{shown} {text}" if shown else text
        return self._made(kind, text, caption=style.caption, continued=style.continued)

    def _label(self, properties: Properties, style: Style) -> tuple[Label | None, int]:
        """The label of a paragraph and its level; counts."""
        num_id = style.num_id if properties.num_id is None else properties.num_id
        if not num_id or num_id == "0":
            return None, 0
        level = style.num_level if properties.num_level is None else properties.num_level
        if level is None:
            level = self.numbering.level_of(num_id, style.num_style)
        return self.numbering.count(num_id, level), level

    def _made(
        self,
        kind: BlockKind,
        text: str,
        level: int = 0,
        label: str = "",
        *,
        table: Table | None = None,
        caption: bool = False,
        continued: bool = False,
    ) -> Piece:
        anchors = tuple(dict.fromkeys(name for name in self._anchors if name and name != _GO_BACK))
        notes = tuple(self._notes)
        self._anchors.clear()
        self._notes.clear()
        return Piece(kind, text, level, label, anchors, notes, table, caption, continued)

    def _drawing(self, drawing: Drawing, depth: int) -> Iterator[Piece]:
        if drawing.name or drawing.picture:
            yield self._made(BlockKind.FIGURE, drawing.name)
        for box in drawing.boxes:
            yield from self._box(box, depth)
        for identity in drawing.charts:
            root = self._part(identity)
            tables = chart_tables(root) if root is not None else []
            for table in tables:
                yield self._made(BlockKind.TABLE, "", table=table)
            if root is not None and not tables and (words := chart_words(root)):
                yield self._made(BlockKind.FIGURE, words)
        for identity in drawing.diagrams:
            root = self._part(identity)
            for item in diagram_items(root) if root is not None else ():
                yield self._made(BlockKind.LIST, item.text, item.depth)

    def _box(self, box: Element, depth: int) -> Iterator[Piece]:
        """A text box; one that stands on no page is hidden."""
        looks = self.lines.appearance
        before, looks.behind = looks.behind, box_background(box, looks.theme)
        pieces = list(self.walk(box, depth + 1))
        looks.behind = before
        if is_off_page(box):
            self.hide(cell_text(pieces), f"text box after paragraph {self._number}", "off the page")
        else:
            yield from pieces

    def _part(self, identity: str) -> Element | None:
        relation = self.lines.relations.get(identity)
        if relation is None or relation.external:
            return None
        try:
            return self.package.xml(relation.target)
        except InvalidInput as error:
            self.fail(error.message)
            return None

    def _table(self, element: Element, depth: int) -> Iterator[Piece]:
        """A table; one of a single cell with headings or tables in it is a frame around them."""
        before, self._before = self._before, None
        inside: list[list[Piece]] = []
        looks = self.lines.appearance
        ground = looks.table(element)

        def text_of(cell: Element) -> str:
            outside, looks.behind = looks.behind, looks.cell(cell, ground)
            pieces = list(self.walk(cell, depth + 1))
            looks.behind = outside
            row = next(place for place in cell.iterancestors() if place.tag == _TR)
            if cuts_row(row):
                self.hide(cell_text(pieces), f"paragraph {self._number}", "no height or width")
                pieces = []
            inside.append(pieces)
            return cell_text(pieces)

        style = value(element, w("tblPr"), w("tblStyle")) or ""
        table = read_table(element, text_of, first_row_apart=self.styles.marks_first_row(style))
        self._before = before
        if len(inside) == 1 and any(piece.kind in _FRAMED for piece in inside[0]):
            yield from inside[0]
            return
        self._anchors += (name for pieces in inside for piece in pieces for name in piece.anchors)
        self._notes += (key for pieces in inside for piece in pieces for key in piece.notes)
        yield self._made(BlockKind.TABLE, "", table=table)


def _kind(properties: Properties, style: Style) -> tuple[BlockKind, int]:
    """Kind and heading level: what the paragraph says itself outranks its style."""
    if properties.outline is None or style.kind is BlockKind.CONTENTS:
        return style.kind, style.level
    if properties.outline < BODY_LEVEL:
        return BlockKind.HEADING, properties.outline + 1
    return (BlockKind.PARAGRAPH, 0) if style.kind is BlockKind.HEADING else (style.kind, 0)


def cell_text(pieces: Iterable[Piece]) -> str:
    """Pieces as plain lines, as they stand in a cell or a note."""
    return "\n".join(_cell_line(piece) for piece in pieces)


def _cell_line(piece: Piece) -> str:
    """A piece inside a cell."""
    if piece.kind is BlockKind.LIST:
        return f"{'  ' * piece.level}{piece.label or '-'} {piece.text.strip()}"
    if piece.kind is BlockKind.FIGURE:
        return f"![{piece.text}]" if piece.text else ""
    return _nested(piece.table) if piece.table else piece.text.strip()


def _nested(table: Table) -> str:
    """A table inside a cell: a line for each row, cells between bars."""
    rows: dict[int, list[str]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(one_line(cell.text))
    return "\n".join(" | ".join(row) for row in rows.values())

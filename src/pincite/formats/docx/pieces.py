"""Read a story into pieces in reading order, one for each paragraph, table and picture."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from pincite.errors import InvalidInput
from pincite.formats.docx.appearance import box_background, clips_row, is_off_page
from pincite.formats.docx.drawings import Drawing
from pincite.formats.docx.inline import MAX_DEPTH, Line, LineReader
from pincite.formats.docx.names import BOOKMARK, NAME, TR, value, w
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

_P, _TBL, _SDT, _CONTENT = w("p"), w("tbl"), w("sdt"), w("sdtContent")
_CHUNK = w("altChunk")
_TRANSPARENT = frozenset(map(w, ("customXml", "ins", "moveTo", "sdtContent", "smartTag")))
_CONTENTS_GALLERY = "Table of Contents"
NO_LIST = "0"
"""List id of a paragraph that leaves the list of its style."""
_KINDS_IN_FRAMES = (BlockKind.HEADING, BlockKind.TABLE)
_GO_BACK = "_GoBack"
"""Word's bookmark of the last edit, which is not a link target."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph, table or picture.

    Attributes:
        kind: The kind of its block.
        text: Its text; for a picture the alternative text.
        level: Level of a heading from 1, of an item from 0.
        label: The number before an item.
        anchors: Bookmarks in it.
        notes: Notes that it refers to.
        table: The table, if it is one.
        caption: True for a caption, and for a table or picture that has one.
        continued: True if it continues the item before it.
        pictures: Parts of the pictures that it shows; of a table those in its cells.
        role: Its role by its style. See `Block.role`.
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
    pictures: tuple[str, ...] = ()
    role: str = ""


@dataclass(slots=True)
class Walker:
    """Walks one story.

    Attributes:
        package: The source of charts and diagrams.
        styles: The styles of the document.
        numbering: The numbering of the document.
        lines: Reads the paragraphs of this story.
        hide: Receives each hidden text, its position and the reason.
        fail: Receives each part that could not be read.
        limit: Receives the name of each limit that is reached.
        call: Checked for cancellation at every paragraph.
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
    _joined_line: Line | None = None
    _paragraph_number: int = 0

    def walk(self, container: Element, depth: int = 0, *, contents: bool = False) -> Iterator[Piece]:
        """Yield the pieces of an element that contains paragraphs and tables."""
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
                content = child.find(_CONTENT)
                gallery = value(child, w("sdtPr"), w("docPartObj"), w("docPartGallery"))
                if content is not None:
                    yield from self.walk(content, depth + 1, contents=contents or gallery == _CONTENTS_GALLERY)
            elif tag == BOOKMARK:
                self._anchors.append(child.get(NAME) or "")
            elif tag == _CHUNK:
                self.fail("a document that is embedded in this one was not read")
            elif tag in _TRANSPARENT:
                yield from self.walk(child, depth + 1, contents=contents)

    def _paragraph(self, element: Element, depth: int, contents: bool) -> Iterator[Piece]:
        self.call.check()
        self._paragraph_number += 1
        properties = paragraph_properties(element)
        style = self.styles.paragraph(properties.style)
        line = self.lines.read(element, properties.style, into=self._joined_line)
        self._joined_line = None
        if properties.joined:
            self._joined_line = line
            return
        self._anchors += line.anchors
        self._notes += line.notes
        if line.hidden:
            # One aside for each reason, in the order of the text.
            for reason in dict.fromkeys(reason for _, reason in line.hidden):
                text = "".join(text for text, of in line.hidden if of == reason)
                self.hide(text, f"paragraph {self._paragraph_number}", reason)
        # A hidden mark, or the break of a section, without visible text leaves no paragraph, and takes no number.
        is_mark_hidden = line.hidden and (style.hidden or properties.hidden)
        if (is_mark_hidden or properties.section_end) and not line.pieces and not line.drawings:
            return
        label, level = self._label(properties, style)
        if piece := self._piece(line.text, properties, style, label, level, contents=contents):
            yield replace(piece, role=style.role) if style.role else piece
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
        label_text = label.text if label else ""
        if kind is BlockKind.HEADING:
            return self._new_piece(kind, one_line(f"{label_text} {text}"), heading_level)
        has_bullet = style.bullet and properties.num_id != NO_LIST
        if kind is BlockKind.PARAGRAPH and not style.caption and (label or has_bullet):
            return self._new_piece(BlockKind.LIST, text, max(style.depth, level), label_text)
        text = f"{label_text} {text}" if label_text else text
        return self._new_piece(kind, text, caption=style.caption, continued=style.continued)

    def _label(self, properties: Properties, style: Style) -> tuple[Label | None, int]:
        """Return the label of a paragraph and its level, and count it."""
        num_id = style.num_id if properties.num_id is None else properties.num_id
        if not num_id or num_id == NO_LIST:
            return None, 0
        level = style.num_level if properties.num_level is None else properties.num_level
        if level is None:
            level = self.numbering.level_of(num_id, style.num_style)
        return self.numbering.count(num_id, level), level

    def _new_piece(
        self,
        kind: BlockKind,
        text: str,
        level: int = 0,
        label: str = "",
        *,
        table: Table | None = None,
        caption: bool = False,
        continued: bool = False,
        pictures: tuple[str, ...] = (),
    ) -> Piece:
        anchors = tuple(dict.fromkeys(name for name in self._anchors if name and name != _GO_BACK))
        notes = tuple(self._notes)
        self._anchors.clear()
        self._notes.clear()
        return Piece(kind, text, level, label, anchors, notes, table, caption, continued, pictures)

    def _drawing(self, drawing: Drawing, depth: int) -> Iterator[Piece]:
        if drawing.name or drawing.picture:
            parts = map(self._target, dict.fromkeys(drawing.pictures))
            yield self._new_piece(BlockKind.FIGURE, drawing.name, pictures=tuple(filter(None, parts)))
        for box in drawing.boxes:
            yield from self._box(box, depth)
        for identity in drawing.charts:
            root = self._part(identity)
            tables = chart_tables(root) if root is not None else []
            for table in tables:
                yield self._new_piece(BlockKind.TABLE, "", table=table)
            if root is not None and not tables and (words := chart_words(root)):
                yield self._new_piece(BlockKind.FIGURE, words)
        for identity in drawing.diagrams:
            root = self._part(identity)
            for item in diagram_items(root) if root is not None else ():
                yield self._new_piece(BlockKind.LIST, item.text, item.depth)

    def _box(self, box: Element, depth: int) -> Iterator[Piece]:
        """Yield the pieces of a text box; one off the page is hidden."""
        appearance = self.lines.appearance
        outer_background, appearance.behind = appearance.behind, box_background(box, appearance.theme)
        pieces = list(self.walk(box, depth + 1))
        appearance.behind = outer_background
        if is_off_page(box):
            self.hide(cell_text(pieces), f"text box after paragraph {self._paragraph_number}", "off the page")
        else:
            yield from pieces

    def _target(self, identity: str) -> str:
        """Return the name of a related part; empty if there is none in the package."""
        relation = self.lines.relations.get(identity)
        return "" if relation is None or relation.external else relation.target

    def _part(self, identity: str) -> Element | None:
        target = self._target(identity)
        if not target:
            return None
        try:
            return self.package.xml(target)
        except InvalidInput as error:
            self.fail(error.message)
            return None

    def _table(self, element: Element, depth: int) -> Iterator[Piece]:
        """Yield a table, or the content of one that is a frame: a single cell with headings or tables in it."""
        # A line to be joined belongs to the paragraphs around the table, not to its cells.
        outer_line, self._joined_line = self._joined_line, None
        cells: list[list[Piece]] = []
        appearance = self.lines.appearance
        table_background = appearance.table(element)

        def text_of(cell: Element) -> str:
            outer_background, appearance.behind = appearance.behind, appearance.cell(cell, table_background)
            pieces = list(self.walk(cell, depth + 1))
            appearance.behind = outer_background
            row = next(ancestor for ancestor in cell.iterancestors() if ancestor.tag == TR)
            if clips_row(row):
                self.hide(cell_text(pieces), f"paragraph {self._paragraph_number}", "no height or width")
                pieces = []
            cells.append(pieces)
            return cell_text(pieces)

        style = value(element, w("tblPr"), w("tblStyle")) or ""
        table = read_table(element, text_of, first_row_apart=self.styles.has_first_row_format(style))
        self._joined_line = outer_line
        if len(cells) == 1 and any(piece.kind in _KINDS_IN_FRAMES for piece in cells[0]):
            yield from cells[0]
            return
        self._anchors += (name for pieces in cells for piece in pieces for name in piece.anchors)
        self._notes += (key for pieces in cells for piece in pieces for key in piece.notes)
        pictures = tuple(part for pieces in cells for piece in pieces for part in piece.pictures)
        yield self._new_piece(BlockKind.TABLE, "", table=table, pictures=pictures)


def _kind(properties: Properties, style: Style) -> tuple[BlockKind, int]:
    """Return kind and heading level: the paragraph's own properties outrank its style."""
    if properties.outline is None or style.kind is BlockKind.CONTENTS:
        return style.kind, style.level
    if properties.outline < BODY_LEVEL:
        return BlockKind.HEADING, properties.outline + 1
    return (BlockKind.PARAGRAPH, 0) if style.kind is BlockKind.HEADING else (style.kind, 0)


def cell_text(pieces: Iterable[Piece]) -> str:
    """Return pieces as plain lines, the form of text in cells and notes."""
    return "\n".join(_cell_line(piece) for piece in pieces)


def _cell_line(piece: Piece) -> str:
    if piece.kind is BlockKind.LIST:
        return f"{'  ' * piece.level}{piece.label or '-'} {piece.text.strip()}"
    if piece.kind is BlockKind.FIGURE:
        return f"![{piece.text}]" if piece.text else ""
    return _table_lines(piece.table) if piece.table else piece.text.strip()


def _table_lines(table: Table) -> str:
    """A nested table: a line for each row, cells separated by bars."""
    rows: dict[int, list[str]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(one_line(cell.text))
    return "\n".join(" | ".join(row) for row in rows.values())

"""Write the events of a page as blocks."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pincite.formats.html.blocks import Blocks
from pincite.formats.html.captions import without_credit
from pincite.formats.html.elements import HEADING_TAGS
from pincite.formats.html.events import Anchor, Attributes, Break, Code, Content, End, Event, Role, Start
from pincite.formats.html.inline import LINE_BREAK, Line, picture_target
from pincite.formats.html.spacer_columns import without_spacers
from pincite.formats.writing.grid import Grid, is_sparse, lines
from pincite.formats.writing.page_writer import PageWriter, one_line
from pincite.model.call import Call

_INLINE = frozenset(["a", "sup", "sub", "q", "del", "s", "strike", "dfn"])
_BLOCK_KINDS = {"ul": "ul", "menu": "ul", "dir": "ul", "ol": "ol", "dl": "dl", "li": "li", "item": "item",
                "dd": "dd", "note": "note", "blockquote": "blockquote", "contents": "contents"}  # fmt: skip
_BREAKS = re.compile(r"\n+")
_PARAGRAPHS = re.compile(r"\n{2,}")


@dataclass(slots=True)
class _Capture:
    """A text collected apart from the flow: a heading, a term, a cell, a caption.

    Attributes:
        name: The tag of its element.
        line: Its text so far.
        attributes: The attributes of its element.
        inner: Number of open elements of the same tag within it.
    """

    name: str
    line: Line
    attributes: Attributes
    inner: int = 0


@dataclass(slots=True)
class _Figure:
    names: list[str] = field(default_factory=list[str])
    caption: str = ""
    target: str = ""
    holds_blocks: bool = False


class _Flow:
    def __init__(self, writer: PageWriter, notes: dict[str, str]) -> None:
        self._writer = writer
        self._notes = notes
        self._blocks = Blocks(writer)
        self._running = self._line = Line()
        self._captures: list[_Capture] = []
        self._tables: list[Grid | None] = []
        self._figures: list[_Figure] = []

    def write(self, events: Iterable[Event], call: Call) -> None:
        for number, event in enumerate(events):
            if number % 1000 == 0:
                call.check()
            if isinstance(event, str):
                self._line.add(event)
            elif isinstance(event, Start):
                self._start(event)
            elif isinstance(event, End):
                self._end(event.name)
            elif isinstance(event, Break):
                self._break()
            elif isinstance(event, Anchor):
                self._writer.anchor(event.name)
            elif isinstance(event, Role):
                self._begin_role(event.name)
            else:
                self._code(event)
        self._flush()
        self._blocks.end()

    def _start(self, start: Start) -> None:
        name, attributes = start.name, start.attributes
        if name in _INLINE:
            self._line.begin(name, attributes, self._notes)
        elif name == "br":
            self._line.add(LINE_BREAK)
        elif name == "img":
            self._image(without_credit(one_line(attributes.get("alt") or "")), attributes.get("src") or "")
        elif name in HEADING_TAGS:
            self._heading(name, attributes)
        elif self._captures:
            self._begin_within(self._captures[-1], name)
            if name == "item" and attributes.get("label"):
                self._line.add(f"{attributes['label']} ")
        elif name in _BLOCK_KINDS:
            self._flush()
            self._blocks.open(_BLOCK_KINDS[name], attributes)
        elif name == "table":
            self._table(start)
        else:
            self._part(name, attributes)

    def _part(self, name: str, attributes: Attributes) -> None:
        """Begin a part of a table, a definition list or a figure."""
        self._flush()
        grid = self._tables[-1] if self._tables else None
        if name == "dt":
            if attributes.get("id"):
                self._blocks.end()
            self._capture(name, attributes)
        elif name == "figure":
            self._figures.append(_Figure())
        elif (name == "figcaption" and self._figures) or (grid and name in ("td", "th", "caption")):
            self._capture(name, attributes)
        elif grid and name == "tr":
            grid.row()
        elif grid and name == "thead":
            grid.in_head = True

    def _end(self, name: str) -> None:
        if name in _INLINE:
            self._line.end()
        elif self._captures:
            self._end_within(self._captures[-1], name)
        elif name in _BLOCK_KINDS:
            self._flush()
            self._blocks.close(_BLOCK_KINDS[name])
        elif name == "table":
            self._flush()
            self._end_table(self._tables.pop())
        else:
            self._flush()
            if name == "figure":
                self._end_figure(self._figures.pop())
            elif name == "thead" and self._tables and (grid := self._tables[-1]):
                grid.in_head = False

    def _break(self) -> None:
        if self._captures:
            self._line.add(LINE_BREAK)
        else:
            self._flush()

    def _begin_role(self, role: str) -> None:
        if not self._captures:
            self._flush()
            self._blocks.pause()
        self._writer.role = role

    def _flush(self) -> None:
        text = self._line.take()
        if "\n\n" in text:
            for part in _PARAGRAPHS.split(text):
                self._blocks.paragraph(part)
        elif text:
            self._blocks.paragraph(text)

    def _capture(self, name: str, attributes: Attributes, *, is_plain: bool = False) -> None:
        self._line = Line(is_plain=is_plain, marks_terms=name != "dt")
        self._captures.append(_Capture(name, self._line, attributes))

    def _begin_within(self, capture: _Capture, name: str) -> None:
        """Begin a block inside a text that cannot contain blocks, as a new line."""
        capture.inner += capture.name == name
        self._line.add(LINE_BREAK)

    def _end_within(self, capture: _Capture, name: str) -> None:
        if capture.name == name and not capture.inner:
            self._write_capture(self._captures.pop())
        else:
            capture.inner -= capture.name == name
            self._line.add(LINE_BREAK)

    def _write_capture(self, capture: _Capture) -> None:
        text = capture.line.take()
        self._line = self._captures[-1].line if self._captures else self._running
        name = capture.name
        grid = self._tables[-1] if self._tables else None
        if name in HEADING_TAGS:
            self._interrupt()
            self._writer.heading(int(name[1]), text)
        elif name == "dt":
            self._term(text)
        elif name == "figcaption":
            self._figures[-1].caption = one_line(text)
        elif name == "caption" and grid:
            grid.caption = one_line(text)
        elif grid:
            grid.cell(_BREAKS.sub("\n", text), capture.attributes, header=name == "th")

    def _heading(self, name: str, attributes: Attributes) -> None:
        outer = self._captures[-1] if self._captures else None
        if outer is None:
            self._flush()
            self._blocks.end()
        else:
            self._begin_within(outer, name)
            return
        self._capture(name, attributes, is_plain=True)

    def _term(self, text: str) -> None:
        if text := one_line(text):
            self._blocks.term(text)

    def _code(self, code: Code) -> None:
        if self._captures:
            self._line.add(LINE_BREAK + code.text.replace("\n", LINE_BREAK) + LINE_BREAK)
        else:
            self._flush()
            self._interrupt()
        for name in code.anchors:
            self._writer.anchor(name)
        if not self._captures:
            self._writer.code(code.text, code.language)

    def _image(self, name: str, source: str) -> None:
        if not name:
            return
        if self._figures and not self._captures:
            self._figures[-1].names.append(name)
            self._figures[-1].target = self._figures[-1].target or picture_target(source)
        else:
            # A cell is a value: without the address.
            self._line.picture(name, "" if self._captures else source)

    def _end_figure(self, figure: _Figure) -> None:
        names = "; ".join(dict.fromkeys(figure.names))
        if figure.holds_blocks:
            for text in (names, figure.caption):
                if text:
                    self._blocks.paragraph(text)
            return
        caption = " – ".join(dict.fromkeys(text for text in (figure.caption, names) if text))
        if caption:
            self._interrupt()
            self._writer.figure(caption, target=figure.target)

    def _table(self, start: Start) -> None:
        self._flush()
        self._tables.append(Grid() if start.is_data else None)
        if start.is_data:
            self._blocks.end()

    def _end_table(self, grid: Grid | None) -> None:
        if grid is None:
            return
        self._interrupt()
        table = grid.table()
        # Two cells with huge spans would fill memory with empty cells: their texts are written as lines.
        if is_sparse(table):
            self._writer.limit("max_table_area")
            for line in (table.caption, *lines(table)):
                self._writer.paragraph(line)
        else:
            self._writer.table(without_spacers(table))
        if grid.overflow:
            self._writer.limit("max_columns")
            self._writer.paragraph(grid.overflow)

    def _interrupt(self) -> None:
        self._blocks.interrupt()
        for figure in self._figures:
            figure.holds_blocks = True


def write(content: Content, writer: PageWriter, call: Call) -> None:
    """Write the content of a page as blocks.

    Args:
        content: The content.
        writer: Receives the blocks.
        call: Checked for cancellation every thousand events.
    """
    _Flow(writer, content.notes).write(content.events, call)

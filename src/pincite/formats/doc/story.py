"""A story as WordprocessingML: paragraphs with their runs, and the tables that they form."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from pincite.formats.doc.fonts import Fonts
from pincite.formats.doc.grid import OpenTable, row_of, rows_markup
from pincite.formats.doc.markup import is_shaded, number, paragraph_properties, run_properties
from pincite.formats.doc.modifiers import Code, Modifiers, Runs
from pincite.formats.doc.styles import Style
from pincite.formats.doc.text import Text
from pincite.model.call import Call
from pincite.text.xml_text import escaped

_END = re.compile("[\r\x07\x0c]")
_CELL_END = "\x07"
_PIECE = re.compile("[\x00-\x1f]|[^\x00-\x1f]+")
_FIELD_BEGIN, _FIELD_SEPARATOR, _FIELD_END = "\x13", "\x14", "\x15"
_FIELD_CHARACTERS = {_FIELD_BEGIN: "begin", _FIELD_SEPARATOR: "separate", _FIELD_END: "end"}
_SIGNS = {"\t": "<w:tab/>", "\x0b": "<w:br/>", "\x0e": "<w:br/>", "\x1e": "<w:noBreakHyphen/>"}
_PICTURE, _SHAPE, _SYMBOL = "\x01", "\x08", "("
_SPECIAL = frozenset({_PICTURE, _SHAPE, _SYMBOL})
_MAX_DEPTH = 20
"""Maximum nesting of tables."""


@dataclass(frozen=True, slots=True)
class Formats:
    """The formats of a document's characters and paragraphs.

    Attributes:
        paragraphs: The runs of paragraphs.
        characters: The runs of characters.
        styles: The styles by index.
        fonts: The fonts.
    """

    paragraphs: Runs
    characters: Runs
    styles: Mapping[int, Style]
    fonts: Fonts

    def font(self, changes: Modifiers, style: int) -> int | None:
        """Return the index of the font of a run; None if neither it nor its paragraph's style sets one."""
        visited: set[int] = set()
        font = number(changes, Code.FONT)
        index: int | None = style
        while font is None and index is not None and index not in visited and index in self.styles:
            visited.add(index)
            font, index = number(self.styles[index].characters, Code.FONT), self.styles[index].base
        return font


@dataclass(slots=True)
class StoryWriter:
    """Writes stories.

    Attributes:
        text: The characters of the document.
        formats: Their formats.
        marks: The references to notes, as elements, by position.
        box: Returns the text box whose shape is at a position; empty for none.
        picture: Returns the picture at an offset of the file's data, as an element; empty for none.
        call: Checked for cancellation at every paragraph.
    """

    text: Text
    formats: Formats
    marks: Mapping[int, str]
    box: Callable[[int], str]
    picture: Callable[[int], str]
    call: Call
    _levels: list[OpenTable] = field(default_factory=list[OpenTable])
    _fields: list[str] = field(default_factory=list[str])

    def write(self, start: int, end: int) -> str:
        """Return the paragraphs and tables between two positions."""
        outer, self._levels = self._levels, [OpenTable()]
        outer_fields, self._fields = self._fields, []
        for first, last in self._paragraphs(start, end):
            self.call.check()
            self._paragraph(first, last)
        self._close(0)
        result = "".join(self._levels[0].content)
        self._levels, self._fields = outer, outer_fields
        return result

    def _paragraphs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield start and end of each paragraph, the mark at its end included."""
        end = min(end, len(self.text.units))
        while start < end:
            match = _END.search(self.text.units, start, end)
            stop = match.end() if match else end
            yield start, stop
            start = stop

    def _paragraph(self, start: int, end: int) -> None:
        mark = self.text.units[end - 1]
        run = self.formats.paragraphs.at(self.text.offset(end - 1))
        changes = run.changes if run else Modifiers()
        changed_style = number(changes, Code.STYLE)
        style = changed_style if changed_style is not None else run.style if run else 0
        depth = self._depth(changes, mark)
        self._close(depth)
        while len(self._levels) <= depth:
            self._levels.append(OpenTable())
        level = self._levels[depth]
        if depth and (number(changes, Code.ROW_END) or number(changes, Code.INNER_ROW_END)):
            self._end_row(level, changes)
            return
        if depth and run is None and mark == _CELL_END and end - start == 1 and level.cells and not level.content:
            # Without formats only its position tells a row's end from a cell's.
            self._end_row(level, changes)
            return
        is_text = mark in "\r\x07\x0c"
        level.content.append(self._markup(start, end - 1 if is_text else end, style, changes, depth))
        if depth and (mark == _CELL_END or number(changes, Code.INNER_CELL_END)):
            level.cells.append("".join(level.content))
            level.content.clear()

    def _depth(self, changes: Modifiers, mark: str) -> int:
        """The number of tables that a paragraph is in."""
        depth = number(changes, Code.DEPTH)
        if depth is None:
            depth = int(bool(number(changes, Code.IN_TABLE)) or mark == _CELL_END)
        return min(max(depth, int(mark == _CELL_END)), _MAX_DEPTH)

    def _end_row(self, level: OpenTable, changes: Modifiers) -> None:
        if level.content:
            level.cells.append("".join(level.content))
            level.content.clear()
        level.rows.append(row_of(level.cells, changes))
        level.cells.clear()

    def _close(self, depth: int) -> None:
        """Write the tables below a depth into the cells that they are in."""
        while len(self._levels) > depth + 1:
            level = self._levels.pop()
            if level.content or level.cells:
                # The end of the last row is missing.
                self._end_row(level, Modifiers())
            self._levels[-1].content.append(rows_markup(level.rows))

    def _markup(self, start: int, end: int, style: int, changes: Modifiers, depth: int) -> str:
        known = self.formats.styles.get(style)
        shaded = is_shaded(changes) or bool(known and (is_shaded(known.paragraph) or is_shaded(known.characters)))
        runs = "".join(self._runs(start, end, style, with_colour=not depth and not shaded))
        # An instruction ends with its paragraph, as in newer documents.
        self._fields = [state for state in self._fields if state != _FIELD_BEGIN]
        properties = paragraph_properties(changes, style if style in self.formats.styles else None)
        return f"<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"

    def _runs(self, start: int, end: int, style: int, *, with_colour: bool) -> Iterator[str]:
        for first, last, piece in self.text.spans(start, end):
            at = first
            while at < last:
                offset = piece.offset + (at - piece.start) * piece.width
                run = self.formats.characters.at(offset)
                stop = last if run is None else min(last, at + max(1, -(-(run.end - offset) // piece.width)))
                changes = run.changes if run else Modifiers()
                content = "".join(self._content(at, stop, changes, style))
                if content:
                    properties = run_properties(changes, self.formats.fonts.names, with_colour=with_colour)
                    yield f"<w:r>{properties}{content}</w:r>"
                at = stop

    def _content(self, start: int, end: int, changes: Modifiers, style: int) -> Iterator[str]:
        if number(changes, Code.DELETED):
            return
        is_special = bool(number(changes, Code.SPECIAL))
        for match in _PIECE.finditer(self.text.units, start, end):
            yield from (self.marks[at] for at in range(match.start(), match.end()) if at in self.marks)
            part = match[0]
            if part in _FIELD_CHARACTERS:
                yield from self._field(part)
            elif is_special and part[0] in _SPECIAL:
                yield self._special(part[0], match.start(), changes)
            elif part in _SIGNS:
                yield _SIGNS[part]
            elif part >= " ":
                tag = "instrText" if self._fields and self._fields[-1] == _FIELD_BEGIN else "t"
                letters = self.formats.fonts.decoded(part, self.formats.font(changes, style))
                yield f'<w:{tag} xml:space="preserve">{escaped(letters)}</w:{tag}>'

    def _special(self, character: str, position: int, changes: Modifiers) -> str:
        """Return what replaces a special character: a shape, a picture, a character of a symbol font."""
        if character == _SHAPE:
            return self.box(position)
        if character == _PICTURE:
            offset = number(changes, Code.PICTURE)
            return self.picture(offset) if offset is not None and Code.OBJECT not in changes else ""
        symbol = changes.get(Code.SYMBOL, b"")
        font = self.formats.fonts.names.get(int.from_bytes(symbol[:2], "little"), "")
        code = int.from_bytes(symbol[2:4], "little")
        return f'<w:sym w:font="{escaped(font)}" w:char="{code:04X}"/>' if code else ""

    def _field(self, character: str) -> Iterator[str]:
        if character == _FIELD_BEGIN:
            self._fields.append(character)
        elif not self._fields:
            return
        elif character == _FIELD_SEPARATOR:
            self._fields[-1] = character
        else:
            self._fields.pop()
        yield f'<w:fldChar w:fldCharType="{_FIELD_CHARACTERS[character]}"/>'


def box_markup(content: str) -> str:
    """Return a text box with its content."""
    return f"<w:pict><w:txbxContent>{content}</w:txbxContent></w:pict>" if content else ""


def reference(kind: str, identity: int) -> str:
    """Return a reference to a note: `footnote` or `endnote`."""
    return f'<w:{kind}Reference w:id="{identity}"/>'

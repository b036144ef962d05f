"""Read a paragraph's content as one text: runs, links, fields, accepted changes, equations, drawings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pincite.formats.docx.appearance import Appearance, clips_lines
from pincite.formats.docx.drawings import Drawing, alternative, drawing
from pincite.formats.docx.fields import Fields, form_value, hyperlink, link
from pincite.formats.docx.names import BOOKMARK, PPR, RPR, value, w
from pincite.formats.docx.notes import NoteKey
from pincite.formats.ooxml.equations import equation
from pincite.formats.ooxml.package import ALTERNATE, Element, Relation, name
from pincite.formats.symbols import in_font, is_symbol_font, symbol
from pincite.formats.writing.scripts import scripted

MAX_DEPTH = 60
"""Maximum nesting of containers; deeper content is left out and reported."""

_R, _T, _FONTS, _TAB = w("r"), w("t"), w("rFonts"), w("tab")
_INSTRUCTION, _FIELD, _FIELD_TYPE = w("instrText"), w("fldChar"), w("fldCharType")
_LINK, _SIMPLE, _SYM = w("hyperlink"), w("fldSimple"), w("sym")
_MATH, _MATH_PARAGRAPH = name("m:oMath"), name("m:oMathPara")
_VERTICAL_ALIGNMENT = w("vertAlign")
_SCRIPTS = ("superscript", "subscript")
# Insertions are read and deletions (`del`, `moveFrom`) skipped, as if all changes were accepted.
_TRANSPARENT = frozenset(map(w, ("ins", "moveTo", "smartTag", "customXml", "sdt", "sdtContent", "dir", "bdo")))
_DRAWINGS = frozenset(map(w, ("drawing", "pict", "object")))
_SIGNS = {
    _TAB: "\t",
    w("ptab"): "\t",
    w("br"): "\n",
    w("cr"): "\n",
    w("noBreakHyphen"): "-",
}
_NOTES = {w("footnoteReference"): "footnote", w("endnoteReference"): "endnote"}
_WITHOUT_SOFT_HYPHENS = str.maketrans("", "", "\N{SOFT HYPHEN}")


@dataclass(slots=True)
class Line:
    """The content of a paragraph so far.

    Attributes:
        pieces: The pieces of its text.
        hidden: The pieces of its hidden text, each with the reason.
        anchors: Bookmarks that begin in it.
        drawings: Pictures, charts and text boxes in it.
        notes: Notes that it refers to.
    """

    pieces: list[str] = field(default_factory=list[str])
    hidden: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    anchors: list[str] = field(default_factory=list[str])
    drawings: list[Drawing] = field(default_factory=list[Drawing])
    notes: list[NoteKey] = field(default_factory=list[NoteKey])

    @property
    def text(self) -> str:
        """The visible text."""
        return "".join(self.pieces)


@dataclass(slots=True)
class LineReader:
    """Reads the paragraphs of one story: the body, a note, a header.

    Attributes:
        appearance: The visibility of the document's text.
        relations: The relations of the story's part.
        mark: Returns the mark of a note by kind and id; empty for none.
        limit: Receives the name of each limit that is reached.
        fields: The open fields of the story.
    """

    appearance: Appearance
    relations: Mapping[str, Relation]
    mark: Callable[[str, str], str]
    limit: Callable[[str], None]
    fields: Fields = field(default_factory=Fields)
    _style: str | None = None
    _properties: Element | None = None
    _script: str = ""

    def read(self, paragraph: Element, style: str | None = None, into: Line | None = None) -> Line:
        """Return the content of a paragraph.

        Args:
            paragraph: The `w:p`.
            style: Id of its style.
            into: The content before it in the same paragraph, if a deleted paragraph mark joins the two.
        """
        line = into or Line()
        self._script = ""
        self._style, self._properties = style, paragraph.find(PPR)
        reason = "off the page" if clips_lines(self._properties) else self._hidden_reason(None)
        self._walk(paragraph, line, reason, 0)
        # Fields may go on in the next paragraph, links may not.
        self.fields.end_line(line.pieces)
        return line

    def _walk(self, parent: Element, line: Line, hidden: str, depth: int) -> None:
        if depth > MAX_DEPTH:
            self.limit("max_depth")
            return
        for child in parent:
            tag = child.tag
            if tag == _R:
                self._run(child, line, hidden, depth)
            elif tag in _TRANSPARENT:
                self._walk(child, line, hidden, depth + 1)
            elif tag in (_LINK, _SIMPLE):
                start = len(line.pieces)
                self._walk(child, line, hidden, depth + 1)
                url = self._url(child) if tag == _LINK else hyperlink(child.get(w("instr")) or "")
                link(line.pieces, start, url)
            elif tag == BOOKMARK:
                line.anchors.append(child.get(w("name")) or "")
            elif tag == _MATH_PARAGRAPH:
                self._put("\n".join(equation(formula) for formula in child.findall(_MATH)), line, hidden)
            elif tag == _MATH:
                self._put(equation(child), line, hidden)
            elif tag == ALTERNATE:
                self._walk(alternative(child), line, hidden, depth + 1)

    def _url(self, element: Element) -> str:
        relation = self.relations.get(element.get(name("r:id")) or "")
        if relation is None or not relation.external:
            return ""
        anchor = element.get(w("anchor"))
        return f"{relation.target}#{anchor}" if anchor and "#" not in relation.target else relation.target

    def _run(self, run: Element, line: Line, hidden: str, depth: int) -> None:
        font = script = ""
        properties = run.find(RPR)
        if properties is not None:
            # A position off the page hides all runs; for any other reason each run counts on its own.
            hidden = hidden if hidden == "off the page" else self._hidden_reason(properties)
            font = _symbol_font(properties)
            script = value(properties, _VERTICAL_ALIGNMENT) or ""
        is_continued, self._script = script == self._script, script
        for child in run:
            tag = child.tag
            if tag == _T:
                text = (child.text or "").translate(_WITHOUT_SOFT_HYPHENS)
                text = in_font(font, text) if font else text
                # A script in several runs has one mark.
                if script in _SCRIPTS and not is_continued:
                    text = scripted(text, "".join(line.pieces[-3:]), is_super=script == "superscript")
                    is_continued = True
                self._put(text, line, hidden)
            elif isinstance(tag, str) and tag in _SIGNS:
                self._put(_SIGNS[tag], line, hidden)
            elif tag == _INSTRUCTION:
                self.fields.instruct(child.text or "")
            elif tag == _FIELD:
                self._field(child, line, hidden)
            elif tag != RPR:
                self._other(child, line, hidden, depth)

    def _other(self, child: Element, line: Line, hidden: str, depth: int) -> None:
        tag = child.tag
        if tag in _DRAWINGS or tag == ALTERNATE:
            content = drawing(child)
            self._put(content.text, line, hidden)
            if self.fields.shown and not hidden:
                line.drawings.append(content)
        elif tag == _SYM:
            self._put(symbol(child.get(w("font")) or "", child.get(w("char")) or ""), line, hidden)
        elif isinstance(tag, str) and tag in _NOTES:
            if self.fields.shown and not hidden:
                self._note((_NOTES[tag], child.get(w("id")) or ""), line)
        elif tag == w("ruby"):
            self._ruby(child, line, hidden, depth)

    def _note(self, key: NoteKey, line: Line) -> None:
        mark = self.mark(*key)
        if mark:
            line.pieces.append(mark)
            line.notes.append(key)

    def _ruby(self, ruby: Element, line: Line, hidden: str, depth: int) -> None:
        """Add a word and, in brackets, its pronunciation."""
        base, annotation = ruby.find(w("rubyBase")), ruby.find(w("rt"))
        if base is not None:
            self._walk(base, line, hidden, depth + 1)
        if annotation is not None:
            pronunciation = Line()
            self._walk(annotation, pronunciation, hidden, depth + 1)
            self._put(f"({pronunciation.text})" if pronunciation.text else "", line, hidden)

    def _field(self, element: Element, line: Line, hidden: str) -> None:
        kind = element.get(_FIELD_TYPE)
        if kind == "begin":
            self._put(form_value(element), line, hidden)
            self.fields.begin()
        elif kind == "separate":
            self.fields.separate(line.pieces)
        elif kind == "end":
            self.fields.end(line.pieces)

    def _put(self, text: str, line: Line, hidden: str) -> None:
        if not text or not self.fields.shown:
            return
        if hidden:
            line.hidden.append((text, hidden))
        else:
            line.pieces.append(text)

    def _hidden_reason(self, properties: Element | None) -> str:
        return self.appearance.reason(properties, self._style, self._properties)


def _symbol_font(properties: Element) -> str:
    fonts = properties.find(_FONTS)
    font = (fonts.get(w("ascii")) or "") if fonts is not None else ""
    return font if is_symbol_font(font) else ""

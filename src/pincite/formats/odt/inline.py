"""The content of a paragraph: text with its links, notes and formulas, hidden text, and what is anchored in it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.formats.docx.notes import NoteKey
from pincite.formats.odt.names import MAX_DEPTH, prefixed, q, value
from pincite.formats.odt.styles import BACKGROUND_COLOUR, Styles
from pincite.formats.ooxml.package import Element, whole_number
from pincite.formats.ooxml.text import link_to
from pincite.formats.writing.scripts import scripted

_SPACE = re.compile(r"[ \t\r\n]+")
_MAX_SPACES = 1000
_SOFT_HYPHEN = "\N{SOFT HYPHEN}"
_ANCHORS = frozenset({"text:bookmark", "text:bookmark-start"})
_LEFT_OUT = frozenset({"text:script", "text:tracked-changes", "office:annotation-end", "office:forms"})


@dataclass(slots=True)
class Line:
    """The content of a paragraph.

    Attributes:
        pieces: The pieces of its text.
        hidden: The pieces of its hidden text, each with the reason.
        anchors: Bookmarks in it.
        notes: Notes that it refers to.
        drawings: Frames and shapes anchored in it.
        number: The number that the file itself gives the paragraph; empty without one.
    """

    pieces: list[str] = field(default_factory=list[str])
    hidden: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    anchors: list[str] = field(default_factory=list[str])
    notes: list[NoteKey] = field(default_factory=list[NoteKey])
    drawings: list[Element] = field(default_factory=list[Element])
    number: str = ""

    @property
    def text(self) -> str:
        """The visible text."""
        return "".join(self.pieces).strip(" \n")


@dataclass(slots=True)
class LineReader:
    """Reads the paragraphs of a text.

    Attributes:
        styles: The styles of the text.
        mark: Returns the mark of a note's element, and the note's key.
        comment: Receives the element of each comment.
        formula: Returns the formula in a frame; empty if it has none.
        limit: Receives the name of each limit that is reached.
        is_shaded: True while the background may not be white.
    """

    styles: Styles
    mark: Callable[[Element], tuple[str, NoteKey]]
    comment: Callable[[Element], None]
    formula: Callable[[Element], str]
    limit: Callable[[str], None]
    is_shaded: bool = False

    def read(self, paragraph: Element) -> Line:
        """Return the content of a `text:p` or `text:h`."""
        line = Line()
        style = value(paragraph, "text:style-name")
        outer, self.is_shaded = self.is_shaded, self.is_shaded or self.styles.is_shaded("paragraph", style)
        self._walk(paragraph, line, self._reason("paragraph", style), 0)
        self.is_shaded = outer
        return line

    def _walk(self, parent: Element, line: Line, hidden: str, depth: int, script: str = "") -> None:
        if depth > MAX_DEPTH:
            self.limit("max_depth")
            return
        self._put_running(parent.text, line, hidden, script)
        for child in parent:
            name = prefixed(child)
            if name == "text:s":
                self._put(" " * min(whole_number(child.get(q("text:c")), 1), _MAX_SPACES), line, hidden)
            elif name in _SIGNS:
                self._put(_SIGNS[name], line, hidden)
            elif name == "text:span":
                style = value(child, "text:style-name")
                reason = self._reason("text", style) or hidden
                self._walk(child, line, reason, depth + 1, self.styles.script(style) or script)
            elif name == "text:a":
                self._link(child, line, hidden, depth)
            elif name.startswith("draw:"):
                self._drawing(child, line, hidden)
            elif name not in _LEFT_OUT:
                self._other(child, name, line, hidden, depth)
            self._put_running(child.tail, line, hidden, script)

    def _other(self, child: Element, name: str, line: Line, hidden: str, depth: int) -> None:
        if name == "text:note":
            mark, key = self.mark(child)
            if not hidden:
                line.pieces.append(mark)
                line.notes.append(key)
        elif name == "office:annotation":
            self.comment(child)
        elif name == "text:number":
            line.number = "".join(child.itertext()).strip()
        elif name == "text:ruby":
            base, annotation = child.find(q("text:ruby-base")), child.find(q("text:ruby-text"))
            if base is not None:
                self._walk(base, line, hidden, depth + 1)
            if annotation is not None and (pronunciation := "".join(annotation.itertext()).strip()):
                self._put(f"({pronunciation})", line, hidden)
        elif name.startswith("text:"):
            if name in _ANCHORS:
                line.anchors.append(value(child, "text:name"))
            is_hidden = name in _HIDDEN_FIELDS and value(child, "text:is-hidden") == "true"
            self._walk(child, line, "hidden text" if is_hidden else hidden, depth + 1)

    def _link(self, element: Element, line: Line, hidden: str, depth: int) -> None:
        start, url = len(line.pieces), value(element, "xlink:href")
        self._walk(element, line, hidden, depth + 1)
        text = "".join(line.pieces[start:])
        core = text.strip()
        # A link within the document shows its text alone.
        if core and url and core != url and not url.startswith("#"):
            before, _, after = text.partition(core)
            line.pieces[start:] = [f"{before}{link_to(core, url)}{after}"]

    def _drawing(self, element: Element, line: Line, hidden: str) -> None:
        if formula := self.formula(element):
            self._put(formula, line, hidden)
        elif not hidden:
            line.drawings.append(element)

    def _reason(self, family: str, style: str) -> str:
        reason = self.styles.reason(family, style) if style else ""
        return "" if reason == BACKGROUND_COLOUR and self.is_shaded else reason

    def _put_running(self, text: str | None, line: Line, hidden: str, script: str) -> None:
        """Add a text whose white space is one space wherever it is (6.1.2)."""
        if not text:
            return
        text = _SPACE.sub(" ", text.replace(_SOFT_HYPHEN, ""))
        if text[:1] == " " and (not line.pieces or line.pieces[-1][-1:] in (" ", "\n")):
            text = text[1:]
        if script and text:
            text = scripted(text, "".join(line.pieces[-3:]), is_super=script == "super")
        self._put(text, line, hidden)

    def _put(self, text: str, line: Line, hidden: str) -> None:
        if not text:
            return
        if hidden:
            line.hidden.append((text, hidden))
        else:
            line.pieces.append(text)


_SIGNS = {"text:tab": "\t", "text:line-break": "\n"}
_HIDDEN_FIELDS = frozenset({"text:hidden-text", "text:hidden-paragraph"})

"""The walk over a parsed page: one pass, no recursion."""

from dataclasses import dataclass
from functools import cache
from urllib.parse import urljoin

from selectolax.lexbor import LexborNode

from pincite.formats.html import checkboxes, code, footnotes, mathml
from pincite.formats.html.captions import credits_divided
from pincite.formats.html.data_tables import OpenTable
from pincite.formats.html.elements import HEADING_TAGS, Elements
from pincite.formats.html.events import Anchor, Attributes, Break, Code, Content, End, Event, Hidden, Role, Start
from pincite.formats.html.main_content import content_spans
from pincite.formats.html.mso_lists import word_item
from pincite.formats.html.node_texts import link_targets, opening_tag, running_text
from pincite.formats.html.roles import role_of
from pincite.formats.html.visibility import Visibility, classes, is_dropped, is_permalink
from pincite.formats.writing.page_writer import MAX_HEADING_LEVEL, one_line
from pincite.model.call import Call
from pincite.model.document import INVISIBLE_CHARACTERS
from pincite.text import invisible

_STRUCTURING = frozenset((
    "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "menu", "dir", "li", "dl", "dt", "dd", "table", "caption",
    "thead", "tr", "td", "th", "blockquote", "figure", "figcaption", "a", "sup", "sub", "q", "del", "dfn", "s",
    "strike", "summary",
))  # fmt: skip
_WITHIN_LINES = frozenset(("a", "sup", "sub", "q", "del", "s", "strike", "dfn"))
_STRUCTURE = _STRUCTURING - {"h1", "h2", "h3", "h4", "h5", "h6", "a", "summary"}
"""Elements that keep their meaning, whatever their role."""
_SURROUNDING = frozenset(["aside", "footer"])
"""Elements that surround the content of a page, but are part of a page that is content throughout."""
_NAVIGATION = frozenset(["nav"])
_VOID = frozenset(["br", "hr", "img", "input"])
_BLOCKS = frozenset((
    "address", "article", "aside", "body", "center", "details", "dialog", "div", "fieldset", "footer", "form",
    "header", "hgroup", "legend", "main", "optgroup", "option", "p", "section", "tbody", "tfoot", "noframes",
    "frameset", "search",
))  # fmt: skip
# The last three are obsolete; browsers still show them as `pre`.
_VERBATIM = frozenset(["pre", "listing", "xmp", "plaintext"])
_CONTENTS = frozenset(("toc", "contents", "table-of-contents"))
_ADMONITIONS = frozenset(("admonition", "note", "tip", "important", "warning", "caution", "danger", "hint"))
"""Classes of boxes within a section, by DocBook, Docutils and the generators that follow them."""
_NORMALISED = str.maketrans("\xa0", " ", "\u00ad\u200b\u2060\ufeff")
_BREAK = Break()
_TARGETS = {"a": "href", "img": "src"}
"""Element → its attribute that is an address."""


@dataclass(slots=True)
class _Open:
    """An open element.

    Attributes:
        node: The element.
        name: Its tag.
        ends: The event at its end, if any.
        outer: The role around it, if it has one of its own.
    """

    node: LexborNode
    name: str
    ends: Event | None
    outer: str | None = None


class _Walk:
    def __init__(self, base: str, visibility: Visibility, call: Call, kept: frozenset[str]) -> None:
        self.content = Content()
        self.elements = Elements()
        self._events = self.content.events
        self._open: list[_Open] = []
        self._tables: list[OpenTable] = []
        self._counters: list[int] = []
        self._notes = 0
        self._marks = frozenset[int]()
        self._role = ""
        self._level = 0
        self._base = base
        self._visibility = visibility
        self._call = call
        self._kept = kept

    def run(self, root: LexborNode) -> None:
        self._element(root.tag or "", root.attributes, root)
        node: LexborNode | None = root.first_child or self._following(root)
        steps = 0
        # No recursion: pages nest up to 2,000 elements deep.
        while node is not None:
            steps += 1
            if steps % 1000 == 0:
                self._call.check()
            if self._enter(node):
                child = node.first_child
                if child is not None:
                    node = child
                    continue
                self._leave()
            node = self._following(node)

    def _following(self, node: LexborNode) -> LexborNode | None:
        """Leave this node and return the next one in document order outside it."""
        while self._open:
            following = node.next
            if following is not None:
                return following
            node = self._leave()
        return None

    def _enter(self, node: LexborNode) -> bool:
        """Add the events of a node; return True if its children follow."""
        tag = node.tag or "-"
        is_mark = bool(self._marks) and node.mem_id in self._marks
        if tag[0] == "-" or is_mark:
            if tag == "-text" and not is_mark:
                self._text(node.text_content or "")
            return False
        attributes = node.attributes
        is_left_out = tag not in self._kept and is_dropped(tag, attributes, in_note=self._notes > 0)
        if is_left_out and not self._visibility.is_content(tag, node):
            return False
        if tag == "a" and attributes and is_permalink(attributes, node):
            return False
        if (attributes or tag == "dialog" or self._visibility.concealed) and (
            reason := self._visibility.reason(tag, attributes, node)
        ):
            self._hide(node, reason)
            return False
        return self._element(tag, attributes, node)

    def _element(self, tag: str, attributes: Attributes, node: LexborNode) -> bool:
        if tag in _VERBATIM or (tag == "div" and code.is_fragment(attributes, node)):
            self._code(node, attributes)
            return False
        if tag == "math":
            self._anchors(tag, attributes)
            self._text(mathml.formula(node))
            return False
        if tag in _VOID:
            self._void(tag, attributes, node)
            return False
        if tag == "label" and node.prev is not None and node.prev.tag == "label":
            self._events.append(_BREAK)  # names of tabs, one after the other
        self.elements.enter(tag, attributes, len(self._events))
        ends = self._begin(tag, attributes, node)
        if attributes:
            self._anchors(tag, attributes)
        self._open.append(_Open(node, tag, ends, self._begin_role(tag, attributes)))
        return True

    def _begin_role(self, tag: str, attributes: Attributes) -> str | None:
        """Add the event of an element's role; return the role around it, None if it has none of its own."""
        role = role_of(tag, attributes) if attributes and tag in _BLOCKS else ""
        if not role:
            return None
        outer, self._role = self._role, role
        self._events.append(Role(role))
        return outer

    def _begin(self, tag: str, attributes: Attributes, node: LexborNode) -> Event | None:
        """Add the event of an element's start; return the event of its end."""
        if tag in _BLOCKS and attributes.get("role") != "heading":
            return self._begin_block(tag, attributes, node)
        name = tag
        if attributes.get("role") == "heading" and tag not in _STRUCTURE:
            level = attributes.get("aria-level") or "2"
            name = tag if tag[0] == "h" and tag[1:].isdigit() else f"h{level if level in '123456' else 6}"
        elif tag == "li" and (label := self._label(tag, attributes, node)) is not None:
            return self._note(label, attributes)
        if name not in _STRUCTURING and name == tag:
            return None
        if name[0] == "h":
            name = self._heading(name)
        self._events.append(self._start(name, attributes))
        return _ends(name)

    def _begin_block(self, tag: str, attributes: Attributes, node: LexborNode) -> Event:
        if attributes:
            label = self._label(tag, attributes, node)
            if label is not None:
                return self._note(label, attributes)
            if _is_contents(attributes, node):
                self._events.append(Start("contents", attributes))
                return End("contents")
            if tag == "p" and (item := word_item(attributes, node)):
                self._marks |= item.marks
                self._events.append(Start("item", {"level": str(item.level - 1), "label": item.label}))
                return _ends("item")
        self._events.append(_BREAK)
        return _BREAK

    def _heading(self, name: str) -> str:
        """Return the name of a heading; the title of an admonition is below its section, which continues after it."""
        if any(not _ADMONITIONS.isdisjoint(classes(around.node.attributes)) for around in self._open[-2:]):
            return f"h{min(MAX_HEADING_LEVEL, max(int(name[1]), self._level + 1))}"
        self._level = int(name[1])
        return name

    def _start(self, name: str, attributes: Attributes) -> Start:
        start = Start(name, attributes)
        if name == "table":
            for outer in self._tables[-1:]:
                outer.has_blocks = True
            self._tables.append(OpenTable(start, self.elements.characters))
        elif self._tables and (name in ("td", "th") or name in HEADING_TAGS):
            self._tables[-1].count(name)
        elif name in ("ol", "ul"):
            self._counters.append(0)
        elif (target := _TARGETS.get(name)) and self._base and attributes.get(target):
            start.attributes = {**attributes, target: _joined(self._base, attributes[target] or "")}
        return start

    def _label(self, tag: str, attributes: Attributes, node: LexborNode) -> str | None:
        """Return the label of a footnote; None for any other element."""
        if tag != "li":
            return footnotes.label(tag, attributes, node) if "id" in attributes else None
        if not self._counters:
            return None
        self._counters[-1] += 1
        around = (level.node.attributes for level in self._open[-3:])
        return str(self._counters[-1]) if footnotes.is_item(attributes, around) else None

    def _note(self, label: str, attributes: Attributes) -> End:
        self._notes += 1
        if attributes.get("id"):
            self.content.notes[attributes["id"] or ""] = label
        self._events.append(Start("note", {"label": label}))
        return End("note")

    def _leave(self) -> LexborNode:
        """Add the event of the innermost element's end, and return its node."""
        element = self._open.pop()
        if element.name == "table":
            self._tables.pop().close(self.elements.characters)
        if element.ends is not None:
            self._events.append(element.ends)
        if element.outer is not None:
            self._role = element.outer
            self._events.append(Role(self._role))
        if element.name in ("ol", "ul") and self._counters:
            self._counters.pop()
        if isinstance(element.ends, End) and element.ends.name == "note":
            self._notes -= 1
        self.elements.leave(element.name, len(self._events))
        return element.node

    def _text(self, text: str) -> None:
        if not text.isascii():
            if spans := invisible.hidden_spans(text):
                tag = opening_tag(self._open[-1].node) if self._open else ""
                runs = (invisible.decoded(text[start:end]) for start, end in spans)
                self.content.hidden += [Hidden(run, tag, INVISIBLE_CHARACTERS) for run in runs]
                text = invisible.without_hidden(text)
            text = text.translate(_NORMALISED)
        if text.isspace():
            # White space between blocks is dropped, elsewhere it is one space.
            if self._events and self._events[-1] is not _BREAK:
                self._events.append(" ")
        elif text:
            self._events.append(text)
            self.elements.text(text)

    def _hide(self, node: LexborNode, reason: str) -> None:
        """Record a hidden text; links into it lead to its position in the content."""
        self._anchors(node.tag or "", node.attributes)
        self._events += map(Anchor, link_targets(node))
        text = one_line(running_text(node) if node.css_first("script, style") else node.text(separator=" "))
        if text:
            self.content.hidden.append(Hidden(text, opening_tag(node), reason))

    def _code(self, node: LexborNode, attributes: Attributes) -> None:
        self._anchors("pre", attributes)
        if code.numbers_lines(node):
            return
        text = code.verbatim(node, self._visibility, self.content.hidden)
        self._events.append(Code(text, code.language(node), tuple(link_targets(node))))
        self.elements.code(text)
        for table in self._tables[-1:]:
            table.has_blocks = True

    def _void(self, tag: str, attributes: Attributes, node: LexborNode) -> None:
        self._anchors(tag, attributes)
        if tag == "input":
            parent = self._open[-1].name if self._open else ""
            if mark := checkboxes.mark_of_input(attributes, parent, node.next):
                self._events.append(mark)
        else:
            self._events.append(Start(tag, attributes))

    def _anchors(self, tag: str, attributes: Attributes) -> None:
        if name := attributes.get("id"):
            self._events.append(Anchor(name))
        if tag == "a" and (name := attributes.get("name")):
            self._events.append(Anchor(name))


@cache
def _ends(name: str) -> End:
    return End(name)


def walk(
    root: LexborNode,
    base: str,
    visibility: Visibility,
    call: Call,
    *,
    is_documentation: bool = False,
    is_whole: bool = False,
    is_contents: bool = False,
) -> Content:
    """Return the main content of a page.

    Args:
        root: The body of the page.
        base: The base URL of its relative links; empty to keep them relative.
        visibility: The visibility of its elements.
        call: Checked for cancellation every thousand nodes.
        is_documentation: True if the page is known to be documentation, and no article.
        is_whole: True if all of the page is content.
        is_contents: True if the page is a table of contents, which is marked as navigation.
    """
    kept = _SURROUNDING if is_whole else frozenset[str]()
    walker = _Walk(base, visibility, call, kept | _NAVIGATION if is_contents else kept)
    walker.run(root)
    content = walker.content
    if is_whole:
        return content
    # The content is chosen after the walk, when the text of each element is known.
    elements, position = walker.elements.all, 0
    events, credit_spans = credits_divided(elements, content.events)
    content.events = []
    for start, end in [
        *content_spans(elements, events, credit_spans, is_documentation=is_documentation),
        (len(events), len(events)),
    ]:
        if surroundings := _text_of(events[position:start]):
            content.surroundings.append(surroundings)
        content.events += events[start:end]
        position = end
    return content


def _text_of(events: list[Event]) -> str:
    """The text in some events, blocks in lines of their own."""
    parts: list[str] = []
    for event in events:
        if isinstance(event, str | Code):
            parts.append(event if isinstance(event, str) else f"\n{event.text}\n")
        elif isinstance(event, Break) or (isinstance(event, Start | End) and event.name not in _WITHIN_LINES):
            parts.append("\n")
    return "\n".join(line for text in "".join(parts).split("\n") if (line := one_line(text)))


def _is_contents(attributes: Attributes, node: LexborNode) -> bool:
    """Return True for a table of contents; Doxygen calls the text of a page `contents`, too."""
    if attributes.get("id") == "toc":
        return True
    return not _CONTENTS.isdisjoint(classes(attributes)) and node.css_first("table, pre, .textblock") is None


def _joined(base: str, link: str) -> str:
    try:
        return urljoin(base, link)
    except ValueError:
        return link

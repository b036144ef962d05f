"""Choose the main content of a page: its container, and of an article the part with its prose."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from pincite.formats.html.containers import MIN_TEXT_SHARE, choose
from pincite.formats.html.elements import HEADING_TAGS, Element
from pincite.formats.html.events import Code, Event, Start
from pincite.formats.html.further_reading import is_label, is_line_of_link
from pincite.formats.html.surroundings import is_surrounding, words_of

Span = tuple[int, int]
"""Events of a page: index of the first, and the end, exclusive."""

# Tuned on two thirds of 393 pages (`eval/articles.py`), where each lies on a plateau.
MIN_PROSE_CHARACTERS = 250
"""Prose of a page below which there is no telling what surrounds what: two or three sentences."""

MIN_CORE_SHARE = 0.8
"""Share of an element's prose in one of its children from which that child is the article."""

MIN_BODY_SHARE = 0.3
"""Share of the prose in an element that is named as an article's body."""

MIN_REMAINING_SHARE = 0.3
"""Share of the prose that the chosen part must have; else nothing but what is named as surroundings is left out."""

MAX_LINK_SHARE = 0.5
"""Share of linked text above which a block is a list of links to other pages."""

MAX_PARAGRAPH_LINK_SHARE = 0.9
"""The same for a paragraph, which may consist of a linked sentence."""

MAX_LINKS_PROSE_SHARE = 0.02
"""Share of the prose above which a block of links says too much to be left out."""

MIN_LINKS_CHARACTERS = 20
MIN_LEAD_PROSE = 60
"""Characters of prose of an element called a lead, an excerpt …"""

MAX_TERMS = 2
"""Number of definitions above which a page is documentation, whose lists of links are content."""

_DESCENDED = frozenset(("div", "section", "article", "main", "td", "table", "tbody", "tr", "center", "form", "body"))
_BODY_TAGS = frozenset(("div", "section", "article", "td", "main"))
_BODY_NAMES = re.compile(
    r"(?:^| )(?:(?:entry|post|article|story|news|blog|page|body) ?(?:content|body|text|bodycopy|copy)"
    r"|(?:art|single) (?:content|body|text)|(?:body|full|main) ?(?:text|article))(?= |$)"
)
_LEAD_NAMES = re.compile(r"lead|teaser|excerpt|intro|standfirst|subtitle|abstract|summary", re.IGNORECASE)
_LEAD_TAGS = frozenset(("p", "h2", "h3"))
_NOT_LINKS = HEADING_TAGS | {"li", "dt", "dd", "table", "main", "article"}
"""Elements that are not left out as links by themselves."""


def content_spans(elements: Sequence[Element], events: Sequence[Event]) -> list[Span]:
    """Return the spans of a page's main content, in order.

    Documentation is kept as its container has it. Of an article, what surrounds it by name, lists of links, and what
    surrounds the part with its prose is left out.

    Args:
        elements: The elements of the page, the body first.
        events: The events of the page.
    """
    page = elements[0]
    container, is_documentation = choose(elements, page.characters)
    root = container or page
    scope = [element for element in elements if root.contains(element)]
    # A form with much of the text encloses the page; any other is a control.
    left_out = [
        (element.start, element.end)
        for element in scope
        if element.tag == "form" and element.characters <= MIN_TEXT_SHARE * root.characters
    ]
    if root.prose >= MIN_PROSE_CHARACTERS and not is_documentation and not _is_reference(events[root.start : root.end]):
        left_out += _Article(root, scope, events).left_out()
    title = [] if container is None or is_documentation else _title_before(elements, root)
    return [*title, *_between(root.start, root.end, left_out)]


def _title_before(elements: Sequence[Element], root: Element) -> list[Span]:
    """Return the title and the lead of an article that begins without them, in a header of their own before it."""
    titles = [element for element in elements if element.tag == "h1" and element.characters]
    if len(titles) != 1 or titles[0].end > root.start or not _is_lead(titles[0]):
        return []
    (title,) = titles
    after = (one for one in elements if one.parent is title.parent and title.end <= one.start and one.end <= root.start)
    leads = [(lead.start, lead.end) for lead in after if _is_lead(lead)]
    # A title alone is that of the document, too.
    return [(title.start, title.end), *leads] if leads else []


def _is_reference(events: Sequence[Event]) -> bool:
    """Return True if there is code, or several definitions: documentation that no container shows as such."""
    terms = 0
    for event in events:
        terms += isinstance(event, Start) and event.name == "dt"
        if isinstance(event, Code) or terms > MAX_TERMS:
            return True
    return False


class _Article:
    """The choice within one page.

    Args:
        root: The container of the content.
        scope: The elements in it, itself first. Their counts lose what is left out.
        events: The events of the page.
    """

    def __init__(self, root: Element, scope: Sequence[Element], events: Sequence[Event]) -> None:
        self._root = root
        self._events = events
        self._scope = [element for element in scope if element is not root and element.characters]
        self._prose = root.prose
        self._table_end = 0
        self._kept: set[int] = set()
        """Ids of the elements whose links are no reason to leave them out: those around a table with header cells, as
        its links are data, and those with nothing but a heading, which may be linked to itself."""
        for element in scope:
            outer = element.parent
            if element.tag == "th":
                while outer is not None and id(outer) not in self._kept:
                    self._kept.add(id(outer))
                    outer = outer.parent
            elif element.tag in HEADING_TAGS:
                while outer is not None and outer.characters == element.characters:
                    self._kept.add(id(outer))
                    outer = outer.parent

    def left_out(self) -> list[Span]:
        """Return the spans that are no part of the article, in any order; they may overlap."""
        named = self._without(lambda element: is_surrounding(element, self._prose))
        if not self._root.characters:
            return []
        prose = self._root.prose
        # First, as a label is left out for the links after it.
        links = self._without(self._further_reading().__contains__)
        links += self._without(self._is_links)
        core = self._core()
        if not core.characters or core.prose < MIN_REMAINING_SHARE * prose:
            return named
        if core is self._root:
            return named + links
        leads = [(lead.start, lead.end) for lead in self._scope if lead.end <= core.start and _is_lead(lead)]
        before = _between(self._root.start, core.start, leads)
        return [*named, *links, *before, (core.end, self._root.end)]

    def _without(self, is_left_out: Callable[[Element], bool]) -> list[Span]:
        """Take elements out of the scope, and their counts out of those around them."""
        spans: list[Span] = []
        remaining: list[Element] = []
        end = 0
        for element in self._scope:
            if element.start < end:
                continue
            if is_left_out(element):
                end = element.end
                spans.append((element.start, element.end))
                _discount(element)
            else:
                remaining.append(element)
        self._scope = [element for element in remaining if element.characters]
        return spans

    def _is_links(self, element: Element) -> bool:
        if element.tag in _NOT_LINKS or element.characters < MIN_LINKS_CHARACTERS or self._is_in_table(element):
            return False
        if id(element) in self._kept:
            return False
        if element.tag in ("ul", "ol") and "class" not in element.attributes and "id" not in element.attributes:
            return False
        share = MAX_PARAGRAPH_LINK_SHARE if element.tag == "p" else MAX_LINK_SHARE
        return element.linked > share * element.characters and element.prose <= MAX_LINKS_PROSE_SHARE * self._prose

    def _further_reading(self) -> set[Element]:
        """Return the lines of links to other articles, and the lists of them with their labels."""
        lines = {element for element in self._scope if is_line_of_link(element, self._events)}
        label: Element | None = None
        for element in self._scope:
            if label is not None and element.start >= label.end:
                if element.tag != "h1" and element.linked > MAX_LINK_SHARE * element.characters:
                    lines |= {label, element}
                label = None
            if is_label(element, self._events):
                label = element
        return lines

    def _is_in_table(self, element: Element) -> bool:
        if element.tag == "table":
            self._table_end = max(self._table_end, element.end)
        return element.start < self._table_end

    def _core(self) -> Element:
        """Return the smallest element with most of the prose, from one that is named as the article's body if any."""
        enough = MIN_BODY_SHARE * self._root.prose
        bodies = [element for element in self._scope if element.prose >= enough and _is_body(element)]
        core = max(bodies, key=lambda body: body.prose) if bodies else self._root
        for element in self._scope:
            if (
                element.parent is core
                and element.prose
                and element.prose >= MIN_CORE_SHARE * core.prose
                and element.tag in _DESCENDED
            ):
                core = element
        return core


def _discount(element: Element) -> None:
    """Take the counts of an element out of those around it."""
    outer = element.parent
    while outer is not None:
        outer.characters -= element.characters
        outer.linked -= element.linked
        outer.prose -= element.prose
        outer.headings -= element.headings
        outer = outer.parent


def _is_body(element: Element) -> bool:
    attributes = element.attributes
    if attributes.get("itemprop") == "articleBody":
        return True
    if element.tag not in _BODY_TAGS:
        return False
    names = f"{attributes.get('id') or ''} {attributes.get('class') or ''}"
    return _BODY_NAMES.search(words_of(names)) is not None


def _is_lead(element: Element) -> bool:
    """Return True for what belongs to an article that begins after it: its title, its first paragraphs."""
    if element.linked > MAX_LINK_SHARE * element.characters:
        return False
    if element.tag == "h1" or (element.tag in _LEAD_TAGS and element.prose > 0):
        return True
    return element.prose > MIN_LEAD_PROSE and _LEAD_NAMES.search(element.attributes.get("class") or "") is not None


def _between(start: int, end: int, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield what some spans, which may overlap, leave of the events from start to end."""
    for first, last in sorted(spans):
        if first > start:
            yield start, min(first, end)
        start = max(start, last)
        if start >= end:
            return
    yield start, end

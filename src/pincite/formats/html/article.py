"""Choose the part of a page with the prose of an article, and what within it is no part of the text."""

from collections.abc import Callable, Sequence

from pincite.formats.html.captions import repeated
from pincite.formats.html.cards import cards
from pincite.formats.html.closing_sections import closing_sections
from pincite.formats.html.containers import is_body
from pincite.formats.html.elements import HEADING_TAGS, Element, TextSums, discount
from pincite.formats.html.events import Event, Start
from pincite.formats.html.interface_lines import is_interface_line
from pincite.formats.html.leads import MAX_LINK_SHARE, are_notes, is_lead, is_price, is_standfirst
from pincite.formats.html.named_parts import named_surroundings
from pincite.formats.html.site_lines import is_site_line
from pincite.formats.html.spans import Span, between

# Tuned on two thirds of 393 pages (`eval/reading/articles.py`), where each lies on a plateau.
MIN_CORE_SHARE = 0.8
"""Share of an element's prose, and of its text without links, in one of its children from which that child is the
article: ingredients and data are text, but no prose."""

MIN_BODY_SHARE = 0.3
"""Share of the prose in an element that is named as an article's body."""

MIN_ONLY_BODY_SHARE = 0.9
"""Share of the prose of all bodies with the same names below which each of them is a part of the content."""

MIN_REMAINING_SHARE = 0.3
"""Share of the prose that the chosen part must have; else nothing but what is named as surroundings is left out."""

MAX_LINKED_PART_SHARE = 0.2
"""Share of linked text in a part up to which it consists of text."""

MAX_PARAGRAPH_LINK_SHARE = 0.9
"""The same for a paragraph, which may consist of a linked sentence."""

MAX_LINKS_PROSE_SHARE = 0.02
"""Share of the prose above which a block of links says too much to be left out."""

MIN_LINKS_CHARACTERS = 20

_DESCENDED = frozenset(("div", "section", "article", "main", "td", "table", "tbody", "tr", "center", "form", "body"))
_NOT_LINKS = HEADING_TAGS | {"li", "dt", "dd", "table", "main", "article"}
"""Elements that are not left out as links by themselves."""


class Article:
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
        self._sums = TextSums(events)
        self._last_text: dict[int, int] = {}
        """Starts of the last text in each part that consists of text, by the id of the part: a paragraph before it that
        is a link belongs to the text."""
        self._data_tables: list[Element] = []
        self._kept: set[int] = set()
        """Ids of the elements whose links are no reason to leave them out: those around a table with header cells, as
        its links are data, and those with nothing but a heading, which may be linked to itself."""
        for element in scope:
            outer = element.parent
            if element.tag == "th":
                while outer is not None and id(outer) not in self._kept:
                    self._kept.add(id(outer))
                    if outer.tag == "table":
                        self._data_tables.append(outer)
                    outer = outer.parent
            elif element.tag in HEADING_TAGS:
                while outer is not None and outer.characters == element.characters:
                    self._kept.add(id(outer))
                    outer = outer.parent

    def left_out(self) -> list[Span]:
        """Return the spans that are no part of the article, in any order; they may overlap."""
        surroundings = named_surroundings(self._scope, self._sums, self._root)
        named = self._without(surroundings.__contains__)
        if not self._root.characters:
            return []
        prose = self._root.prose
        closing = closing_sections(self._scope, self._events, self._sums, self._root)
        links = self._without(closing.__contains__)
        others = cards(self._scope, self._events, self._sums, self._root)
        prose -= sum(card.prose for card in others)
        links += self._without(others.__contains__)
        links += self._without(lambda element: is_interface_line(element, self._events))
        # Their few words do not decide which part has most of the text.
        links += self._without(lambda element: is_site_line(element, self._events), is_discounted=False)
        self._last_text = {
            id(part): element.start
            for element in self._scope
            if (part := element.parent) is not None and part.linked <= MAX_LINKED_PART_SHARE * part.characters
            if element.linked <= MAX_LINK_SHARE * element.characters
        }
        links += self._without(self._is_links)
        core = self._core()
        if not core.characters or core.prose < MIN_REMAINING_SHARE * prose:
            return named
        inner = [element for element in self._scope if core.contains(element)]
        links += ((one.start, one.end) for one in repeated(inner, self._events))
        before = [one for one in self._scope if one.end <= core.start]
        titles = {one.parent for one in before if one.tag == "h1"}
        leads = [
            one
            for one in before
            if is_lead(one) or is_price(one) or (one.parent in titles and is_standfirst(one, self._events))
        ]
        tables = [table for table in self._data_tables if table.linked <= MAX_LINK_SHARE * table.characters]
        notes = [one for one in self._scope if one.start >= core.end and are_notes(one)]
        around = [(one.start, one.end) for one in (core, *leads, *tables, *notes)]
        return [*named, *links, *between(self._root.start, self._root.end, around)]

    def _without(self, is_left_out: Callable[[Element], bool], *, is_discounted: bool = True) -> list[Span]:
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
                if is_discounted:
                    discount(element)
            else:
                remaining.append(element)
        self._scope = [element for element in remaining if element.characters]
        return spans

    def _is_links(self, element: Element) -> bool:
        if element.tag in _NOT_LINKS or element.characters < MIN_LINKS_CHARACTERS or id(element) in self._kept:
            return False
        if element.tag in ("ul", "ol") and "class" not in element.attributes and "id" not in element.attributes:
            return False
        if element.tag == "p" and element.start < self._last_text.get(id(element.parent), 0):
            return False
        share = MAX_PARAGRAPH_LINK_SHARE if element.tag == "p" else MAX_LINK_SHARE
        return element.linked > share * element.characters and element.prose <= MAX_LINKS_PROSE_SHARE * self._prose

    def _core(self) -> Element:
        """Return the smallest element with most of the prose, from one that is named as the article's body if any."""
        enough = MIN_BODY_SHARE * self._root.prose
        bodies = [element for element in self._scope if element.prose >= enough and is_body(element)]
        core = self._part_of_all(max(bodies, key=lambda body: body.prose)) if bodies else self._root
        for element in self._scope:
            if (
                element.parent is core
                and element.prose
                and element.prose >= MIN_CORE_SHARE * core.prose
                and element.characters - element.linked >= MIN_CORE_SHARE * (core.characters - core.linked)
                and element.tag in _DESCENDED
            ):
                core = element
        return core

    def _leads_to_page(self, title: Element) -> bool:
        """Return True for a title that is linked to a page, and not to a post of a thread: `?p=11#p11`."""
        links = (one for one in self._events[title.start : title.end] if isinstance(one, Start) and one.name == "a")
        return title.linked > 0 and not any("#" in (link.attributes.get("href") or "") for link in links)

    def _part_of_all(self, body: Element) -> Element:
        """Return a body, or of several with its names, as those of a thread's posts are, the part that holds them."""
        names = body.attributes.get("class")
        others = [
            one
            for one in self._scope
            if one.tag == body.tag and one.prose and one.attributes.get("class") == names and is_body(one)
        ]
        part = body
        # That of the thread is before its first post.
        later = (one for one in self._scope if one.tag in HEADING_TAGS and one.start >= others[0].start)
        titles = sum(map(self._leads_to_page, later))
        is_list_of_articles = titles >= len(others) - 1
        if not is_list_of_articles and body.prose < MIN_ONLY_BODY_SHARE * sum(element.prose for element in others):
            end = max(one.end for one in others)
            while (
                part.parent is not None
                and part is not self._root
                and not part.start <= others[0].start < end <= part.end
            ):
                part = part.parent
        return part

"""Find lines that lead to the next, the previous and the upper page of a manual, by the types of their links."""

from collections.abc import Sequence

from pincite.formats.html.elements import Element
from pincite.formats.html.events import Event, Start

MIN_LINKS = 2
"""Links of such a line: a single link of this kind may end a sentence."""

MAX_EVENTS = 300
"""Events of such a line: it has a few links and cells, and so no page is searched once for each element around it."""

MAX_UNLINKED_CHARACTERS = 80
"""Unlinked text of such a line: its labels (`Next:`, `Previous:`, `Up:`) and brackets."""

_TAGS = frozenset(("div", "p", "table", "ul", "section"))
_TYPES = frozenset(("next", "prev", "previous", "up", "first", "last", "start", "top", "contents", "index", "toc"))
"""Values of `rel` between pages in sequence (HTML 4.01, 6.12; Texinfo writes `up`)."""


def is_line_of_page_links(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line all of whose links lead to other pages of the manual by their types."""
    if element.tag not in _TAGS or not element.linked or element.end - element.start > MAX_EVENTS:
        return False
    if element.headings or element.characters - element.linked > MAX_UNLINKED_CHARACTERS:
        return False
    links = [
        event.attributes.get("rel") or ""
        for event in events[element.start : element.end]
        if isinstance(event, Start) and event.name == "a" and "href" in event.attributes
    ]
    return len(links) >= MIN_LINKS and all(_TYPES & set(rel.lower().split()) for rel in links)

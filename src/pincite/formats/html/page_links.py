"""Find lines that lead to the next, the previous and the upper page of a manual, by the types or labels of links."""

from collections.abc import Iterator, Sequence

from pincite.formats.html import phrases
from pincite.formats.html.elements import Element
from pincite.formats.html.events import Attributes, End, Event, Start

MIN_LINKS = 2
"""Links of such a line: a single link of this kind may end a sentence."""

MAX_LABELLED_LINKS = 3
"""Links of a line that is recognised by its labels: to the previous, the upper and the next page."""

MAX_LABELLED_CHARACTERS = 250
"""Text of such a line: labels and titles of three pages."""

MAX_EVENTS = 300
"""Events of such a line: it has a few links and cells, and so no page is searched once for each element around it."""

MAX_UNLINKED_CHARACTERS = 80
"""Unlinked text of such a line: its labels (`Next:`, `Previous:`, `Up:`) and brackets."""

_TAGS = frozenset(("div", "p", "table", "ul", "section"))
_TYPES = frozenset(("next", "prev", "previous", "up", "first", "last", "start", "top", "contents", "index", "toc"))
"""Values of `rel` between pages in sequence (HTML 4.01, 6.12; Texinfo writes `up`)."""

_ARROWS = " :.←→⟵⟶«»\u2039\u203a<>⇐⇒"
_LABEL = phrases.any_of("page_label")


def is_line_of_page_links(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line all of whose links lead to other pages of the manual by their types or labels."""
    if element.tag not in _TAGS or not element.linked or element.end - element.start > MAX_EVENTS:
        return False
    if element.headings or element.characters - element.linked > MAX_UNLINKED_CHARACTERS:
        return False
    links = list(_links(element, events))
    if not links:
        return False
    types = [set((attributes.get("rel") or "").lower().split()) for attributes, _ in links]
    if len(links) >= MIN_LINKS and all(not _TYPES.isdisjoint(values) for values in types):
        return True
    is_short = len(links) <= MAX_LABELLED_LINKS and element.characters <= MAX_LABELLED_CHARACTERS
    is_linked = is_short and element.characters == element.linked
    return is_linked and all(_is_labelled(runs) for _, runs in links)


def _is_labelled(runs: Sequence[str]) -> bool:
    """Return True for the runs of text of a link that are a label and a title: `Next`, `Rate limits`."""
    first, *rest = runs or [""]
    return bool(rest) and _LABEL.fullmatch(first) is not None


def _links(element: Element, events: Sequence[Event]) -> Iterator[tuple[Attributes, list[str]]]:
    """Yield the attributes of each link with its runs of text, without arrows."""
    runs: list[str] | None = None
    for event in events[element.start : element.end]:
        if isinstance(event, Start) and event.name == "a" and "href" in event.attributes:
            runs = []
            yield event.attributes, runs
        elif isinstance(event, End) and event.name == "a":
            runs = None
        elif runs is not None and isinstance(event, str) and (text := event.strip(_ARROWS + "\n\t\r")):
            runs.append(text)

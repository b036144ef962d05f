"""Find lines that lead to the next, the previous and the upper page of a manual, by the types or labels of links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

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

_ARROWS = " :.,|[]\n\t\r←→⟵⟶«»\u2039\u203a<>⇐⇒"
_LABEL = phrases.any_of("page_label")
_PAGE = phrases.any_of("page_label", "page_name")


@dataclass(slots=True)
class _Link:
    """A link, the text before it, and its runs of text, the alternative texts of pictures among them, without arrows.

    Attributes:
        is_arrow: Whether it has text, and that is an arrow.
    """

    attributes: Attributes
    before: str
    runs: list[str] = field(default_factory=list[str])
    is_arrow: bool = False

    def add(self, text: str) -> None:
        shown = text.strip(_ARROWS)
        self.is_arrow = not self.runs and not shown and (self.is_arrow or bool(text.strip()))
        if shown:
            self.runs.append(shown)

    def leads_to_page(self) -> bool:
        """Return True for a link of a type, an arrow, and a link that is named by a label or follows one: `Up: Use`."""
        types = (self.attributes.get("rel") or "").lower().split()
        if not _TYPES.isdisjoint(types) or self.is_arrow:
            return True
        return any(_PAGE.fullmatch(label) for label in (self.before, *self.runs[:1]))

    def is_labelled(self) -> bool:
        """Return True for a label and a title: `Next`, `Rate limits`."""
        first, *rest = self.runs or [""]
        return bool(rest) and _LABEL.fullmatch(first) is not None


def is_line_of_page_links(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line whose links, or most of many, lead to other pages of the manual by types or labels."""
    if element.tag not in _TAGS or element.end - element.start > MAX_EVENTS:
        return False
    if element.headings or element.characters - element.linked > MAX_UNLINKED_CHARACTERS:
        return False
    links = list(_links(element, events))
    leading = sum(link.leads_to_page() for link in links)
    if leading >= MIN_LINKS and (leading == len(links) or MIN_LINKS < leading >= len(links) / 2):
        return True
    is_short = 0 < len(links) <= MAX_LABELLED_LINKS and element.characters <= MAX_LABELLED_CHARACTERS
    return is_short and element.characters == element.linked and all(link.is_labelled() for link in links)


def _links(element: Element, events: Sequence[Event]) -> Iterator[_Link]:
    """Yield the links of a line."""
    link, before = None, ""
    for event in events[element.start : element.end]:
        if isinstance(event, Start) and event.name == "a" and "href" in event.attributes:
            link, before = _Link(event.attributes, before.strip(_ARROWS)), ""
        elif isinstance(event, End) and event.name == "a" and link:
            yield link
            link = None
        elif text := event if isinstance(event, str) else _alternative(event):
            if link:
                link.add(text)
            else:
                before += text


def _alternative(event: Event) -> str:
    """Return the alternative text of a picture, empty for any other event."""
    return (event.attributes.get("alt") or "") if isinstance(event, Start) and event.name == "img" else ""

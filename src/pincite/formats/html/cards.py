"""Recognise cards of other pages: a picture and a title that lead to the same page, with a few lines about it."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.formats.html.elements import Element, TextSums
from pincite.formats.html.events import End, Event, Start
from pincite.formats.html.text_classes import MIN_LEAD_PROSE

MAX_CARD_CHARACTERS = 600
"""Length of a card; a longer part is a text with pictures."""

MAX_CARD_SHARE = 0.1
MAX_CARDS_SHARE = 0.3
"""Share of the page's prose in one card, and in all: above it the cards are the content, a list of news."""

MIN_TEXT_BEFORE_SHARE = 0.5
"""Share of the prose before the first card from which they follow a text, however many they are."""

MIN_SHARE_BEFORE = 0.25
"""Share of the prose before a card: before it may be what the text is about."""

MIN_TITLE_CHARACTERS = 15
"""Length of the link in a card that has others, to its author or its section."""

_TAGS = frozenset(("div", "section", "article", "aside", "li"))
_NO_PAGE = re.compile(r"^$|^#|^(?:javascript|mailto|tel|data):|\.(?:jpe?g|png|gif|webp|svg)(?:$|\?)", re.IGNORECASE)
"""Addresses of no page: the picture itself, larger."""


@dataclass(slots=True)
class _Link:
    """A link of the page.

    Attributes:
        start: Index of its first event.
        address: Where it leads.
        text: Its text.
        has_picture: True if a picture is in it.
    """

    start: int
    address: str
    text: str = ""
    has_picture: bool = False


def cards(scope: Sequence[Element], events: Sequence[Event], sums: TextSums, root: Element) -> set[Element]:
    """Return the cards of other pages after the beginning of a text; none if they are the content.

    Args:
        scope: The elements of the page that are not left out yet, in document order.
        events: The events of the page.
        sums: Their text.
        root: The container of the content, which has all prose of the page.
    """
    links = list(_links(events, root))
    starts = [link.start for link in links]
    parts: list[Element] = []
    for part in scope:
        if part.tag not in _TAGS or part.characters > MAX_CARD_CHARACTERS or (parts and part.start < parts[-1].end):
            continue
        if not MIN_LEAD_PROSE <= part.prose <= MAX_CARD_SHARE * root.prose:
            continue
        inner = links[bisect_left(starts, part.start) : bisect_left(starts, part.end)]
        if _is_card(inner) and sums.prose(root.start, part.start) >= MIN_SHARE_BEFORE * root.prose:
            parts.append(part)
    if not parts or sums.prose(root.start, parts[0].start) >= MIN_TEXT_BEFORE_SHARE * root.prose:
        return set(parts)
    return set(parts) if sum(part.prose for part in parts) <= MAX_CARDS_SHARE * root.prose else set()


def _is_card(links: Sequence[_Link]) -> bool:
    """Return True for the links of a card: all, or the title among them, lead to the page that its picture leads to."""
    pictured = {link.address for link in links if link.has_picture and not link.text}
    if len(pictured) != 1:
        return False
    (address,) = pictured
    titles = [len(link.text) for link in links if link.text and link.address == address]
    is_only = all(link.address == address for link in links)
    return bool(titles) and (is_only or max(titles) >= MIN_TITLE_CHARACTERS) and _NO_PAGE.search(address) is None


def _links(events: Sequence[Event], root: Element) -> Iterator[_Link]:
    link: _Link | None = None
    for position in range(root.start, root.end):
        event = events[position]
        if isinstance(event, Start | End) and event.name == "a":
            if link is not None:
                yield link
            address = (event.attributes.get("href") or "").rstrip("/") if isinstance(event, Start) else ""
            link = _Link(position, address) if isinstance(event, Start) else None
        elif link is not None and isinstance(event, str):
            link.text += event.strip()
        elif link is not None and isinstance(event, Start) and event.name == "img":
            link.has_picture = True

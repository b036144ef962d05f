"""Recognise lists whose items are data, wherever they are next to an article: ingredients, features, figures."""

from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

from pincite.formats.html.elements import Element
from pincite.formats.html.events import Event, Start

MAX_ITEM_CHARACTERS = 100
"""Length of an item whose links are a part of it: an ingredient after its quantity."""

MIN_ITEMS = 3
MIN_ITEMS_SHARE = 0.5
"""Number of items without links, and share of the part's text in them."""

MAX_LINK_SHARE = 0.2
"""Share of linked text in the part."""

_START = attrgetter("start")
_ITEM_TAGS = frozenset(("li", "dd", "tr"))


def is_list_of_items(part: Element, scope: Sequence[Element], events: Sequence[Event]) -> bool:
    """Return True for a part that consists of items without links and without pictures.

    Args:
        part: The part.
        scope: The elements of the page, in document order, it among them.
        events: The events of the page.
    """
    if part.linked > MAX_LINK_SHARE * part.characters:
        return False
    first, last = (bisect_left(scope, at, key=_START) for at in (part.start, part.end))
    items = [one.characters for one in scope[first:last] if one.tag in _ITEM_TAGS and not one.linked]
    if len(items) < MIN_ITEMS or sum(items) < MIN_ITEMS_SHARE * part.characters:
        return False
    return not any(isinstance(one, Start) and one.name == "img" for one in events[part.start : part.end])

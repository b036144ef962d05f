"""Recognise lists whose items are data, wherever they are next to an article: ingredients, features, figures."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from operator import attrgetter

from pincite.formats.html.elements import Element
from pincite.formats.html.events import Event, Start

MIN_ITEMS = 3
MIN_ITEMS_SHARE = 0.5
"""Number of items without links, and share of the part's text in them."""

MAX_LINK_SHARE = 0.2
"""Share of linked text in the part."""

_START = attrgetter("start")
_ITEM_TAGS = frozenset(("li", "dd", "tr"))


class ItemLists:
    """The items and pictures of a page, counted once: parts may nest a thousand deep, each with the same list.

    Args:
        scope: The elements of the page, in document order, with their present counts.
        events: The events of the page.
    """

    def __init__(self, scope: Sequence[Element], events: Sequence[Event]) -> None:
        self._scope = scope
        self._events = events

    def is_list(self, part: Element) -> bool:
        """Return True for a part that consists of items without links and without pictures."""
        if part.linked > MAX_LINK_SHARE * part.characters:
            return False
        first, last = (bisect_left(self._scope, at, key=_START) for at in (part.start, part.end))
        numbers, characters = self._items
        if numbers[last] - numbers[first] < MIN_ITEMS:
            return False
        if characters[last] - characters[first] < MIN_ITEMS_SHARE * part.characters:
            return False
        return self._pictures[part.end] == self._pictures[part.start]

    @cached_property
    def _items(self) -> tuple[list[int], list[int]]:
        """The number of items without links before each element, and their characters."""
        items = [one.tag in _ITEM_TAGS and not one.linked for one in self._scope]
        lengths = (one.characters * is_item for one, is_item in zip(self._scope, items, strict=True))
        return [0, *accumulate(items)], [0, *accumulate(lengths)]

    @cached_property
    def _pictures(self) -> list[int]:
        """The number of pictures before each event."""
        return [0, *accumulate(isinstance(one, Start) and one.name == "img" for one in self._events)]

"""Order of looks of one size by the order of their titles: none is below another that comes only behind it."""

from collections import Counter
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from pincite.formats.pdf.layout.headings import Look

MAX_LOOKS = 8
"""Looks whose order is checked; deeper ones share the last level."""
MIN_BEGUN, MIN_RATIO = 2, 3
"""Sections that the titles of a look begin, and that number relative to those that another look begins."""


def by_nesting(ranked: Sequence[Look], titles: Sequence[Look], may_change: Callable[[Look, Look], bool]) -> list[Look]:
    """Return looks in order, each before those of its size whose titles come only behind its own in a section.

    Levels are seldom skipped: of two looks the first title below each of a higher level is that of the upper one.

    Args:
        ranked: The looks, by prominence.
        titles: Looks of the titles of a document, in order.
        may_change: Tells whether two looks may change places.
    """
    order = list(ranked)
    for index in range(1, min(len(order), MAX_LOOKS)):
        place = index
        while (
            place > 1
            and order[place].size == order[place - 1].size
            and may_change(order[place - 1], order[place])
            and _is_above(order[place], order[place - 1], set(order[: place - 1]), titles)
        ):
            order[place - 1 : place + 1] = order[place], order[place - 1]
            place -= 1
    return order


def _is_above(look: Look, other: Look, higher: AbstractSet[Look], titles: Sequence[Look]) -> bool:
    """Return True if the titles of a look begin sections in which those of the other follow, which begins few."""
    begun, followed = Counter[Look](), 0
    first: Look | None = None
    is_open = False
    for title in titles:
        if title in higher:
            first, is_open = None, True
        elif is_open and title in {look, other}:
            if first is None:
                first = title
                begun[title] += 1
            elif first == look != title:
                # Once for each section.
                followed += 1
                is_open = False
    return followed >= MIN_BEGUN and begun[look] >= MIN_RATIO * begun[other]

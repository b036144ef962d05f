"""Order of looks of one size by the order of their titles: none is below another that comes only behind it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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


def apart_from_text(ranked: Sequence[Look], titles: Sequence[Look]) -> dict[Look, Look]:
    """Return the looks of titles that begin paragraphs and are on one level with those in their type on own lines.

    Such a title is on a line of its own where code, a list or a table is below it. No section has both then, as it
    would if one was above the other, and more begin with those before text.

    Returns:
        The look of the titles on own lines for each of those that begin paragraphs.

    Args:
        ranked: The looks, by prominence.
        titles: Looks of the titles of a document, in order.
    """
    pairs: dict[Look, Look] = {}
    for index, look in enumerate(ranked[:MAX_LOOKS]):
        run_in = look._replace(run_in=True)
        if not look.run_in and run_in in ranked:
            sections = list(_sections(look, run_in, set(ranked[:index]), titles))
            begun = Counter(first for first, _ in sections)
            if begun[run_in] >= max(MIN_BEGUN, begun[look] + 1) and not any(has_both for _, has_both in sections):
                pairs[run_in] = look
    return pairs


def _is_above(look: Look, other: Look, higher: AbstractSet[Look], titles: Sequence[Look]) -> bool:
    """Return True if the titles of a look begin sections in which those of the other follow, which begins few."""
    sections = list(_sections(look, other, higher, titles))
    begun = Counter(first for first, _ in sections)
    followed = sum(has_both for first, has_both in sections if first == look)
    return followed >= MIN_BEGUN and begun[look] >= MIN_RATIO * begun[other]


def _sections(
    look: Look, other: Look, higher: AbstractSet[Look], titles: Sequence[Look]
) -> Iterator[tuple[Look, bool]]:
    """Yield which of two looks the first title of each section has that has some, and True if it has the other, too."""
    first: Look | None = None
    is_open = has_both = False
    for title in titles:
        if title in higher:
            if first is not None:
                yield first, has_both
            first, is_open, has_both = None, True, False
        elif is_open and title in {look, other}:
            has_both = has_both or first not in (None, title)
            first = first or title
    if first is not None:
        yield first, has_both

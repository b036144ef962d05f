"""Looks whose headings are at several places in their column, each of which is a level of its own."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from pincite.formats.pdf.layout.headings import Look
from pincite.formats.pdf.layout.title_places import Place
from pincite.formats.pdf.page.markers import section_depth

MIN_TITLES, MIN_SHARE = 2, 0.1
"""Titles of a look at one place, and their share of all of it, that are no chance."""
MAX_NUMBERED_SHARE = 0.25
"""Share of titles with numbers from which these tell the levels: of more, one level of several has them."""
MIN_CHANGES = 3
"""Changes from one place to another: of two levels each comes again, other than a table of contents."""


def placed_looks(candidates: Iterable[tuple[Look, str]]) -> dict[Look, Place]:
    """Return the looks, without place, that have headings at several places by turns; with the place of most of them.

    Titles with section numbers have their level by these. What is centred on a cover, and nowhere else, is no level,
    but for the title of a document.
    """
    places: dict[Look, list[Place]] = {}
    numbered: Counter[Look] = Counter()
    for look, text in candidates:
        bare = look._replace(place=Place.UNKNOWN)
        places.setdefault(bare, []).append(look.place)
        numbered[bare] += section_depth(text) > 0
    title = next(iter(places), None)
    return {
        look: most_common
        for look, own in places.items()
        if numbered[look] <= MAX_NUMBERED_SHARE * len(own)
        and (most_common := _most_common(own, has_title=look == title))
    }


def _most_common(places: Sequence[Place], *, has_title: bool) -> Place | None:
    """Return the commonest of several known places that alternate; None if most are unknown, or all are one.

    Args:
        places: Places of the titles of a look, in order.
        has_title: True if the first of them is the first title of the document.
    """
    counts = Counter(place for place in places if place is not Place.UNKNOWN)
    if has_title and places[0] is Place.CENTRE and counts[Place.CENTRE] == 1 and counts[Place.LEFT] >= MIN_TITLES:
        return Place.LEFT
    least = max(MIN_TITLES, MIN_SHARE * len(places))
    common = [place for place in places if counts[place] >= least]
    changes = sum(one is not other for one, other in pairwise(common))
    return counts.most_common(1)[0][0] if changes >= MIN_CHANGES and 2 * len(common) > len(places) else None


def in_place(look: Look, placed: Mapping[Look, Place]) -> Look:
    """Return a look with its place if that tells its level, else without it."""
    bare = look._replace(place=Place.UNKNOWN)
    if bare not in placed:
        return bare
    return look if look.place is not Place.UNKNOWN else look._replace(place=placed[bare])


def order_of_places(looks: Sequence[Look]) -> dict[Look, tuple[bool, int]]:
    """Return the sort key of each look among those of its type, by its place: centred first, then that seen first.

    Args:
        looks: Looks of the titles of a document, in order.
    """
    first: dict[Look, int] = {}
    for index, look in enumerate(looks):
        first.setdefault(look, index)
    return {look: (look.place is not Place.CENTRE, index) for look, index in first.items() if look.place.value}

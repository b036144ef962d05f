"""Levels of headings: one for each look, ranked by prominence, section numbers and the outline."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from pincite.formats.pdf.layout.headings import (
    BOLD_SIZE_RATIO,
    Look,
    Place,
    heading_look,
    is_chapter_label,
    is_label,
    is_larger,
)
from pincite.formats.pdf.layout.paragraphs import Paragraph
from pincite.formats.pdf.layout.run_in_titles import MIN_DEPTH
from pincite.formats.pdf.page.markers import is_bracketed, is_caption, section_depth, section_number
from pincite.formats.writing.page_writer import MAX_HEADING_LEVEL

MIN_TITLES, MIN_SHARE = 2, 0.1
"""Titles of a look at one place, and their share of all of it, that are no chance."""
MAX_NUMBERED_SHARE = 0.25
"""Share of titles with numbers from which these tell the levels: of more, one level of several has them."""
MIN_CHANGES = 3
"""Changes from one place to another: of two levels each comes again, other than a table of contents."""
UNNUMBERED_DEPTH = 9
"""Depth of titles without a number that are below those with one."""
MIN_UNNUMBERED = 3
"""Titles without a number between numbered ones in their look."""
_FIRST_NUMBERS = ("1", "A", "a")
_COUNTED = re.compile(r"(\d+)([A-Za-z]?)")
"""Whole number, maybe with a letter: `1`, `1A`."""
MIN_LOOK_USES = 2
"""Paragraphs of a look before it counts as one of headings; the largest type may be used once, by the title."""


def placed_looks(candidates: Iterable[tuple[Look, str]]) -> dict[Look, Place]:
    """Return the looks, without place, that have headings at several places by turns; with the place of most of them.

    Titles with section numbers have their level by these. What is centred on a cover, and nowhere else, is no level.
    """
    places: dict[Look, list[Place]] = {}
    numbered: Counter[Look] = Counter()
    for look, text in candidates:
        bare = look._replace(place=Place.UNKNOWN)
        places.setdefault(bare, []).append(look.place)
        numbered[bare] += section_depth(text) > 0
    return {
        look: most_common
        for look, own in places.items()
        if numbered[look] <= MAX_NUMBERED_SHARE * len(own) and (most_common := _most_common(own))
    }


def _most_common(places: Sequence[Place]) -> Place | None:
    """Return the commonest of several known places that alternate; None if most are unknown, or all are one."""
    counts = Counter(place for place in places if place is not Place.UNKNOWN)
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


@dataclass(frozen=True, slots=True)
class Styles:
    """Looks of a document's body text and headings.

    Attributes:
        body: Look of body text.
        levels: Heading level by look.
        deep: Looks whose headings get their level by the depth of their section number, with that of unnumbered ones.
        placed: Looks whose headings get their level by their place in the column, with that of those of no known one.
        raised: Looks whose level is their look's where the outline has a smaller depth, since it skips no level.
        stopped: Looks of titles that begin a paragraph and end with a full stop.
    """

    body: Look
    levels: Mapping[Look, int] = field(default_factory=dict[Look, int])
    deep: Mapping[Look, int] = field(default_factory=dict[Look, int])
    placed: Mapping[Look, Place] = field(default_factory=dict[Look, Place])
    raised: frozenset[Look] = frozenset()
    stopped: frozenset[Look] = frozenset()


def derive_styles(
    candidates: Sequence[tuple[Look, str]], body: Look, outlined: Sequence[tuple[Look, int]] = ()
) -> Styles:
    """Rank the looks of headings and assign levels.

    Args:
        candidates: Looks and texts of paragraphs that may be headings.
        body: Look of body text.
        outlined: Looks of headings that the outline names, with their depth in it.
    """
    placed = placed_looks(candidates)
    candidates = [(in_place(look, placed), text) for look, text in candidates]
    outlined = [(in_place(look, placed), depth) for look, depth in outlined]
    # Captions and labels are often set as headings are, and show that a look is none of body text.
    uses = Counter(look for look, _ in candidates)
    in_caption_type = _caption_looks(candidates, body)
    titles = [(look, text) for look, text in _titles(candidates) if look not in in_caption_type]
    depths: dict[Look, Counter[int]] = {}
    for look, text in titles:
        depths.setdefault(look, Counter())[section_depth(text)] += 1
    places = order_of_places([look for look, _ in titles])
    heading_looks = _heading_looks(titles, uses, places, body)
    # `Abstract` is on the level of `1 Introduction`, and `For minors` on that of `5.3.1` among `5.3.1` and `5.3.1.1`.
    deep = {look: min(own) for look in heading_looks if len(own := depths[look].keys() - {0}) > 1}
    deep |= _with_unnumbered_below(titles)
    ranked_looks = {_with_depth(look, section_depth(text), deep) for look, text in titles if look in heading_looks}
    in_capitals = _numbered_capitals(ranked_looks, depths)
    ranked = sorted(
        ranked_looks - set(in_capitals),
        key=lambda look: (
            *_prominence(look, body),
            places.get(look._replace(depth=0), (True, 0)),
            look.depth,
            look.colour,
        ),
    )
    outline_depths: dict[Look, Counter[int]] = {}
    for look, depth in outlined:
        outline_depths.setdefault(look._replace(depth=0), Counter())[depth] += 1
    raised = _raised(outline_depths)
    depth_of = {look: counts.most_common(1)[0][0] for look, counts in outline_depths.items()} | raised
    levels = _levels(_by_numbers(ranked, depths), depth_of)
    levels |= {look: levels[other] for look, other in in_capitals.items()}
    raised_looks, stopped = frozenset(raised.keys() & levels.keys()), stopped_looks(titles)
    return Styles(body, levels, deep, placed, raised_looks, frozenset(stopped & levels.keys()))


def _heading_looks(
    titles: Sequence[tuple[Look, str]], uses: Mapping[Look, int], places: Container[Look], body: Look
) -> list[Look]:
    """Return the looks of headings: those of several titles, and of single ones that others or their size confirm.

    Args:
        titles: Looks and texts of titles.
        uses: Number of titles by look, captions included.
        places: Looks with a place that tells their level.
        body: Look of body text.
    """
    looks = list(dict.fromkeys(look for look, _ in titles))
    largest = max((look.size for look in looks), default=0.0)
    first_of_largest = next((look for look in looks if look.size == largest), None)
    others = max((look.size for look in looks[1:]), default=0.0)
    numbered = _numbered_below(titles)
    colours = {look.colour for look in looks if uses[look] >= MIN_LOOK_USES and is_larger(look, body)} - {body.colour}
    return [
        look
        for look in looks
        # On a page of small print the body text of other pages is larger.
        if look != body
        # A single bold title in small letters is of the kind of those in capitals.
        if max(uses[look], uses.get(look._replace(capitals=True), 0) if look.bold else 0) >= MIN_LOOK_USES
        or (look.size == largest and (is_larger(look, body) or (look.capitals and look.size > body.size)))
        # The title of a document whose type is that of its sections.
        or (look == first_of_largest and look.bold and (look.capitals or look in places))
        # One in type a little larger than all others.
        or (look == looks[0] and look.size >= BOLD_SIZE_RATIO * max(body.size, others))
        or look in numbered
        or (look.size > body.size and look.colour in colours)
    ]


def stopped_looks(titles: Iterable[tuple[Look, str]]) -> set[Look]:
    """Return the looks of titles that begin a paragraph and end with a full stop."""
    uses = Counter(look._replace(place=Place.UNKNOWN) for look, text in titles if look.run_in and text.endswith("."))
    return {look for look, count in uses.items() if count >= MIN_LOOK_USES}


def _titles(candidates: Sequence[tuple[Look, str]]) -> Iterator[tuple[Look, str]]:
    """Yield the candidates but for captions, notes, and labels of a chapter whose title is below in another look."""
    for (look, text), (look_below, text_below) in zip_longest(candidates, candidates[1:], fillvalue=(None, "")):
        is_above_title = is_chapter_label(text) and look_below not in (None, look) and not is_chapter_label(text_below)
        if look is not None and not is_above_title and not is_label(text):
            yield look, text


def _caption_looks(candidates: Iterable[tuple[Look, str]], body: Look) -> set[Look]:
    """Return the looks in smaller type than the text most of whose titles are captions: `Annex 5. Bounds`."""
    uses: Counter[Look] = Counter()
    for look, text in candidates:
        if look.size < body.size:
            uses[look] += 1 if is_caption(text) else -1
    return {look for look, surplus in uses.items() if surplus >= 0}


def _numbered_capitals(looks: AbstractSet[Look], depths: Mapping[Look, Counter[int]]) -> dict[Look, Look]:
    """Return the looks in capitals whose numbers are as deep as those of the same look in small letters.

    `1 SELECT` is on the level of `2 Synopsis`: one of the two happens to be a name in capitals.
    """
    pairs: dict[Look, Look] = {}
    for look in looks:
        other = look._replace(capitals=False)
        if look.capitals and other in looks:
            numbers, other_numbers = ({one.depth} if one.depth else set(depths.get(one, ())) for one in (look, other))
            if numbers == other_numbers and len(numbers - {0}) == 1:
                pairs[look] = other
    return pairs


def _with_unnumbered_below(titles: Sequence[tuple[Look, str]]) -> dict[Look, int]:
    """Return the looks, with `UNNUMBERED_DEPTH`, that have titles without a number between `A`, `B` and so on.

    Titles before the first and after the last number, as of references, are on the level of the numbered ones.
    """
    numbers: dict[Look, list[str]] = {}
    for look, text in titles:
        # `Chapter 1` has no number for the title below it.
        if not is_chapter_label(text):
            numbers.setdefault(look, []).append(section_number(text))
    return {look: UNNUMBERED_DEPTH for look, own in numbers.items() if _are_between(own)}


def _are_between(numbers: Sequence[str]) -> bool:
    """Return True for enough titles between numbers that count on, or begin anew as in each chapter."""
    numbered = [(index, number) for index, number in enumerate(numbers) if number]
    steps = [step for step in pairwise(numbered) if step[1][1] not in _FIRST_NUMBERS]
    are_counted = all(_is_next(number, following) for (_, number), (_, following) in steps)
    return are_counted and sum(following - index - 1 for (index, _), (following, _) in steps) >= MIN_UNNUMBERED


def _is_next(number: str, following: str) -> bool:
    """Return True if a whole number or letter follows another; sections between may be on no page of the survey."""
    counted = [_COUNTED.fullmatch(one) for one in (number, following)]
    if counted[0] and counted[1]:
        return (int(counted[0][1]), counted[0][2]) < (int(counted[1][1]), counted[1][2])
    return len(number) == len(following) == 1 and number < following


def _numbered_below(titles: Iterable[tuple[Look, str]]) -> set[Look]:
    """Return the looks of a title whose section number is one below that of one in larger type: `1.3.1` below `1.3`."""
    numbers = {(section_number(text), look) for look, text in titles}
    sizes: dict[str, float] = {}
    for number, look in numbers:
        sizes[number] = max(look.size, sizes.get(number, 0.0))
    return {look for number, look in numbers if "." in number and sizes.get(number.rpartition(".")[0], 0.0) > look.size}


def _raised(outline_depths: Mapping[Look, Counter[int]]) -> dict[Look, int]:
    """Return the looks, with their level, that an outline has at the depth of larger type and below it, too.

    Where a heading of level 3 follows one of level 1, an outline has it at depth 2.
    """
    raised: dict[Look, int] = {}
    for look, depths in outline_depths.items():
        larger = [max(other_depths) for other, other_depths in outline_depths.items() if other.size > look.size]
        if larger and min(depths) <= max(larger) < max(depths) == max(larger) + 1:
            raised[look] = max(depths)
    return raised


def _by_numbers(ranked: Sequence[Look], depths: Mapping[Look, Counter[int]]) -> list[Look]:
    """Return looks in order of their section numbers where most headings of each have as deep ones, within one size.

    `1.1` in italics is above `1.1.1` in bold type. Larger type is above smaller: steps of a list are numbered, too.
    Some titles in the look may have no number: names of tables, say.
    """
    numbered = {look: depth for look in ranked if (depth := _common_depth(depths.get(look, Counter())))}
    in_order = iter(sorted(numbered, key=lambda look: (-look.size, numbered[look])))
    order: list[Look] = []
    depth, behind = 0, 0  # of the last numbered look
    for look in (next(in_order) if look in numbered else look for look in ranked):
        if look not in numbered:
            order.append(look)
            continue
        # Between `1.` and `1.1` is no level without a number.
        is_next = depth > 0 and numbered[look] == depth + 1 and all(one.size == look.size for one in order[behind:])
        place = behind if is_next else len(order)
        order.insert(place, look)
        depth, behind = numbered[look], place + 1
    return order


def _common_depth(depths: Counter[int]) -> int:
    """Return the depth of all numbers of a look if more of its titles have one than have none; else 0."""
    numbers = depths.keys() - {0}
    depth = max(numbers, default=0)
    return depth if len(numbers) == 1 and depths[depth] > depths[0] else 0


def _levels(ranked: Sequence[Look], depth_of: Mapping[Look, int]) -> dict[Look, int]:
    """Assign each look its depth in the outline, or one more than the look before it."""
    levels: dict[Look, int] = {}
    last = 0
    for look in ranked:
        last = depth_of.get(look, last + 1)
        levels[look] = min(last, MAX_HEADING_LEVEL)
    return levels


def heading_level(paragraph: Paragraph, document_styles: Styles, body: Look, place: Place = Place.UNKNOWN) -> int:
    """Return the heading level of a paragraph; 0 for body text.

    Args:
        paragraph: The paragraph.
        document_styles: Styles of the document.
        body: Look of body text on its page.
        place: Its place in the column.
    """
    look = heading_look(paragraph, body, document_styles.levels, document_styles.stopped)
    # On a page of small print, as of references, the body text of other pages is larger.
    text = paragraph.text.text
    if look is None or look == document_styles.body or is_label(text) or is_bracketed(text):
        return 0
    known = known_level(look._replace(place=place), text, document_styles)
    if known:
        return known
    is_numbered = look.bold and not body.bold and paragraph.alone and section_depth(text) >= MIN_DEPTH
    # On a page of small tables captions are in larger type than those, but none larger than the text.
    is_large = is_larger(look, body) and look.size >= document_styles.body.size
    if not (is_large or paragraph.run_in or is_numbered):
        return 0
    # A look that the survey has not seen, or once, is below the looks of larger type, and ranks with its own size.
    above = [
        (level, other.size == look.size) for other, level in document_styles.levels.items() if other.size >= look.size
    ]
    level, is_as_large = max(above, default=(1, True))
    return min(level + (not is_as_large), MAX_HEADING_LEVEL)


def known_level(look: Look, text: str, document_styles: Styles) -> int:
    """Return the level of a heading by its look; 0 for a look that the survey has not seen."""
    ranked_look = _with_depth(in_place(look, document_styles.placed), section_depth(text), document_styles.deep)
    if ranked_look in document_styles.levels:
        return document_styles.levels[ranked_look]
    return _level_of_unseen(ranked_look, document_styles.levels) if ranked_look.depth else 0


def _level_of_unseen(look: Look, levels: Mapping[Look, int]) -> int:
    """Return the level of a look with section numbers of a depth that is on no page of the survey."""
    known = {other.depth: level for other, level in levels.items() if other._replace(depth=look.depth) == look}
    above = max((depth for depth in known if 0 < depth < look.depth), default=0)
    return min(known[above] + 1, MAX_HEADING_LEVEL) if above else min(known.values())


def raised_level(
    paragraph: Paragraph, depth: int, document_styles: Styles, body: Look, place: Place = Place.UNKNOWN
) -> int:
    """Return the level of a heading that the outline has at a depth: its look's if that one is raised."""
    look = heading_look(paragraph, body) if document_styles.raised else None
    look = in_place(look._replace(place=place), document_styles.placed) if look else None
    return document_styles.levels[look] if look is not None and look in document_styles.raised else depth


def _with_depth(look: Look, depth: int, deep: Mapping[Look, int]) -> Look:
    return look._replace(depth=depth or deep[look]) if look in deep else look


def _prominence(look: Look, body: Look) -> tuple[float, bool, bool, bool, bool, bool, bool]:
    """Sort key, most prominent first: size, then capitals and colour (mostly on a bar), then weight, rule and slant."""
    is_plain = look.colour == body.colour
    return (-look.size, not look.capitals, is_plain, look.run_in, not look.bold, not look.underlined, look.italic)

"""Looks of titles that begin paragraphs, and are on one level with titles on lines of their own."""

from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from pincite.formats.pdf.layout.headings import Look

MAX_LOOKS = 8
"""Looks whose order is checked; deeper ones share the last level."""
MIN_BEGUN = 2
"""Sections that the titles of a look begin."""


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

"""Find the part of a page that is its main content."""

from collections.abc import Iterable
from dataclasses import dataclass

from pincite.formats.html.events import Attributes
from pincite.formats.html.visibility import classes

MIN_TEXT_SHARE = 0.4
"""Minimum share of a page's text in its main container; a smaller match is a teaser or a widget."""

# Elements and roles of the standard first, then ids and classes of generators (MediaWiki, GitHub, Sphinx), the most
# generic names last.
_RANKS = (
    "main", "[role=main]", "article", "#main-content", "#mw-content-text", ".markdown-body", "#page-content",
    "#content", ".document", ".body", ".content", "#main",
)  # fmt: skip
"""Selectors of main containers, the most reliable first."""

_BY_TAG = {rule: rank for rank, rule in enumerate(_RANKS) if rule[0].isalpha()}
_BY_ID = {rule[1:]: rank for rank, rule in enumerate(_RANKS) if rule[0] == "#"}
_BY_CLASS = {rule[1:]: rank for rank, rule in enumerate(_RANKS) if rule[0] == "."}
_MATCHED_ATTRIBUTES = frozenset(("id", "class", "role"))
_ROLE = _RANKS.index("[role=main]")


@dataclass(frozen=True, slots=True)
class Region:
    """A run of events: a candidate for the main content, or a form.

    Attributes:
        rank: Index of its selector in `_RANKS`; the lowest is preferred.
        start: Its first event.
        end: The end of its events, exclusive.
        characters: Length of its text.
    """

    rank: int
    start: int
    end: int
    characters: int


def rank(tag: str, attributes: Attributes) -> int | None:
    """Return the rank of the best selector that an element matches, or None."""
    if _MATCHED_ATTRIBUTES.isdisjoint(attributes):
        return _BY_TAG.get(tag)
    ranks = {_BY_TAG.get(tag), _BY_ID.get(attributes.get("id") or "")}
    if attributes.get("role") == "main":
        ranks.add(_ROLE)
    ranks.update(_BY_CLASS[name] for name in classes(attributes) & _BY_CLASS.keys())
    ranks.discard(None)
    return min((candidate for candidate in ranks if candidate is not None), default=None) if ranks else None


def choose(regions: Iterable[Region], characters: int) -> Region | None:
    """Return the largest match of the first selector with enough of the text; None if the whole page is content."""
    largest: dict[int, Region] = {}
    for region in regions:
        # A page may have several articles, and its own is the longest.
        best = largest.get(region.rank)
        if best is None or region.characters > best.characters:
            largest[region.rank] = region
    enough = (region for _, region in sorted(largest.items()) if region.characters > MIN_TEXT_SHARE * characters)
    return next(enough, None)

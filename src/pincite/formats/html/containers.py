"""Which part of a page is its content."""

from collections.abc import Iterable
from dataclasses import dataclass

from pincite.formats.html.visibility import Attributes, classes

LEAST_SHARE = 0.4
"""Share of a page's text that its container holds at least."""

_RANKS = (
    "main", "[role=main]", "article", "#main-content", "#mw-content-text", ".markdown-body", "#page-content",
    "#content", ".document", ".body", ".content", "#main",
)  # fmt: skip
"""Selectors of containers, the surest first."""

_BY_TAG = {rule: rank for rank, rule in enumerate(_RANKS) if rule[0].isalpha()}
_BY_ID = {rule[1:]: rank for rank, rule in enumerate(_RANKS) if rule[0] == "#"}
_BY_CLASS = {rule[1:]: rank for rank, rule in enumerate(_RANKS) if rule[0] == "."}
_TELLING = frozenset(("id", "class", "role"))
_ROLE = _RANKS.index("[role=main]")


@dataclass(frozen=True, slots=True)
class Region:
    """A run of events that may be the content, or a form.

    Attributes:
        rank: Place of its selector; the lowest counts.
        start: Its first event.
        end: One past its last event.
        characters: Of its text.
    """

    rank: int
    start: int
    end: int
    characters: int


def rank(tag: str, attributes: Attributes) -> int | None:
    """The place of the first selector that an element matches; None for none."""
    if _TELLING.isdisjoint(attributes):
        return _BY_TAG.get(tag)
    found = {_BY_TAG.get(tag), _BY_ID.get(attributes.get("id") or "")}
    if attributes.get("role") == "main":
        found.add(_ROLE)
    found.update(_BY_CLASS[name] for name in classes(attributes) & _BY_CLASS.keys())
    found.discard(None)
    return min((place for place in found if place is not None), default=None) if found else None


def choose(regions: Iterable[Region], characters: int) -> Region | None:
    """The container: of the first selector whose largest match holds enough of the text; None for the whole page."""
    largest: dict[int, Region] = {}
    for region in regions:
        best = largest.get(region.rank)
        if best is None or region.characters > best.characters:
            largest[region.rank] = region
    enough = (region for _, region in sorted(largest.items()) if region.characters > LEAST_SHARE * characters)
    return next(enough, None)

"""Find the part of a page that its markup calls the main content."""

import re
from collections.abc import Iterable

from pincite.formats.html.elements import Element
from pincite.formats.html.events import Attributes
from pincite.formats.html.surroundings import words_of
from pincite.formats.html.visibility import classes

MIN_TEXT_SHARE = 0.4
"""Minimum share of a page's text in its main container; a smaller match is a teaser or a widget."""

MIN_ARTICLE_SHARE = 0.9
"""Minimum share of the text of all articles in the longest: below it, each may be content, or teasers outweigh it."""

# Elements and roles of the standard first, then ids and classes of generators (MediaWiki, GitHub, Sphinx), the most
# generic names last.
_RANKS = (
    "main", "[role=main]", "article", "#main-content", "#mw-content-text", ".markdown-body", "#page-content",
    "#content", "#doc-content", ".document", ".body", ".content", "#main",
)  # fmt: skip
"""Selectors of main containers, the most reliable first."""

_BY_TAG = {rule: rank for rank, rule in enumerate(_RANKS) if rule[0].isalpha()}
_BY_ID = {rule[1:]: rank for rank, rule in enumerate(_RANKS) if rule[0] == "#"}
_BY_CLASS = {rule[1:]: rank for rank, rule in enumerate(_RANKS) if rule[0] == "."}
_MATCHED_ATTRIBUTES = frozenset(("id", "class", "role"))
_ROLE = _RANKS.index("[role=main]")
_ARTICLE = _RANKS.index("article")
_BODY_TAGS = frozenset(("div", "section", "article", "td", "main"))
_BODY_NAMES = re.compile(
    r"(?:^| )(?:(?:entry|post|article|story|news|blog|page|body) ?(?:content|body|text|bodycopy|copy)"
    r"|(?:art|single) (?:content|body|text)|(?:body|full|main) ?(?:text|article))(?= |$)"
)
_DOCUMENTATION = frozenset(map(_RANKS.index, ("#mw-content-text", ".markdown-body", ".document")))
"""Containers that only wikis and generators of documentation write."""


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


def choose(elements: Iterable[Element], characters: int) -> tuple[Element | None, bool]:
    """Return the largest match of the first selector with enough of the text, and whether it is documentation.

    Args:
        elements: The elements of the page.
        characters: Length of the page's text.

    Returns:
        The container, None if the whole page is content; True if a wiki or a generator of documentation wrote the page.
    """
    matches: dict[int, list[Element]] = {}
    for element in elements:
        if (selector := rank(element.tag, element.attributes)) is not None:
            matches.setdefault(selector, []).append(element)
    if not _has_one_article(matches.get(_ARTICLE, [])):
        del matches[_ARTICLE]
    largest = ((selector, max(candidates, key=_characters)) for selector, candidates in sorted(matches.items()))
    enough = {selector: element for selector, element in largest if element.characters > MIN_TEXT_SHARE * characters}
    return next(iter(enough.values()), None), not _DOCUMENTATION.isdisjoint(enough)


def is_body(element: Element) -> bool:
    """Return True for an element that is named as the body of an article."""
    attributes = element.attributes
    if attributes.get("itemprop") == "articleBody":
        return True
    if element.tag not in _BODY_TAGS:
        return False
    names = f"{attributes.get('id') or ''} {attributes.get('class') or ''}"
    return _BODY_NAMES.search(words_of(names)) is not None


def _has_one_article(articles: list[Element]) -> bool:
    """Return False for a page of several articles, none of which is nearly all of their text."""
    end = total = 0
    for article in articles:
        if article.start >= end:
            end, total = article.end, total + article.characters
    return not articles or max(map(_characters, articles)) >= MIN_ARTICLE_SHARE * total


def _characters(element: Element) -> int:
    return element.characters

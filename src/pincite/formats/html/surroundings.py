"""Recognise by its names what surrounds an article: comments, sharing, teasers, menus that are no `nav`."""

import re
from functools import lru_cache

from pincite.formats.html import phrases
from pincite.formats.html.elements import Element
from pincite.formats.html.visibility import classes

MAX_PROSE_SHARE = 0.6
"""Share of the prose above which a name is no proof: it names the page, not what surrounds its text."""

MAX_AMBIGUOUS_PROSE_SHARE = 0.05
"""The same for names that articles use for parts of themselves, too: a lead of a news item is its `teaser`."""

MAX_POST_PART_SHARE = 0.3
"""The same for a signature below a post of a forum."""

MAX_OFFER_PROSE_SHARE = 0.3
"""The same for what a paywall offers under a heading: a few paragraphs are named after it, too."""

MIN_LINK_SHARE = 0.3
"""Share of linked text from which a part with an ambiguous name is left out, unless it has most of the prose."""

MAX_REFERENCE_PROSE_SHARE = 0.3
"""Share of the prose of documentation, or of a short page, above which a name is no proof there."""

MIN_COMMENTED_PROSE = 250
"""Prose outside of comments from which they are left out however long they are: two or three sentences."""

_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SEPARATORS = re.compile(r"[^a-z0-9]+")
_OTHER_THINGS = "has is no non not with live match"
"""Words after which a name means another thing: what the page has elsewhere (`has-sidebar`), or a reporter's comments
(`live-match-comments`)."""


def _words(words: str) -> re.Pattern[str]:
    before = "".join(f"(?<!{word} )" for word in _OTHER_THINGS.split())
    return re.compile(rf"(?:^| ){before}(?:{'|'.join(words.split())})(?= |$)")


_CERTAIN = _words(phrases.alternatives("certain_class"))
_COMMENTS = _words("comments commentlist commentarea disqus kommentare")
_PAYWALL = _words("paywall regwall")
_AMBIGUOUS = _words(phrases.alternatives("ambiguous_class"))
_IDS = frozenset((
    "comments", "commentlist", "comment-list", "kommentare", "respond", "disqus_thread", "sidebar",
    "related", "newsletter", "subscribe", "footer", "social", "share", "breadcrumb", "breadcrumbs",
))  # fmt: skip
"""Ids that decide alone; headings make anchors of many others."""

_POST_PARTS = frozenset(
    ("signature", "post-buttons", "post-controls", "postcontrols", "message-actionBar", "post_controls")
)
"""Classes of forums, as a whole, for what surrounds the text of a post; javadoc has a `member-signature`, too."""

_CONTENT_TAGS = frozenset((
    "body", "html", "main", "article", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "tr", "tbody", "thead", "dt",
    "dd",
))  # fmt: skip
"""Elements whose names describe the page, or that are parts of the element around them."""

_ID_TAGS = frozenset(("div", "ul", "ol", "p"))
_NAMED_BY_ID_TAGS = frozenset(("div", "ul", "ol", "aside", "section", "form"))


def is_surrounding(element: Element, prose: int) -> bool:
    """Return True if an element's class or id names it as no part of an article.

    Args:
        element: The element.
        prose: Length of the prose around it; what has most of it is never left out.
    """
    names, identifier = _names(element), element.attributes.get("id") or ""
    if element.tag in _CONTENT_TAGS or not (names or identifier):
        return False
    is_certain, may_surround = _judge(names)
    if is_certain and prose - element.prose >= MIN_COMMENTED_PROSE and _COMMENTS.search(words_of(names)):
        return True
    if is_certain or (element.tag in _ID_TAGS and identifier.lower() in _IDS):
        return element.prose <= MAX_PROSE_SHARE * prose
    if not may_surround or element.prose > MAX_PROSE_SHARE * prose:
        is_post_part = not _POST_PARTS.isdisjoint(classes(element.attributes))
        return is_post_part and element.prose <= MAX_POST_PART_SHARE * prose
    if element.headings and element.prose <= MAX_OFFER_PROSE_SHARE * prose and _PAYWALL.search(words_of(names)):
        return True
    return element.prose <= MAX_AMBIGUOUS_PROSE_SHARE * prose or element.linked > MIN_LINK_SHARE * element.characters


def is_certain_surrounding(element: Element, prose: int) -> bool:
    """Return True for a small part of documentation, or of a short page, whose names are not used for content."""
    names = _names(element)
    return bool(names) and element.prose <= MAX_REFERENCE_PROSE_SHARE * prose and _judge(names)[0]


def is_ambiguous(names: str) -> bool:
    """Return True for a class attribute with names that articles use for parts of themselves, too, and no others."""
    is_certain, ambiguous = _judge(names)
    return ambiguous and not is_certain


def _names(element: Element) -> str:
    """Return the names by which an element may be left out; empty for one that describes the page."""
    if element.tag in _CONTENT_TAGS:
        return ""
    names = element.attributes.get("class") or ""
    is_part = not element.headings or element.attributes.get("role") == "complementary"
    if element.tag in _NAMED_BY_ID_TAGS and is_part:
        names = f"{names} {element.attributes.get('id') or ''}".strip()
    return names


@lru_cache(maxsize=1024)
def _judge(names: str) -> tuple[bool, bool]:
    words = words_of(names)
    return _CERTAIN.search(words) is not None, _AMBIGUOUS.search(words) is not None


def words_of(names: str) -> str:
    """Return the words of class names and ids in lower case, one space between two."""
    return _SEPARATORS.sub(" ", _CAMEL_CASE.sub(" ", names).lower())

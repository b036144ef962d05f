"""Recognise lines that a site adds to each of its texts: keywords, paths, offers of newsletters, errors."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.html import phrases
from pincite.formats.html.elements import HEADING_TAGS, Element, text_of
from pincite.formats.html.events import Break, End, Event, Start
from pincite.formats.html.interface_lines import EDGE_SIGNS

MAX_LINE_CHARACTERS = 200
"""Length of a path, of keywords, or of an invitation to follow the site."""

MAX_OFFER_CHARACTERS, MAX_APPEAL_CHARACTERS = 400, 600
"""Length of an offer of a newsletter or of the message of a program, and of an appeal to readers."""

MIN_LINK_SHARE = 0.7
"""Share of links in the keywords of a text: `Tags: a, b, c`."""

_INLINE = frozenset(("a", "sup", "sub", "q", "del", "s", "strike", "dfn", "br", "img"))
_TAGS = HEADING_TAGS | {"p", "div", "li", "ul", "ol", "blockquote", "center", "section", "aside", "header", "footer"}
_KEYWORDS = re.compile(rf"{phrases.alternatives('keywords')}(?: ?: ?| )(?P<words>.+)", re.IGNORECASE)
_PATH_OR_INVITATION = phrases.any_of("path", "follow")
_SUBSCRIPTION = phrases.any_of("subscription_address")
_NEWSLETTER = phrases.any_of("newsletter")
_APPEAL = re.compile(rf"{phrases.alternatives('appeal')}.{{0,400}}{phrases.alternatives('appeal_for')}", re.IGNORECASE)
_MESSAGE = phrases.any_of("message")


def is_site_line(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line, or a short paragraph, that a site adds to each of its texts."""
    if element.tag not in _TAGS or not 0 < element.characters <= 2 * MAX_APPEAL_CHARACTERS:
        return False
    text = text_of(element, events).strip(EDGE_SIGNS)
    if len(text) > MAX_APPEAL_CHARACTERS:
        return False
    is_offer = _APPEAL.match(text) is not None or _offers_newsletter(element, text, events)
    if is_offer and not _has_several_texts(element, events):
        return True
    if len(text) <= MAX_OFFER_CHARACTERS and _MESSAGE.fullmatch(text):
        return True
    return len(text) <= MAX_LINE_CHARACTERS and _is_short_line(element, text)


def _has_several_texts(element: Element, events: Sequence[Event]) -> bool:
    """Return True for an element around several paragraphs, some of which may be the article's."""
    texts = 0
    is_new = True
    for event in events[element.start : element.end]:
        if isinstance(event, str):
            texts += is_new and not event.isspace()
            is_new = is_new and event.isspace()
        elif isinstance(event, Break) or (isinstance(event, Start | End) and event.name not in _INLINE):
            is_new = True
    return texts > 1


def _offers_newsletter(element: Element, text: str, events: Sequence[Event]) -> bool:
    return (
        element.linked > 0
        and len(text) <= MAX_OFFER_CHARACTERS
        and _NEWSLETTER.search(text) is not None
        and any(map(_SUBSCRIPTION.search, _addresses(element, events)))
    )


def _is_short_line(element: Element, text: str) -> bool:
    if not element.linked:
        return False
    if (keywords := _KEYWORDS.fullmatch(text)) and element.linked >= MIN_LINK_SHARE * len(keywords["words"]):
        return True
    return _PATH_OR_INVITATION.fullmatch(text) is not None


def _addresses(element: Element, events: Sequence[Event]) -> Iterator[str]:
    for event in events[element.start : element.end]:
        if isinstance(event, Start) and event.name == "a":
            yield event.attributes.get("href") or ""

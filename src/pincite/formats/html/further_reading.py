"""Recognise links to other articles inside an article: `Read more: …`, or `Related articles` above a list."""

import re
from collections.abc import Sequence

from pincite.formats.html import phrases
from pincite.formats.html.elements import HEADING_TAGS, Element
from pincite.formats.html.events import Event

MAX_LABEL_CHARACTERS = 60
"""Length of a heading over such links; a longer one is a title of its own."""

MAX_LINE_CHARACTERS = 200
"""Length of a label and one link; a longer line is a paragraph of the article."""

MIN_LINE_LINK_SHARE = 0.6
"""Share of such a line that is the link: the rest is its label."""

_LABEL_TAGS = HEADING_TAGS | {"p", "div", "header"}
_LINE_TAGS = (HEADING_TAGS - {"h1"}) | {"p", "blockquote"}
_SPACE = re.compile(r"\s+")
_LABEL = re.compile(rf"{phrases.alternatives('further_reading')}(?:[ :].*)?", re.IGNORECASE)


def is_label(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a heading or a short line that introduces links to other articles."""
    if element.tag not in _LABEL_TAGS or not 0 < element.characters <= MAX_LABEL_CHARACTERS or element.linked:
        return False
    return _LABEL.fullmatch(_text(element, events).rstrip(":.…")) is not None


def is_line_of_link(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a line of its own that is a label and a link: `Read more: Another article`."""
    linked, characters = element.linked, element.characters
    if element.tag not in _LINE_TAGS or not MIN_LINE_LINK_SHARE * characters <= linked < characters:
        return False
    text = _text(element, events) if characters <= MAX_LINE_CHARACTERS else ""
    label, colon, _ = text.partition(":")
    return bool(colon) and _LABEL.fullmatch(f"{label}:") is not None


def _text(element: Element, events: Sequence[Event]) -> str:
    runs = (event for event in events[element.start : element.end] if isinstance(event, str))
    return _SPACE.sub(" ", "".join(runs)).lstrip(" [(→►»")

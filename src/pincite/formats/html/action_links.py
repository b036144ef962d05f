"""Find links that do something with the page instead of leading to a text: share, print, send or comment on it."""

import re
from collections.abc import Iterator, Sequence

from pincite.formats.html import phrases
from pincite.formats.html.events import Event, Start
from pincite.formats.html.spans import Span

MAX_LABEL_CHARACTERS = 40
"""Length of such a link's text; a longer one is a quote to be shared, or a sentence."""

MAX_CONTROL_CHARACTERS = 20
"""Length of the name of a picture that leads to another part of the page: an arrow, a thumbnail named `photo`."""

_ADDRESS = re.compile(
    rf"\b{phrases.alternatives('sharing_address')}|{phrases.alternatives('action_address')}", re.IGNORECASE
)
"""Addresses that share a page, print it, send it, or lead to the comments on it."""

_ICON = re.compile(
    rf"(?:{phrases.alternatives('icon_action')} )*{phrases.alternatives('icon')}"
    rf"(?: {phrases.alternatives('icon_kind')})*",
    re.IGNORECASE,
)
"""Names of the pictures of such links."""


def action_links(events: Sequence[Event], start: int, end: int) -> Iterator[Span]:
    """Yield the links that do something with the page, whole, among the events from start to end."""
    position = start
    while position < end:
        event = events[position]
        stop = position + 1
        if isinstance(event, Start) and event.name == "a":
            stop = _end(events, position, end)
            if _is_action(event.attributes.get("href") or "", events[position + 1 : stop]):
                yield position, stop
        position = stop


def _end(events: Sequence[Event], position: int, end: int) -> int:
    """Return the end of a link, exclusive; a link within a link ends it, too."""
    for index in range(position + 1, end):
        event = events[index]
        if not isinstance(event, str) and getattr(event, "name", "") == "a":
            return index if isinstance(event, Start) else index + 1
    return end


def _is_action(address: str, inner: Sequence[Event]) -> bool:
    text = "".join(event for event in inner if isinstance(event, str)).strip()
    if len(text) > MAX_LABEL_CHARACTERS:
        return False
    if _ADDRESS.search(address):
        return True
    names = [event.attributes.get("alt") or "" for event in inner if isinstance(event, Start) and event.name == "img"]
    if not text and names and len(address) > 1 and address[0] == "#" and len(names[0]) <= MAX_CONTROL_CHARACTERS:
        return True
    return not text and len(names) == 1 and _ICON.fullmatch(names[0].strip()) is not None

"""The elements of a page with the amount and kind of their text, by which its main content is chosen."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from pincite.formats.html.events import Attributes, Break, Code, Event

MIN_PROSE_CHARACTERS = 25
"""Characters of an unlinked run of text from which it counts as prose: labels, dates and buttons are shorter."""

MIN_WIDE_PROSE_CHARACTERS = 12
"""The same for text beyond ASCII: a sentence in Chinese or Japanese takes half the characters."""

MAX_EVENTS = 200
"""Events of an element that is short enough for a label, a caption or a button."""

HEADING_TAGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_INLINE = frozenset((
    "a", "abbr", "b", "bdi", "bdo", "big", "br", "cite", "code", "em", "font", "i", "kbd", "mark", "ruby", "samp",
    "small", "span", "strong", "sub", "sup", "tt", "u", "var",
))  # fmt: skip
"""Elements within a paragraph: nothing is chosen or left out by them, except for the credit of a picture."""
_SPACE = re.compile(r"\s+")
_CREDIT = re.compile(r"credit|copyright", re.IGNORECASE)
"""Class of such an element that names the author of a picture."""


@dataclass(slots=True, eq=False)
class Element:
    """An element and the text in it.

    Attributes:
        tag: Its tag.
        attributes: Its attributes.
        parent: The element around it; None for the body.
        start: Index of its first event.
        end: The end of its events, exclusive.
        characters: Length of its text.
        linked: Length of the text in links.
        prose: Length of the unlinked runs of text that are long enough for a sentence.
        headings: Number of headings.
    """

    tag: str
    attributes: Attributes
    parent: "Element | None"
    start: int
    end: int = 0
    characters: int = 0
    linked: int = 0
    prose: int = 0
    headings: int = 0

    def contains(self, element: "Element") -> bool:
        """Return True if an element is within this one, or is it."""
        return self.start <= element.start and element.end <= self.end


def is_prose(text: str) -> bool:
    """Return True for an unlinked run of text that is long enough for a sentence."""
    length = len(text.strip())
    return length >= MIN_PROSE_CHARACTERS or (length >= MIN_WIDE_PROSE_CHARACTERS and not text.isascii())


def text_of(element: Element, events: Sequence[Event]) -> str:
    """Return the text of an element, each run of white space as one space; at most of its first `MAX_EVENTS` events."""
    end = min(element.end, element.start + MAX_EVENTS)
    runs = (
        event if isinstance(event, str) else " "
        for event in events[element.start : end]
        if isinstance(event, str | Break)
    )
    return _SPACE.sub(" ", "".join(runs)).strip()


def prose_length(event: Event) -> int:
    """Return the length of a run of prose, linked or not; 0 for any other event."""
    return len(event) if isinstance(event, str) and is_prose(event) else 0


def discount(element: Element) -> None:
    """Take the counts of an element out of those around it."""
    outer = element.parent
    while outer is not None:
        outer.characters -= element.characters
        outer.linked -= element.linked
        outer.prose -= element.prose
        outer.headings -= element.headings
        outer = outer.parent


class TextSums:
    """Text and prose between any two events of a page, each in constant time.

    Args:
        events: The events of the page.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        self._prose = [0, *accumulate(map(prose_length, events))]
        self._texts = [0, *accumulate(map(_is_text, events))]

    def prose(self, start: int, end: int) -> int:
        """Return the length of the prose in the events from one to another, exclusive."""
        return self._prose[end] - self._prose[start]

    def has_text(self, start: int, end: int) -> bool:
        """Return True if there is anything to read in the events from one to another, exclusive."""
        return self._texts[end] > self._texts[start]


def _is_text(event: Event) -> bool:
    return isinstance(event, Code) or (isinstance(event, str) and not event.isspace())


class Elements:
    """Record the elements of a page during the walk, in document order of their starts.

    Attributes:
        all: The block elements so far; the counts of an open one are not its own yet.
    """

    def __init__(self) -> None:
        self.all: list[Element] = []
        self._open: list[Element] = []
        self._inline: list[bool] = []
        self._links = 0
        self._characters = self._linked = self._prose = self._headings = 0

    @property
    def characters(self) -> int:
        """Length of the text so far."""
        return self._characters

    def enter(self, tag: str, attributes: Attributes, start: int) -> None:
        """Record the start of an element, before its text."""
        if tag in _INLINE:
            self._links += tag == "a"
            is_inline = not (attributes and _CREDIT.search(attributes.get("class") or ""))
            self._inline.append(is_inline)
            if is_inline:
                return
        self._headings += tag in HEADING_TAGS
        parent = self._open[-1] if self._open else None
        # Until it ends, an element has the page's counts at its start.
        counts = (self._characters, self._linked, self._prose, self._headings)
        element = Element(tag, attributes, parent, start, 0, *counts)
        self._open.append(element)
        self.all.append(element)

    def leave(self, tag: str, end: int) -> None:
        """Record the end of the innermost open element, which has this tag."""
        if tag in _INLINE:
            self._links -= tag == "a"
            if self._inline.pop():
                return
        element = self._open.pop()
        element.end = end
        element.characters = self._characters - element.characters
        element.linked = self._linked - element.linked
        element.prose = self._prose - element.prose
        element.headings = self._headings - element.headings

    def text(self, text: str) -> None:
        """Count a run of text."""
        length = len(text)
        self._characters += length
        if self._links:
            self._linked += length
        elif is_prose(text):
            self._prose += length

    def code(self, text: str) -> None:
        """Count preformatted text, which is neither a link nor prose."""
        self._characters += len(text)

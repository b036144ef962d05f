"""Find what pages add to the captions of pictures: who took them, and the same caption again."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest

from pincite.formats.html import phrases
from pincite.formats.html.elements import Element, text_of
from pincite.formats.html.events import End, Event, Start
from pincite.formats.html.spans import Span
from pincite.formats.html.surroundings import words_of

MAX_CAPTION_CHARACTERS = 600
"""Length of a caption; a longer text is a part of the article."""

MAX_LINE_CHARACTERS = 250
"""Length of a line that may be a caption without being named so."""

MIN_REPEATED_CHARACTERS = 60
"""Length from which the same text twice is one text, shown to narrow and to wide windows."""

_CAPTION = re.compile(r"(?:^| )(?:(?:wp )?caption|captiontext|bildunterschrift|legende|imagecaption)(?= |$)")
_BEGINNING = r"(?:^|[|(\[/–—-]|(?<=[.,;)»”\"]\s))\s*"
"""Where a credit may begin: at the start of a caption, after its last sentence, or after a sign."""

_NAME = r"(?:[A-ZÀ-Þ]\.|[A-ZÀ-Þ][\w'’-]*)"
_LINE_TAGS = frozenset(("p", "div", "figure", "center"))
_AGENCY = phrases.alternatives("agency")
_ARCHIVE = phrases.alternatives("archive")
_PHOTO = phrases.alternatives("photo")
_CREDIT = re.compile(
    rf"(?:(?:^|(?<=\W))[|(\[/–—-]?\s*(?:©|\(c\)|copyright\b)[^!?]{{2,100}}"
    rf"|{_BEGINNING}{phrases.alternatives('credit')}\s*(?::|©|/|\b(?:by|via)\b)[^!?]{{2,100}}"
    rf"|(?:^|(?<=\s))[|(\[/–—-]?(?-i:{_NAME}(?:[ ,&]{{1,2}}{_NAME}){{0,4}})/ ?{_AGENCY}\b[^!?]{{0,60}}"
    rf"|^[\w .-]{{2,40}} / {_AGENCY})$",
    re.IGNORECASE,
)
_CREDIT_OF_LINE = re.compile(
    rf"(?:^|[|(\[–—]\s*)(?:©|\(c\)) ?(?!.*(?:19|20)\d\d|.*\b(?:rights|rechte))[^!?©]{{2,60}}(?<=\w)$"
    rf"|(?:^|[|(\[]\s*){_PHOTO} ?(?::|©|/) ?[^!?:]{{2,60}}$"
    rf"|(?:^|[|(\[]\s*)(?-i:{_NAME}(?: {_NAME}){{0,3}}) ?/ ?{_AGENCY}$"
    rf"|(?:^|[|(\[]\s*)[^.!?|(\[]{{0,40}}\b{_ARCHIVE}\b[^!?]{{0,30}}$",
    re.IGNORECASE,
)
"""The credit at the end of a short line below a picture that no name calls a caption."""


def credits_divided(elements: Sequence[Element], events: Sequence[Event]) -> tuple[list[Event], list[Span]]:
    """Return the events with each credit at the end of a caption in runs of its own, and the spans of those runs.

    Args:
        elements: The elements of the page; their starts and ends become those in the events returned.
        events: The events of the page.
    """
    divided: list[Event] = []
    cuts: list[int] = []
    spans: list[Span] = []
    position = 0
    for caption, credit in _captions(elements):
        start = _credit_start(events[caption.start : caption.end], credit)
        if start is None:
            continue
        index, offset = caption.start + start[0], start[1]
        run = events[index]
        divided += events[position:index]
        if offset and isinstance(run, str):
            divided += run[:offset], run[offset:]
            cuts.append(index)
        else:
            divided.append(run)
        spans += _texts(events, index, caption.end, len(cuts))
        position = index + 1
    divided += events[position:]
    for element in elements if cuts else ():
        element.start += bisect_left(cuts, element.start)
        element.end += bisect_left(cuts, element.end)
    return divided, spans


def without_credit(name: str) -> str:
    """Return the name of a picture without the credit at its end, which no browser shows."""
    described = name.rstrip(" .)]")
    match = _CREDIT_OF_LINE.search(described)
    if match is None and (match := _CREDIT.search(described)) and not match.start():
        # As a whole, `Photo: …` says what is in the picture.
        return name
    return name if match is None else name[: match.start()].rstrip(" |–—-")


def repeated(scope: Sequence[Element], events: Sequence[Event]) -> set[Element]:
    """Return the captions that repeat the text of an earlier one, or its beginning with an ellipsis."""
    first_texts: dict[str, str] = {}
    captions = set[Element]()
    end = 0
    for element, following in zip_longest(scope, scope[1:]):
        if _is_caption(element):
            end = max(end, element.end)
        is_inner = following is None or following.start >= element.end
        if element.start < end and is_inner and element.characters >= MIN_REPEATED_CHARACTERS:
            text = text_of(element, events).rstrip(" .…")
            beginning = text[:MIN_REPEATED_CHARACTERS]
            if first_texts.get(beginning, "").startswith(text):
                captions.add(element)
            first_texts.setdefault(beginning, text)
    return captions


def _captions(elements: Sequence[Element]) -> Iterator[tuple[Element, re.Pattern[str]]]:
    """Yield captions, and short lines that may be some, each with the pattern of a credit at its end."""
    end = 0
    for element, following in zip_longest(elements, elements[1:]):
        if element.start < end or not 0 < element.characters <= MAX_CAPTION_CHARACTERS:
            continue
        if _is_caption(element):
            end = element.end
            yield element, _CREDIT
        elif (
            element.tag in _LINE_TAGS
            and element.characters <= MAX_LINE_CHARACTERS
            and (following is None or following.start >= element.end)
        ):
            yield element, _CREDIT_OF_LINE


def _is_caption(element: Element) -> bool:
    names = element.attributes.get("class")
    return element.tag == "figcaption" or (names is not None and _names_caption(names))


@lru_cache(maxsize=1024)
def _names_caption(names: str) -> bool:
    return _CAPTION.search(words_of(names)) is not None


def _credit_start(events: Sequence[Event], credit: re.Pattern[str]) -> tuple[int, int] | None:
    """Return the run in which a caption's credit begins, and the offset in it."""
    runs = [(index, event) for index, event in enumerate(events) if isinstance(event, str)]
    text = "".join(run for _, run in runs)
    match = credit.search(text.rstrip(" \n\r\t.)]"))
    if match is None:
        return None
    before = match.start()
    for index, run in runs:
        if before < len(run):
            return index, before
        before -= len(run)
    return None


def _texts(events: Sequence[Event], start: int, end: int, shift: int) -> Iterator[Span]:
    """Yield the runs of text, and the links around nothing else, from the run in which a credit begins."""
    link: int | None = None
    for index in range(start, end):
        event = events[index]
        if isinstance(event, Start) and event.name == "a":
            link = index
        elif isinstance(event, End) and event.name == "a" and link is not None:
            yield link + shift, link + shift + 1
            yield index + shift, index + shift + 1
        elif isinstance(event, str):
            yield index + shift, index + shift + 1

"""Recognise what is around the text of an article and belongs to it: its title, its standfirst, a price, its notes."""

import re
from collections.abc import Sequence

from pincite.formats.html import phrases
from pincite.formats.html.elements import HEADING_TAGS, Element, text_of
from pincite.formats.html.events import Event
from pincite.formats.html.surroundings import words_of
from pincite.formats.html.text_classes import LEAD_NAMES, MIN_LEAD_PROSE

MAX_LINK_SHARE = 0.5
"""Share of linked text above which a block is a list of links to other pages."""

MAX_STANDFIRST_LINK_SHARE = 0.2
"""Share of linked text in a standfirst: its author may follow it in its element."""

MIN_DATED_CHARACTERS = 120
"""Length from which a line with a year below a title is a sentence, and not the date and the author."""

MAX_PRICE_CHARACTERS = 40

_LEAD_TAGS = frozenset(("p", "h2", "h3", "hgroup"))
_PRICE_NAMES = re.compile(rf"(?:^| ){phrases.alternatives('price_class')}(?= |$)")
_NOTES_TAGS = frozenset(("div", "section", "ol", "ul", "aside"))
_NOTES_NAMES = re.compile(rf"(?:^| ){phrases.alternatives('notes_class')}(?= |$)")
_TITLE_NAMES = re.compile(r"(?:^| )(?:post|entry|article|story|news|blog|page) ?(?:title|headline)(?= |$)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def is_lead(element: Element) -> bool:
    """Return True for what belongs to an article that begins after it: its title, its first paragraphs."""
    if element.linked > MAX_LINK_SHARE * element.characters:
        return False
    names = element.attributes.get("class") or ""
    if element.tag == "h1" or (element.tag in _LEAD_TAGS and element.prose > 0):
        return True
    if element.tag in HEADING_TAGS and _TITLE_NAMES.search(words_of(names)):
        return True
    return element.prose > MIN_LEAD_PROSE and LEAD_NAMES.search(names) is not None


def is_standfirst(element: Element, events: Sequence[Event]) -> bool:
    """Return True for a sentence in the part of a title, whatever its tag: no line with a date and an author."""
    if element.prose < MIN_LEAD_PROSE or element.linked > MAX_STANDFIRST_LINK_SHARE * element.characters:
        return False
    text = text_of(element, events)
    return len(text) >= (MIN_DATED_CHARACTERS if _YEAR.search(text) else MIN_LEAD_PROSE)


def is_text_of_section(element: Element) -> bool:
    """Return True for a block below a heading that has a sentence and hardly any links."""
    return element.prose > 0 and element.linked <= MAX_STANDFIRST_LINK_SHARE * element.characters


def are_notes(element: Element) -> bool:
    """Return True for the notes and the literature of an article, which are after it."""
    if element.tag not in _NOTES_TAGS or element.linked > MAX_LINK_SHARE * element.characters:
        return False
    attributes = element.attributes
    names = words_of(f"{attributes.get('id') or ''} {attributes.get('class') or ''}")
    # Not its prose: a list of literature marks up each name.
    text = element.characters - element.linked
    return text > MIN_LEAD_PROSE and _NOTES_NAMES.search(names) is not None


def is_price(element: Element) -> bool:
    """Return True for the price of a product, which is before its description."""
    names = words_of(element.attributes.get("class") or "")
    return element.characters <= MAX_PRICE_CHARACTERS and not element.linked and _PRICE_NAMES.search(names) is not None

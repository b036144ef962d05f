"""Choose the main content of a page: its container, and of an article the part with its prose."""

from collections.abc import Sequence
from itertools import pairwise

from pincite.formats.html.action_links import action_links
from pincite.formats.html.article import Article
from pincite.formats.html.containers import MIN_TEXT_SHARE, choose
from pincite.formats.html.elements import HEADING_TAGS, Element
from pincite.formats.html.events import Code, Event
from pincite.formats.html.interface_lines import is_interface_line
from pincite.formats.html.leads import is_lead, is_text_of_section
from pincite.formats.html.page_links import is_line_of_page_links
from pincite.formats.html.site_lines import is_site_line
from pincite.formats.html.spans import Span, between
from pincite.formats.html.surroundings import is_certain_surrounding

# Tuned on two thirds of 393 pages (`eval/reading/articles.py`), where each lies on a plateau.
MIN_PROSE_CHARACTERS = 250
"""Prose of a page below which there is no telling what surrounds what: two or three sentences."""

MAX_NAMED_SHARE = 0.5
"""Share of the text of documentation, or of a short page, above which names are no proof."""

MAX_TERMS = 2
MIN_DEFINED_SHARE = 0.1
"""Number of definitions above which, and share of a page's text in them from which, it is documentation, whose lists of
links are content."""

_LINE_TESTS = (is_interface_line, is_site_line)


def content_spans(
    elements: Sequence[Element],
    events: Sequence[Event],
    credits_: Sequence[Span] = (),
    *,
    is_documentation: bool = False,
) -> list[Span]:
    """Return the spans of a page's main content, in order.

    Documentation is kept as its container has it. Of an article, what surrounds it by name, lists of links, and what
    surrounds the part with its prose is left out.

    Args:
        elements: The elements of the page, the body first.
        events: The events of the page.
        credits_: The spans of the credits of pictures.
        is_documentation: Whether it is documentation whatever its container.
    """
    page = elements[0]
    container, is_of_documentation = choose(elements, page.characters)
    is_documentation |= is_of_documentation
    root = container or page
    scope = [element for element in elements if root.contains(element)]
    # A form with much of the text encloses the page; any other is a control.
    left_out = [
        (element.start, element.end)
        for element in scope
        if element.tag == "form" and element.characters <= MIN_TEXT_SHARE * root.characters
    ]
    left_out += ((element.start, element.end) for element in scope if is_line_of_page_links(element, events))
    if is_documentation:
        pass
    elif root.prose >= MIN_PROSE_CHARACTERS and not _is_reference(root, scope, events):
        left_out += [
            *Article(root, scope, events).left_out(),
            *credits_,
            *action_links(events, root.start, root.end),
        ]
    else:
        lines = () if root.prose >= MIN_PROSE_CHARACTERS else events
        left_out += _named(root, scope, lines)
    title = [] if container is None else _title_before(elements, root)
    return [*title, *between(root.start, root.end, left_out)]


def _named(root: Element, scope: Sequence[Element], events: Sequence[Event]) -> list[Span]:
    """Return what names alone leave out of documentation, or of a short page: nothing if it is most of the text.

    Args:
        root: The container of the content.
        scope: The elements in it, itself first.
        events: The events of a short page, whose buttons and lines of the site are left out, too; none of any other.
    """
    spans: list[Span] = []
    characters = 0
    for element in scope:
        if spans and element.start < spans[-1][1]:
            continue
        is_line = bool(events) and any(test(element, events) for test in _LINE_TESTS)
        if element is not root and (is_line or is_certain_surrounding(element, root.prose)):
            spans.append((element.start, element.end))
            characters += element.characters
    return spans if characters <= MAX_NAMED_SHARE * root.characters else []


def _title_before(elements: Sequence[Element], root: Element) -> list[Span]:
    """Return the title and the lead of a text that begins without them, in a header of their own before it."""
    titles = [element for element in elements if element.tag == "h1" and element.characters]
    if len(titles) != 1 or titles[0].end > root.start or not is_lead(titles[0]):
        return []
    (title,) = titles
    after = [one for one in elements if one.parent is title.parent and title.end <= one.start and one.end <= root.start]
    # A section below the title, as manual pages have it in their header: what they describe.
    sections = {
        one for pair in pairwise(after) for one in pair if pair[0].tag in HEADING_TAGS and is_text_of_section(pair[1])
    }
    leads = [(one.start, one.end) for one in after if one in sections or is_lead(one)]
    # A title alone is that of the document, too.
    return [(title.start, title.end), *leads] if leads else []


def _is_reference(root: Element, scope: Sequence[Element], events: Sequence[Event]) -> bool:
    """Return True for documentation that no container shows as such: a page with code, or much of it definitions."""
    terms = defined = end = 0
    for element in scope:
        terms += element.tag == "dt"
        if element.tag == "dl" and element.start >= end:
            defined += element.characters - element.linked
            end = element.end
    if terms > MAX_TERMS and defined >= MIN_DEFINED_SHARE * root.characters:
        return True
    return any(isinstance(event, Code) for event in events[root.start : root.end])

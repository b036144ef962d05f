"""Recognise by their headings what follows an article: comments, an author's portrait, sharing, newsletters."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.formats.html import phrases
from pincite.formats.html.elements import HEADING_TAGS, Element, TextSums, text_of
from pincite.formats.html.events import Event
from pincite.formats.html.surroundings import MIN_COMMENTED_PROSE

MAX_LABEL_CHARACTERS = 80
"""Length of a heading over such a section; a longer one is a title of its own."""

MIN_SHARE_BEFORE = 0.5
"""Share of the page's prose that is before such a section."""

_LABEL_TAGS = HEADING_TAGS | {"p", "div", "header", "legend", "summary"}


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of section after an article.

    Attributes:
        label: What its heading says, as a whole.
        max_prose_share: Share of the page's prose above which the heading is no proof.
        has_links: True if the heading is no proof without links below it.
        is_last: True if nothing of the article follows its heading.
        min_prose_before: Prose before it that is enough, even if it is less than half of the page's.
    """

    label: re.Pattern[str]
    max_prose_share: float
    has_links: bool = False
    is_last: bool = False
    min_prose_before: float = math.inf


_COMMENTS = phrases.any_of("section_comments")
_KINDS = (
    _Kind(phrases.any_of("section_related"), 0.2, has_links=True),
    _Kind(_COMMENTS, 0.6, is_last=True),
    _Kind(phrases.any_of("section_author"), 0.3),
    _Kind(phrases.any_of("section_newsletter"), 0.1),
    _Kind(phrases.any_of("section_sharing"), 0.05),
)

_NAMED_COMMENTS = _Kind(_COMMENTS, 0.6, is_last=True, min_prose_before=MIN_COMMENTED_PROSE)
_COMMENTS_IDS = frozenset((
    "comments", "comments-title", "respond", "reply-title", "disqus_thread", "kommentare", "commentaires",
    "comentarios",
))  # fmt: skip
"""Ids of headings over comments that are link targets of every blog of a kind, whatever the headings say."""


def closing_sections(scope: Sequence[Element], events: Sequence[Event], sums: TextSums, root: Element) -> set[Element]:
    """Return the elements after an article that begin with a heading which names them as none of it.

    Args:
        scope: The elements of the page that are not left out yet, in document order.
        events: The events of the page.
        sums: Their text.
        root: The container of the content, which is not in the scope.
    """
    prose = sums.prose(root.start, root.end)
    sections = set[Element]()
    ends: dict[Element | None, int] = {}
    for label in scope:
        kind = _kind_of(label, events)
        if kind is None or sums.prose(root.start, label.start) < min(kind.min_prose_before, MIN_SHARE_BEFORE * prose):
            continue
        most = kind.max_prose_share * prose
        section = _section_of(label, sums, most, root)
        if kind.has_links and not section.linked:
            continue
        sections.add(section)
        part = section.parent
        if kind.is_last and part is not None and sums.prose(section.end, part.end) <= most:
            ends.setdefault(part, section.end)
    if ends:
        sections.update(part for part in scope if part.parent in ends and part.start >= ends[part.parent])
    return sections


def _section_of(label: Element, sums: TextSums, max_prose: float, root: Element) -> Element:
    """Return the largest element with no more than some prose that begins with a label."""
    section = label
    while (outer := section.parent) is not None and outer is not root and outer.prose <= max_prose:
        if sums.has_text(outer.start, label.start):
            break
        section = outer
    return section


def _kind_of(element: Element, events: Sequence[Event]) -> _Kind | None:
    """Return the kind of section that begins with an element: a heading, or a short line; None for any other."""
    if element.tag in HEADING_TAGS and (element.attributes.get("id") or "").lower() in _COMMENTS_IDS:
        return _NAMED_COMMENTS
    if element.tag not in _LABEL_TAGS or not 0 < element.characters <= MAX_LABEL_CHARACTERS:
        return None
    text = text_of(element, events).strip(" :.…!?(")
    return next((kind for kind in _KINDS if kind.label.fullmatch(text)), None)

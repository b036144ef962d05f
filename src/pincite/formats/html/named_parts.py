"""Find the parts of a page whose names say that they surround an article, and do."""

from collections.abc import Sequence

from pincite.formats.html.elements import Element, TextSums
from pincite.formats.html.surroundings import is_surrounding
from pincite.formats.html.text_classes import MIN_LEAD_PROSE, text_classes

MAX_PROSE_BEFORE_TITLE = 0.25
"""Share of the prose before a title; a later title belongs to an appeal to the readers."""


def named_surroundings(scope: Sequence[Element], sums: TextSums, root: Element) -> set[Element]:
    """Return the outermost elements whose names say that they surround the text.

    The part of the title with a lead is none of them. There are none if they have nearly all of the prose.

    Args:
        scope: The elements of the page, in document order.
        sums: Their text.
        root: The container of the content, which has all prose of the page.
    """
    texts = text_classes(scope, root.prose)
    titles = [part for part in scope if part.tag == "h1" and not part.linked][:1]
    if titles and sums.prose(root.start, titles[0].start) > MAX_PROSE_BEFORE_TITLE * root.prose:
        titles = []
    surroundings: list[Element] = []
    for part in scope:
        if surroundings and part.start < surroundings[-1].end:
            continue
        if not is_surrounding(part, root.prose) or part.attributes.get("class") in texts:
            continue
        has_title = any(part.contains(title) and part.prose - title.prose >= MIN_LEAD_PROSE for title in titles)
        if not has_title:
            surroundings.append(part)
    is_page = root.prose - sum(part.prose for part in surroundings) < MIN_LEAD_PROSE
    return set() if is_page else set(surroundings)

"""Find the parts of a page whose names say that they surround an article, and do."""

from collections.abc import Sequence

from pincite.formats.html.elements import Element, TextSums
from pincite.formats.html.surroundings import is_surrounding
from pincite.formats.html.text_classes import MIN_LEAD_PROSE, text_classes

MAX_PROSE_BEFORE_TITLE = 0.25
"""Share of the prose before a title; a later one is that of an appeal to the readers."""


def named_surroundings(scope: Sequence[Element], sums: TextSums, root: Element) -> set[Element]:
    """Return the outermost elements whose names say that they surround the text.

    The part of the title with a lead is none of them. There are none if they have nearly all of the prose.

    Args:
        scope: The elements of the page, in document order.
        sums: Their text.
        root: The container of the content, whose prose is that of the page.
    """
    texts = text_classes(scope, root.prose)
    titles = [one for one in scope if one.tag == "h1" and not one.linked][:1]
    if titles and sums.prose(root.start, titles[0].start) > MAX_PROSE_BEFORE_TITLE * root.prose:
        titles = []
    found: list[Element] = []
    for one in scope:
        if found and one.start < found[-1].end:
            continue
        if not is_surrounding(one, root.prose) or one.attributes.get("class") in texts:
            continue
        has_title = any(one.contains(title) and one.prose - title.prose >= MIN_LEAD_PROSE for title in titles)
        if not has_title:
            found.append(one)
    is_page = root.prose - sum(one.prose for one in found) < MIN_LEAD_PROSE
    return set() if is_page else set(found)

"""Types of structure elements (ISO 32000-1, 14.8.4): headings, inline elements, and what is in them."""

import re
from collections.abc import Container, Iterator

from pincite.formats.pdf.tagged.structure import Element

_HEADING = re.compile(r"h(?:eading)?[ _]?([1-9])", re.IGNORECASE)
"""Heading types, with the names that some programs write: `H1`, `Heading 2`."""
_INLINE = frozenset({
    *("Span", "Em", "Strong", "Sub", "Quote", "Code", "Lbl", "Formula", "Form", "Link", "Annot", "Reference"),
    *("BibEntry", "NonStruct", "Ruby", "RB", "RT", "RP", "Warichu", "WT", "WP"),
})  # fmt: skip
"""Types of inline elements (14.8.4.4), which are part of the paragraph around them."""
_WRAPPERS = frozenset({"LBody", "LI", "Div", "Sect", "NonStruct"})
"""Types of elements within an item that are not told from what is in them."""


def heading_kind(kind: str) -> int:
    """Return the level of a type of headings, 0 for other types; 1 for `H`, whose level its sections tell."""
    if kind in ("Title", "H"):
        return 1
    match = _HEADING.fullmatch(kind)
    return int(match[1]) if match else 0


def flatten(element: Element, whole: Container[int] = frozenset()) -> Iterator[Element | int]:
    """Yield the children of an item, with `LBody`, `Div` and the like replaced by their own children.

    Args:
        element: The item.
        whole: Identities of elements that are not replaced.
    """
    for child in element.children:
        if isinstance(child, Element) and child.kind in _WRAPPERS and id(child) not in whole:
            yield from flatten(child, whole)
        else:
            yield child


def descendants(element: Element) -> Iterator[Element]:
    """Yield the elements that `flatten` passes through or returns."""
    for child in child_elements(element):
        yield child
        if child.kind in _WRAPPERS:
            yield from descendants(child)


def is_inline(element: Element) -> bool:
    """Return True for an element that is a part of the paragraph around it."""
    return element.kind in _INLINE and not has_blocks(element)


def has_blocks(element: Element) -> bool:
    """Return True if any child of an element is a block of its own."""
    return any(not is_inline(child) for child in child_elements(element))


def child_elements(element: Element) -> Iterator[Element]:
    """Return the children that are elements and no content."""
    return (child for child in element.children if isinstance(child, Element))


def has_child(element: Element, kind: str) -> bool:
    """Return True if a child of an element is of a type."""
    return any(isinstance(child, Element) and child.kind == kind for child in element.children)

"""Names of WordprocessingML in lxml's notation, and parsers for its values."""

from pincite.formats.ooxml.package import Element, whole_number

_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MAX_NUMBER = 32_767
"""Word's largest number; larger ones in a file are clamped to it."""


def w(local: str) -> str:
    """Return the qualified name `{namespace}p` of `p`."""
    return f"{{{_NAMESPACE}}}{local}"


VAL, NAME = w("val"), w("name")
PPR, RPR, VANISH = w("pPr"), w("rPr"), w("vanish")
OUTLINE, NUM_PR, NUM_ID, ILVL = w("outlineLvl"), w("numPr"), w("numId"), w("ilvl")
TR, BOOKMARK = w("tr"), w("bookmarkStart")


def value(parent: Element | None, *path: str) -> str | None:
    """Return `w:val` of the element at the end of a path of tags, or None."""
    for tag in path:
        if parent is None:
            return None
        parent = parent.find(tag)
    return parent.get(VAL) if parent is not None else None


def number(text: str | None, default: int = 0) -> int:
    """Return a number, clamped to 0..`MAX_NUMBER`; the default if the text is not one."""
    return max(0, min(whole_number(text, default), MAX_NUMBER))


def toggle(parent: Element | None, tag: str) -> bool | None:
    """Return True if a property is on, False if it is off, None if it is not set."""
    element = parent.find(tag) if parent is not None else None
    if element is None:
        return None
    return element.get(VAL) not in ("0", "false", "off", "none")

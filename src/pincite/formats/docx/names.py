"""Names of WordprocessingML as lxml writes them, and how its values read."""

from pincite.formats.ooxml.package import Element, whole_number

_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
MOST = 32_767
"""The largest number that Word keeps; larger ones in a file are cut to it."""


def w(local: str) -> str:
    """`p` as `{namespace}p`."""
    return f"{{{_NAMESPACE}}}{local}"


VAL = w("val")


def value(parent: Element | None, *path: str) -> str | None:
    """`w:val` of the element at the end of a path of tags; None where there is none."""
    for tag in path:
        if parent is None:
            return None
        parent = parent.find(tag)
    return parent.get(VAL) if parent is not None else None


def number(text: str | None, default: int = 0) -> int:
    """A number from 0 to 32,767."""
    return max(0, min(whole_number(text, default), MOST))


def toggle(parent: Element | None, tag: str) -> bool | None:
    """Whether a property is on or off; None where it is not said."""
    found = parent.find(tag) if parent is not None else None
    if found is None:
        return None
    return found.get(VAL) not in ("0", "false", "off", "none")

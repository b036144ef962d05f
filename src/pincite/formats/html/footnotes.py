"""Recognise footnotes and their labels."""

import re
from collections.abc import Iterable

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Attributes
from pincite.formats.html.visibility import classes

_LISTS = frozenset(("footnotes", "footnote", "references", "footnote-list"))


def label(tag: str, attributes: Attributes, node: LexborNode) -> str | None:
    """Return the label of a footnote that is no item of a list; None for any other element."""
    is_note = attributes.get("role") == "doc-footnote" or (
        tag in ("aside", "div") and "footnote" in classes(attributes)
    )
    if not is_note or not attributes.get("id"):
        return None
    mark = node.css_first(".label, .fn-label, sup")
    written = re.sub(r"[\[\]\s]", "", mark.text()) if mark else ""
    return written or attributes["id"]


def is_item(attributes: Attributes, around: Iterable[Attributes]) -> bool:
    """Return True for an item of a list of notes, which is marked on the list or on one of two elements around it."""
    if attributes.get("role") == "doc-endnote":
        return True
    return bool(attributes.get("id")) and any(map(_holds_notes, around))


def _holds_notes(attributes: Attributes) -> bool:
    return attributes.get("role") == "doc-endnotes" or not _LISTS.isdisjoint(classes(attributes))

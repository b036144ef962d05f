"""Recognise boxes that are checked or not, and that programs for notes and wikis write without a form."""

import re

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Attributes
from pincite.formats.html.visibility import classes

CHECKED = "[x] "
UNCHECKED = "[ ] "
"""Marks of a box, as in Markdown's task lists."""

_ITEM_TAGS = frozenset(("li", "div", "span", "en-todo"))
_INPUT_PARENTS = frozenset(("li", "p", "label"))
_UNNAMED_INPUT_PARENTS = frozenset(("div", "td", "span", "b", "font"))
"""Elements around a box of a note: in them a form has its controls, too, whose boxes have names."""

_EVERNOTE = re.compile(r"--en-checked\s*:\s*(true|false)")
_MARKS = ("data-inline-task-id", "-checked", "en-todo", "checkbox-o")
"""What the markup of a page with such boxes has."""


def occur(markup: str) -> bool:
    """Return False for a page without such boxes, by its markup: each of its elements would be tested."""
    return any(mark in markup for mark in _MARKS)


def mark(tag: str, attributes: Attributes) -> str:
    """Return the mark of a box before the text of an element; empty if it has none.

    Confluence writes tasks as items with an id, Notion a box with a class, Evernote a property of the item or an
    element of its own, others the role of a box.
    """
    if tag not in _ITEM_TAGS:
        return ""
    is_checked: bool | None = None
    if tag == "en-todo":
        is_checked = attributes.get("checked") == "true"
    elif tag == "li":
        is_checked = _of_item(attributes)
    elif attributes.get("role") == "checkbox" and "aria-checked" in attributes:
        is_checked = attributes["aria-checked"] == "true"
    elif "checkbox" in (names := classes(attributes)) and not names.isdisjoint(("checkbox-on", "checkbox-off")):
        is_checked = "checkbox-on" in names
    return "" if is_checked is None else _mark(is_checked=is_checked)


def mark_of_input(attributes: Attributes, parent: str, following: LexborNode | None) -> str:
    """Return the mark of an `input` in an element, before the node that follows; empty if it is none of the text."""
    if attributes.get("type") != "checkbox":
        return ""
    is_of_note = parent in _UNNAMED_INPUT_PARENTS and "name" not in attributes
    if parent in _INPUT_PARENTS or (is_of_note and following is not None and following.text().strip()):
        return _mark(is_checked=attributes.get("checked", "false") != "false")
    return ""


def _of_item(attributes: Attributes) -> bool | None:
    if "data-inline-task-id" in attributes:
        return "checked" in classes(attributes)
    if attributes.get("data-checked") in ("true", "false"):
        return attributes["data-checked"] == "true"
    found = _EVERNOTE.search(attributes.get("style") or "")
    return found[1] == "true" if found else None


def _mark(*, is_checked: bool) -> str:
    return CHECKED if is_checked else UNCHECKED

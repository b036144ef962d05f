"""Recognise boxes of a list of tasks, which are checked or not."""

from selectolax.lexbor import LexborNode

from pincite.formats.html.events import Attributes

CHECKED = "[x] "
UNCHECKED = "[ ] "
"""Marks of a box, as in Markdown's task lists."""

_INPUT_PARENTS = frozenset(("li", "p", "label"))
_UNNAMED_INPUT_PARENTS = frozenset(("div", "td", "span", "b", "font"))
"""Elements around a box of a note: in them a form has its controls, too, whose boxes have names."""


def mark_of_input(attributes: Attributes, parent: str, following: LexborNode | None) -> str:
    """Return the mark of an `input` in an element, before the node that follows; empty if it is none of the text."""
    if attributes.get("type") != "checkbox":
        return ""
    is_of_note = parent in _UNNAMED_INPUT_PARENTS and "name" not in attributes
    if parent in _INPUT_PARENTS or (is_of_note and following is not None and following.text().strip()):
        return CHECKED if attributes.get("checked", "false") != "false" else UNCHECKED
    return ""

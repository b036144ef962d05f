"""Roles of elements by their tags, classes and `role`."""

from pincite.formats.admonitions import role_of_names
from pincite.formats.html.events import Attributes
from pincite.formats.html.visibility import classes

_WHOLE = frozenset(("article", "body", "main"))
"""Elements that hold a whole page: their classes say what kind of page it is."""


def role_of(tag: str, attributes: Attributes) -> str:
    """Return the role of an element's text, as in `Block.role`."""
    if tag in _WHOLE:
        return ""
    return role_of_names({tag, attributes.get("role") or "", *(name.lower() for name in classes(attributes))})

"""Roles of texts by the classes of their elements: notes, examples, informative sections."""

from pincite.formats.html.events import Attributes
from pincite.formats.html.visibility import classes

_ROLES = {
    "note": frozenset(("admonition", "admonitionblock", "ednote", "hint", "note", "notes", "rationale", "tip")),
    "example": frozenset(("example", "exampleblock", "examples")),
    "informative": frozenset(("informative", "non-normative", "nonnormative")),
}
_BINDING = frozenset(("attention", "caution", "danger", "important", "warning"))
"""Classes of admonitions that may oblige."""
_WHOLE = frozenset(("article", "body", "main"))
"""Elements that hold a whole page: their classes say what kind of page it is."""


def role_of(tag: str, attributes: Attributes) -> str:
    """Return the role of an element's text, as in `Block.role`."""
    names = frozenset(name.lower() for name in classes(attributes))
    if not names or tag in _WHOLE or names & _BINDING:
        return ""
    return next((role for role, known in _ROLES.items() if names & known), "")

"""Explain why a name has no text: the document waits, could not be read, or is left out."""

from collections.abc import Iterable, Sequence

from pincite.text.excerpt import excerpt, excerpts
from pincite.text.names.paths import nearest

NEAREST = 5
"""Maximum number of similar names in a hint."""

_REASONS = {
    "ignored": "a .gitignore or .pinciteignore names it",
    "excluded": "it is in a folder that is never read, such as node_modules",
    "unsupported": "no reader knows its extension",
    "too_large": "it is larger than PINCITE_MAX_FILE allows",
    "outside": "it is a link that leads out of the folder",
    "linked_twice": "it is a link to a file that is served under its own name",
    "unreadable": "the server may not read it",
    "undecodable": "its name cannot be decoded",
    "special": "it is not a regular file",
    "too_many": "the folder has more files than PINCITE_MAX_FILES allows",
}
"""Explanations of the reasons that `Source.left_out` returns."""


def waits(name: str, problem: str, *, is_new: bool) -> str:
    """Return the message for a document that is new or changed and is not indexed yet.

    Args:
        name: Its name.
        problem: Why the index cannot be written; empty if it can.
        is_new: Whether nothing of it was indexed before.
    """
    state = "has not been read yet" if is_new else "has just changed and has not been read again yet"
    return f"{excerpt(name)} {state}. {problem or 'Ask again in a moment.'}"


def failed(name: str, failure: str) -> str:
    """Return the message for a document that could not be read."""
    return f"{excerpt(name)} could not be read: {failure}"


def hint(name: str, left_out: str | None, known: Iterable[str]) -> str:
    """Return a hint for a name without a document: why it is left out, or similar names. Starts with a space.

    Args:
        name: The name.
        left_out: The result of `Source.left_out`.
        known: The names of all readable documents.
    """
    if left_out:
        return f" It is left out: {_REASONS.get(left_out, left_out)}."
    names = list(known)
    inside = f"{name}/"
    if any(known_name.startswith(inside) for known_name in names):
        return " It is a folder; name a document in it."
    return nearest_hint(name, names)


def nearest_hint(name: str, names: Sequence[str]) -> str:
    """Return the names that are most like one that is not among them, else the first; starts with a space."""
    near = nearest(name, names, NEAREST)
    there = near or sorted(names)[:NEAREST]
    return f" {'Nearest' if near else 'There are'}: {excerpts(there)}." if there else ""

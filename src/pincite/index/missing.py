"""Explain why a name has no text: the document waits, could not be read, or is left out."""

from collections.abc import Collection, Iterator

from pincite.index.view import IndexView
from pincite.text.excerpt import excerpt, excerpts
from pincite.text.paths import nearest

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


def why_unread(view: IndexView, name: str) -> str | None:
    """Return why a document of the index has no text now, waiting or failed; None for any other name."""
    shown = excerpt(name)
    document = view.snapshot.document(name)
    if name in view.waiting:
        return f"{shown} has just changed and has not been read again yet. {view.problem or 'Ask again in a moment.'}"
    return f"{shown} could not be read: {document.failure}" if document is not None and document.failure else None


def hint(view: IndexView, name: str, known: Collection[str]) -> str:
    """Return a hint for a name without a document: why it is left out, or similar names. Starts with a space.

    Args:
        view: The view that was searched.
        name: The name; a hidden file gets no hint that it exists.
        known: The names of all readable documents.
    """
    if reason := view.left_out(name):
        return f" It is left out: {_REASONS.get(reason, reason)}."
    inside = f"{name}/"
    if any(other.startswith(inside) for other in known):
        return " It is a folder: list_pages takes it as prefix."
    near = nearest(name, known, NEAREST)
    return f" Nearest: {excerpts(near)}." if near else ""


def failures(view: IndexView) -> Iterator[tuple[str, str]]:
    """Yield the name of each document that could not be read, and why."""
    for document in view.snapshot.documents():
        if document.failure and document.name not in view.waiting:
            yield document.name, document.failure

"""Why a name has no text: the document waits, could not be read, or is left out."""

from collections.abc import Collection, Iterator

from pincite.index.view import IndexView
from pincite.text.excerpt import excerpt, excerpts
from pincite.text.paths import nearest

NEAREST = 5

_WHY = {
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
"""The reasons of `Source.left_out`."""


def why_unread(view: IndexView, name: str) -> str | None:
    """Why a document that is there has no text now: it waits, or could not be read; None for any other name."""
    shown = excerpt(name)
    document = view.snapshot.document(name)
    if name in view.waiting:
        return f"{shown} has just changed and has not been read again yet. {view.problem or 'Ask again in a moment.'}"
    return f"{shown} could not be read: {document.failure}" if document is not None and document.failure else None


def hint(view: IndexView, name: str, known: Collection[str]) -> str:
    """What to say of a name that is no document: why it is left out, or the nearest names; begins with a space.

    Args:
        view: Where it was looked for.
        name: The name; of what is hidden nothing is said.
        known: The names of all documents that can be read.
    """
    if reason := view.left_out(name):
        return f" It is left out: {_WHY.get(reason, reason)}."
    inside = f"{name}/"
    if any(other.startswith(inside) for other in known):
        return " It is a folder: list_pages takes it as prefix."
    near = nearest(name, known, NEAREST)
    return f" Nearest: {excerpts(near)}." if near else ""


def failures(view: IndexView) -> Iterator[tuple[str, str]]:
    """The documents that could not be read, by name, and why."""
    for document in view.snapshot.documents():
        if document.failure and document.name not in view.waiting:
            yield document.name, document.failure

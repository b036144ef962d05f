"""Why a name has no text: the document waits, could not be read, or is left out."""

from collections.abc import Iterator

from pincite.index.view import IndexView
from pincite.model.excerpt import excerpt

_WHY = {
    "ignored": "a .gitignore or .pinciteignore names it",
    "excluded": "it lies in a folder that is never read, such as node_modules",
    "unsupported": "no reader knows its extension",
    "too_large": "it is larger than PINCITE_MAX_FILE allows",
    "outside": "it is a link that leads out of the folder",
    "linked_twice": "it is a link to what is served under its own name",
    "unreadable": "the server may not read it",
    "undecodable": "its name cannot be decoded",
    "special": "it is no regular file",
    "too_many": "the folder has more files than PINCITE_MAX_FILES allows",
}
"""The reasons of `Source.left_out`."""


def why_missing(view: IndexView, name: str) -> str | None:
    """One sentence and what to do next; None for a name that means nothing here, or that is hidden."""
    shown = excerpt(name)
    document = view.snapshot.document(name)
    if name in view.waiting:
        changed = "is not read yet" if document is None else "has just changed and is not read again yet"
        return f"{shown} {changed}. {view.problem or 'Ask once more in a moment.'}"
    if document is not None:
        return f"{shown} could not be read: {document.failure}" if document.failure else None
    if reason := view.left_out(name):
        return f"{shown} is left out: {_WHY.get(reason, reason)}. Use list_pages to see what is served."
    inside = f"{name}/"
    if any(other.name.startswith(inside) for other in view.snapshot.documents()):
        return f"{shown} is a folder. Use list_pages with it as prefix to see what is in it."
    return None


def failures(view: IndexView) -> Iterator[tuple[str, str]]:
    """The documents that could not be read, by name, and why."""
    for document in view.snapshot.documents():
        if document.failure and document.name not in view.waiting:
            yield document.name, document.failure

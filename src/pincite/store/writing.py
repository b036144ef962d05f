"""What a write transaction is for every store, and what it checks."""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.errors import InternalError
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument

NOTHING = NewDocument(DocumentRow("", None, UNTRUSTED, 0, "", ""))
"""A document without contents, which replaces a document that is removed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Number of replaced revisions kept per document, and of rows kept in the change log."""

    revisions: int
    log_rows: int


class DocumentWriting(Protocol):
    """A write transaction of any store."""

    def replace(self, document: NewDocument) -> None:
        """Insert or replace a document by name."""
        ...

    def remove(self, key: str) -> None:
        """Delete a document."""
        ...


def replace_current(
    writing: DocumentWriting, documents: Sequence[NewDocument], is_current: Callable[[DocumentRow], bool]
) -> list[str]:
    """Replace the documents that the source still has so; return the names of the others, as `Store.replace` does."""
    skipped: list[str] = []
    for document in documents:
        if is_current(document.row):
            writing.replace(document)
        else:
            skipped.append(document.row.name)
    return skipped


def remove_deleted(writing: DocumentWriting, keys: Sequence[str], is_deleted: Callable[[str], bool]) -> None:
    """Remove the documents that the source does not have, as `Store.remove` does."""
    for key in keys:
        if is_deleted(key):
            writing.remove(key)


def check_vector(blob: bytes, dimensions: int) -> None:
    """Check the float32 numbers of a vector.

    Raises:
        InternalError: One is not finite, or there are not as many as the embedder's other vectors have.
    """
    if not blob or (dimensions and len(blob) != 4 * dimensions):
        raise InternalError(
            f"The embedder gave a vector of {len(blob) // 4} numbers, its others have {dimensions}. "
            "Give the changed model another identity."
        )
    if not all(map(math.isfinite, array("f", blob))):
        raise InternalError("The embedder gave a vector that holds a number that is not finite.")

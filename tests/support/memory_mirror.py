"""A mirror in the memory of this process."""

import threading
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pincite.model.search import KeywordQuery
from pincite.runtime.imports import import_once
from pincite.store.mirrors.base import (
    MirroredChunk,
    MirroredDocument,
    MirrorFilter,
    MirrorHit,
    MirrorState,
    check_dimensions,
)

if TYPE_CHECKING:
    from pincite.model.vector import Vector


class MemoryMirror:
    """Keeps documents in a dictionary; has no keyword search. Satisfies `Mirror`.

    Args:
        model: The identity of the embedding model.
        dimensions: The length of its vectors; others are refused.
    """

    def __init__(self, *, model: str, dimensions: int) -> None:
        self._model = model
        self._dimensions = dimensions
        self._lock = threading.Lock()
        self._documents: dict[str, MirroredDocument] = {}
        self._state: MirrorState | None = None

    def check(self) -> None:
        """See `Mirror.check`."""

    def state(self) -> MirrorState | None:
        """See `Mirror.state`."""
        return self._state

    def record(self, state: MirrorState) -> None:
        """See `Mirror.record`."""
        self._state = state

    def documents(self) -> dict[str, str]:
        """See `Mirror.documents`."""
        with self._lock:
            return {name: document.digest for name, document in self._documents.items()}

    def put(self, document: MirroredDocument) -> None:
        """See `Mirror.put`."""
        check_dimensions(document, self._dimensions)
        with self._lock:
            self._documents[document.name] = document

    def remove(self, names: Iterable[str]) -> None:
        """See `Mirror.remove`."""
        with self._lock:
            for name in names:
                self._documents.pop(name, None)

    def nearest(self, vector: "Vector", where: MirrorFilter, n: int) -> list[MirrorHit]:
        """See `Mirror.nearest`."""
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        with self._lock:
            documents = list(self._documents.values())
        passing = [
            (document.name, chunk.ordinal, chunk.vector)
            for document in documents
            for chunk in document.chunks
            if chunk.vector is not None and _passes(document.name, chunk, where)
        ]
        if not passing or n <= 0:
            return []
        scores: list[float] = (np.stack([vector for *_, vector in passing]) @ vector).tolist()
        hits = [MirrorHit(name, ordinal, score) for (name, ordinal, _), score in zip(passing, scores, strict=True)]
        return sorted(hits, key=lambda hit: (-hit.score, hit.document, hit.ordinal))[:n]

    def keywords(self, query: KeywordQuery, where: MirrorFilter, n: int) -> list[MirrorHit] | None:
        """Return None: the store searches keywords."""
        del query, where, n

    def read(self) -> Iterator[MirroredDocument]:
        """See `Mirror.read`."""
        with self._lock:
            return iter(list(self._documents.values()))

    def close(self) -> None:
        """See `Mirror.close`."""


def _passes(name: str, chunk: MirroredChunk, where: MirrorFilter) -> bool:
    tags = chunk.tags
    clauses = any(
        number == clause.number or (not clause.exact and number.startswith(f"{clause.number}."))
        for clause in where.clauses
        for number in tags.numbers
    )
    return (
        (where.documents is None or name in where.documents)
        and (not where.kinds or chunk.kind in where.kinds)
        and (not where.chunk_types or tags.chunk_type in where.chunk_types)
        and (where.normative is None or tags.normative is where.normative)
        and (not where.clauses or clauses)
    )

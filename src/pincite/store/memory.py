"""A mirror in the memory of this process: the simplest one, for tests and for collections that fit."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.errors import ConfigError
from pincite.model.search import Filter, KeywordQuery, Scored
from pincite.model.vector import import_numpy
from pincite.store.base import Generation
from pincite.store.mirror import MirroredChunk

if TYPE_CHECKING:
    from pincite.model.vector import Vector


class MemoryMirror:
    """Keeps chunks and vectors in dictionaries; has no keyword search. Satisfies `Mirror`.

    Args:
        dimensions: The length of the model's vectors; others are refused.
    """

    def __init__(self, *, dimensions: int) -> None:
        self._dimensions = dimensions
        self._lock = threading.Lock()
        self._chunks: dict[int, MirroredChunk] = {}
        self._reached: Generation = 0

    def check(self) -> None:
        """See `Mirror.check`."""

    def reached(self) -> Generation:
        """See `Mirror.reached`."""
        return self._reached

    def apply(self, chunks: Sequence[MirroredChunk], removed: Sequence[int]) -> None:
        """See `Mirror.apply`.

        Raises:
            ConfigError: A vector has other dimensions.
        """
        for chunk in chunks:
            if chunk.vector is not None and chunk.vector.shape != (self._dimensions,):
                raise ConfigError(
                    f"A vector of {chunk.vector.size} numbers for a mirror of {self._dimensions}: another model's."
                )
        with self._lock:
            self._chunks |= {chunk.id: chunk for chunk in chunks}
            for chunk_id in removed:
                self._chunks.pop(chunk_id, None)

    def clear(self) -> None:
        """See `Mirror.clear`."""
        with self._lock:
            self._chunks.clear()
            self._reached = 0

    def reach(self, generation: Generation) -> None:
        """See `Mirror.reach`."""
        self._reached = generation

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """See `Mirror.nearest`."""
        import_numpy()
        import numpy as np  # noqa: PLC0415 - heavy

        with self._lock:
            passing = [chunk for chunk in self._chunks.values() if chunk.vector is not None and _passes(chunk, where)]
        if not passing or n <= 0:
            return []
        vectors = np.stack([chunk.vector for chunk in passing if chunk.vector is not None])
        scores: list[float] = (vectors @ vector).tolist()
        scored = [Scored(chunk.id, score) for chunk, score in zip(passing, scores, strict=True)]
        return sorted(scored, key=lambda each: (-each.score, each.chunk_id))[:n]

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored] | None:
        """Return None: the store searches keywords."""
        del query, where, n


def _passes(chunk: MirroredChunk, where: Filter) -> bool:
    tags = chunk.tags
    clauses = any(
        tags.clause == clause.number or (not clause.exact and tags.clause.startswith(f"{clause.number}."))
        for clause in where.clauses
    )
    return (
        (where.documents is None or chunk.document_id in where.documents)
        and (not where.kinds or chunk.kind in where.kinds)
        and (not where.chunk_types or tags.chunk_type in where.chunk_types)
        and (where.normative is None or tags.normative is where.normative)
        and (not where.clauses or (clauses and bool(tags.clause)))
    )

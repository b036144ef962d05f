"""The nearest vectors of a snapshot: from memory in a small collection, else from the database."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from pincite.errors import InternalError
from pincite.model.search import NO_FILTER, Filter, Scored
from pincite.model.vector import import_numpy
from pincite.store.base import Generation
from pincite.store.filters import Allowed
from pincite.store.postgres import near
from pincite.store.postgres.sizes import EXACT_ROWS, PLANNED_ONCE_FROM

if TYPE_CHECKING:
    from pincite.model.vector import Vector
    from pincite.store.matrix import Delta, Frame, Load, Matrix

SPARE_NEIGHBOURS = 16
"""Chunks compared in full precision beyond those that are returned: half precision may swap neighbours."""


class Execute(Protocol):
    """Runs a statement of one transaction."""

    def __call__(
        self, statement: bytes, arguments: Any = (), *, is_planned_once: bool = False
    ) -> list[tuple[Any, ...]]:
        """Return the rows; `is_planned_once` keeps the plan for other arguments."""
        ...


@dataclass(frozen=True, slots=True)
class SnapshotReads:
    """What a vector search reads of its snapshot.

    Attributes:
        rows: Runs a named statement.
        execute: Runs a statement.
        chunk_ids: Returns the chunks that pass a filter.
        known_few: The same if they are few and were listed already, else None.
    """

    rows: Callable[[str, Any], list[tuple[Any, ...]]]
    execute: Execute
    chunk_ids: Callable[[Filter], list[int]]
    known_few: Callable[[Filter], list[int] | None]


@dataclass(slots=True)
class KeptVectors:
    """What a store keeps in memory of an embedder's vectors.

    Attributes:
        dimensions: Their dimensions; 0 until there is one.
        matrix: Every vector of a small collection; None before the first search.
    """

    dimensions: int = 0
    matrix: "Matrix | None" = field(default=None)


class VectorSearch:
    """The vectors of one snapshot.

    Args:
        reads: Reads the snapshot.
        kept: What the store keeps in memory.
        embedder: The embedder's id.
        generation: The snapshot's generation.
        floor: The generation from which on changes are logged.
        total: Number of chunks.
    """

    def __init__(
        self,
        reads: SnapshotReads,
        kept: KeptVectors,
        embedder: int,
        generation: Generation,
        floor: Generation,
        total: int,
    ) -> None:
        self._reads = reads
        self._kept = kept
        self._embedder = embedder
        self._generation = generation
        self._floor = floor
        self._total = total

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.nearest`."""
        if n <= 0 or not self._is_comparable(vector):
            return []
        if self._total <= EXACT_ROWS:
            return self._frame().nearest(vector, self._generation, self._allowed(where), n)
        rows = self._near(vector, where, n + SPARE_NEIGHBOURS)
        scored = [Scored(chunk_id, score) for chunk_id, score in cosines(vector, rows).items()]
        return sorted(scored, key=lambda one: (-one.score, one.chunk_id))[:n]

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """See `Snapshot.similarities`."""
        if not self._is_comparable(vector):
            return {}
        if self._total <= EXACT_ROWS:
            return self._frame().similarities(vector, self._generation, chunk_ids)
        return cosines(vector, self._reads.rows("vectors", (self._embedder, list(chunk_ids))))

    def _is_comparable(self, vector: "Vector") -> bool:
        """Return True if there are vectors, and this one is finite.

        Raises:
            InternalError: It has other dimensions.
        """
        import_numpy()
        import numpy as np  # noqa: PLC0415 - heavy

        kept = self._kept
        # Once there is a vector, all of them have its dimensions.
        kept.dimensions = kept.dimensions or self._reads.rows("dimensions", (self._embedder,))[0][0]
        if kept.dimensions and vector.shape != (kept.dimensions,):
            raise InternalError(f"A query of shape {vector.shape} against vectors of {kept.dimensions} numbers.")
        return bool(kept.dimensions) and bool(np.isfinite(vector).all())

    def _frame(self) -> "Frame":
        """Return every vector of a small collection, from memory with what changed since."""
        from pincite.store.matrix import Matrix  # noqa: PLC0415 - imports numpy

        matrix = self._kept.matrix = self._kept.matrix or Matrix()
        return matrix.at(self._generation, self._pull)

    def _pull(self, since: Generation | None) -> "Load | Delta":
        from pincite.store.matrix import Delta, Load  # noqa: PLC0415 - imports numpy

        if since is None or since < self._floor:
            rows = self._reads.rows("vector_rows", (self._embedder,))
            return Load(self._generation, self._kept.dimensions, len(rows), [rows])
        changes = self._reads.rows("vector_changes", {"since": since, "embedder": self._embedder})
        return Delta(self._generation, changes)

    def _allowed(self, where: Filter) -> Allowed | None:
        if where.has_tags or where.kinds:
            ids = self._reads.chunk_ids(where)
            return Allowed(frozenset(ids), of_chunks=True, documents=len(ids))
        return None if where.documents is None else Allowed(where.documents, of_chunks=False, documents=0)

    def _near(self, vector: "Vector", where: Filter, n: int) -> list[tuple[Any, ...]]:
        """Return about the n nearest chunks with their vectors in full precision."""
        execute, is_planned_once = self._reads.execute, self._total >= PLANNED_ONCE_FROM
        embedder, dimensions = self._embedder, self._kept.dimensions
        if where == NO_FILTER:
            found = near.from_index(embedder, dimensions, vector, n)
            return execute(*found, is_planned_once=is_planned_once)
        few = self._reads.known_few(where)
        if few is not None:
            return execute(*near.among(embedder, dimensions, vector, few, n))
        found = near.among_filtered(embedder, dimensions, vector, where, n)
        rows = execute(*found, is_planned_once=is_planned_once)
        if not rows:
            return execute(*near.from_index(embedder, dimensions, vector, n, where))
        return [row for row in rows if row[0] is not None]


def cosines(vector: "Vector", rows: Sequence[tuple[Any, ...]]) -> dict[int, float]:
    """Return the product of a vector with each stored one, by chunk id, from rows of `vectors`."""
    import numpy as np  # noqa: PLC0415 - heavy

    if not rows:
        return {}
    stored = np.frombuffer(b"".join([blob for _, blob in rows]), "<f4").reshape(len(rows), -1)
    # Summed as in `matrix`, so that a score depends on the two vectors alone and both stores have the same bits.
    exact: list[float] = (stored * vector.astype(np.float64)).sum(axis=1).tolist()
    return dict(zip([row[0] for row in rows], exact, strict=True))

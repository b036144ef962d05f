"""The nearest vectors of a snapshot: from the copy in memory, or from the database where there is none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pincite.errors import InternalError
from pincite.model.search import NO_FILTER, Filter, Scored
from pincite.runtime.imports import import_once
from pincite.store.filters import Allowed
from pincite.store.postgres import near
from pincite.store.postgres.reads import CopyReads
from pincite.store.postgres.sizes import PLANNED_ONCE_FROM

if TYPE_CHECKING:
    from pincite.model.vector import Vector
    from pincite.store.memory.matrix import Frame

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
        snapshot: Runs named statements.
        execute: Runs a statement.
        allowed: Returns what a filter lets through; None for everything.
        copied: Returns the vectors of the copy in memory; None if they are not there.
    """

    snapshot: CopyReads
    execute: Execute
    allowed: Callable[[Filter], Allowed | None]
    copied: "Callable[[], Frame | None]"


class VectorSearch:
    """The vectors of one snapshot.

    Args:
        reads: Reads the snapshot.
        dimensions: Numbers of a vector, once they are known; at most one element, shared by the store's snapshots.
    """

    def __init__(self, reads: SnapshotReads, dimensions: list[int]) -> None:
        self._reads = reads
        self._dimensions = dimensions
        self._embedder = reads.snapshot.embedder
        self._generation = reads.snapshot.generation
        self._total = reads.snapshot.total

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.nearest`."""
        if n <= 0 or not self._is_comparable(vector):
            return []
        frame = self._reads.copied()
        if frame is not None:
            return frame.nearest(vector, self._generation, self._reads.allowed(where), n)
        rows = self._near(vector, where, n + SPARE_NEIGHBOURS)
        scored = [Scored(chunk_id, score) for chunk_id, score in cosines(vector, rows).items()]
        return sorted(scored, key=lambda hit: (-hit.score, hit.chunk_id))[:n]

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """See `Snapshot.similarities`."""
        if not self._is_comparable(vector):
            return {}
        frame = self._reads.copied()
        if frame is not None:
            return frame.similarities(vector, self._generation, chunk_ids)
        return cosines(vector, self._reads.snapshot.rows("vectors", (self._embedder, list(chunk_ids))))

    def _is_comparable(self, vector: "Vector") -> bool:
        """Return True if there are vectors, and this one is finite.

        Raises:
            InternalError: It has other dimensions.
        """
        import_once("pincite.store.memory.matrix")
        import numpy as np  # noqa: PLC0415 - heavy

        if not self._dimensions:
            # Once there is a vector, all of them have its dimensions.
            self._dimensions += [row[0] for row in self._reads.snapshot.rows("dimensions", (self._embedder,)) if row[0]]
        if not self._dimensions:
            return False
        if vector.shape != (self._dimensions[0],):
            raise InternalError(f"A query of shape {vector.shape} against vectors of {self._dimensions[0]} numbers.")
        return bool(np.isfinite(vector).all())

    def _near(self, vector: "Vector", where: Filter, n: int) -> list[tuple[Any, ...]]:
        """Return about the n nearest chunks with their vectors in full precision."""
        execute, is_planned_once = self._reads.execute, self._total >= PLANNED_ONCE_FROM
        embedder, dimensions = self._embedder, self._dimensions[0]
        if where == NO_FILTER:
            statement = near.from_index(embedder, dimensions, vector, n)
            return execute(*statement, is_planned_once=is_planned_once)
        statement = near.among_filtered(embedder, dimensions, vector, where, n)
        rows = execute(*statement, is_planned_once=is_planned_once)
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

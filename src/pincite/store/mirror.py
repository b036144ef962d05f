"""The interface of a mirror: a copy of a collection's chunks in another engine, which searches them.

A mirror is derived from a store and can be made anew from it at any time. It answers with chunk ids; a hit that the
store's snapshot does not know is dropped, and a leg that it lacks is the store's own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from pincite.model.call import Call
from pincite.model.chunk import ChunkKind, Tags
from pincite.model.search import Filter, KeywordQuery, Scored
from pincite.model.store import ChunkChanges
from pincite.store.base import Generation, Snapshot

if TYPE_CHECKING:
    from pincite.model.vector import Vector

BATCH_CHUNKS = 500
"""Chunks of one request to a mirror: some megabytes with their vectors and texts."""


@dataclass(frozen=True, slots=True)
class MirroredChunk:
    """What a mirror holds of a chunk.

    Attributes:
        id: The chunk's id in the store, which never names another chunk.
        context: Title and headings.
        text: Its text.
        vector: Its vector, of length 1; None while it has none.
    """

    id: int
    document_id: int
    kind: ChunkKind
    tags: Tags
    context: str
    text: str
    vector: "Vector | None"


class Mirror(Protocol):
    """A derived copy of one collection. Thread-safe."""

    def check(self) -> None:
        """Raise ConnectionFailed if the engine cannot be reached, ConfigError if it holds another model's vectors."""
        ...

    def reached(self) -> Generation:
        """Return the store's generation that the mirror has in full; 0 if it is empty."""
        ...

    def apply(self, chunks: Sequence[MirroredChunk], removed: Sequence[int]) -> None:
        """Insert or replace chunks, and delete removed ones; applying the same twice changes nothing."""
        ...

    def clear(self) -> None:
        """Delete every chunk."""
        ...

    def reach(self, generation: Generation) -> None:
        """Record that everything up to a generation is applied."""
        ...

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """Return about the n nearest chunks by cosine that pass a filter (descending; ties by chunk id)."""
        ...

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored] | None:
        """Return the n best chunks by BM25 that pass a filter; None if the engine has no such search."""
        ...


def catch_up(snapshot: Snapshot, mirror: Mirror, call: Call) -> None:
    """Bring a mirror to a snapshot's generation; interrupted, the next call repeats what was not recorded.

    Raises:
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    reached = mirror.reached()
    if reached == snapshot.generation:
        return
    # A mirror that is ahead belongs to another store, or to one that was made anew.
    changes = snapshot.changes(reached) if 0 < reached < snapshot.generation else None
    if changes is None:
        mirror.clear()
        changes = ChunkChanges(snapshot.chunk_ids(), ())
    for start in range(0, len(changes.removed), BATCH_CHUNKS):
        call.check()
        mirror.apply([], changes.removed[start : start + BATCH_CHUNKS])
    for start in range(0, len(changes.changed), BATCH_CHUNKS):
        call.check()
        mirror.apply(list(_mirrored(snapshot, changes.changed[start : start + BATCH_CHUNKS])), [])
    mirror.reach(snapshot.generation)


def _mirrored(snapshot: Snapshot, chunk_ids: Sequence[int]) -> Iterator[MirroredChunk]:
    vectors = snapshot.vectors(chunk_ids)
    for stored in snapshot.chunks(chunk_ids):
        chunk = stored.chunk
        yield MirroredChunk(
            stored.id, stored.document_id, chunk.kind, chunk.tags, chunk.context, chunk.text, vectors.get(stored.id)
        )

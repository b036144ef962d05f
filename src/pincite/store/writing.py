"""A write transaction over documents, chunks, terms, vectors and the change log."""

import math
import sqlite3
import time
from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.errors import InternalError, TimeoutExceeded
from pincite.model.chunk import Chunk
from pincite.model.store import DocumentRow, FileState
from pincite.store.base import Generation
from pincite.store.forward import ForwardLists
from pincite.store.rows import (
    chunk_key,
    chunk_place,
    coverage_column,
    document_columns,
    from_integer,
    from_text,
    state_columns,
)
from pincite.store.statements import array_of

_CHUNKS_PER_BATCH = 1000
"""Chunks whose terms are indexed at once: each distinct term of a batch costs one statement."""

# Columns of `chunk_rows`: the id, those of `chunk_key`, those of `chunk_place`.
_KEY = slice(1, 4)
_PLACE = slice(4, None)


@dataclass(frozen=True, slots=True)
class Limits:
    """Number of replaced revisions kept per document, and of rows kept in the change log."""

    revisions: int
    log_rows: int


class Writing:
    """A transaction on a connection that holds the write lock; `finish` makes it a new generation.

    Args:
        connection: In a transaction.
        sql: The statements.
        generation: The new generation, if anything changes.
        now: Nanoseconds since 1970.
        limits: How much history is kept.
        deadline: `time.monotonic()` value after which `replace` raises TimeoutExceeded.
    """

    def __init__(  # the parts of a transaction
        self,
        connection: sqlite3.Connection,
        sql: Mapping[str, str],
        generation: Generation,
        now: int,
        limits: Limits,
        deadline: float = math.inf,
    ) -> None:
        self._connection = connection
        self._sql = sql
        self._generation = generation
        self._now = now
        self._limits = limits
        self._deadline = deadline
        self._forward = ForwardLists(connection, sql)
        self._last_id: int | None = None
        self._unindexed: tuple[int, int] | None = None
        self._changed = False
        self._contents_changed = False
        self.states: dict[str, FileState | None] = {}
        """The file states after this transaction; None for a removed document."""

    @property
    def changed(self) -> bool:
        """True if this transaction makes a new generation."""
        return self._changed or self._contents_changed

    def replace(self, row: DocumentRow, chunks: Sequence[Chunk]) -> None:
        """Insert or replace a document by name; one that could not be read gets no chunks."""
        if row.failure:
            chunks = ()
        self.states[row.name] = row.state
        name = from_text(row.name)
        stored = self._rows("document_known", (name,))
        identity = (row.fingerprint, row.revision, from_text(row.failure), coverage_column(row.coverage))
        if stored and tuple(stored[0][1:]) == identity:
            self._touch(row)
            return
        # Before the chunks change: the history entry is made from them.
        if stored and stored[0][2] != row.revision:
            self._end_revision(stored[0][0], name)
        statement = "document_update" if stored else "document_insert"
        document_id = self._rows(statement, document_columns(row, chunks))[0][0]
        self._replace_chunks(document_id, chunks, is_new=not stored)
        self._contents_changed = True

    def _touch(self, row: DocumentRow) -> None:
        """Update the file state and the modification time of an unchanged document."""
        self._execute("document_state", (*state_columns(row.state), from_integer(row.modified_ns), from_text(row.name)))
        self._changed = True

    def remove(self, name: str) -> None:
        """Delete a document and its chunks; their vectors stay until `tidy`."""
        stored = self._rows("document_known", (from_text(name),))
        if stored:
            self.states[name] = None
            document_id = stored[0][0]
            self._end_revision(document_id, from_text(name))
            self._replace_chunks(document_id, (), is_new=False)
            self._execute("document_delete", (document_id,))
            self._contents_changed = True

    def put_vectors(self, embedder: int, blobs: Mapping[bytes, bytes]) -> None:
        """Insert float32 vectors by embed hash; existing ones are kept."""
        dimensions: int = self._rows("dimensions", (embedder,))[0][0]
        for embed_hash, blob in blobs.items():
            _check_vector(blob, dimensions)
            if not dimensions:
                dimensions = len(blob) // 4
                self._execute("embedder_dimensions", (dimensions, embedder))
            if self._execute("vector_insert", (embedder, embed_hash, blob)).rowcount > 0:
                self._execute("change_vector", (self._generation, embed_hash))
                self._execute("waiting_done", (embedder, embed_hash))
                self._contents_changed = True

    def tidy(self, embedder: int, vector_ids: Sequence[int], revisions: int) -> int:
        """Delete those of these vectors that no chunk uses, without a new generation; return how many."""
        deleted = 0
        for vector_id in vector_ids:
            for other, embed_hash in self._rows("spare_delete", (embedder, vector_id)):
                deleted += 1
                # Another embedder's chunk has to be embedded again if that embedder comes back.
                if other != embedder:
                    self._execute("waiting_again", (other, embed_hash))
        self._execute("past_tidy", (revisions,))
        return deleted

    def finish(self) -> None:
        """Write what is buffered, and the new generation if anything changed."""
        self._index_new_chunks()
        self._forward.finish()
        if not self.changed:
            return
        self._execute("meta_put", ("generation", self._generation))
        if self._contents_changed:
            self._execute("meta_put", ("last_indexed_ns", self._now))
            trimmed = self._rows("change_trim", (self._limits.log_rows,))
            if trimmed:
                self._execute("meta_put", ("log_floor", max(row[0] for row in trimmed)))

    def _end_revision(self, document_id: int, name: str | bytes) -> None:
        if self._execute("past_add", (document_id, self._now)).rowcount > 0:
            self._execute("past_trim", (name, self._limits.revisions))

    def _replace_chunks(self, document_id: int, chunks: Sequence[Chunk], *, is_new: bool) -> None:
        """Replace a document's chunks; those with unchanged texts keep their ids, terms and vectors."""
        old: defaultdict[Any, list[Any]] = defaultdict(list)
        stored = () if is_new else self._rows("chunk_rows", (document_id,))
        # Reversed, so that `pop` pairs equal texts in document order.
        for row in reversed(stored):
            old[row[_KEY]].append(row)
        new: list[tuple[Any, ...]] = []
        moved: list[tuple[Any, ...]] = []
        for chunk in chunks:
            self._check_deadline()
            key, place = chunk_key(chunk), chunk_place(chunk)
            unchanged = old.get(key)
            if not unchanged:
                new.append((document_id, *key, *place, from_text(chunk.text)))
                continue
            kept = unchanged.pop()
            if kept[_PLACE] != place:
                moved.append((*place, kept[0]))
        self._delete_chunks([row[0] for rows in old.values() for row in rows])
        self._connection.executemany(self._sql["chunk_update"], moved)
        self._insert_chunks(new)

    def _delete_chunks(self, chunk_ids: Sequence[int]) -> None:
        if not chunk_ids:
            return
        if self._unindexed and max(chunk_ids) >= self._unindexed[0]:
            self._index_new_chunks()
        self._forward.remove(chunk_ids)
        deleted = array_of(chunk_ids)
        # FTS5 needs the text to delete its terms (external content), so the chunk's row goes last.
        for name in ("words_delete", "waiting_delete", "chunk_delete"):
            self._execute(name, (deleted,))
        self._execute("change_delete", (self._generation, deleted))

    def _insert_chunks(self, rows: Sequence[tuple[Any, ...]]) -> None:
        if not rows:
            return
        numbered = [(chunk_id, *row) for chunk_id, row in enumerate(rows, self._next_id())]
        for start in range(0, len(numbered), _CHUNKS_PER_BATCH):
            self._check_deadline()
            self._insert_batch(numbered[start : start + _CHUNKS_PER_BATCH])

    def _next_id(self) -> int:
        if self._last_id is None:
            highest = self._rows("chunk_last_id")
            self._last_id = int(highest[0][0]) if highest else 0
        return self._last_id + 1

    def _insert_batch(self, rows: Sequence[tuple[Any, ...]]) -> None:
        first, last = rows[0][0], rows[-1][0]
        self._connection.executemany(self._sql["chunk_insert"], rows)
        self._last_id = last
        # The write lock is held, so the ids of one transaction are consecutive.
        self._unindexed = (self._unindexed[0] if self._unindexed else first, last)
        if last - self._unindexed[0] >= _CHUNKS_PER_BATCH - 1:
            self._index_new_chunks()

    def _index_new_chunks(self) -> None:
        """Add new chunks, of all documents at once, to the tables derived from them: terms, queue, change log."""
        if self._unindexed:
            for name in ("words_insert", "waiting_insert"):
                self._execute(name, self._unindexed)
            self._execute("change_insert", (self._generation, *self._unindexed))
            self._forward.add(*self._unindexed)
            self._unindexed = None

    def _check_deadline(self) -> None:
        if time.monotonic() > self._deadline:
            raise TimeoutExceeded("The document could not be written in time. Ask again.")

    def _execute(self, name: str, arguments: Sequence[Any]) -> sqlite3.Cursor:
        return self._connection.execute(self._sql[name], arguments)

    def _rows(self, name: str, arguments: Sequence[Any] = ()) -> list[Any]:
        return self._connection.execute(self._sql[name], arguments).fetchall()


def _check_vector(blob: bytes, dimensions: int) -> None:
    if not blob or (dimensions and len(blob) != 4 * dimensions):
        raise InternalError(
            f"The embedder gave a vector of {len(blob) // 4} numbers, its others have {dimensions}. "
            "Give the changed model another identity."
        )
    if not all(map(math.isfinite, array("f", blob))):
        raise InternalError("The embedder gave a vector that holds a number that is not finite.")

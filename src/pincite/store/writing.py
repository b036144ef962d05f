"""One write transaction: documents, chunks, words, vectors and the change log, together."""

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

_TOGETHER = 1000
"""Chunks whose words are indexed together: each distinct term costs one statement."""

_KEY = slice(1, 4)
_PLACE = slice(4, None)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of the past is kept: old revisions of a document, rows of the change log."""

    revisions: int
    log_rows: int


class Writing:
    """Writes on a connection that holds the write lock; `finish` makes it a new generation.

    Args:
        generation: What the index becomes if anything changes.
        now: Nanoseconds since 1970.
        limits: How much of the past is kept.
        deadline: `time.monotonic()` value after which a long document is given up.
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
        self._unlisted: tuple[int, int] | None = None
        self._changed = False
        self._contents_changed = False
        self.states: dict[str, FileState | None] = {}
        """The file states that this transaction leaves behind; None for a document that it removes."""

    @property
    def changed(self) -> bool:
        """Whether this transaction makes a new generation."""
        return self._changed or self._contents_changed

    def replace(self, row: DocumentRow, chunks: Sequence[Chunk]) -> None:
        """Write a document instead of the one of its name; a failed one has no chunks."""
        if row.failure:
            chunks = ()
        self.states[row.name] = row.state
        name = from_text(row.name)
        known = self._rows("document_known", (name,))
        same = (row.fingerprint, row.revision, from_text(row.failure), coverage_column(row.coverage))
        if known and tuple(known[0][1:]) == same:
            self._touch(row)
            return
        if known and known[0][2] != row.revision:
            self._end_revision(known[0][0], name)
        statement = "document_update" if known else "document_insert"
        document_id = self._rows(statement, document_columns(row, chunks))[0][0]
        self._replace_chunks(document_id, chunks, known=bool(known))
        self._contents_changed = True

    def _touch(self, row: DocumentRow) -> None:
        """Record the file state and the time of a document that stays as it is."""
        self._execute("document_state", (*state_columns(row.state), from_integer(row.modified_ns), from_text(row.name)))
        self._changed = True

    def remove(self, name: str) -> None:
        """A document goes, with all its chunks; their vectors stay for a while."""
        known = self._rows("document_known", (from_text(name),))
        if known:
            self.states[name] = None
            document_id = known[0][0]
            self._end_revision(document_id, from_text(name))
            self._replace_chunks(document_id, (), known=True)
            self._execute("document_delete", (document_id,))
            self._contents_changed = True

    def put_vectors(self, embedder: int, blobs: Mapping[bytes, bytes]) -> None:
        """Write float32 vectors by embed hash; one that is there already stays."""
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
        """Delete those of these vectors that no chunk needs; the transaction makes no new generation."""
        deleted = 0
        for vector_id in vector_ids:
            for other, embed_hash in self._rows("spare_delete", (embedder, vector_id)):
                deleted += 1
                if other != embedder:
                    self._execute("waiting_again", (other, embed_hash))
        self._execute("past_tidy", (revisions,))
        return deleted

    def finish(self) -> None:
        """Number the new generation, if anything that can be read has changed."""
        self._list_chunks()
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

    def _replace_chunks(self, document_id: int, chunks: Sequence[Chunk], *, known: bool) -> None:
        """Bring a document's chunks to a new state; one whose texts are unchanged keeps its id.

        Args:
            document_id: The document's.
            chunks: What it holds from now on.
            known: Whether it was there before.
        """
        old: defaultdict[Any, list[Any]] = defaultdict(list)
        stored = self._rows("chunk_rows", (document_id,)) if known else ()
        for row in reversed(stored):
            old[row[_KEY]].append(row)
        new: list[tuple[Any, ...]] = []
        moved: list[tuple[Any, ...]] = []
        for chunk in chunks:
            self._check()
            key, place = chunk_key(chunk), chunk_place(chunk)
            same = old.get(key)
            if not same:
                new.append((document_id, *key, *place, from_text(chunk.text)))
                continue
            kept = same.pop()
            if kept[_PLACE] != place:
                moved.append((*place, kept[0]))
        self._delete_chunks([row[0] for rows in old.values() for row in rows])
        self._connection.executemany(self._sql["chunk_update"], moved)
        self._insert_chunks(new)

    def _delete_chunks(self, chunk_ids: Sequence[int]) -> None:
        if not chunk_ids:
            return
        if self._unlisted and max(chunk_ids) >= self._unlisted[0]:
            self._list_chunks()
        self._forward.remove(chunk_ids)
        gone = array_of(chunk_ids)
        for name in ("words_delete", "waiting_delete", "chunk_delete"):
            self._execute(name, (gone,))
        self._execute("change_delete", (self._generation, gone))

    def _insert_chunks(self, rows: Sequence[tuple[Any, ...]]) -> None:
        if not rows:
            return
        numbered = [(chunk_id, *row) for chunk_id, row in enumerate(rows, self._next_id())]
        for start in range(0, len(numbered), _TOGETHER):
            self._check()
            self._insert_together(numbered[start : start + _TOGETHER])

    def _next_id(self) -> int:
        if self._last_id is None:
            given = self._rows("chunk_last_id")
            self._last_id = int(given[0][0]) if given else 0
        return self._last_id + 1

    def _insert_together(self, rows: Sequence[tuple[Any, ...]]) -> None:
        first, last = rows[0][0], rows[-1][0]
        self._connection.executemany(self._sql["chunk_insert"], rows)
        self._last_id = last
        # The write lock is held: ids of one transaction follow each other.
        self._unlisted = (self._unlisted[0] if self._unlisted else first, last)
        if last - self._unlisted[0] >= _TOGETHER - 1:
            self._list_chunks()

    def _list_chunks(self) -> None:
        """Put new chunks into everything that is derived from their rows: many at once, of all documents."""
        if self._unlisted:
            for name in ("words_insert", "waiting_insert"):
                self._execute(name, self._unlisted)
            self._execute("change_insert", (self._generation, *self._unlisted))
            self._forward.add(*self._unlisted)
            self._unlisted = None

    def _check(self) -> None:
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

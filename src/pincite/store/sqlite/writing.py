"""A write transaction over documents, chunks, terms, vectors and the change log."""

import math
import sqlite3
import time
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.errors import TimeoutExceeded
from pincite.model.search import Counts
from pincite.model.store import DocumentRow, NewDocument, State
from pincite.store.base import Generation
from pincite.store.differences import compare
from pincite.store.forward import ForwardLists, Words
from pincite.store.rows import (
    coverage_column,
    document_columns,
    from_integer,
    from_text,
    key_column,
    past_column,
    properties_column,
    read,
    state_column,
    to_place,
    to_text,
)
from pincite.store.statements import array_of, insert_rows
from pincite.store.texts import first_difference, indexed_text, joined, pieces
from pincite.store.writing import NOTHING, Limits, check_vector

_CHUNKS_PER_BATCH = 1000
"""Chunks whose terms are indexed at once: each distinct term of a batch costs one statement."""

# Columns of `document_known`.
_IDENTITY = slice(1, 5)
_SOURCE_KEY = 5
_NAME = 6
_CHUNK_COUNT = 7

# Columns of `chunk_rows`: the id, then the columns of `chunk_key` and `chunk_place`.
_CONTEXT = 1
_SPAN = slice(10, 12)

_ALL_PIECES = (0, 1 << 62)


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
        self._unindexed: list[Words] = []
        self._changed = False
        self._contents_changed = False
        self.states: dict[str, State | None] = {}
        """The states after this transaction by source key; None for a removed document."""
        self.count_changes = Counts(0, 0)
        """How many more chunks, and documents that have any, there are after this transaction."""

    @property
    def changed(self) -> bool:
        """True if this transaction makes a new generation."""
        return self._changed or self._contents_changed

    def replace(self, document: NewDocument) -> None:
        """Insert or replace a document by name; one that could not be read gets no text and no chunks."""
        row = document.row
        if row.failure:
            document = NewDocument(row)
        name, key = from_text(row.name), row.source_key or row.name
        known = self._rows("document_known", (name, from_text(key)))
        for former in known:
            if former[_NAME] != name:
                self._remove(former[0], former[_NAME], former[_CHUNK_COUNT])
        stored = [row for row in known if row[_NAME] == name]
        if stored and stored[0][_SOURCE_KEY] != from_text(key):
            self.states[to_text(stored[0][_SOURCE_KEY])] = None
        self.states[key] = row.state
        identity = (row.fingerprint, row.revision, from_text(row.failure), coverage_column(row.coverage))
        if stored and stored[0][_IDENTITY] == identity:
            self._touch(row)
            return
        # Before the chunks change: the history entry is made from them.
        if stored and stored[0][2] != row.revision:
            self._end_revision(stored[0][0], name)
        statement = "document_update" if stored else "document_insert"
        document_id = self._rows(statement, document_columns(document))[0][0]
        self._replace_contents(document_id, document, is_new=not stored)
        self._count(stored[0][_CHUNK_COUNT] if stored else 0, len(document.chunks))
        self._contents_changed = True

    def _count(self, before: int, after: int) -> None:
        """Record that a document has another number of chunks."""
        chunks, documents = self.count_changes
        self.count_changes = Counts(chunks + after - before, documents + (after > 0) - (before > 0))

    def _touch(self, row: DocumentRow) -> None:
        """Update what may differ in an unchanged document: its key, state, time of change, stamp and properties."""
        columns = (key_column(row), state_column(row.state), from_integer(row.modified_ns), row.stamp)
        self._execute("document_state", (*columns, properties_column(row), from_text(row.name)))
        self._changed = True

    def remove(self, key: str) -> None:
        """Delete a document and its chunks; their vectors stay until `tidy`."""
        stored = self._rows("document_of_key", (from_text(key),))
        if stored:
            self.states[key] = None
            self._remove(*stored[0])

    def _remove(self, document_id: int, name: str | bytes, chunks: int) -> None:
        self._end_revision(document_id, name)
        self._replace_contents(document_id, NOTHING, is_new=False)
        self._count(chunks, 0)
        self._execute("document_delete", (document_id,))
        self._contents_changed = True

    def put_vectors(self, embedder: int, blobs: Mapping[bytes, bytes]) -> None:
        """Insert float32 vectors by embed hash; existing ones are kept unless they are zero."""
        dimensions: int = self._rows("dimensions", (embedder,))[0][0]
        for embed_hash, blob in blobs.items():
            check_vector(blob, dimensions)
            if not dimensions:
                dimensions = len(blob) // 4
                self._execute("embedder_dimensions", (dimensions, embedder))
            if self._execute("vector_insert", (embedder, embed_hash, blob)).rowcount > 0:
                self._execute("change_vector", (self._generation, embed_hash))
                self._execute("waiting_done", (embedder, embed_hash))
                self._contents_changed = True

    def tidy(self, embedder: int, vector_ids: Sequence[int], revisions: int) -> int:
        """Delete the vectors among these that no chunk uses, without a new generation; return how many."""
        deleted = 0
        for vector_id in vector_ids:
            for owner, embed_hash in self._rows("spare_delete", (embedder, vector_id)):
                deleted += 1
                # Another embedder's chunk has to be embedded again if that embedder comes back.
                if owner != embedder:
                    self._execute("waiting_again", (owner, embed_hash))
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
        places = [read(to_place, *row) for row in self._rows("places", (document_id,))]
        if places:
            self._execute("past_add", (document_id, self._now, past_column(places)))
            self._execute("past_trim", (name, self._limits.revisions))

    def _replace_contents(self, document_id: int, document: NewDocument, *, is_new: bool) -> None:
        """Replace a document's text and chunks; chunks with unchanged texts keep their ids, terms and vectors."""
        old_pieces = [] if is_new else self._rows("pieces", (document_id, *_ALL_PIECES))
        stored = () if is_new else self._rows("chunk_rows", (document_id,))
        differences = compare(stored, document, check=self._check_deadline)
        self._delete_chunks(differences.deleted, old_pieces)
        self._replace_text(document_id, document.text, old_pieces)
        if differences.moved:  # without a row, too, the statement takes 10 µs
            self._connection.executemany(self._sql["chunk_update"], differences.moved)
        if differences.retagged:
            self._execute("change_retagged", (self._generation, array_of(differences.retagged)))
        self._insert_chunks([(document_id, *columns) for columns in differences.new], differences.texts)

    def _replace_text(self, document_id: int, text: str, old: Sequence[Any]) -> None:
        """Write the pieces of a text that differ from the old ones."""
        new = list(pieces(text))
        first = first_difference(old, new)
        if first < len(old):
            self._execute("text_delete", (document_id, first))
        self._connection.executemany(self._sql["text_insert"], [(document_id, *piece) for piece in new[first:]])

    def _delete_chunks(self, rows: Sequence[Any], old_pieces: Sequence[Any]) -> None:
        if not rows:
            return
        chunk_ids = [row[0] for row in rows]
        if self._unindexed and max(chunk_ids) >= self._unindexed[0][0]:
            self._index_new_chunks()
        self._forward.remove(chunk_ids)
        # The full-text index keeps no texts: to delete its terms it needs them once more. Ascending, since it flushes
        # what it has in memory at each id that is lower than the one before.
        text = read(joined, old_pieces)
        words = sorted((row[0], indexed_text(row[_CONTEXT]), indexed_text(text[slice(*row[_SPAN])])) for row in rows)
        insert_rows(self._connection, self._sql["words_delete"], words)
        deleted = array_of(chunk_ids)
        for name in ("waiting_delete", "chunk_delete"):
            self._execute(name, (deleted,))
        self._execute("change_delete", (self._generation, deleted))

    def _insert_chunks(self, rows: Sequence[tuple[Any, ...]], texts: Sequence[str]) -> None:
        if not rows:
            return
        numbered = [(chunk_id, *row) for chunk_id, row in enumerate(rows, self._next_id())]
        for start in range(0, len(numbered), _CHUNKS_PER_BATCH):
            self._check_deadline()
            batch = slice(start, start + _CHUNKS_PER_BATCH)
            self._insert_batch(numbered[batch], texts[batch])

    def _next_id(self) -> int:
        if self._last_id is None:
            highest = self._rows("chunk_last_id")
            self._last_id = int(highest[0][0]) if highest else 0
        return self._last_id + 1

    def _insert_batch(self, rows: Sequence[tuple[Any, ...]], texts: Sequence[str]) -> None:
        self._connection.executemany(self._sql["chunk_insert"], rows)
        # The write lock is held, so the ids of one transaction are consecutive.
        self._last_id = rows[-1][0]
        self._unindexed.extend((row[0], row[2], text) for row, text in zip(rows, texts, strict=True))
        if len(self._unindexed) >= _CHUNKS_PER_BATCH:
            self._index_new_chunks()

    def _index_new_chunks(self) -> None:
        """Add new chunks, of all documents at once, to the tables derived from them: terms, queue, change log."""
        if self._unindexed:
            rows, self._unindexed = self._unindexed, []
            first, last = rows[0][0], rows[-1][0]
            self._execute("waiting_insert", (first, last))
            self._execute("change_insert", (self._generation, first, last))
            self._forward.add(rows)

    def _check_deadline(self) -> None:
        if time.monotonic() > self._deadline:
            raise TimeoutExceeded("The document could not be written in time. Ask again.")

    def _execute(self, name: str, arguments: Sequence[Any]) -> sqlite3.Cursor:
        return self._connection.execute(self._sql[name], arguments)

    def _rows(self, name: str, arguments: Sequence[Any] = ()) -> list[Any]:
        return self._connection.execute(self._sql[name], arguments).fetchall()

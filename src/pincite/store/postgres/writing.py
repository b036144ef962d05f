"""A write transaction over documents, chunks, terms, vectors and the change log of one collection."""

import math
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pincite.errors import TimeoutExceeded
from pincite.model.store import DocumentRow, NewDocument
from pincite.runtime.imports import import_once
from pincite.store.bm25 import Tokens
from pincite.store.differences import compare
from pincite.store.forward import spelt_words
from pincite.store.postgres.columns import (
    encoded_chunk,
    encoded_document,
    encoded_state,
    near_rows,
    optional_bytes,
    stored_name,
    to_bytes,
)
from pincite.store.postgres.connections import Connection
from pincite.store.postgres.segments import FRESH_CHUNKS, MAX_CHUNKS, MAX_CHUNKS_IN_CALLS, SPARE_FRESH_CHUNKS, Segments
from pincite.store.rows import coverage_column, from_text, key_column, past_column, properties_column, read, to_place
from pincite.store.texts import first_difference, indexed, pieces, text_to_index
from pincite.store.writing import NOTHING, Limits, check_vector

_CHUNKS_PER_BATCH = 1000
"""Chunks that are written at once: a batch costs ten round trips, however many documents its chunks are of."""

_ALL_PIECES = (0, 2**31 - 1)

# Columns of `document_known`.
_IDENTITY = slice(1, 5)
_NAME = 6


@dataclass(slots=True)
class _Unwritten:
    """What is new of several documents, to be written together.

    Attributes:
        documents: Their ids.
        pieces: The columns of the pieces of their texts.
        chunks: The columns of the chunks: the document's id, then `chunk_key` and `chunk_place`.
        texts: The chunks' texts.
    """

    documents: set[int] = field(default_factory=set[int])
    pieces: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    chunks: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    texts: list[str] = field(default_factory=list[str])


class Writing:
    """A transaction that holds the collection's write lock; `finish` makes it a new generation.

    Args:
        connection: In a transaction.
        sql: The statements.
        state: The row of the statement `written_state`, without the version of the tables.
        tokens: Splits texts.
        limits: How much history is kept.
        deadline: `time.monotonic()` value after which `replace` raises TimeoutExceeded.
    """

    def __init__(  # the parts of a transaction
        self,
        connection: Connection,
        sql: Mapping[str, bytes],
        state: Sequence[int],
        tokens: Tokens,
        limits: Limits,
        deadline: float = math.inf,
    ) -> None:
        self._connection = connection
        self._sql = sql
        self._tokens = tokens
        self._limits = limits
        self._deadline = deadline
        self._segments = Segments(connection, sql)
        generation, self._fresh, self.total = state
        self._generation: int = generation + 1
        self._is_touched = False
        self._is_changed = False
        self._chunks = self._all_tokens = self._written = 0
        self._unwritten = _Unwritten()
        self._logged: list[int] = []

    @property
    def changed(self) -> bool:
        """True if this transaction makes a new generation."""
        return self._is_touched or self._is_changed

    def replace(self, document: NewDocument) -> None:
        """Insert or replace a document by name; one that could not be read gets no text and no chunks."""
        row = document.row
        if row.failure:
            document = NewDocument(row)
        name = stored_name(row.name)
        known = self._known("document_known", {"name": name, "key": stored_name(row.source_key or row.name)})
        for former in known:
            if former[_NAME] != name:
                self._remove(former[0], former[_NAME])
        stored = [row for row in known if row[_NAME] == name]
        identity = (row.fingerprint, row.revision, to_bytes(row.failure), coverage_column(row.coverage))
        if stored and stored[0][_IDENTITY] == identity:
            self._touch(row)
            return
        # Before the chunks change: the history entry is made from them.
        if stored and stored[0][2] != row.revision:
            self._end_revision(stored[0][0], name)
        document_id = self._rows("document_put", encoded_document(document))[0][0]
        self._replace_contents(document_id, document, is_new=not stored)
        self._is_changed = True

    def remove(self, key: str) -> None:
        """Delete a document and its chunks; their vectors stay until `tidy`."""
        for document_id, name in self._known("document_of_key", {"key": stored_name(key)}):
            self._remove(document_id, name)

    def put_vectors(self, embedder: int, blobs: Mapping[bytes, bytes]) -> None:
        """Insert float32 vectors by embed hash; existing ones are kept unless they are zero."""
        dimensions = before = self._rows("dimensions", (embedder,))[0][0]
        for blob in blobs.values():
            check_vector(blob, dimensions)
            dimensions = dimensions or len(blob) // 4
        if dimensions != before:
            self._execute("embedder_dimensions", (dimensions, embedder))
        put = self._rows("vector_put", (embedder, list(blobs), list(blobs.values())))
        if put:
            chunks = self._rows("embedded_chunks", ([embed_hash for embed_hash, _ in put],))
            ids = [chunk_id for chunk_id, _ in chunks]
            if any(is_replaced for _, is_replaced in put):
                self._execute("near_delete", (embedder, ids))
            self._put_near((embedder, chunk_id, blobs[embed_hash]) for chunk_id, embed_hash in chunks)
            self._execute("waiting_done", (embedder, ids))
            self._log(ids)
            self._is_changed = True

    def tidy(self, embedder: int, *, spare: int, most: int, revisions: int) -> int:
        """Delete unused vectors and the oldest revisions, without a new generation; return how many vectors."""
        deleted = self._rows("tidy_vectors", {"embedder": embedder, "most": most, "spare": spare})
        hashes_by_embedder: defaultdict[int, list[bytes]] = defaultdict(list)
        for owner, embed_hash in deleted:
            if owner != embedder:
                hashes_by_embedder[owner].append(embed_hash)
        for owner, hashes in hashes_by_embedder.items():
            self._execute("tidy_near", {"embedder": owner, "hashes": hashes})
        self._execute("past_tidy", (revisions,))
        return len(deleted)

    def tidy_segments(self) -> bool:
        """Make a segment of new chunks, merge segments, or take deleted chunks out of one; False if nothing is due."""
        if self._fresh >= SPARE_FRESH_CHUNKS:
            self._flush()
            return True
        return self._segments.merge(MAX_CHUNKS) or self._segments.purge()

    def count_terms(self, share: float, least: int) -> None:
        """Count the chunks of every term anew if more than this share of the chunks were written since.

        Args:
            share: The share.
            least: Number of chunks below which terms are not counted.
        """
        written, chunks = self._rows("written")[0]
        if chunks >= least and written > share * chunks:
            self._execute("count_terms", ())
            self._execute("counted", ())

    def index(self, ids: Sequence[int], contexts: Sequence[str], texts: Sequence[str]) -> int:
        """Write the terms of chunks that are stored, and the vectors that they have; return the number of tokens."""
        import_once("pincite.store.postgres.packed")
        from pincite.store.postgres.packed import forward_rows, pack  # noqa: PLC0415 - imports numpy

        plain = [text_to_index(text) for text in (*contexts, *texts)]
        words = [from_text(indexed(text)) for text in plain]
        occurrences = self._tokens.occurrences(words[: len(ids)], words[len(ids) :])
        self._check_deadline()
        numbers = dict(self._rows("term_numbers", (list(occurrences.terms),)))
        self._execute("word_put", (sorted(spelt_words(plain)),))
        sequences = pack(occurrences, len(ids), numbers)
        with self._connection.cursor() as cursor, cursor.copy(self._sql["forward_insert"]) as copy:
            copy.write(forward_rows((chunk_id, *sequence) for chunk_id, sequence in zip(ids, sequences, strict=True)))
        self._put_near(self._rows("known_vectors", (list(ids),)))
        self._fresh += len(ids)
        if self._fresh >= FRESH_CHUNKS:
            self._flush()
        return sum(length for length, _ in sequences)

    def finish(self) -> None:
        """Write the new generation if anything changed."""
        self._write()
        if not self.changed:
            return
        numbers = {"chunks": self._chunks, "tokens": self._all_tokens, "written": self._written}
        now = time.time_ns() if self._is_changed else None
        log = {"generation": self._generation, "changed": self._logged, "kept": self._limits.log_rows}
        self._execute("finish", {"now": now, **log, **numbers})

    def _touch(self, row: DocumentRow) -> None:
        columns = (encoded_state(row.state), row.modified_ns, row.stamp, properties_column(row), stored_name(row.name))
        self._execute("document_state", (optional_bytes(key_column(row)), *columns))
        self._is_touched = True

    def _remove(self, document_id: int, name: bytes) -> None:
        self._end_revision(document_id, name)
        self._replace_contents(document_id, NOTHING, is_new=False)
        self._execute("document_delete", (document_id,))
        self._is_changed = True

    def _end_revision(self, document_id: int, name: bytes) -> None:
        ended = [read(to_place, *row) for row in self._rows("places", (document_id,))]
        if ended:
            self._execute("past_add", (time.time_ns(), past_column(ended), document_id))
            self._execute("past_trim", {"name": name, "kept": self._limits.revisions})

    def _replace_contents(self, document_id: int, document: NewDocument, *, is_new: bool) -> None:
        stored = () if is_new else self._rows("chunk_rows", (document_id,))
        differences = compare(stored, document, check=self._check_deadline, encode=encoded_chunk)
        self._delete_chunks([row[0] for row in differences.deleted])
        self._replace_text(document_id, document.text, is_new=is_new)
        if differences.moved:
            with self._connection.cursor() as cursor:
                cursor.executemany(self._sql["chunk_update"], differences.moved)
        self._log(differences.retagged)
        unwritten = self._unwritten
        unwritten.documents.add(document_id)
        unwritten.chunks += [(document_id, *columns) for columns in differences.new]
        unwritten.texts += differences.texts
        if len(unwritten.chunks) >= _CHUNKS_PER_BATCH:
            self._write()

    def _known(self, name: str, arguments: Any) -> list[tuple[Any, ...]]:
        """Return stored documents, each with all that was written of it."""
        known = self._rows(name, arguments)
        if any(row[0] in self._unwritten.documents for row in known):
            self._write()
        return known

    def _replace_text(self, document_id: int, text: str, *, is_new: bool) -> None:
        old = [] if is_new else self._rows("pieces", (document_id, *_ALL_PIECES))
        new = [(number, to_bytes(piece), checksum) for number, piece, checksum in pieces(text)]
        first = first_difference(old, new)
        if first < len(old):
            self._execute("pieces_delete", (document_id, first))
        self._unwritten.pieces += [(document_id, *piece) for piece in new[first:]]

    def _delete_chunks(self, chunk_ids: list[int]) -> None:
        if not chunk_ids:
            return
        length, fresh = self._rows("chunk_delete", {"ids": chunk_ids})[0]
        self._all_tokens -= length
        self._fresh -= fresh
        self._log(chunk_ids)
        self._chunks -= len(chunk_ids)
        self._written += len(chunk_ids)

    def _write(self) -> None:
        """Write what is new of the documents so far."""
        new, self._unwritten = self._unwritten, _Unwritten()
        if new.pieces:
            self._copy("pieces_put", new.pieces)
        if not new.chunks:
            return
        ids: list[int] = [row[0] for row in self._rows("chunk_numbers", (len(new.chunks),))]
        self._copy("chunk_insert", ((number, *row) for number, row in zip(ids, new.chunks, strict=True)))
        contexts = [row[1].decode("utf-8", "surrogatepass") for row in new.chunks]
        self._all_tokens += self.index(ids, contexts, new.texts)
        self._execute("waiting_put", (ids,))
        self._log(ids)
        self._chunks += len(ids)
        self._written += len(ids)

    def _flush(self) -> None:
        self._segments.flush()
        self._fresh = 0
        while self._segments.merge(MAX_CHUNKS_IN_CALLS):
            pass

    def _put_near(self, rows: Any) -> None:
        """Insert vectors for the search: rows of embedder, chunk id, float32 numbers."""
        listed = list(rows)
        if not listed:
            return
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        data = near_rows((embedder, chunk_id, np.frombuffer(blob, "<f4")) for embedder, chunk_id, blob in listed)
        with self._connection.cursor() as cursor, cursor.copy(self._sql["near_insert"]) as copy:
            copy.write(data)

    def _copy(self, name: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with self._connection.cursor() as cursor, cursor.copy(self._sql[name]) as copy:
            for row in rows:
                copy.write_row(row)

    def _log(self, chunk_ids: Sequence[int]) -> None:
        self._logged += chunk_ids

    def _check_deadline(self) -> None:
        if time.monotonic() > self._deadline:
            raise TimeoutExceeded("The document could not be written in time. Ask again.")

    def _execute(self, name: str, arguments: Any) -> None:
        self._connection.execute(self._sql[name], arguments)

    def _rows(self, name: str, arguments: Any = ()) -> list[tuple[Any, ...]]:
        return self._connection.execute(self._sql[name], arguments).fetchall()

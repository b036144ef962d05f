"""A read view of a SQLite index at one generation."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import InternalError
from pincite.model.search import NO_FILTER, Counts, Filter, KeywordQuery, KeywordScore, Scored
from pincite.model.store import Heading, Place, Statistics, StoredChunk
from pincite.runtime.imports import import_once
from pincite.store import base, bm25
from pincite.store.base import Generation
from pincite.store.filters import Allowed, FilterCache, passing_chunks
from pincite.store.matching import KeywordLimits, any_of, phrase_string, query_strings
from pincite.store.rows import Malformed, from_text, read, to_chunk, to_place
from pincite.store.snapshot import SPAN, DatabaseSnapshot
from pincite.store.statements import array_of
from pincite.store.texts import PIECE_CHARS, chunk_texts
from pincite.text.words import folded

if TYPE_CHECKING:
    from pincite.model.vector import Vector
    from pincite.store.memory.matrix import Delta, Frame, Load, Matrix
    from pincite.store.memory.postings import ChunkTables

_INT64_MAX = (1 << 63) - 1

# Vectors are read in batches, so that other threads can use the snapshot in between.
_BATCH_ROWS = 4096

_MAX_NORM_ERROR = 1e-2
"""Maximum deviation of a vector's squared length from 1 by rounding."""


@dataclass(slots=True)
class Shared:
    """Caches shared by the snapshots of one store; answers do not depend on them.

    Attributes:
        embedder: Id of the embedder whose vectors are searched.
        tokens: Tokenizes queries.
        matrix: The vectors in memory, from the first semantic search.
        tables: The chunks in memory, from the first keyword search of a large index.
        total: The last count of everything: (generation, counts).
        terms: The terms that were looked up last: (generation, by term).
        filters: What the last filters let through.
        vectors_path: The file of a large index's vectors, see `array_file`; None if it cannot be mapped.
    """

    sql: Mapping[str, str]
    embedder: int
    limits: KeywordLimits
    tokens: bm25.Tokens
    matrix: "Matrix | None" = None
    tables: "ChunkTables | None" = None
    total: tuple[Generation, Counts] = (-1, Counts(0, 0))
    terms: tuple[Generation, Mapping[str, bm25.StoredTerm]] = (-1, {})
    filters: FilterCache = field(default_factory=FilterCache)
    vectors_path: Path | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


class SqliteSnapshot(DatabaseSnapshot):
    """A read view of the index at one generation, from `SqliteStore.snapshot`.

    Thread-safe: its statements run one at a time, the vector scan in parallel with them.
    """

    def __init__(self, connection: sqlite3.Connection, shared: Shared) -> None:
        super().__init__(shared.embedder, shared.limits)
        self._connection: sqlite3.Connection | None = connection
        self._shared = shared
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        # The last text read whole: a call reads a document's chunks and its text.
        self._read_text: tuple[int, str] = (0, "")
        self.generation: Generation = self._value("generation")

    def phrase_chunks(self, phrase: str, where: Filter, n: int) -> list[int]:
        """See `Snapshot.phrase_chunks`."""
        match = phrase_string(phrase)
        allowed = self._allowed(where)
        if allowed is None:
            rows = self._rows("phrase_chunks", (match, n))
        else:
            name = "phrase_chunks_among" if allowed.of_chunks else "phrase_chunks_allowed"
            rows = self._rows(name, (match, n, array_of(allowed.ids)))
        return [row[0] for row in rows]

    def texts(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """See `Snapshot.texts`."""
        return self._texts({row[0]: row[1:] for row in self._rows("borders", (array_of(chunk_ids),))})

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.nearest`."""
        return self._vectors(vector).nearest(vector, self.generation, self._allowed(where), n)

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """See `Snapshot.similarities`."""
        return self._vectors(vector).similarities(vector, self.generation, chunk_ids)

    def score_keywords(self, query: KeywordQuery, chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """See `Snapshot.score_keywords`; equals FTS5's BM25, no term is dropped, and unknown ids are omitted."""
        total, tokens = self._total(), self._tokens
        tables = self._shared.tables
        if tables and (entries := tables.entries(chunk_ids)):
            return bm25.score(entries, self._look_up(query), total, tokens)
        lists = self._rows("forward", (array_of(chunk_ids),))
        if len(lists) < len(chunk_ids):
            self._compare("chunks", list(set(chunk_ids) - {row[0] for row in lists}))
        return bm25.score_forward_lists(lists, self._look_up(query), total, tokens)

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """See `Snapshot.document_frequencies`."""
        split = self._shared.tokens.split(terms)
        stored = self._stored_terms([term for tokens in split for term in tokens])
        return [min((stored[term][1] for term in tokens), default=0) for tokens in split]

    def chunk_ids(self, where: Filter = NO_FILTER) -> list[int]:
        """See `Snapshot.chunk_ids`."""
        allowed = self._allowed(where)
        if allowed is None:
            return [row[0] for row in self._rows("chunk_ids")]
        if allowed.of_chunks:
            return sorted(allowed.ids)
        return [row[0] for row in self._rows("chunks_of_documents", (array_of(allowed.ids),))]

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """See `Snapshot.chunks`."""
        row_of = {row[0]: row for row in self._rows("chunks", (array_of(chunk_ids),))}
        self._compare("forward", [chunk_id for chunk_id in chunk_ids if chunk_id not in row_of])
        texts = self._texts({chunk_id: row[SPAN] for chunk_id, row in row_of.items()})
        return [read(to_chunk, row_of[chunk_id], texts[chunk_id]) for chunk_id in chunk_ids if chunk_id in row_of]

    def document_chunks(self, document_id: int, first: int = 0, last: int | None = None) -> list[StoredChunk]:
        """See `Snapshot.document_chunks`."""
        if last is not None or first > 0:
            return self._chunks_of("ordinal_chunks", (document_id, first, _INT64_MAX if last is None else last))
        rows = self._all_rows("document_chunks", document_id)
        text = self.text(document_id)
        return [read(to_chunk, row, text[slice(*row[SPAN])]) for row in rows]

    def text(self, document_id: int, start: int = 0, end: int | None = None) -> str:
        """See `Snapshot.text`."""
        if self._read_text[0] == document_id:
            return self._read_text[1][start:end]
        text = super().text(document_id, start, end)
        if start <= 0 and end is None:
            self._read_text = document_id, text
        return text

    def places(self, document_id: int) -> list[Place]:
        """See `Snapshot.places`."""
        return [read(to_place, *row) for row in self._all_rows("places", document_id)]

    def headings(self, max_level: int) -> list[Heading]:
        """See `Snapshot.headings`."""
        names = {number: name for name, number in self.document_names().items()}
        # The sort is stable, so headings stay in document order. SQLite would sort names stored as bytes last.
        return sorted(super().headings(max_level), key=lambda heading: names[heading.document_id])

    def chunk_ids_at(self, places: Sequence[tuple[str, int]]) -> list[int | None]:
        """See `Snapshot.chunk_ids_at`."""
        ids: dict[int, int] = dict(self._rows("chunks_at", (array_of(places),)))
        return [ids.get(number) for number in range(len(places))]

    def count(self, where: Filter) -> Counts:
        """See `Snapshot.count`."""
        allowed = self._allowed(where)
        if allowed is None:
            return self._counts()
        if allowed.of_chunks:
            return Counts(len(allowed.ids), allowed.documents)
        return Counts(*self._rows("count_allowed", (array_of(allowed.ids),))[0])

    def statistics(self) -> Statistics:
        """See `Snapshot.statistics`."""
        ((read, failed, waiting_documents, waiting_chunks),) = self._rows("statistics", (self._shared.embedder,))
        # Counted anew: the number that searches use may be carried from one generation to the next.
        total = self._rows("count")[0][0]
        return Statistics(read, failed, total, waiting_documents, waiting_chunks, self._value("last_indexed"))

    def keep_vectors(self) -> None:
        """Write the file of vectors, from which other processes read them, if the one that is there is of no use."""
        if self._shared.vectors_path is not None and self._total() >= base.LARGE_ROWS:
            self._matrix().keep(self.generation, self._pull)

    def end(self) -> None:
        """End the snapshot: later reads raise InternalError."""
        with self._lock:
            self._connection = None

    def _rows(self, name: str, arguments: Any = ()) -> list[Any]:
        with self._lock:
            return self._execute(name, arguments).fetchall()

    def _array(self, values: Iterable[int]) -> str:
        return array_of(values)

    def _stored(self, text: str) -> str | bytes:
        return from_text(text)

    def _comparable(self, text: str) -> str:
        return text

    def _log_floor(self) -> Generation:
        return self._value("log_floor")

    def _query_terms(self, query: KeywordQuery) -> list[bm25.QueryTerm]:
        strings = query_strings(query, self._limits)
        return bm25.look_up(self._stored_terms, self._phrase_scores, self._shared.tokens, strings)

    def _stored_terms(self, terms: Sequence[str]) -> Mapping[str, bm25.StoredTerm]:
        """Look up terms: each search asks for most of them several times, and for the same ones of every language."""
        generation, known = self._shared.terms
        if generation != self.generation or len(known) > bm25.MAX_CACHED_STRINGS:
            known = {}
        if new := [term for term in terms if term not in known]:
            rows = {row[0]: row[1:] for row in self._rows("terms", (array_of(new),))}
            known = {**known, **dict.fromkeys(new, bm25.ABSENT), **rows}
            self._shared.terms = self.generation, known
        return known

    def _phrase_scores(self, phrase: str) -> dict[int, float]:
        return dict(self._rows("phrase", (folded(bm25.quote(phrase)),)))

    def _all_rows(self, name: str, document_id: int) -> list[Any]:
        """Return a row for each chunk of a document."""
        rows = self._rows(name, (document_id,))
        expected = self._rows("document_size", (document_id,))
        if expected and expected[0][0] != len(rows):
            raise Malformed(f"document {document_id} has {len(rows)} chunks of {expected[0][0]}")
        return rows

    def _texts(self, borders: Mapping[int, Sequence[int]]) -> dict[int, str]:
        """Return the texts of chunks, from their spans by id."""
        rows = self._rows("chunk_texts", (array_of(borders), PIECE_CHARS)) if borders else []
        return read(chunk_texts, rows, borders)

    def _batches(self, name: str, arguments: Sequence[Any]) -> Iterator[list[Any]]:
        """Yield rows in batches, without the lock in between, so that other threads can read."""
        with self._lock:
            cursor = self._execute(name, arguments)
            batch = cursor.fetchmany(_BATCH_ROWS)
        while batch:
            yield batch
            with self._lock:
                batch = cursor.fetchmany(_BATCH_ROWS)

    def _execute(self, name: str, arguments: Any) -> sqlite3.Cursor:
        if self._connection is None:
            raise InternalError("The snapshot has ended: read it inside its with-block.")
        return self._connection.execute(self._shared.sql[name], arguments)

    def _value(self, name: str, arguments: Sequence[Any] = ()) -> Any:
        return self._rows(name, arguments)[0][0]

    def _allowed(self, where: Filter) -> Allowed | None:
        if where == NO_FILTER:
            return None
        with self._shared.lock:
            return self._shared.filters.resolve(partial(passing_chunks, self._rows), self.generation, where)

    def _total(self) -> int:
        return self._counts().chunks

    @cached_property
    def _tokens(self) -> int:
        return self._value("tokens")

    def _counts(self) -> Counts:
        generation, total = self._shared.total
        if generation != self.generation:
            total = Counts(*self._rows("count")[0])
            self._shared.total = (self.generation, total)
        return total

    def _compare(self, name: str, missing: Sequence[int]) -> None:
        """Raise Malformed if chunks that are missing from one table have a row in another."""
        if missing and (rows := self._rows(name, (array_of(missing),))):
            raise Malformed(f"of chunk {rows[0][0]} a part is missing")

    def _matching(self, query_terms: Sequence[bm25.QueryTerm], where: Filter, n: int) -> list[Scored]:
        allowed = self._allowed(where)
        if not query_terms or n <= 0 or (allowed is not None and not allowed.ids):
            return []
        if self._postings() is not None:
            return self._best_by_keywords(query_terms, allowed, n)
        match = any_of(word.string for word in query_terms)
        if allowed is None:
            rows = self._rows("words", (match, n))
            _check_count(len(rows), query_terms, n)
        else:
            name = "words_among" if allowed.of_chunks else "words_allowed"
            rows = self._rows(name, (match, n, array_of(allowed.ids)))
        return [Scored(chunk_id, score) for chunk_id, score in rows]

    def _best_by_keywords(self, query_terms: Sequence[bm25.QueryTerm], allowed: Allowed | None, n: int) -> list[Scored]:
        import_once("pincite.store.memory.postings")
        from pincite.store.memory.postings import ChunkTables, best_by_keywords  # noqa: PLC0415 - imports numpy

        with self._shared.lock:
            if self._shared.tables is None:
                self._shared.tables = ChunkTables()
        best = best_by_keywords(
            self._rows, self._shared.tables, query_terms, allowed, self._total(), self.generation, n
        )
        return [Scored(chunk_id, score) for chunk_id, score in best]

    def _vectors(self, vector: "Vector") -> "Frame":
        frame = self._frame
        if frame is None:
            frame = self._frame = self._matrix().at(self.generation, self._pull)
        if frame.used and vector.shape != (frame.vectors.shape[1],):
            raise InternalError(f"A query of shape {vector.shape} against vectors of {frame.vectors.shape[1]} numbers.")
        return frame

    def _matrix(self) -> "Matrix":
        with self._shared.lock:
            if self._shared.matrix is None:
                self._shared.matrix = _new_matrix()
            return self._shared.matrix

    def _pull(self, since: Generation | None) -> "Load | Delta":
        from pincite.store.memory.matrix import Delta, KeptArrays, Load  # noqa: PLC0415 - imports numpy

        dimensions = self._value("dimensions", (self._shared.embedder,))
        if since is None or since < self._log_floor():
            batches = self._batches("vector_rows", (self._shared.embedder, 4 * dimensions))
            expected = self._total() - self._rows("statistics", (self._shared.embedder,))[0][-1]
            counted = _counted(batches, expected)
            file = (
                None
                if self._shared.vectors_path is None
                else KeptArrays(self._shared.vectors_path, expected, self._owner)
            )
            return Load(self.generation, dimensions, self._total(), counted, _check_norms, file)
        arguments = (since, self._shared.embedder, 4 * dimensions)
        return Delta(self.generation, self._rows("changes", arguments))

    def _owner(self, generation: Generation) -> str:
        """Return what identifies the index as it was at a generation: another one has other changes up to it."""
        history = self._rows("history", (generation,))[0]
        return f"{self._shared.embedder} {history}"


def _check_count(matches: int, query_terms: Sequence[bm25.QueryTerm], n: int) -> None:
    """Raise Malformed if the number of matches contradicts the recorded document frequencies."""
    frequencies = [word.document_frequency for word in query_terms]
    if not min(n, max(frequencies)) <= matches <= sum(frequencies):
        raise Malformed(
            f"the word index finds {matches} chunks, where {max(frequencies)} to {sum(frequencies)} hold the words"
        )


def _counted(batches: Iterator[list[Any]], expected: int) -> Iterator[list[Any]]:
    """Yield the batches; raise Malformed at the end if they have another number of rows."""
    count = 0
    for batch in batches:
        count += len(batch)
        yield batch
    if count != expected:
        raise Malformed(f"{count} chunks have a vector, where {expected} do not wait for one")


def _check_norms(vectors: "Vector") -> None:
    """Raise Malformed unless every vector has length 1 or is zero, as all written ones: damage changes the length."""
    import numpy as np  # noqa: PLC0415 - heavy

    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", vectors, vectors)
        if not ((np.abs(squares - 1) < _MAX_NORM_ERROR) | (squares == 0)).all():
            raise Malformed("a vector has another length than 1")


def _new_matrix() -> "Matrix":
    import_once("pincite.store.memory.matrix")
    from pincite.store.memory.matrix import Matrix  # noqa: PLC0415 - imports numpy, after the variables are set

    return Matrix()

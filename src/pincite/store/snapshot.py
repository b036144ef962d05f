"""One consistent state of a SQLite index, read."""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from pincite.errors import InternalError
from pincite.model.search import Filter, KeywordQuery, KeywordScore, Scored
from pincite.model.store import Gap, Heading, PastRevision, Statistics, StoredChunk, StoredDocument
from pincite.model.vector import import_numpy
from pincite.store import lexicon
from pincite.store.base import Generation
from pincite.store.matching import (
    MIN_TERMS_HYBRID,
    MIN_TERMS_KEYWORD_ONLY,
    KeywordLimits,
    any_of,
    phrase_string,
    query_strings,
    rarest,
)
from pincite.store.rows import Malformed, from_text, read, to_chunk, to_document, to_gap, to_heading, to_past, to_text
from pincite.store.statements import array_of

if TYPE_CHECKING:
    from pincite.model.vector import Vector
    from pincite.store.matrix import Delta, Frame, Load, Matrix
    from pincite.store.postings import ChunkTables

_BATCH = 4096

_OFF = 1e-2
"""How far rounding may take the square of a vector's length from 1."""


@dataclass(slots=True)
class Shared:
    """What the snapshots of one store share. Nothing in it decides an answer: it only saves time.

    Attributes:
        embedder: Id of the embedder whose vectors are used.
        tokens: Splits queries.
        matrix: The vectors in memory, once one was asked for.
        tables: The chunks in memory, once a large index was searched by words.
        total: The last count of all chunks: (generation, chunks).
    """

    sql: Mapping[str, str]
    embedder: int
    limits: KeywordLimits
    tokens: lexicon.Tokens
    matrix: "Matrix | None" = None
    tables: "ChunkTables | None" = None
    total: tuple[Generation, int] = (-1, 0)
    lock: threading.Lock = field(default_factory=threading.Lock)


class SqliteSnapshot:
    """Reads one state of the index; made by `SqliteStore.snapshot`.

    Several threads may use it at once: its statements run one after another, the scan of the
    vectors runs beside them.
    """

    def __init__(self, connection: sqlite3.Connection, shared: Shared) -> None:
        self._connection: sqlite3.Connection | None = connection
        self._shared = shared
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._looked_up: tuple[KeywordQuery, list[lexicon.QueryTerm]] | None = None
        self.generation: Generation = self._value("generation")

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored]:
        """The n best chunks by BM25 (positive, falling; ties by chunk id)."""
        query_terms = self._look_up(query)
        kept = rarest(query_terms, self._postings(), MIN_TERMS_KEYWORD_ONLY)
        found = self._matching(kept, where, n)
        if sum(word.document_frequency for word in kept) == sum(word.document_frequency for word in query_terms):
            return found
        scores = self.score_keywords(query, [scored.chunk_id for scored in found])
        exact = [Scored(chunk_id, weight.bm25) for chunk_id, weight in scores.items()]
        return sorted(exact, key=lambda scored: (-scored.score, scored.chunk_id))

    def candidates(self, query: KeywordQuery, where: Filter, n: int) -> list[int]:
        """About the n best chunks by BM25, to be weighed beside the nearest: in a large index by rare words alone.

        With phrases they may be twice as many: n by phrases, n by words.
        """
        kept = rarest(self._look_up(query), self._postings(), MIN_TERMS_HYBRID)
        known: list[int] = []
        if where.documents is None:
            # Phrases were scored when they were looked up, and cost most.
            known = lexicon.best_by_phrases(kept, n)
            kept = [word for word in kept if word.scores is None]
        found = (scored.chunk_id for scored in self._matching(kept, where, n))
        return list(dict.fromkeys([*known, *found]))

    def phrase_chunks(self, phrase: str, where: Filter, n: int) -> list[int]:
        """Up to n chunks that hold the stems of a phrase in its order; which of more is not defined."""
        match = phrase_string(phrase)
        if where.documents is None:
            rows = self._rows("phrase_chunks", (match, n))
        else:
            rows = self._rows("phrase_chunks_allowed", (match, n, array_of(where.documents)))
        return [row[0] for row in rows]

    def texts(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """The texts of these chunks by id; an unknown id is left out."""
        return {row[0]: read(to_text, row[1]) for row in self._rows("texts", (array_of(chunk_ids),))}

    def nearest(self, vector: "Vector", where: Filter, n: int, executor: Executor | None = None) -> list[Scored]:
        """The n chunks of highest cosine (falling; ties by chunk id), exact; `executor` may run a part of the scan."""
        return self._vectors(vector).nearest(vector, self.generation, where.documents, n, executor)

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """The cosine of these chunks; one without a vector is left out."""
        return self._vectors(vector).similarities(vector, self.generation, chunk_ids)

    def score_keywords(self, query: KeywordQuery, chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """Exact BM25 of every word and phrase of a query in these chunks, and how much of it they hold.

        It equals FTS5's own; nothing is pruned. An unknown id is left out.
        """
        total, tokens = self._total(), self._value("tokens")
        tables = self._shared.tables
        if tables and (entries := tables.entries(chunk_ids)):
            return lexicon.score(entries, self._look_up(query), total, tokens)
        lists = self._rows("forward", (array_of(chunk_ids),))
        if len(lists) < len(chunk_ids):
            self._compare("chunks", list(set(chunk_ids) - {row[0] for row in lists}))
        return lexicon.score_forward_lists(lists, self._look_up(query), total, tokens)

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """In how many chunks each word stands, in any of its forms."""
        split = self._shared.tokens.split(terms)
        known = dict(self._rows("term_holding", (array_of(term for tokens in split for term in tokens),)))
        return [min((known.get(term, 0) for term in tokens), default=0) for tokens in split]

    def unknown(self, query: KeywordQuery) -> list[str]:
        """Words of a query, or of a phrase that occurs nowhere, that no chunk holds; free after `score_keywords`."""
        nowhere = (word for word in self._look_up(query) if not word.document_frequency and word.scores is None)
        return [word.string[1:-1].replace('""', '"') for word in nowhere]

    def spellings(self, initial: str, shortest: int, longest: int) -> list[str]:
        """Words of the documents (lower case, four letters or more) that begin with this letter, by their length."""
        rows = self._rows("words_like", (initial, initial + "\U0010ffff", shortest, longest))
        return [row[0] for row in rows]

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """These chunks, in the order asked; an unknown id is left out."""
        found = {row[0]: row for row in self._rows("chunks", (array_of(chunk_ids),))}
        self._compare("forward", [chunk_id for chunk_id in chunk_ids if chunk_id not in found])
        return [read(to_chunk, found[chunk_id]) for chunk_id in chunk_ids if chunk_id in found]

    def document_chunks(self, document_id: int) -> list[StoredChunk]:
        """All chunks of a document, by ordinal."""
        found = [read(to_chunk, row) for row in self._rows("document_chunks", (document_id,))]
        expected = self._rows("chunk_count", (document_id,))
        if expected and expected[0][0] != len(found):
            raise Malformed(f"document {document_id} has {len(found)} chunks of {expected[0][0]}")
        return found

    def documents(self) -> list[StoredDocument]:
        """Every document, failed ones included, by name."""
        return sorted((read(to_document, row) for row in self._rows("documents")), key=attrgetter("name"))

    def document_names(self, above: int = 0) -> dict[str, int]:
        """Id by name of every document, or of those whose id is above another: ids rise and are given once."""
        return {read(to_text, name): i for i, name in self._rows("document_names", (above,))}

    def document(self, name: str) -> StoredDocument | None:
        """The document of this exact name."""
        rows = self._rows("document", (from_text(name),))
        return read(to_document, rows[0]) if rows else None

    def past(self, name: str, revision: str) -> PastRevision | None:
        """One of the last revisions of a document that ended, also of one that is gone."""
        rows = self._rows("past", (from_text(name), revision))
        return read(to_past, *rows[0]) if rows else None

    def headings(self, max_level: int) -> list[Heading]:
        """Headings of level 1..max_level, by document name, then in document order."""
        names = {row[0]: read(to_text, row[1]) for row in self._rows("document_names", (0,))}
        headings = [read(to_heading, row) for row in self._rows("headings", (max_level,))]
        # The sort is stable: within a document the order stays.
        return sorted(headings, key=lambda heading: names[heading.document_id])

    def gaps(self) -> list[Gap]:
        """The documents that could not be read, wholly or in part."""
        found = [read(to_gap, *row) for row in self._rows("gaps")]
        return [gap for gap in found if gap.failure or not gap.coverage.complete]

    def count(self, where: Filter) -> int:
        """How many chunks `where` lets through."""
        if where.documents is None:
            return self._total()
        return self._value("count_allowed", (array_of(where.documents),))

    def statistics(self) -> Statistics:
        """The index, counted now."""
        ((read, failed, waiting_documents, waiting_chunks),) = self._rows("statistics", (self._shared.embedder,))
        last_indexed = self._value("last_indexed")
        return Statistics(read, failed, self._total(), waiting_documents, waiting_chunks, last_indexed)

    def end(self) -> None:
        """Give the state up; the snapshot cannot be read any more."""
        with self._lock:
            self._connection = None

    def _rows(self, name: str, arguments: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            return self._execute(name, arguments).fetchall()

    def _batches(self, name: str, arguments: Sequence[Any]) -> Iterator[list[Any]]:
        """Rows in batches; other threads read the snapshot between two of them."""
        with self._lock:
            cursor = self._execute(name, arguments)
            batch = cursor.fetchmany(_BATCH)
        while batch:
            yield batch
            with self._lock:
                batch = cursor.fetchmany(_BATCH)

    def _execute(self, name: str, arguments: Sequence[Any]) -> sqlite3.Cursor:
        if self._connection is None:
            raise InternalError("The snapshot has ended: read it inside its with-block.")
        return self._connection.execute(self._shared.sql[name], arguments)

    def _value(self, name: str, arguments: Sequence[Any] = ()) -> Any:
        return self._rows(name, arguments)[0][0]

    def _total(self) -> int:
        generation, total = self._shared.total
        if generation != self.generation:
            total: int = self._value("count")
            self._shared.total = (self.generation, total)
        return total

    def _compare(self, name: str, missing: Sequence[int]) -> None:
        """A chunk is wholly there or not at all: what one table lacks another does not have."""
        if missing and (held := self._rows(name, (array_of(missing),))):
            raise Malformed(f"of chunk {held[0][0]} a part is missing")

    def _look_up(self, query: KeywordQuery) -> list[lexicon.QueryTerm]:
        """A query's words, looked up once for finding and weighing."""
        if self._looked_up is None or self._looked_up[0] != query:
            strings = query_strings(query, self._shared.limits)
            self._looked_up = query, lexicon.look_up(self._rows, self._shared.tokens, strings)
        return self._looked_up[1]

    def _postings(self) -> int | None:
        """Matches that candidates may cost; None where there are too few chunks to count them."""
        total = self._total()
        limits = self._shared.limits
        return int(total * limits.postings) if total >= limits.prune_from else None

    def _matching(self, query_terms: Sequence[lexicon.QueryTerm], where: Filter, n: int) -> list[Scored]:
        if not query_terms or n <= 0 or where.documents == frozenset():
            return []
        if self._postings() is not None:
            return self._best_by_keywords(query_terms, where, n)
        match = any_of(word.string for word in query_terms)
        if where.documents is None:
            rows = self._rows("words", (match, n))
            _count(len(rows), query_terms, n)
        else:
            rows = self._rows("words_allowed", (match, n, array_of(where.documents)))
        return [Scored(chunk_id, score) for chunk_id, score in rows]

    def _best_by_keywords(self, query_terms: Sequence[lexicon.QueryTerm], where: Filter, n: int) -> list[Scored]:
        import_numpy()
        from pincite.store.postings import ChunkTables, best_by_keywords  # noqa: PLC0415 - imports numpy

        with self._shared.lock:
            if self._shared.tables is None:
                self._shared.tables = ChunkTables()
        found = best_by_keywords(self._rows, self._shared.tables, query_terms, where.documents, self._total(), n)
        return [Scored(chunk_id, score) for chunk_id, score in found]

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
        from pincite.store.matrix import Delta, Load  # noqa: PLC0415 - imports numpy

        dimensions = self._value("dimensions", (self._shared.embedder,))
        if since is None or since < self._value("log_floor"):
            batches = self._batches("vectors", (self._shared.embedder, 4 * dimensions))
            waiting = self._rows("statistics", (self._shared.embedder,))[0][-1]
            counted = _all(batches, self._total() - waiting)
            return Load(self.generation, dimensions, self._total(), counted, _check_lengths)
        arguments = (since, self._shared.embedder, 4 * dimensions)
        return Delta(self.generation, self._rows("changes", arguments))


def _count(found: int, query_terms: Sequence[lexicon.QueryTerm], n: int) -> None:
    """Compare what the word index finds with how many chunks are known to hold the words."""
    frequencies = [word.document_frequency for word in query_terms]
    if not min(n, max(frequencies)) <= found <= sum(frequencies):
        raise Malformed(
            f"the word index finds {found} chunks, where {max(frequencies)} to {sum(frequencies)} hold the words"
        )


def _all(batches: Iterator[list[Any]], expected: int) -> Iterator[list[Any]]:
    """The batches, counted."""
    found = 0
    for batch in batches:
        found += len(batch)
        yield batch
    if found != expected:
        raise Malformed(f"{found} chunks have a vector, where {expected} do not wait for one")


def _check_lengths(vectors: "Vector") -> None:
    """Damage to a vector shows in its length: every one that is written has length 1, or is zero."""
    import numpy as np  # noqa: PLC0415 - heavy

    with np.errstate(all="ignore"):
        squares = np.einsum("ij,ij->i", vectors, vectors)
        if not ((np.abs(squares - 1) < _OFF) | (squares == 0)).all():
            raise Malformed("a vector has another length than 1")


def _new_matrix() -> "Matrix":
    """An empty matrix. Here numpy is first imported by a store."""
    import_numpy()
    from pincite.store.matrix import Matrix  # noqa: PLC0415 - imports numpy, after the variables are set

    return Matrix()

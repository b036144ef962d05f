"""A read view of a SQLite index at one generation."""

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from pincite.errors import InternalError
from pincite.model.chunk import SourceText
from pincite.model.search import NO_FILTER, Counts, Filter, KeywordQuery, KeywordScore, Scored
from pincite.model.store import ChunkChanges, Gap, Heading, PastRevision, Place, Statistics, StoredChunk, StoredDocument
from pincite.runtime.imports import import_once
from pincite.store import lexicon
from pincite.store.base import Generation
from pincite.store.filters import Allowed, FilterCache, passing_chunks
from pincite.store.matching import (
    KeywordLimits,
    any_of,
    best_by_words,
    candidate_chunks,
    phrase_string,
    query_strings,
)
from pincite.store.rows import (
    Malformed,
    from_text,
    read,
    to_chunk,
    to_document,
    to_gap,
    to_heading,
    to_past,
    to_place,
    to_source_texts,
    to_text,
)
from pincite.store.statements import array_of
from pincite.store.texts import PIECE_CHARS, chunk_texts, span_text

if TYPE_CHECKING:
    from pincite.model.vector import Vector
    from pincite.store.memory.matrix import Delta, Frame, Load, Matrix
    from pincite.store.memory.postings import ChunkTables

_INT64_MAX = (1 << 63) - 1

# Columns of `chunks`.
_SPAN = slice(11, 13)

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
        filters: What the last filters let through.
    """

    sql: Mapping[str, str]
    embedder: int
    limits: KeywordLimits
    tokens: lexicon.Tokens
    matrix: "Matrix | None" = None
    tables: "ChunkTables | None" = None
    total: tuple[Generation, Counts] = (-1, Counts(0, 0))
    filters: FilterCache = field(default_factory=FilterCache)
    lock: threading.Lock = field(default_factory=threading.Lock)


class SqliteSnapshot:
    """A read view of the index at one generation, from `SqliteStore.snapshot`.

    Thread-safe: its statements run one at a time, the vector scan in parallel with them.
    """

    def __init__(self, connection: sqlite3.Connection, shared: Shared) -> None:
        self._connection: sqlite3.Connection | None = connection
        self._shared = shared
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        # The last text read whole: a call reads a document's chunks and its text.
        self._read_text: tuple[int, str] = (0, "")
        self._looked_up: tuple[KeywordQuery, list[lexicon.QueryTerm]] | None = None
        self.generation: Generation = self._value("generation")

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.keywords`."""
        matching = partial(self._matching, where=where, n=n)
        return best_by_words(self._look_up(query), self._postings(), matching, partial(self.score_keywords, query))

    def candidates(self, query: KeywordQuery, where: Filter, n: int) -> list[int]:
        """See `Snapshot.candidates`; with phrases up to 2n: n by phrases and n by words."""
        matching = partial(self._matching, where=where, n=n)
        phrases = n if where == NO_FILTER else 0
        return candidate_chunks(self._look_up(query), self._postings(), matching, phrases)

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
        total, tokens = self._total(), self._value("tokens")
        tables = self._shared.tables
        if tables and (entries := tables.entries(chunk_ids)):
            return lexicon.score(entries, self._look_up(query), total, tokens)
        lists = self._rows("forward", (array_of(chunk_ids),))
        if len(lists) < len(chunk_ids):
            self._compare("chunks", list(set(chunk_ids) - {row[0] for row in lists}))
        return lexicon.score_forward_lists(lists, self._look_up(query), total, tokens)

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """See `Snapshot.document_frequencies`."""
        split = self._shared.tokens.split(terms)
        looked_up = self._looked_up[1] if self._looked_up else ()
        frequencies = {word.token: word.document_frequency for word in looked_up if word.token}
        if new := [term for tokens in split for term in tokens if term not in frequencies]:
            frequencies |= dict(self._rows("term_holding", (array_of(new),)))
        return [min((frequencies.get(term, 0) for term in tokens), default=0) for tokens in split]

    def unknown(self, query: KeywordQuery) -> list[str]:
        """See `Snapshot.unknown`."""
        return lexicon.unmatched(self._look_up(query))

    def spellings(self, initial: str, shortest: int, longest: int) -> list[str]:
        """See `Snapshot.spellings`."""
        rows = self._rows("words_like", (initial, initial + "\U0010ffff", shortest, longest))
        return [row[0] for row in rows]

    def vectors(self, chunk_ids: Sequence[int]) -> "dict[int, Vector]":
        """See `Snapshot.vectors`."""
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        rows = self._rows("chunk_vectors", (self._shared.embedder, array_of(chunk_ids)))
        return {chunk_id: np.frombuffer(blob, "<f4") for chunk_id, blob in rows}

    def refused(self) -> list[int]:
        """See `Snapshot.refused`."""
        return [chunk_id for (chunk_id,) in self._rows("refused", (self._shared.embedder,))]

    def changes(self, since: Generation) -> ChunkChanges | None:
        """See `Snapshot.changes`."""
        if since < self._value("log_floor"):
            return None
        rows = self._rows("changed_chunks", (since,))
        changed = [chunk_id for chunk_id, exists in rows if exists]
        return ChunkChanges(changed, [chunk_id for chunk_id, exists in rows if not exists])

    def chunk_ids(self, where: Filter = NO_FILTER) -> list[int]:
        """See `Snapshot.chunk_ids`."""
        allowed = self._allowed(where)
        if allowed is None:
            return [row[0] for row in self._rows("chunk_ids")]
        if allowed.of_chunks:
            return sorted(allowed.ids)
        return [row[0] for row in self._rows("chunks_of_documents", (array_of(allowed.ids),))]

    def tokens(self) -> int:
        """See `Snapshot.tokens`."""
        return self._value("chunk_tokens")

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """See `Snapshot.chunks`."""
        row_of = {row[0]: row for row in self._rows("chunks", (array_of(chunk_ids),))}
        self._compare("forward", [chunk_id for chunk_id in chunk_ids if chunk_id not in row_of])
        texts = self._texts({chunk_id: row[_SPAN] for chunk_id, row in row_of.items()})
        return [read(to_chunk, row_of[chunk_id], texts[chunk_id]) for chunk_id in chunk_ids if chunk_id in row_of]

    def text(self, document_id: int, start: int = 0, end: int | None = None) -> str:
        """See `Snapshot.text`."""
        if self._read_text[0] == document_id:
            return self._read_text[1][start:end]
        sizes = self._rows("document_size", (document_id,))
        length: int = sizes[0][1] if sizes else 0
        last = length if end is None else min(end, length)
        if start >= last:
            return ""
        rows = self._rows("text", (document_id, start // PIECE_CHARS, (last - 1) // PIECE_CHARS))
        text = read(span_text, rows, start, last)
        if len(text) == length:
            self._read_text = document_id, text
        return text

    def document_chunks(self, document_id: int, first: int = 0, last: int | None = None) -> list[StoredChunk]:
        """See `Snapshot.document_chunks`."""
        if last is not None or first > 0:
            return self._found_chunks("ordinal_chunks", (document_id, first, _INT64_MAX if last is None else last))
        rows = self._all_rows("document_chunks", document_id)
        text = self.text(document_id)
        return [read(to_chunk, row, text[slice(*row[_SPAN])]) for row in rows]

    def located_chunks(self, document_id: int, locator: str) -> list[StoredChunk]:
        """See `Snapshot.located_chunks`."""
        return self._found_chunks("located_chunks", (document_id, locator))

    def overlapping_chunks(self, document_id: int, start: int, end: int) -> list[StoredChunk]:
        """See `Snapshot.overlapping_chunks`."""
        return self._found_chunks("overlapping_chunks", (document_id, start, end))

    def section_chunks(self, document_id: int, breadcrumb: str) -> list[StoredChunk]:
        """See `Snapshot.section_chunks`."""
        starts = [row[0] for row in self._rows("section_starts", (document_id, from_text(breadcrumb)))]
        rows = [row for start in starts for row in self._rows("section_chunks", (document_id, start))]
        texts = self._texts({row[0]: row[_SPAN] for row in rows})
        return [read(to_chunk, row, texts[row[0]]) for row in rows]

    def places(self, document_id: int) -> list[Place]:
        """See `Snapshot.places`."""
        return [read(to_place, *row) for row in self._all_rows("places", document_id)]

    def source_texts(self, document_id: int) -> list[SourceText]:
        """See `Snapshot.source_texts`."""
        rows = self._rows("source_texts", (document_id,))
        return sorted({text for row in rows for text in read(to_source_texts, *row)}, key=astuple)

    def documents(self) -> list[StoredDocument]:
        """See `Snapshot.documents`."""
        return sorted((read(to_document, row) for row in self._rows("documents")), key=attrgetter("name"))

    def waiting_chunks(self) -> dict[int, int]:
        """See `Snapshot.waiting_chunks`."""
        return dict(self._rows("waiting_chunks", (self._shared.embedder,)))

    def chunk_ids_at(self, places: Sequence[tuple[str, int]]) -> list[int | None]:
        """See `Snapshot.chunk_ids_at`."""
        ids: dict[int, int] = dict(self._rows("chunks_at", (array_of(places),)))
        return [ids.get(number) for number in range(len(places))]

    def stamp(self, document_id: int) -> str:
        """See `Snapshot.stamp`."""
        rows = self._rows("document_stamp", (document_id,))
        return str(rows[0][0]) if rows else ""

    def document_names(self, above: int = 0) -> dict[str, int]:
        """See `Snapshot.document_names`."""
        return {read(to_text, name): i for i, name in self._rows("document_names", (above,))}

    def document(self, name: str) -> StoredDocument | None:
        """See `Snapshot.document`."""
        rows = self._rows("document", (from_text(name),))
        return read(to_document, rows[0]) if rows else None

    def past(self, name: str, revision: str) -> PastRevision | None:
        """See `Snapshot.past`."""
        rows = self._rows("past", (from_text(name), revision))
        return read(to_past, *rows[0]) if rows else None

    def headings(self, max_level: int) -> list[Heading]:
        """See `Snapshot.headings`."""
        names = {row[0]: read(to_text, row[1]) for row in self._rows("document_names", (0,))}
        headings = [read(to_heading, row) for row in self._rows("headings", (max_level,))]
        # The sort is stable, so headings stay in document order. SQLite would sort names stored as bytes last.
        return sorted(headings, key=lambda heading: names[heading.document_id])

    def gaps(self) -> list[Gap]:
        """See `Snapshot.gaps`."""
        gaps = [read(to_gap, *row) for row in self._rows("gaps")]
        return [gap for gap in gaps if gap.failure or not gap.coverage.complete]

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

    def end(self) -> None:
        """End the snapshot: later reads raise InternalError."""
        with self._lock:
            self._connection = None

    def _rows(self, name: str, arguments: Sequence[Any] = ()) -> list[Any]:
        with self._lock:
            return self._execute(name, arguments).fetchall()

    def _all_rows(self, name: str, document_id: int) -> list[Any]:
        """Return a row for each chunk of a document."""
        rows = self._rows(name, (document_id,))
        expected = self._rows("document_size", (document_id,))
        if expected and expected[0][0] != len(rows):
            raise Malformed(f"document {document_id} has {len(rows)} chunks of {expected[0][0]}")
        return rows

    def _found_chunks(self, name: str, arguments: Sequence[Any]) -> list[StoredChunk]:
        return self.chunks([row[0] for row in self._rows(name, arguments)])

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

    def _execute(self, name: str, arguments: Sequence[Any]) -> sqlite3.Cursor:
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

    def _look_up(self, query: KeywordQuery) -> list[lexicon.QueryTerm]:
        """Return a query's looked-up terms, cached for finding candidates and scoring them."""
        if self._looked_up is None or self._looked_up[0] != query:
            strings = query_strings(query, self._shared.limits)
            self._looked_up = query, lexicon.look_up(self._rows, self._shared.tokens, strings)
        return self._looked_up[1]

    def _postings(self) -> int | None:
        """Return the budget of matches for finding candidates; None in an index too small to need one."""
        total = self._total()
        limits = self._shared.limits
        return int(total * limits.postings) if total >= limits.prune_from else None

    def _matching(self, query_terms: Sequence[lexicon.QueryTerm], where: Filter, n: int) -> list[Scored]:
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

    def _best_by_keywords(
        self, query_terms: Sequence[lexicon.QueryTerm], allowed: Allowed | None, n: int
    ) -> list[Scored]:
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
        from pincite.store.memory.matrix import Delta, Load  # noqa: PLC0415 - imports numpy

        dimensions = self._value("dimensions", (self._shared.embedder,))
        if since is None or since < self._value("log_floor"):
            batches = self._batches("vectors", (self._shared.embedder, 4 * dimensions))
            waiting = self._rows("statistics", (self._shared.embedder,))[0][-1]
            counted = _counted(batches, self._total() - waiting)
            return Load(self.generation, dimensions, self._total(), counted, _check_norms)
        arguments = (since, self._shared.embedder, 4 * dimensions)
        return Delta(self.generation, self._rows("changes", arguments))


def _check_count(matches: int, query_terms: Sequence[lexicon.QueryTerm], n: int) -> None:
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

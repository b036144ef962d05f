"""A read view of a collection in PostgreSQL at one generation."""

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import psycopg

from pincite.errors import ConnectionFailed, InternalError
from pincite.model.call import Call
from pincite.model.search import NO_FILTER, Counts, Filter, KeywordQuery, KeywordScore, Scored
from pincite.model.store import Statistics, StoredChunk
from pincite.runtime.imports import import_once
from pincite.store import bm25
from pincite.store.base import Generation
from pincite.store.filters import Allowed
from pincite.store.matching import query_strings, safe
from pincite.store.postgres.columns import conditions, matchable, stored_name
from pincite.store.postgres.connections import Connection
from pincite.store.postgres.copy_keeper import SnapshotCopy
from pincite.store.postgres.reads import CopyReads
from pincite.store.postgres.shared import Shared
from pincite.store.postgres.sizes import FEW_ROWS, FEW_SHARE, PLANNED_ONCE_FROM
from pincite.store.postgres.vectors import SnapshotReads, VectorSearch
from pincite.store.rows import read, to_chunk
from pincite.store.snapshot import SPAN, DatabaseSnapshot
from pincite.store.texts import PIECE_CHARS, span_text

if TYPE_CHECKING:
    from pincite.model.vector import Vector
    from pincite.store.postgres.copied_lists import CopiedLists
    from pincite.store.postgres.packed import Recent
    from pincite.store.postgres.words import TermLists

_PLANNED_ONCE = ("chunks", "forward", "lists", "terms", "texts", "vectors")
"""Statements with one plan whatever is looked up, by an index, in a large collection."""

_INT32_MAX = (1 << 31) - 1
_PIECES = 26
"""Column of `chunks` from which on its pieces are."""


class PostgresSnapshot(DatabaseSnapshot):
    """A read view at one generation, from `PostgresStore.snapshot`. Thread-safe: its statements run one at a time."""

    def __init__(
        self, connection: Connection, shared: Shared, numbers: Sequence[Any], call: Call | None = None
    ) -> None:
        super().__init__(shared.embedder, shared.limits)
        self._connection: Connection | None = connection
        self._shared = shared
        self._call = call
        self._lock = threading.Lock()
        self._few_of: tuple[Filter, list[int] | None] | None = None
        self.generation, self._floor, self._last_indexed, self._chunks, self._tokens, self._layout = numbers
        self._numbers = tuple(numbers)
        self._term_lists: TermLists | None = None
        named = CopyReads(self.generation, self._floor, self._chunks, shared.embedder, self._rows, self._one_batch)
        self._copy = SnapshotCopy(shared.copies, named, self._tokens)
        reads = SnapshotReads(named, self._execute_beside, self._allowed, self._copy.vectors)
        self._vectors = VectorSearch(reads, shared.dimensions)

    def phrase_chunks(self, phrase: str, where: Filter, n: int) -> list[int]:
        """See `Snapshot.phrase_chunks`."""
        terms = self._shared.tokens.split([safe(phrase)])[0]
        # The lowest ids of too many, as FTS5 gives them: both stores answer the same.
        chunks = sorted(self._lists().phrase_frequencies(terms))
        return self._passing(chunks, where)[:n]

    def texts(self, chunk_ids: Sequence[int]) -> dict[int, str]:
        """See `Snapshot.texts`."""
        rows = self._rows("texts", {"ids": list(chunk_ids), "size": PIECE_CHARS}) if chunk_ids else []
        return {row[0]: read(_text, *row[1:]) for row in rows}

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.nearest`; in a large collection from an index, with a recall of about .99."""
        return self._vectors.nearest(vector, where, n)

    def similarities(self, vector: "Vector", chunk_ids: Sequence[int]) -> dict[int, float]:
        """See `Snapshot.similarities`."""
        return self._vectors.similarities(vector, chunk_ids)

    def score_keywords(self, query: KeywordQuery, chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """See `Snapshot.score_keywords`."""
        return self._lists().scores(self._look_up(query), chunk_ids)

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        """See `Snapshot.document_frequencies`."""
        split = self._shared.tokens.split(terms)
        distinct = list(dict.fromkeys(term for tokens in split for term in tokens))
        frequencies = dict(zip(distinct, self._lists().counts(distinct), strict=True))
        frequency = {term: 0 if count is None else count[1] for term, count in frequencies.items()}
        return [min((frequency[term] for term in tokens), default=0) for tokens in split]

    def chunk_ids(self, where: Filter = NO_FILTER) -> list[int]:
        """See `Snapshot.chunk_ids`."""
        return [row[0] for row in self._filtered("SELECT id FROM chunk", where, "ORDER BY id")]

    def chunk_ids_at(self, places: Sequence[tuple[str, int]]) -> list[int | None]:
        """See `Snapshot.chunk_ids_at`."""
        names, ordinals = [stored_name(name) for name, _ in places], [ordinal for _, ordinal in places]
        ids = {row[0]: row[1] for row in self._rows("chunks_at", (names, ordinals))}
        return [ids.get(number) for number in range(1, len(places) + 1)]

    def chunks(self, chunk_ids: Sequence[int]) -> list[StoredChunk]:
        """See `Snapshot.chunks`."""
        rows = self._rows("chunks", {"ids": list(chunk_ids), "size": PIECE_CHARS}) if chunk_ids else []
        chunks = {row[0]: read(to_chunk, row[:_PIECES], read(_text, *row[SPAN], *row[_PIECES:])) for row in rows}
        return [chunks[chunk_id] for chunk_id in chunk_ids if chunk_id in chunks]

    def document_chunks(self, document_id: int, first: int = 0, last: int | None = None) -> list[StoredChunk]:
        """See `Snapshot.document_chunks`."""
        end = _INT32_MAX if last is None else min(last, _INT32_MAX)
        return self._chunks_of("ordinal_chunks", (document_id, max(first, 0), end))

    def count(self, where: Filter) -> Counts:
        """See `Snapshot.count`."""
        if where == NO_FILTER:
            return Counts(self._chunks, self._document_counts()[2])
        return Counts(*self._filtered("SELECT count(*), count(DISTINCT document_id) FROM chunk", where)[0])

    def statistics(self) -> Statistics:
        """See `Snapshot.statistics`."""
        read_documents, failed, _ = self._document_counts()
        waiting_documents, waiting_chunks = self._rows("waiting_counts", (self._shared.embedder,))[0]
        return Statistics(read_documents, failed, self._chunks, waiting_documents, waiting_chunks, self._last_indexed)

    def end(self) -> None:
        """End the snapshot: later reads raise InternalError."""
        with self._lock:
            self._connection = None

    def _array(self, values: Iterable[int]) -> list[int]:
        return list(values)

    def _stored(self, text: str) -> bytes:
        return stored_name(text)

    def _comparable(self, text: str) -> str:
        return matchable(text)

    def _total(self) -> int:
        return self._chunks

    def _log_floor(self) -> Generation:
        return self._floor

    def _query_terms(self, query: KeywordQuery) -> list[bm25.QueryTerm]:
        lists = self._lists()
        from pincite.store.postgres.words import look_up  # noqa: PLC0415 - imports numpy

        strings = query_strings(query, self._limits)
        return look_up(lists, self._shared.tokens, strings, self._chunks, self._tokens)

    def _document_counts(self) -> tuple[int, int, int]:
        counts = self._shared.document_counts.get(self.generation)
        if counts is None:
            counts = self._rows("document_counts")[0]
            self._shared.document_counts.clear()
            self._shared.document_counts[self.generation] = counts
        return counts

    def _rows(self, name: str, arguments: Any = ()) -> list[tuple[Any, ...]]:
        is_planned_once = name in _PLANNED_ONCE and self._chunks >= PLANNED_ONCE_FROM
        return self._execute(self._shared.sql[name], arguments, is_planned_once=is_planned_once)

    def _one_batch(self, name: str, arguments: Any) -> list[list[tuple[Any, ...]]]:
        return [self._rows(name, arguments)]

    def _execute(
        self, statement: bytes, arguments: Any = (), *, is_planned_once: bool = False
    ) -> list[tuple[Any, ...]]:
        with self._lock:
            if self._connection is None:
                raise InternalError("The snapshot has ended: read it inside its with-block.")
            return self._fetch(self._connection, statement, arguments, is_planned_once=is_planned_once)

    def _execute_beside(
        self, statement: bytes, arguments: Any = (), *, is_planned_once: bool = False
    ) -> list[tuple[Any, ...]]:
        """Run a statement on a second connection, so that those of another thread do not wait for it.

        The first one runs it if there is no other, or if that sees another generation, as a writer was in between.
        """
        with suppress(ConnectionFailed), self._shared.second(self._call) as (connection, (_, *numbers)):
            if self._connection is not None and tuple(numbers) == self._numbers:
                return self._fetch(connection, statement, arguments, is_planned_once=is_planned_once)
        return self._execute(statement, arguments, is_planned_once=is_planned_once)

    def _fetch(
        self, connection: Connection, statement: bytes, arguments: Any, *, is_planned_once: bool
    ) -> list[tuple[Any, ...]]:
        try:
            return connection.execute(statement, arguments, binary=True, prepare=is_planned_once).fetchall()
        except psycopg.Error as error:
            if self._call is not None:
                self._call.check()
            raise self._shared.failure(error) from error

    def _filtered(self, select: str, where: Filter, end: str = "", **arguments: Any) -> list[tuple[Any, ...]]:
        """Run a query on `chunk` and what is joined to it, for the chunks that pass a filter."""
        condition, given = conditions(where)
        clause = f"{' AND' if ' WHERE ' in select else ' WHERE'} {condition}" if condition else ""
        return self._execute(f"{select}{clause} {end}".encode(), {**given, **arguments})

    def _passing(self, chunk_ids: Sequence[int], where: Filter) -> list[int]:
        if where == NO_FILTER or not chunk_ids:
            return list(chunk_ids)
        rows = self._filtered("SELECT id FROM chunk WHERE id = ANY(%(ids)s::bigint[])", where, ids=list(chunk_ids))
        passing = {row[0] for row in rows}
        return [chunk_id for chunk_id in chunk_ids if chunk_id in passing]

    def _allowed(self, where: Filter) -> Allowed | None:
        with self._shared.filtering:
            return self._shared.filters.resolve(self._passing_chunks, self.generation, where)

    def _passing_chunks(self, where: Filter) -> Allowed:
        rows = self._filtered("SELECT id, document_id FROM chunk", where)
        return Allowed(frozenset(row[0] for row in rows), of_chunks=True, documents=len({row[1] for row in rows}))

    def _lists(self) -> "TermLists | CopiedLists":
        return self._copy.lists() or self._stored_lists()

    def _stored_lists(self) -> "TermLists":
        if self._term_lists is None:
            import_once("pincite.store.postgres.words")
            from pincite.store.postgres.words import TermLists  # noqa: PLC0415 - imports numpy

            most = self._postings() or 0
            counts, key = self._shared.term_counts, (self.generation, self._layout)
            known = counts.get(key)
            if known is None or len(known) > bm25.MAX_CACHED_STRINGS:
                counts.clear()
                known = counts[key] = {}
            lists = TermLists(self._rows, self._chunks, self._tokens, self._recent, most=most, known=known)
            with self._lock:
                self._term_lists = self._term_lists or lists
        return self._term_lists

    def _recent(self) -> "Recent":
        from pincite.store.postgres.packed import to_recent  # noqa: PLC0415 - imports numpy

        key = self.generation, self._layout
        recent = self._shared.recent.get(key)
        if recent is None:
            recent = to_recent(self._rows("recent"))  # type: ignore[arg-type]  # rows of three columns
            self._shared.recent.clear()
            self._shared.recent[key] = recent
        return recent

    def _matching(self, query_terms: Sequence[bm25.QueryTerm], where: Filter, n: int) -> list[Scored]:
        """Return the n best chunks by these words and phrases."""
        if n <= 0 or not query_terms:
            return []
        copied = self._copy.lists()
        if copied is not None:
            return [Scored(*ranked) for ranked in copied.best(query_terms, self._allowed(where), n)]
        few = None if where == NO_FILTER else self._few(where)
        hits: list[Scored] = []
        for ranked in self._stored_lists().best(query_terms, few, n):
            scored = [Scored(chunk_id, score) for chunk_id, score in ranked]
            if where != NO_FILTER and few is None:
                passing = set(self._passing([hit.chunk_id for hit in scored], where))
                scored = [hit for hit in scored if hit.chunk_id in passing]
            hits += scored
            if len(hits) >= n:
                break
        return hits[:n]

    def _few(self, where: Filter) -> list[int] | None:
        """Return the chunks that pass a filter if they are few, else None."""
        if self._few_of is None or self._few_of[0] != where:
            most = max(FEW_ROWS, int(FEW_SHARE * self._chunks))
            rows = self._filtered("SELECT id FROM chunk", where, "LIMIT %(most)s", most=most + 1)
            self._few_of = where, [row[0] for row in rows] if len(rows) <= most else None
        return self._few_of[1]


def _text(start: int, end: int, *pieces: Sequence[Any] | None) -> str:
    """Return the text of a chunk, from columns of `texts`."""
    return span_text(zip(*(column or () for column in pieces), strict=True), start, end)

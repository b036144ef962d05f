"""BM25 from posting lists in NumPy, for indexes where FTS5's scoring of each match is too slow.

FTS5's `bm25()` takes about 1 µs a match, because it looks up the length of every chunk in a table. Here the lengths
are in memory, and so are the posting lists up to `MAX_CHUNKS_WITH_LISTS`; in larger indexes, and for a snapshot that is
older than them, a term's matches come from the file in one row. The scores are the same.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pincite.runtime.allocator import return_freed_memory
from pincite.store import bm25
from pincite.store.filters import Allowed
from pincite.store.memory import inverted
from pincite.store.rows import Malformed, read

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Rows = Callable[[str, Sequence[Any]], list[Any]]
"""Runs a named statement of one snapshot."""

MAX_CHUNKS_WITH_LISTS = 200_000
"""Maximum number of chunks whose posting lists are in memory, too: 0.6 kB each, where a vector takes 1.5 kB."""

CHECKED_MATCHES = 64
"""Matches up to which the rarest word of a query is looked up in the full-text index, too, which takes 0.3 ms: else
nobody would notice that the index is damaged, and phrases would not be found."""

_COMPACT_RATIO = 2
"""Chunks in memory per chunk of the index above which deleted ones are dropped."""

_COMPACT_MIN_ROWS = 1024
"""Chunks in memory up to which deleted ones are never dropped: they cost less than reading all again."""

_SPARSE_ROWS_PER_MATCH = 16
"""Rows of a table per match above which matches are sorted, since a dense sum over all rows takes longer."""


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """Columns over every chunk of an index at a generation, ascending by id, and some deleted ones.

    Attributes:
        ids: The chunks.
        lengths: Tokens of each.
        documents: The document of each.
        deleted: Whether each was deleted; None if none was.
        segments: The posting lists of all; None in an index of more than `MAX_CHUNKS_WITH_LISTS`.
        generation: The generation.
    """

    ids: Integers
    lengths: Integers
    documents: Integers
    deleted: npt.NDArray[np.bool_] | None
    segments: tuple[inverted.Segment, ...] | None = field(repr=False)
    generation: int

    def rows_of(self, chunk_ids: Integers) -> Integers | None:
        """Return the row of each chunk; None if one is unknown."""
        if not len(self.ids):
            return None if len(chunk_ids) else chunk_ids
        # Ids have no gaps until documents are changed; a binary search waits for memory at each step.
        rows = np.clip(chunk_ids - self.ids[0], 0, len(self.ids) - 1)
        if (self.ids[rows] == chunk_ids).all():
            return rows
        rows = np.searchsorted(self.ids, chunk_ids)
        if len(rows) and (rows.max() == len(self.ids) or (self.ids[rows] != chunk_ids).any()):
            return None
        return rows

    def entries(self, chunk_ids: Sequence[int]) -> bm25.Entries | None:
        """Return the terms of these chunks, deleted ones included; None if one of them is not in memory."""
        segments = self.segments
        rows = None if segments is None else self.rows_of(np.array(chunk_ids, np.int64))
        if segments is None or rows is None:
            return None
        narrow = rows.astype(np.int32)
        return bm25.Entries(chunk_ids, self.lengths[rows], lambda term: inverted.occurrences(segments, narrow, term))

    def document_frequency(self, term: int) -> int:
        """Return the number of chunks that contain a term and are not deleted."""
        if self.deleted is not None:
            return len(self.postings(term)[0])
        return sum(segment.document_frequency(term) for segment in self.segments or ())

    def postings(self, term: int) -> tuple[inverted.Rows, Floats]:
        """Return the rows that contain a term and are not deleted, ascending, and its frequency in each."""
        rows, counts = inverted.postings(self.segments or (), term)
        if self.deleted is not None:
            live = ~self.deleted[rows]
            rows, counts = rows[live], counts[live]
        return rows, counts.astype(np.float64)


class ChunkTables:
    """Keeps the latest `ChunkTable`. Thread-safe.

    A chunk's length, document and terms never change and its id is never reused, so only new chunks are read.
    """

    def __init__(self) -> None:
        self._table: ChunkTable | None = None
        self._lock = threading.Lock()

    def entries(self, chunk_ids: Sequence[int]) -> bm25.Entries | None:
        """Return the terms of these chunks, deleted ones included; None if one of them is not in memory."""
        return self._table.entries(chunk_ids) if self._table else None

    def at(self, source: "TableSource", total: int, generation: int) -> ChunkTable:
        """Return a table of this generation, or a later one if the snapshot is older than the table.

        Args:
            source: Reads the snapshot.
            total: Chunks in it.
            generation: Its generation.
        """
        table = self._table
        if table is None or table.generation < generation:
            with self._lock:
                table = self._table
                if table is None or table.generation < generation:
                    table = self._table = _refreshed(table, source, total, generation)
        return table

    def present(self, generation: int) -> ChunkTable | None:
        """Return the table if it is of this generation without being refreshed."""
        table = self._table
        return table if table is not None and table.generation == generation else None

    def is_due(self, total: int, floor: int) -> bool:
        """Return True if the next `at` reads every chunk: the first time, or if most of those in memory are deleted."""
        return self._table is None or _is_due(self._table, total, floor)


class TableSource(Protocol):
    """Reads what a table is made of from one snapshot."""

    def log_floor(self) -> int:
        """Return the generation from which on changes are logged."""
        ...

    def deleted(self, since: int) -> Sequence[int]:
        """Return the chunks deleted since a generation."""
        ...

    def has_chunks(self, after: int) -> bool:
        """Return True if there is a chunk with a greater id."""
        ...

    def read(self, after: int, first_row: int) -> ChunkTable:
        """Return the chunks with a greater id, whose rows follow the number of rows that are there."""
        ...


def _refreshed(table: ChunkTable | None, source: TableSource, total: int, generation: int) -> ChunkTable:
    if table is None or _is_due(table, total, source.log_floor()):
        table = source.read(0, 0)
        # The arrays that it was made from are larger than it is.
        return_freed_memory()
        return table
    deleted = source.deleted(table.generation)
    last = int(table.ids[-1]) if len(table.ids) else 0
    if source.has_chunks(last):
        table = _joined(table, source.read(last, len(table.ids)))
    return replace(_without(table, np.array(deleted, np.int64)) if deleted else table, generation=generation)


def _is_due(table: ChunkTable, total: int, floor: int) -> bool:
    return len(table.ids) > max(_COMPACT_RATIO * total, _COMPACT_MIN_ROWS) or table.generation < floor


def _without(table: ChunkTable, chunk_ids: Integers) -> ChunkTable:
    """Return the table with these chunks marked as deleted; some may be unknown: added and deleted since."""
    rows = np.searchsorted(table.ids, chunk_ids)
    rows = rows[rows < len(table.ids)]
    rows = rows[np.isin(table.ids[rows], chunk_ids)]
    # A copy: other threads read the older table.
    deleted = np.zeros(len(table.ids), np.bool_) if table.deleted is None else table.deleted.copy()
    deleted[rows] = True
    return replace(table, deleted=deleted)


@dataclass(frozen=True, slots=True)
class FileTables:
    """Reads tables from a SQLite index.

    Attributes:
        rows: Reads the snapshot.
        total: Chunks in it.
        generation: Its generation.
    """

    rows: Rows
    total: int
    generation: int

    def log_floor(self) -> int:
        """See `TableSource.log_floor`."""
        return self.rows("log_floor", ())[0][0]

    def deleted(self, since: int) -> Sequence[int]:
        """See `TableSource.deleted`."""
        return [row[0] for row in self.rows("deleted_chunks", (since,))]

    def has_chunks(self, after: int) -> bool:
        """See `TableSource.has_chunks`."""
        return (self.rows("chunk_highest", ())[0][0] or 0) > after

    def read(self, after: int, first_row: int) -> ChunkTable:
        """See `TableSource.read`."""
        return read_table(self.rows, after, self.total, self.generation, first_row)


def read_table(rows: Rows, after: int, total: int, generation: int, first_row: int = 0) -> ChunkTable:
    """Read the chunks with an id greater than `after`.

    Args:
        rows: Reads the snapshot.
        after: The id.
        total: Chunks in the index.
        generation: The snapshot's generation.
        first_row: The number of rows that they follow.

    Raises:
        Malformed: A chunk is in only one of the two tables, or a forward list does not match its chunk's length.
    """
    segments = None
    if total <= MAX_CHUNKS_WITH_LISTS:
        lists: list[tuple[int, int, bytes]] = rows("forward_after", (after,))
        ids, lengths = (np.fromiter((row[column] for row in lists), np.int64, len(lists)) for column in (0, 1))
        ends, terms, counts = read(bm25.to_entries, [row[2] for row in lists])
        del lists
        bm25.check_lengths(counts, ends, lengths)
        segments = (inverted.invert(ends, terms, counts, first_row),)
    else:
        ids, lengths = (_parse(column) for column in rows("chunk_lengths", (after,))[0])
    same, documents = (_parse(column) for column in rows("chunk_documents", (after,))[0])
    if not np.array_equal(ids, same) or (np.diff(ids) <= 0).any():
        raise Malformed("the chunks and their forward lists are not the same")
    return ChunkTable(ids, lengths, documents, None, segments, generation)


def _joined(old: ChunkTable, new: ChunkTable) -> ChunkTable:
    # After the index has grown over the limit or shrunk under it, the lists return with the next compaction.
    segments = None
    if old.segments is not None and new.segments is not None:
        segments = inverted.extend(old.segments, *new.segments)
    deleted = None if old.deleted is None else np.concatenate((old.deleted, np.zeros(len(new.ids), np.bool_)))
    ids, lengths, documents = (
        np.concatenate(pair)
        for pair in ((old.ids, new.ids), (old.lengths, new.lengths), (old.documents, new.documents))
    )
    return ChunkTable(ids, lengths, documents, deleted, segments, new.generation)


def best_by_keywords(
    rows: Rows,
    tables: ChunkTables,
    query_terms: Sequence[bm25.QueryTerm],
    allowed: Allowed | None,
    total: int,
    generation: int,
    n: int,
) -> list[tuple[int, float]]:
    """Return the n best chunks by BM25 over these words and phrases (descending; ties by id), with their score.

    Args:
        rows: Reads the snapshot.
        tables: The chunks in memory.
        query_terms: The words; phrases carry their scores.
        allowed: The documents or chunks to search; None for all.
        total: Chunks in the index.
        generation: The snapshot's generation.
        n: Number of chunks.

    Raises:
        Malformed: The full-text index and the recorded document frequencies differ.
    """
    table = tables.at(FileTables(rows, total, generation), total, generation)
    if table.segments is not None and table.generation == generation:
        lists = [matches(table, word) for word in query_terms]
        _check_rarest(rows, query_terms)
    else:
        table, lists = _from_file(rows, table, query_terms, total, generation)
    return rank(table, query_terms, lists, allowed, total, rows("tokens", ())[0][0], n)


def rank(
    table: ChunkTable,
    query_terms: Sequence[bm25.QueryTerm],
    lists: "Sequence[Matches]",
    allowed: Allowed | None,
    total: int,
    tokens: int,
    n: int,
) -> list[tuple[int, float]]:
    """Return the n best chunks of a table by BM25 over these words and phrases; see `best_by_keywords`.

    Args:
        table: The chunks.
        query_terms: The words and phrases.
        lists: The matches of each.
        allowed: The documents or chunks to search; None for all.
        total: Chunks in the index.
        tokens: Tokens in the index.
        n: Number of chunks.
    """
    scores_by_term: list[Floats] = []
    for word, (matched, counts) in zip(query_terms, lists, strict=True):
        if word.scores is None:
            norms = bm25.length_norms(table.lengths[matched], total, tokens)
            scores_by_term.append(
                bm25.term_scores(bm25.inverse_frequency(word.document_frequency, total), counts, norms)
            )
        else:
            scores_by_term.append(counts)
    rows = np.concatenate([matched for matched, _ in lists], dtype=np.int64)
    hits, scores = summed(rows, np.concatenate(scores_by_term), len(table.ids))
    if allowed is not None:
        ids = (table.ids if allowed.of_chunks else table.documents)[hits]
        passing = np.isin(ids, np.fromiter(allowed.ids, np.int64, len(allowed.ids)))
        hits, scores = hits[passing], scores[passing]
    return best(table.ids[hits], scores, n)


Matches = tuple[npt.NDArray[np.integer[Any]], Floats]
"""The rows of a table that contain a word, ascending, and its frequency in each; for a phrase, its BM25."""


def matches(table: ChunkTable, word: bm25.QueryTerm) -> Matches:
    """Return the matches of a word or phrase in a table with posting lists.

    Raises:
        Malformed: The table contradicts what was recorded of the word.
    """
    if word.scores is not None:
        ids, scores = _phrase_matches(word.scores)
        rows = table.rows_of(ids)
        if rows is None:
            raise Malformed("the word index holds a chunk that does not exist")
        return rows, scores
    if word.term is None:
        return np.zeros(0, np.int32), np.zeros(0)
    postings = table.postings(word.term)
    _check_frequency(word, len(postings[0]))
    return postings


def _check_rarest(rows: Rows, query_terms: Sequence[bm25.QueryTerm]) -> None:
    terms = [word for word in query_terms if word.scores is None and word.document_frequency <= CHECKED_MATCHES]
    if terms:
        _stored_postings(rows, min(terms, key=lambda word: word.document_frequency))


def _from_file(
    rows: Rows, table: ChunkTable, query_terms: Sequence[bm25.QueryTerm], total: int, generation: int
) -> tuple[ChunkTable, list[Matches]]:
    """Return the matches of each word, and the table whose rows they are."""
    lists = [_stored_postings(rows, word) for word in query_terms]
    matched_rows = [table.rows_of(ids) for ids, _ in lists]
    if any(matched is None for matched in matched_rows):
        # A newer snapshot has read the table after some of these chunks were deleted.
        table = read_table(rows, 0, total, generation)
        matched_rows = [table.rows_of(ids) for ids, _ in lists]
    known = [matched for matched in matched_rows if matched is not None]
    if len(known) < len(lists):
        raise Malformed("the word index holds a chunk that does not exist")
    return table, [(matched, counts) for matched, (_, counts) in zip(known, lists, strict=True)]


def _stored_postings(rows: Rows, word: bm25.QueryTerm) -> tuple[Integers, Floats]:
    """Return the chunks that contain a word, ascending, and its frequency in each; for a phrase, its BM25."""
    if word.scores is not None:
        return _phrase_matches(word.scores)
    instances = _parse(rows("instances", (word.token,))[0][0])
    starts = np.flatnonzero(np.diff(instances, prepend=-1))
    ids = instances[starts]
    _check_frequency(word, len(ids) if (np.diff(ids) > 0).all() else -1)
    return ids, np.diff(starts, append=len(instances)).astype(np.float64)


def _phrase_matches(scores: Mapping[int, float]) -> tuple[Integers, Floats]:
    ids = np.fromiter(sorted(scores), np.int64, len(scores))
    return ids, np.array([scores[chunk_id] for chunk_id in ids.tolist()])


def _check_frequency(word: bm25.QueryTerm, count: int) -> None:
    if count != word.document_frequency:
        raise Malformed(f"the word index holds {count} chunks for a term, where {word.document_frequency} are recorded")


def _parse(numbers: str | None) -> Integers:
    return np.fromstring(numbers or "", np.int64, sep=",")


def summed(rows: Integers, scores: Floats, size: int) -> tuple[Integers, Floats]:
    """Return each distinct row, ascending, with the sum of its scores, added in the given order.

    Args:
        rows: Rows of a table, with repeats.
        scores: A score for each.
        size: Rows of the table.
    """
    if len(rows) * _SPARSE_ROWS_PER_MATCH < size:
        distinct, places = np.unique(rows, return_inverse=True)
        return distinct, np.bincount(places, scores, len(distinct)).astype(np.float64, copy=False)
    sums = np.bincount(rows, scores, size).astype(np.float64, copy=False)
    scored = np.flatnonzero(sums)
    return scored, sums[scored]


def best(ids: Integers, scores: Floats, n: int) -> list[tuple[int, float]]:
    """Return the n chunks with the highest scores (descending; ties by id), with their score."""
    if len(ids) > n:
        # Keep every tie of the n-th score: the sort below decides between them by id.
        kept = np.flatnonzero(scores >= np.partition(scores, len(scores) - n)[len(scores) - n])
        ids, scores = ids[kept], scores[kept]
    order = np.lexsort((ids, -scores))[:n]
    return list(zip(ids[order].tolist(), scores[order].tolist(), strict=True))

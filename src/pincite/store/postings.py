"""BM25 from posting lists in NumPy, for indexes where FTS5's scoring of each match is too slow.

FTS5's `bm25()` takes about 1 µs a match, because it looks up the length of every chunk in a table. Here the lengths
are in memory and a term's matches come in one row: a sixth of the time, with the same scores.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.store import lexicon
from pincite.store.filters import Allowed
from pincite.store.forward import ENTRY_BYTES
from pincite.store.rows import Malformed, read

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Rows = Callable[[str, Sequence[Any]], list[Any]]
"""Runs a named statement of one snapshot."""

MAX_CHUNKS_WITH_LISTS = 200_000
"""Maximum number of chunks whose forward lists are in memory, too: 0.6 kB each, where a vector takes 1.5 kB.

200 of them are read from a file of 100,000 in 1 ms, from memory in 0.1 ms."""

_COMPACT_RATIO = 2
"""Chunks in memory per chunk of the index above which deleted ones are dropped."""

_SPARSE_ROWS_PER_MATCH = 16
"""Rows of a table per match above which matches are sorted, since a dense sum over all rows takes longer."""

_GROWTH = 1 / 8
"""Spare room for new chunks, as a share of those in memory, so that a change of one document copies nothing."""


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """Columns over every chunk of an index, ascending by id; up to `MAX_CHUNKS_WITH_LISTS` with forward lists.

    Attributes:
        ids: The chunks.
        lengths: Tokens of each.
        documents: The document of each.
        has_lists: Whether the forward lists are loaded; else the next three are empty.
        starts: Where each chunk's forward list starts, and where the last one ends.
        terms: The terms of all lists; the room after the last list is not written yet.
        counts: Frequency of each term in its chunk.
    """

    ids: Integers
    lengths: Integers
    documents: Integers
    has_lists: bool
    starts: Integers
    terms: npt.NDArray[np.uint32]
    counts: npt.NDArray[np.uint16]

    def rows_of(self, chunk_ids: Integers) -> Integers | None:
        """Return the row of each chunk; None if one is unknown."""
        rows = np.searchsorted(self.ids, chunk_ids)
        if len(rows) and (rows.max() == len(self.ids) or (self.ids[rows] != chunk_ids).any()):
            return None
        return rows

    def entries(self, chunk_ids: Sequence[int]) -> lexicon.Entries | None:
        """Return the forward lists of these chunks; None if one of them is not loaded."""
        rows = self.rows_of(np.array(chunk_ids, np.int64)) if self.has_lists else None
        if rows is None:
            return None
        starts = self.starts[rows]
        sizes = self.starts[rows + 1] - starts
        ends = np.cumsum(sizes)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)
        return lexicon.Entries(
            chunk_ids, self.lengths[rows], ends, self.terms[places], lambda some: self.counts[places[some]]
        )


_NONE = np.zeros(0, np.int64)
_EMPTY = ChunkTable(
    ids=_NONE,
    lengths=_NONE,
    documents=_NONE,
    has_lists=True,
    starts=np.zeros(1, np.int64),
    terms=np.zeros(0, np.uint32),
    counts=np.zeros(0, np.uint16),
)


class ChunkTables:
    """Keeps the latest `ChunkTable`. Thread-safe.

    A chunk's length and document never change and its id is never reused, so only new chunks are read.
    """

    def __init__(self) -> None:
        self._table = _EMPTY
        self._lock = threading.Lock()

    def entries(self, chunk_ids: Sequence[int]) -> lexicon.Entries | None:
        """Return the forward lists of these chunks, deleted ones included; None if one of them is not loaded."""
        return self._table.entries(chunk_ids)

    def at(self, rows: Rows, total: int) -> ChunkTable:
        """Return a table with every chunk of a snapshot, except some deleted since.

        Args:
            rows: Reads the snapshot.
            total: Chunks in it.
        """
        last: int = rows("chunk_highest", ())[0][0] or 0
        table = self._table
        if not len(table.ids) or table.ids[-1] < last:
            with self._lock:
                table = self._table
                if len(table.ids) > _COMPACT_RATIO * total:
                    table = self._table = read_table(rows, 0, total)
                elif not len(table.ids) or table.ids[-1] < last:
                    new = read_table(rows, int(table.ids[-1]) if len(table.ids) else 0, total)
                    table = self._table = _joined(table, new)
        return table


def read_table(rows: Rows, after: int, total: int) -> ChunkTable:
    """Read the chunks with an id greater than `after`.

    Args:
        rows: Reads the snapshot.
        after: The id.
        total: Chunks in the index.

    Raises:
        Malformed: A chunk is in only one of the two tables.
    """
    has_lists = total <= MAX_CHUNKS_WITH_LISTS
    blobs: list[bytes] = []
    if has_lists:
        lists: list[tuple[int, int, bytes]] = rows("forward_after", (after,))
        ids, lengths = (np.fromiter((row[column] for row in lists), np.int64, len(lists)) for column in (0, 1))
        blobs = [row[2] for row in lists]
    else:
        ids, lengths = (_parse(column) for column in rows("chunk_lengths", (after,))[0])
    same, documents = (_parse(column) for column in rows("chunk_documents", (after,))[0])
    if not np.array_equal(ids, same) or (np.diff(ids) <= 0).any():
        raise Malformed("the chunks and their forward lists are not the same")
    starts, terms, counts = read(_to_entries, blobs)
    if has_lists:
        lexicon.check_lengths(counts, starts[1:], lengths)
    return ChunkTable(ids, lengths, documents, has_lists, starts, terms, counts)


def _to_entries(blobs: Sequence[bytes]) -> tuple[Integers, npt.NDArray[np.uint32], npt.NDArray[np.uint16]]:
    """Return forward lists concatenated: where each starts and the last one ends, all terms, all frequencies."""
    sizes = np.fromiter(map(len, blobs), np.int64, len(blobs)) // ENTRY_BYTES
    terms = b"".join([blob[: len(blob) // ENTRY_BYTES * 4] for blob in blobs])
    counts = b"".join([blob[len(blob) // ENTRY_BYTES * 4 :] for blob in blobs])
    return np.concatenate(([0], np.cumsum(sizes))), np.frombuffer(terms, "<u4"), np.frombuffer(counts, "<u2")


def best_by_keywords(
    rows: Rows,
    tables: ChunkTables,
    query_terms: Sequence[lexicon.QueryTerm],
    allowed: Allowed | None,
    total: int,
    n: int,
) -> list[tuple[int, float]]:
    """Return the n best chunks by BM25 over these words and phrases (descending; ties by id), with their score.

    Args:
        rows: Reads the snapshot.
        tables: The chunks in memory.
        query_terms: The words; phrases carry their scores.
        allowed: The documents or chunks to search; None for all.
        total: Chunks in the index.
        n: Number of chunks.

    Raises:
        Malformed: The full-text index and the recorded document frequencies differ.
    """
    lists = [_postings(rows, word) for word in query_terms]
    table = tables.at(rows, total)
    places = [table.rows_of(ids) for ids, _ in lists]
    if any(place is None for place in places):
        # A newer snapshot has loaded the table after some of these chunks were deleted.
        table = read_table(rows, 0, total)
        places = [table.rows_of(ids) for ids, _ in lists]
    matched = [place for place in places if place is not None]
    if len(matched) < len(lists):
        raise Malformed("the word index holds a chunk that does not exist")
    scores_by_term: list[Floats] = []
    tokens: int = rows("tokens", ())[0][0]
    for word, (_, counts), place in zip(query_terms, lists, matched, strict=True):
        if word.scores is None:
            norms = lexicon.length_norms(table.lengths[place], total, tokens)
            scores_by_term.append(
                lexicon.term_scores(lexicon.inverse_frequency(word.document_frequency, total), counts, norms)
            )
        else:
            scores_by_term.append(counts)
    hits, scores = summed(np.concatenate(matched), np.concatenate(scores_by_term), len(table.ids))
    if allowed is not None:
        ids = (table.ids if allowed.of_chunks else table.documents)[hits]
        passing = np.isin(ids, np.fromiter(allowed.ids, np.int64, len(allowed.ids)))
        hits, scores = hits[passing], scores[passing]
    return best(table.ids[hits], scores, n)


def _postings(rows: Rows, word: lexicon.QueryTerm) -> tuple[Integers, Floats]:
    """Return the chunks that contain a word, ascending, and its frequency in each; for a phrase, its BM25."""
    if word.scores is not None:
        ids = np.fromiter(sorted(word.scores), np.int64, len(word.scores))
        return ids, np.array([word.scores[chunk_id] for chunk_id in ids.tolist()])
    instances = _parse(rows("instances", (word.token,))[0][0])
    starts = np.flatnonzero(np.diff(instances, prepend=-1))
    ids = instances[starts]
    if len(ids) != word.document_frequency or (np.diff(ids) <= 0).any():
        raise Malformed(
            f"the word index holds {len(ids)} chunks for a term, where {word.document_frequency} are recorded"
        )
    return ids, np.diff(starts, append=len(instances)).astype(np.float64)


def _parse(numbers: str | None) -> Integers:
    return np.fromstring(numbers or "", np.int64, sep=",")


def _joined(old: ChunkTable, new: ChunkTable) -> ChunkTable:
    """Join two tables. New lists are appended in place if there is room, behind what readers of `old` use."""
    # After the index has grown over the limit or shrunk under it, the lists return with the next compaction.
    has_lists = old.has_lists and new.has_lists
    starts, terms, counts = _EMPTY.starts, _EMPTY.terms, _EMPTY.counts
    if has_lists:
        starts = np.concatenate((old.starts, new.starts[1:] + old.starts[-1]))
        terms, counts = (
            _appended(column, int(old.starts[-1]), added)
            for column, added in ((old.terms, new.terms), (old.counts, new.counts))
        )
    ids = np.concatenate((old.ids, new.ids))
    lengths = np.concatenate((old.lengths, new.lengths))
    documents = np.concatenate((old.documents, new.documents))
    return ChunkTable(ids, lengths, documents, has_lists, starts, terms, counts)


def _appended(column: npt.NDArray[Any], used: int, added: npt.NDArray[Any]) -> npt.NDArray[Any]:
    end = used + len(added)
    if end > len(column):
        grown = np.empty(end + int(end * _GROWTH), column.dtype)
        grown[:used] = column[:used]
        column = grown
    column[used:end] = added
    return column


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

"""The posting lists of chunks in memory: which chunks contain a term, and how often.

A table of chunks keeps its posting lists in segments, one for each time that it was extended. As in a log-structured
merge tree, small segments are merged, so that there are few and each entry is moved only a few times.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
Terms = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.uint16]

MERGE_RATIO = 4
"""A segment is merged with the next one unless it is this many times as large: with 10 million entries there are at
most ten segments, and each look-up in one takes 10 µs."""

BATCH_ENTRIES = 1_000_000
"""Entries that are sorted at once: the copies of one batch take 25 MB, those of an index of 100,000 chunks 200."""

_POSITION_BITS = 32


@dataclass(frozen=True, slots=True)
class Segment:
    """The posting lists of some consecutive rows of a table.

    Attributes:
        terms: The terms, ascending.
        starts: Where each term's list starts, and where the last one ends.
        rows: The row of each entry, ascending within a list.
        counts: The frequency of the term in that row's chunk.
    """

    terms: Terms
    starts: Integers
    rows: Rows
    counts: Counts

    def postings(self, term: int) -> tuple[Rows, Counts]:
        """Return the rows that contain a term, ascending, and its frequency in each."""
        place = int(np.searchsorted(self.terms, np.uint32(term)))
        if place == len(self.terms) or self.terms[place] != term:
            return self.rows[:0], self.counts[:0]
        part = slice(self.starts[place], self.starts[place + 1])
        return self.rows[part], self.counts[part]


def invert(ends: Integers, terms: Terms, counts: Counts, first_row: int) -> Segment:
    """Return the posting lists of forward lists.

    Args:
        ends: Where the list of each row ends.
        terms: The terms of all lists, one after the other.
        counts: The frequency of each.
        first_row: The row of the first list.
    """
    if len(terms) <= BATCH_ENTRIES:
        return _sorted(terms, _rows(ends, first_row), counts)
    totals = np.zeros(int(terms.max()) + 1, np.int64)
    for batch in _batches(len(terms)):
        totals += np.bincount(terms[batch], minlength=len(totals))
    starts, present = np.concatenate(([0], np.cumsum(totals))), np.flatnonzero(totals)
    rows, sorted_rows, sorted_counts = _rows(ends, first_row), np.empty(len(terms), np.int32), np.empty_like(counts)
    free = starts[:-1].copy()
    for batch in _batches(len(terms)):
        part = _sorted(terms[batch], rows[batch], counts[batch])
        sizes = np.diff(part.starts)
        places = np.arange(len(part.rows)) + np.repeat(free[part.terms] - part.starts[:-1], sizes)
        sorted_rows[places], sorted_counts[places] = part.rows, part.counts
        free[part.terms] += sizes
    return Segment(present.astype(np.uint32), np.append(starts[present], len(terms)), sorted_rows, sorted_counts)


def extend(segments: Sequence[Segment], added: Segment) -> tuple[Segment, ...]:
    """Return the segments with one more, whose rows follow theirs; small ones are merged with it."""
    kept = list(segments)
    while kept and len(kept[-1].rows) <= MERGE_RATIO * len(added.rows):
        added = _merged(kept.pop(), added)
    return (*kept, added)


def postings(segments: Sequence[Segment], term: int) -> tuple[Rows, Counts]:
    """Return the rows of all segments that contain a term, ascending, and its frequency in each."""
    if len(segments) == 1:
        return segments[0].postings(term)
    lists = [segment.postings(term) for segment in segments]
    rows, counts = [rows for rows, _ in lists], [counts for _, counts in lists]
    return (np.concatenate(rows), np.concatenate(counts)) if lists else (np.zeros(0, np.int32), np.zeros(0, np.uint16))


def occurrences(segments: Sequence[Segment], rows: Rows, term: int) -> tuple[Integers, Counts]:
    """Return which of these rows contain a term, as indices, and its frequency in each."""
    holders, counts = postings(segments, term)
    if not len(holders):
        return np.zeros(0, np.int64), counts
    places = np.minimum(np.searchsorted(holders, rows), len(holders) - 1)
    matching = np.flatnonzero(holders[places] == rows)
    return matching, counts[places[matching]]


def _rows(ends: Integers, first_row: int) -> Rows:
    return np.repeat(np.arange(first_row, first_row + len(ends), dtype=np.int32), np.diff(ends, prepend=0))


def _batches(entries: int) -> list[slice]:
    return [slice(start, start + BATCH_ENTRIES) for start in range(0, entries, BATCH_ENTRIES)]


def _merged(first: Segment, second: Segment) -> Segment:
    terms = [np.repeat(segment.terms, np.diff(segment.starts)) for segment in (first, second)]
    rows, counts = (first.rows, second.rows), (first.counts, second.counts)
    return _sorted(np.concatenate(terms), np.concatenate(rows), np.concatenate(counts))


def _sorted(terms: Terms, rows: Rows, counts: Counts) -> Segment:
    """Return a segment of entries; those of one term keep their order."""
    # Term and position in one integer: NumPy sorts those in half the time of a stable argsort.
    keys = terms.astype(np.uint64) << np.uint64(_POSITION_BITS)
    keys |= np.arange(len(keys), dtype=np.uint64)
    keys.sort()
    by_term = (keys >> np.uint64(_POSITION_BITS)).astype(np.uint32)
    starts = np.flatnonzero(np.diff(by_term, prepend=by_term[:1] + np.uint32(1))) if len(by_term) else _NO_STARTS
    keys &= np.uint64((1 << _POSITION_BITS) - 1)
    order = keys.view(np.int64)
    return Segment(by_term[starts], np.append(starts, len(by_term)), rows[order], counts[order])


_NO_STARTS = np.zeros(0, np.int64)

"""The posting lists of chunks in memory: which chunks contain a term, and how often.

A table of chunks keeps its posting lists in segments, one for each time that it was extended. As in a log-structured
merge tree, small segments are merged, so that there are few and each entry is moved only a few times. In a large
segment the lists of frequent terms are bitmaps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.store.memory import bitmaps

Integers = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
Terms = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.uint16]

MERGE_RATIO = 4
"""A segment is merged with the next one unless it is this many times as large: with 10 million entries there are at
most ten segments, and each look-up in one takes 10 µs."""

BATCH_ENTRIES = 1_000_000
"""Entries that are sorted at once: the copies of one batch take 25 MB, of an index of 100,000 chunks 200."""

BITMAP_SHARE = 1 / 8
"""Share of a segment's rows from which a term has a bitmap. Rarer ones find candidates, too, for which all rows of a
term are read: quicker from a list."""

BITMAP_ROWS = 4_096
"""Rows from which a segment has bitmaps: in a smaller one every list is in the processor's cache."""

_POSITION_BITS = 32


@dataclass(frozen=True, slots=True)
class Segment:
    """The posting lists of some consecutive rows of a table.

    Attributes:
        terms: The terms that have a list, ascending.
        starts: Where each term's list starts, and where the last one ends.
        rows: The row of each entry, ascending within a list.
        counts: The frequency of the term in that row's chunk.
        frequent: The lists of all other terms; None if each has one of those.
    """

    terms: Terms
    starts: Integers
    rows: Rows
    counts: Counts
    frequent: bitmaps.Bitmaps | None = None

    @property
    def entries(self) -> int:
        """Return the number of entries."""
        return len(self.rows) + (0 if self.frequent is None else len(self.frequent.counts))

    def bitmap(self, term: int) -> int | None:
        """Return the index of a term's bitmap; None if it has none."""
        return None if self.frequent is None else self.frequent.place(term)

    def document_frequency(self, term: int) -> int:
        """Return the number of rows that contain a term."""
        bitmap = self.bitmap(term)
        if self.frequent is not None and bitmap is not None:
            return int(self.frequent.starts[bitmap + 1] - self.frequent.starts[bitmap])
        return len(self.postings(term)[0])

    def postings(self, term: int) -> tuple[Rows, Counts]:
        """Return the rows that contain a term, ascending, and its frequency in each."""
        bitmap = self.bitmap(term)
        if self.frequent is not None and bitmap is not None:
            return self.frequent.postings(bitmap)
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
        return _packed(_sorted(terms, _rows(ends, first_row), counts))
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
    del rows
    return _packed(
        Segment(present.astype(np.uint32), np.append(starts[present], len(terms)), sorted_rows, sorted_counts)
    )


def extend(segments: Sequence[Segment], added: Segment) -> tuple[Segment, ...]:
    """Return the segments with one more, whose rows follow theirs; small ones are merged with it."""
    kept = list(segments)
    while kept and kept[-1].entries <= MERGE_RATIO * added.entries:
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
    listed: list[Segment] = []
    parts: list[tuple[Integers, Counts]] = []
    for segment in segments:
        bitmap = segment.bitmap(term)
        if segment.frequent is None or bitmap is None:
            listed.append(segment)
        else:
            parts.append(segment.frequent.occurrences(bitmap, rows))
    if listed or not parts:
        parts.append(_listed_occurrences(listed, rows, term))
    if len(parts) == 1:
        return parts[0]
    indices, counts = zip(*parts, strict=True)
    return np.concatenate(indices), np.concatenate(counts)


def _listed_occurrences(segments: Sequence[Segment], rows: Rows, term: int) -> tuple[Integers, Counts]:
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
    parts = [part for segment in (first, second) for part in _listed(segment)]
    terms, rows, counts = [part[0] for part in parts], [part[1] for part in parts], [part[2] for part in parts]
    return _packed(_sorted(np.concatenate(terms), np.concatenate(rows), np.concatenate(counts)))


def _listed(segment: Segment) -> list[tuple[Terms, Rows, Counts]]:
    """Return the term, the row and the frequency of each entry; entries of one term in order of their rows."""
    terms = np.repeat(segment.terms, np.diff(segment.starts))
    lists = [(terms, segment.rows, segment.counts)]
    return lists if segment.frequent is None else [*lists, segment.frequent.listed()]


def _packed(segment: Segment) -> Segment:
    """Return a segment of lists with bitmaps of its frequent terms."""
    if not len(segment.rows):
        return segment
    first_row = int(segment.rows.min())
    size = int(segment.rows.max()) + 1 - first_row
    sizes = np.diff(segment.starts)
    frequent = sizes >= size * BITMAP_SHARE
    if size < BITMAP_ROWS or not frequent.any():
        return segment
    packed, kept = np.repeat(frequent, sizes), ~frequent
    terms, starts, rows, counts = (
        segment.terms[frequent], _starts(sizes[frequent]), segment.rows[packed], segment.counts[packed]
    )  # fmt: skip
    bits = bitmaps.pack(terms, starts, rows, counts, first_row, size)
    np.logical_not(packed, out=packed)
    return Segment(segment.terms[kept], _starts(sizes[kept]), segment.rows[packed], segment.counts[packed], bits)


def _starts(sizes: Integers) -> Integers:
    return np.concatenate((_NO_STARTS, [0], np.cumsum(sizes)))


def _sorted(terms: Terms, rows: Rows, counts: Counts) -> Segment:
    """Return a segment of entries; entries of one term keep their order."""
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

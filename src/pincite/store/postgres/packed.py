"""Terms of chunks as bytes: a chunk's terms in order (`forward`), and a term's chunks (`posting`)."""

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.errors import WritingFailed
from pincite.store.bm25 import Occurrences
from pincite.store.forward import MAX_FREQUENCY
from pincite.store.postgres.columns import COPY_END, COPY_HEAD

Integers = npt.NDArray[np.int64]
Terms = npt.NDArray[np.uint32]
Entries = npt.NDArray[np.void]
"""Array of `ENTRY`."""

ENTRY = np.dtype([("chunk", "<u4"), ("frequency", "<u2"), ("length", "<u4")])
"""A chunk that contains a term: its id, how often it contains it (capped as in SQLite), its number of tokens.

Entries that follow each other are a list, so that lists are joined as bytes.
"""

MAX_CHUNK_ID = (1 << 32) - 1

GAP = 0
"""Between a chunk's context and its text, so that no phrase runs from one into the other; ids of terms begin at 1."""


@dataclass(frozen=True, slots=True)
class Sequences:
    """The terms of some chunks in order, concatenated.

    Attributes:
        chunk_ids: The chunks.
        lengths: Tokens of each.
        starts: Where the terms of each chunk start, and where the last ones end.
        terms: Ids of terms, with a `GAP` in each chunk.
    """

    chunk_ids: Integers
    lengths: Integers
    starts: Integers
    terms: Terms

    def frequencies(self, term: int) -> Integers:
        """Return how often each chunk contains a term."""
        return self._counted(np.flatnonzero(self.terms == term))

    def occurrences(self, term: int) -> tuple[Integers, npt.NDArray[np.uint16]]:
        """See `bm25.Entries.occurrences`; frequencies are capped as in a list."""
        frequencies = self.frequencies(term)
        chunks = np.flatnonzero(frequencies)
        return chunks, np.minimum(frequencies[chunks], MAX_FREQUENCY).astype(np.uint16)

    def document_frequencies(self) -> dict[int, int]:
        """Return the number of these chunks that contain each term."""
        terms, _ = invert(self)
        numbers, counts = np.unique(terms, return_counts=True)
        return dict(zip(numbers.tolist(), counts.tolist(), strict=True))

    def phrase_frequencies(self, terms: Sequence[int]) -> Integers:
        """Return how often each chunk contains these terms side by side."""
        last = len(self.terms) - len(terms) + 1
        if last <= 0:
            return np.zeros(len(self.chunk_ids), np.int64)
        matches = np.ones(last, np.bool_)
        for offset, term in enumerate(terms):
            matches &= self.terms[offset : offset + last] == term
        places = np.flatnonzero(matches)
        # The next chunk's terms follow without a gap.
        inside = self._chunks_at(places) == self._chunks_at(places + len(terms) - 1)
        return self._counted(places[inside])

    def _counted(self, places: Integers) -> Integers:
        return np.bincount(self._chunks_at(places), minlength=len(self.chunk_ids))

    def _chunks_at(self, places: Integers) -> Integers:
        return np.searchsorted(self.starts[1:], places, "right")


@dataclass(frozen=True, slots=True)
class Recent:
    """What the segments do not know yet.

    Attributes:
        fresh: The chunks that are in no segment.
        dead: Ids of deleted chunks that are in one.
    """

    fresh: Sequences
    dead: npt.NDArray[np.uint32]

    def entries(self, term: int, packed: Sequence[bytes]) -> Entries:
        """Return a term's chunks: undeleted ones of its lists, and fresh ones."""
        stored = np.frombuffer(b"".join(packed), ENTRY)
        if len(self.dead) and len(stored):
            stored = stored[~np.isin(stored["chunk"], self.dead)]
        frequencies = self.fresh.frequencies(term)
        chunks = np.flatnonzero(frequencies)
        if not len(chunks):
            return stored
        fresh = to_entries(self.fresh.chunk_ids[chunks], frequencies[chunks], self.fresh.lengths[chunks])
        return np.concatenate((stored, fresh))


def to_sequences(rows: Sequence[tuple[int, int, bytes]]) -> Sequences:
    """Return rows of `forward` (chunk id, number of tokens, terms) as one."""
    ids = np.array([row[0] for row in rows], np.int64)
    lengths = np.array([row[1] for row in rows], np.int64)
    sizes = np.array([len(row[2]) for row in rows], np.int64) // 4
    return Sequences(ids, lengths, _starts(sizes), np.frombuffer(b"".join([row[2] for row in rows]), "<u4"))


def to_recent(rows: Iterable[tuple[int, int, bytes | None]]) -> Recent:
    """Return rows of `recent`: fresh chunks as in `forward`, deleted ones without terms."""
    fresh: list[tuple[int, int, bytes]] = []
    dead: list[int] = []
    for chunk_id, length, terms in rows:
        if terms is None:
            dead.append(chunk_id)
        else:
            fresh.append((chunk_id, length, terms))
    return Recent(to_sequences(fresh), np.array(dead, np.uint32))


def to_entries(chunk_ids: Integers, frequencies: Integers, lengths: Integers) -> Entries:
    """Return entries of a list.

    Raises:
        WritingFailed: The collection has given more ids than an entry can hold.
    """
    if len(chunk_ids) and int(chunk_ids.max()) > MAX_CHUNK_ID:
        raise WritingFailed("The collection has given all of its 4 billion chunk ids. Index it in a new schema.")
    entries = np.empty(len(chunk_ids), ENTRY)
    entries["chunk"], entries["length"] = chunk_ids, lengths
    entries["frequency"] = np.minimum(frequencies, MAX_FREQUENCY)
    return entries


def pack(occurrences: Occurrences, chunks: int, number_of: Mapping[str, int]) -> list[tuple[int, bytes]]:
    """Return the number of tokens and the terms in order of each chunk.

    Args:
        occurrences: Every token of the chunks.
        chunks: Number of chunks.
        number_of: The ids of the terms.
    """
    ids = np.array([number_of[term] for term in occurrences.terms], "<u4")
    lengths = np.bincount(occurrences.chunks, minlength=chunks)
    contexts = np.bincount(occurrences.chunks[~occurrences.in_text], minlength=chunks)
    starts = _starts(lengths)
    terms = np.insert(ids[occurrences.numbers], starts[:-1] + contexts, np.uint32(GAP))
    bounds = (starts + np.arange(chunks + 1)).tolist()
    return [
        (length, terms[bounds[place] : bounds[place + 1]].tobytes()) for place, length in enumerate(lengths.tolist())
    ]


def forward_rows(rows: Iterable[tuple[int, int, bytes]]) -> bytes:
    """Return rows of `forward` (chunk id, number of tokens, terms) in COPY's binary format."""
    parts = [COPY_HEAD]
    for chunk_id, length, terms in rows:
        parts += (struct.pack(">hiqiii", 3, 8, chunk_id, 4, length, len(terms)), terms)
    parts.append(COPY_END)
    return b"".join(parts)


def invert(sequences: Sequences) -> tuple[Integers, Entries]:
    """Return an entry for each term of each chunk, by term and chunk, with the term of each entry."""
    places = np.repeat(np.arange(len(sequences.chunk_ids)), np.diff(sequences.starts))
    filled = sequences.terms != GAP
    pairs, counts = np.unique(sequences.terms[filled].astype(np.int64) << 32 | places[filled], return_counts=True)
    chunks = pairs & 0xFFFFFFFF
    return pairs >> 32, to_entries(sequences.chunk_ids[chunks], counts, sequences.lengths[chunks])


def to_lists(sequences: Sequences) -> tuple[Integers, Terms, npt.NDArray[np.uint16]]:
    """Return the number of distinct terms of each chunk, the terms of all, and how often each occurs in its chunk."""
    chunks = len(sequences.chunk_ids)
    places = np.repeat(np.arange(chunks), np.diff(sequences.starts))
    filled = sequences.terms != GAP
    pairs, counts = np.unique(places[filled] << 32 | sequences.terms[filled].astype(np.int64), return_counts=True)
    capped = np.minimum(counts, MAX_FREQUENCY).astype(np.uint16)
    return np.bincount(pairs >> 32, minlength=chunks), (pairs & 0xFFFFFFFF).astype(np.uint32), capped


def merge(rows: Sequence[tuple[int, bytes]], dead: Sequence[int]) -> tuple[Integers, Entries]:
    """Return the entries of lists (term, bytes) in order of their terms, without deleted chunks, as `invert` does."""
    entries = np.frombuffer(b"".join([packed for _, packed in rows]), ENTRY)
    sizes = [len(packed) // ENTRY.itemsize for _, packed in rows]
    terms = np.repeat(np.array([term for term, _ in rows], np.int64), sizes)
    if dead:
        kept = ~np.isin(entries["chunk"], np.array(dead, np.uint32))
        terms, entries = terms[kept], entries[kept]
    return terms, entries


def posting_rows(segment: int, terms: Integers, entries: Entries) -> bytes:
    """Return the lists of entries that are in order of their terms as rows of `posting`, in COPY's binary format."""
    data, size = entries.tobytes(), ENTRY.itemsize
    starts = np.flatnonzero(np.diff(terms, prepend=-1))
    bounds = (np.append(starts, len(terms)) * size).tolist()
    numbers = terms[starts].tolist()
    parts = [COPY_HEAD]
    for place, term in enumerate(numbers):
        start, end = bounds[place], bounds[place + 1]
        parts += (struct.pack(">hiiiqi", 3, 4, term, 8, segment, end - start), data[start:end])
    parts.append(COPY_END)
    return b"".join(parts)


def _starts(sizes: Integers) -> Integers:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes)))

"""The lists of frequent terms, kept in a server's memory: they score chunks without these chunks' own terms."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite.store.postgres.packed import ENTRY, Entries, Integers

MAX_KEPT_ENTRIES = 6_000_000
"""Entries of all lists in memory: 60 MB in each server."""

MAX_LIST_ENTRIES = 500_000
"""Entries of a list that is kept: 5 MB from the database, once. Beyond, the terms of each chunk are fetched."""


@dataclass(frozen=True, slots=True)
class List:
    """A term's chunks, ascending, with its frequency in each and the length of each."""

    chunks: npt.NDArray[np.uint32]
    frequencies: npt.NDArray[np.uint16]
    lengths: npt.NDArray[np.uint32]

    def of(self, chunk_ids: Integers) -> tuple[Integers, Integers]:
        """Return the frequency of the term in each chunk, 0 where it does not occur, and the length where it does."""
        if not len(self.chunks):
            return np.zeros(len(chunk_ids), np.int64), np.zeros(len(chunk_ids), np.int64)
        places = np.minimum(np.searchsorted(self.chunks, chunk_ids.astype(np.uint32)), len(self.chunks) - 1)
        matches = self.chunks[places] == chunk_ids
        return self.frequencies[places].astype(np.int64) * matches, self.lengths[places].astype(np.int64) * matches


def to_list(entries: Entries) -> List:
    """Return entries in the order of their chunks."""
    order = np.argsort(entries["chunk"], kind="stable")
    return List(*(np.ascontiguousarray(entries[name][order]) for name in ("chunk", "frequency", "length")))


def to_stored_list(packed: Iterable[bytes]) -> List:
    """Return the list of a term from those of each segment."""
    return to_list(np.frombuffer(b"".join(packed), ENTRY))


@dataclass(frozen=True, slots=True)
class ListedChunks:
    """Chunks whose terms are known from lists; see `packed.TermCounts`.

    Attributes:
        chunk_ids: The chunks.
        lists: The lists of each term, which have no chunk in common.
    """

    chunk_ids: Integers
    lists: Mapping[int, Sequence[List]]

    def occurrences(self, term: int) -> tuple[Integers, Integers]:
        """See `packed.TermCounts.occurrences`."""
        counted = [one.of(self.chunk_ids) for one in self.lists[term]]
        frequencies, lengths = zip(*counted, strict=True)
        return np.sum(frequencies, axis=0), np.sum(lengths, axis=0)


class FrequentLists:
    """Lists as the segments have them, the last used ones, for one state of the segments. Thread-safe.

    A list is worth fetching once a second search needs it: while a collection is written its segments change often.
    """

    def __init__(self, most: int = MAX_KEPT_ENTRIES) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._layout = -1
        self._lists: OrderedDict[int, List] = OrderedDict()
        self._entries = 0
        self._met: set[int] = set()

    def get(self, layout: int, terms: Sequence[int]) -> dict[int, List]:
        """Return the lists that are there of terms."""
        with self._lock:
            if layout != self._layout:
                return {}
            found = {term: self._lists[term] for term in terms if term in self._lists}
            for term in found:
                self._lists.move_to_end(term)
            return found

    def are_due(self, layout: int, terms: Sequence[int]) -> bool:
        """Return True if all of these terms were asked about before."""
        with self._lock:
            if layout > self._layout:
                self._layout, self._entries = layout, 0
                self._lists.clear()
                self._met.clear()
            are_known = layout == self._layout and self._met.issuperset(terms)
            self._met.update(terms)
            return are_known

    def put(self, layout: int, lists: Mapping[int, List]) -> None:
        """Keep lists, instead of those that were not used for longest."""
        with self._lock:
            if layout != self._layout:
                return
            for term, added in lists.items():
                if term not in self._lists:
                    self._lists[term] = added
                    self._entries += len(added.chunks)
            while self._entries > self._most and self._lists:
                _, oldest = self._lists.popitem(last=False)
                self._entries -= len(oldest.chunks)

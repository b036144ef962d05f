"""Keyword search over posting lists, in the server's process: the database sends lists and scores nothing.

Texts are split by FTS5's tokenizer, as in the SQLite store: both find and score the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import starmap
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pincite.model.search import KeywordScore
from pincite.store import bm25
from pincite.store.bm25 import QueryTerm, Tokens, inverse_frequency
from pincite.store.memory.postings import best, summed
from pincite.store.postgres.packed import Entries, Recent, Sequences, to_sequences
from pincite.store.postgres.sizes import COUNTED_FROM
from pincite.store.rows import read

TermCounts = dict[str, tuple[int, int] | None]
"""The id and the number of chunks of terms; None for one that no chunk contains."""

Rows = Callable[[str, Any], list[tuple[Any, ...]]]
"""Runs a named statement of one transaction."""

_COMPARED_TERMS = 3
"""Terms of a phrase, the rarest ones, whose lists tell which chunks may contain it."""

_SEQUENCES_PER_BATCH = 2_000
"""Chunks whose terms are compared with a phrase at once: about 1.5 MB."""


class TermLists:
    """The terms of one snapshot: their ids, their numbers of chunks, their chunks; each is fetched once. Thread-safe.

    Args:
        rows: Runs a statement.
        total: The number of chunks.
        tokens: The number of tokens.
        recent: Returns what the segments do not know yet.
        most: Maximum number of entries of the lists that are fetched with the numbers of a query's terms.
        known: The counts of terms that other searches of this generation looked up; it adds its own.
    """

    def __init__(
        self,
        rows: Rows,
        total: int,
        tokens: int,
        recent: Callable[[], Recent],
        *,
        most: int = 0,
        known: TermCounts | None = None,
    ) -> None:
        self._rows = rows
        self._total = total
        self._tokens = tokens
        self._recent = recent
        self._most = most
        self._counts = {} if known is None else known
        self._with_lists: set[str] = set()
        self._entries: dict[int, Entries] = {}

    def counts(self, terms: Sequence[str], *, with_lists: bool = False) -> list[tuple[int, int] | None]:
        """Return the id and the number of chunks of each term; None for one that no chunk contains.

        In a large index the number is as it was counted lately.

        Args:
            terms: The terms.
            with_lists: Fetch the lists of the rarest of them, too, which find a query's chunks.
        """
        # A list comes with its number in one statement, even if that is known already.
        present = self._with_lists if with_lists else self._counts
        new = [term for term in dict.fromkeys(terms) if term not in present]
        if new:
            # At once, as other threads read it: a term is there with its number or not at all.
            self._counts |= self._look_up(new, self._most if with_lists else 0)
            self._with_lists.update(new if with_lists else ())
        return [self._counts[term] for term in terms]

    def entries(self, numbers: Sequence[int]) -> dict[int, Entries]:
        """Return the chunks of terms, by their ids."""
        new = [number for number in dict.fromkeys(numbers) if number not in self._entries]
        if new:
            self._add(self._packed(new))
        return {number: self._entries[number] for number in numbers}

    def best(
        self, query_terms: Sequence[QueryTerm], among: Sequence[int] | None, n: int
    ) -> Iterator[list[tuple[int, float]]]:
        """Yield the best chunks by BM25 with their scores, the n best first, then the next 4n and so on.

        Args:
            query_terms: The words; phrases carry their scores.
            among: The chunks to search; None for all.
            n: Number of chunks.
        """
        lists = self.entries([word.term for word in query_terms if word.term is not None])
        ids, scores = [np.zeros(0, np.int64)], [np.zeros(0)]
        for word in query_terms:
            if word.scores is not None:
                ids.append(np.fromiter(word.scores, np.int64, len(word.scores)))
                scores.append(np.fromiter(word.scores.values(), np.float64, len(word.scores)))
            elif word.term is not None:
                entries = lists[word.term]
                idf = inverse_frequency(word.document_frequency, self._total)
                norms = bm25.length_norms(entries["length"].astype(np.int64), self._total, self._tokens)
                ids.append(entries["chunk"].astype(np.int64))
                scores.append(bm25.term_scores(idf, entries["frequency"].astype(np.float64), norms))
        chunks, sums = np.concatenate(ids), np.concatenate(scores)
        if among is not None:
            passing = np.isin(chunks, np.array(among, np.int64))
            chunks, sums = chunks[passing], sums[passing]
        if not len(chunks):
            return
        lowest = int(chunks.min())
        rows, sums = summed(chunks - lowest, sums, int(chunks.max()) - lowest + 1)
        done, count = 0, n
        while done < len(rows):
            yield best(rows + lowest, sums, done + count)[done:]
            done, count = done + count, 4 * count

    def scores(self, query_terms: Sequence[QueryTerm], chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """Return BM25 and coverage of chunks over every word and phrase of a query."""
        sequences = self._sequences(chunk_ids)
        entries = bm25.Entries(sequences.chunk_ids.tolist(), sequences.lengths, sequences.occurrences)
        return bm25.score(entries, query_terms, self._total, self._tokens)

    def phrase_frequencies(self, terms: Sequence[str]) -> dict[int, tuple[int, int]]:
        """Return how often each chunk contains these terms side by side, and its length."""
        counted = self.counts(terms)

        def chunks_of(numbers: Sequence[int]) -> list[npt.NDArray[Any]]:
            return [entries["chunk"] for entries in self.entries(numbers).values()]

        return phrase_frequencies(counted, chunks_of, self._sequences)

    def _look_up(self, terms: list[str], most: int) -> dict[str, tuple[int, int] | None]:
        stored: dict[str, tuple[int, int | None]] = {}
        lists: dict[int, list[bytes]] = {}
        if self._total < COUNTED_FROM:
            rows = [(*row[:2], None, row[2], True) for row in self._rows("term_lists", (terms,))]
        else:
            rows = self._rows("terms", {"terms": terms, "most": most})
        for term, number, counted, packed, is_fetched in rows:
            stored[term] = number, counted
            if is_fetched:
                lists.setdefault(number, []).extend([packed] if packed else [])
        if lists:
            self._add(lists)
        exact = self.entries([number for number, counted in stored.values() if counted is None])
        frequencies: dict[str, tuple[int, int] | None] = dict.fromkeys(terms)
        for term, (number, counted) in stored.items():
            frequency = len(exact[number]) if counted is None else counted
            frequencies[term] = (number, frequency) if frequency else None
        return frequencies

    def _packed(self, numbers: Sequence[int]) -> dict[int, list[bytes]]:
        lists: dict[int, list[bytes]] = {number: [] for number in numbers}
        for number, packed in self._rows("lists", (list(numbers),)):
            lists[number].append(packed)
        return lists

    def _add(self, lists: Mapping[int, Sequence[bytes]]) -> None:
        recent = self._recent()
        self._entries |= {number: recent.entries(number, packed) for number, packed in lists.items()}

    def _sequences(self, chunk_ids: Sequence[int]) -> Sequences:
        return read(to_sequences, self._rows("forward", (list(chunk_ids),)))


def phrase_frequencies(
    counted: Sequence[tuple[int, int] | None],
    chunks_of: Callable[[Sequence[int]], Sequence[npt.NDArray[Any]]],
    sequences_of: Callable[[Sequence[int]], Sequences],
) -> dict[int, tuple[int, int]]:
    """Return how often each chunk contains terms side by side, and its length.

    Args:
        counted: The id and the number of chunks of each term; None for one that no chunk contains.
        chunks_of: Returns the chunks of terms.
        sequences_of: Returns the terms of chunks in order.
    """
    known = [count for count in counted if count is not None]
    if len(known) < len(counted) or not counted:
        return {}
    rarest = sorted(set(known), key=lambda count: count[1])[:_COMPARED_TERMS]
    candidates: list[int] = reduce(np.intersect1d, chunks_of([number for number, _ in rarest])).tolist()
    numbers = [number for number, _ in known]
    by_chunk: dict[int, tuple[int, int]] = {}
    for start in range(0, len(candidates), _SEQUENCES_PER_BATCH):
        sequences = sequences_of(candidates[start : start + _SEQUENCES_PER_BATCH])
        frequencies = sequences.phrase_frequencies(numbers)
        columns = (sequences.chunk_ids, frequencies, sequences.lengths)
        hits = np.flatnonzero(frequencies)
        by_chunk |= {
            chunk: (often, length) for chunk, often, length in zip(*(c[hits].tolist() for c in columns), strict=True)
        }
    return by_chunk


class PhraseLists(Protocol):
    """What the words and phrases of a query are looked up in."""

    def counts(self, terms: Sequence[str], *, with_lists: bool = False) -> list[tuple[int, int] | None]:
        """See `TermLists.counts`."""
        ...

    def phrase_frequencies(self, terms: Sequence[str]) -> dict[int, tuple[int, int]]:
        """See `TermLists.phrase_frequencies`."""
        ...


def look_up(
    lists: PhraseLists, tokens: Tokens, strings: Mapping[str, bool], total: int, all_tokens: int
) -> list[QueryTerm]:
    """Look up every string of a query; see `bm25.look_up`. All of their terms take one statement."""
    lists.counts([term for split in tokens.split(list(strings)) for term in split], with_lists=True)

    def stored(terms: Sequence[str]) -> dict[str, bm25.StoredTerm]:
        return {term: count or bm25.ABSENT for term, count in zip(terms, lists.counts(terms), strict=True)}

    def scores(phrase: str) -> dict[int, float]:
        return phrase_scores(lists.phrase_frequencies(tokens.split([phrase])[0]), total, all_tokens)

    return bm25.look_up(stored, scores, tokens, strings)


def phrase_scores(frequencies: Mapping[int, tuple[int, int]], total: int, all_tokens: int) -> dict[int, float]:
    """Return the part of a phrase in the BM25 of each chunk that contains it."""
    idf = inverse_frequency(len(frequencies), total)

    def part(frequency: int, length: int) -> float:
        norm = bm25.K1 * (1 - bm25.B + bm25.B * length * total / max(all_tokens, 1))
        return idf * frequency * (bm25.K1 + 1) / (frequency + norm)

    return dict(zip(frequencies, starmap(part, frequencies.values()), strict=True))

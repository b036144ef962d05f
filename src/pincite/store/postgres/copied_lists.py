"""Keyword search over the posting lists that a server has in its memory: no statement but for phrases."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.model.search import KeywordScore
from pincite.store import bm25
from pincite.store.filters import Allowed
from pincite.store.memory import inverted
from pincite.store.memory.postings import ChunkTable, Floats, matches, rank
from pincite.store.postgres.packed import Sequences
from pincite.store.postgres.words import phrase_frequencies


class CopiedLists:
    """The terms of one snapshot, from a table of its generation; see `words.TermLists`. Thread-safe.

    Args:
        table: The chunks with their posting lists.
        term_ids: The id of each term.
        total: The number of chunks.
        tokens: The number of tokens.
        sequences: Returns the terms of chunks in order, from the database.
    """

    def __init__(
        self,
        table: ChunkTable,
        term_ids: Mapping[str, int],
        total: int,
        tokens: int,
        sequences: Callable[[Sequence[int]], Sequences],
    ) -> None:
        self._table = table
        self._term_ids = term_ids
        self._total = total
        self._tokens = tokens
        self._sequences = sequences
        self._postings: dict[int, tuple[inverted.Rows, Floats]] = {}
        self._counts: dict[int, int] = {}

    def counts(self, terms: Sequence[str], *, with_lists: bool = False) -> list[tuple[int, int] | None]:
        """See `TermLists.counts`; the numbers are the snapshot's."""
        del with_lists
        return [self._count(term) for term in terms]

    def best(self, query_terms: Sequence[bm25.QueryTerm], allowed: Allowed | None, n: int) -> list[tuple[int, float]]:
        """Return the n best chunks by BM25 (descending; ties by id) with their scores.

        Args:
            query_terms: The words; phrases carry their scores.
            allowed: The documents or chunks to search; None for all.
            n: Number of chunks.
        """
        if n <= 0 or not query_terms:
            return []
        lists = [
            matches(self._table, word) if word.term is None else self._of(word.term) for word in query_terms
        ]  # fmt: skip
        return rank(self._table, query_terms, lists, allowed, self._total, self._tokens, n)

    def scores(self, query_terms: Sequence[bm25.QueryTerm], chunk_ids: Sequence[int]) -> dict[int, KeywordScore]:
        """Return BM25 and coverage of chunks over every word and phrase of a query; unknown ids are omitted."""
        entries = self._table.entries(chunk_ids)
        if entries is None:
            known = np.isin(np.array(chunk_ids, np.int64), self._table.ids)
            entries = self._table.entries([chunk for chunk, is_known in zip(chunk_ids, known, strict=True) if is_known])
        assert entries is not None  # noqa: S101 - each is in the table now, which has lists
        return bm25.score(entries, query_terms, self._total, self._tokens)

    def phrase_frequencies(self, terms: Sequence[str]) -> dict[int, tuple[int, int]]:
        """See `TermLists.phrase_frequencies`."""

        def chunks_of(numbers: Sequence[int]) -> list[npt.NDArray[Any]]:
            return [self._table.ids[self._of(number)[0]] for number in numbers]

        return phrase_frequencies(self.counts(terms), chunks_of, self._sequences)

    def _count(self, term: str) -> tuple[int, int] | None:
        number = self._term_ids.get(term)
        if number is None:
            return None
        if number not in self._counts:
            self._counts[number] = self._table.document_frequency(number)
        return (number, self._counts[number]) if self._counts[number] else None

    def _of(self, number: int) -> tuple[inverted.Rows, Floats]:
        if number not in self._postings:
            self._postings[number] = self._table.postings(number)
        return self._postings[number]

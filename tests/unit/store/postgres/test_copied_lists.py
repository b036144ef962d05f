"""Keyword search in memory finds and scores what the lists of the database do."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from pincite.store.bm25 import QueryTerm
from pincite.store.filters import Allowed
from pincite.store.memory import inverted
from pincite.store.memory.postings import ChunkTable
from pincite.store.postgres.copied_lists import CopiedLists
from pincite.store.postgres.packed import Sequences, to_lists, to_sequences

IDS = {"run": 1, "dog": 2, "cat": 3, "gone": 4}
CHUNKS = {5: [0, 1, 2, 1, 2], 6: [1, 0, 2], 7: [0, 2, 1], 8: [0, 3, 3, 3]}


def sequences(chunk_ids: Sequence[int], chunks: Mapping[int, list[int]] = CHUNKS) -> Sequences:
    return to_sequences(
        [(one, sum(term > 0 for term in chunks[one]), np.array(chunks[one], "<u4").tobytes()) for one in chunk_ids]
    )


def lists() -> CopiedLists:
    every = sequences(list(CHUNKS))
    sizes, terms, counts = to_lists(every)
    segment = inverted.invert(np.cumsum(sizes), terms, counts, 0)
    table = ChunkTable(every.chunk_ids, every.lengths, np.array([1, 1, 2, 2]), None, (segment,), 1)
    return CopiedLists(table, IDS, 4, 12, sequences)


def test_terms_are_counted_as_the_snapshot_has_them() -> None:
    assert lists().counts(["dog", "none", "gone", "run"]) == [(2, 3), None, None, (1, 3)]


def test_phrases_are_terms_side_by_side() -> None:
    assert lists().phrase_frequencies(["run", "dog"]) == {5: (2, 4)}
    assert lists().phrase_frequencies(["dog", "none"]) == {}


def test_the_best_chunks_pass_the_filter() -> None:
    words = [
        QueryTerm('"cat"', in_query=True, document_frequency=1, term=3),
        QueryTerm('"none"', in_query=True, document_frequency=0),
        QueryTerm('"x y"', in_query=True, document_frequency=1, scores={6: 0.25}),
    ]
    assert [one for one, _ in lists().best(words, None, 9)] == [8, 6]
    assert [one for one, _ in lists().best(words, None, 1)] == [8]
    assert lists().best(words, Allowed(frozenset({1}), of_chunks=False, documents=1), 9) == [(6, pytest.approx(0.25))]
    assert lists().best(words, Allowed(frozenset({7}), of_chunks=True, documents=1), 9) == []
    assert lists().best(words, None, 0) == lists().best([], None, 9) == []


def test_chunks_are_scored_by_every_word_and_unknown_ones_left_out() -> None:
    words = [
        QueryTerm('"cat"', in_query=True, document_frequency=1, term=3),
        QueryTerm('"gone"', in_query=True, document_frequency=0),
    ]
    scores = lists().scores(words, [8, 99, 5])
    assert list(scores) == [8, 5]
    assert scores[8].bm25 == pytest.approx(dict(lists().best(words, None, 9))[8])
    assert scores[5] == (0.0, 0.0)

"""Posting lists of a snapshot, and what is found by them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from pincite.store.bm25 import QueryTerm
from pincite.store.postgres import packed, words
from pincite.store.postgres.sizes import COUNTED_FROM

IDS = {"run": 1, "dog": 2, "cat": 3, "gone": 4}
CHUNKS = {5: [0, 1, 2, 1, 2], 6: [1, 0, 2], 7: [0, 2, 1], 8: [0, 3, 3, 3]}


class Database:
    """Answers as the database would, for chunks of which the last one is in no segment; counts the statements."""

    def __init__(self, chunks: Mapping[int, list[int]], holding: Mapping[str, int] | None = None) -> None:
        self._rows = [
            (number, sum(term > 0 for term in terms), np.array(terms, "<u4").tobytes())
            for number, terms in chunks.items()
        ]
        self._holding = holding or {}
        self.statements: list[str] = []

    def recent(self) -> packed.Recent:
        return packed.to_recent(self._rows[-1:])

    def __call__(self, name: str, arguments: Any) -> list[tuple[Any, ...]]:
        self.statements.append(name)
        if name == "terms":
            return self._terms(**arguments)
        known = [(term, IDS[term]) for term in arguments[0] if term in IDS]
        if name == "term_lists":
            return [(*row, self._lists().get(row[1])) for row in known]
        if name == "lists":
            return [(number, self._lists()[number]) for number in arguments[0] if number in self._lists()]
        assert name == "forward"
        return [row for row in self._rows if row[0] in arguments[0]]

    def _terms(self, terms: list[str], most: int) -> list[tuple[Any, ...]]:
        rows, entries = list[tuple[Any, ...]](), 0
        for term in sorted(IDS.keys() & terms, key=lambda term: self._holding.get(term, 0)):
            counted = self._holding.get(term)
            entries += counted or 0
            is_listed = counted is None or entries <= most
            rows.append((term, IDS[term], counted, self._lists().get(IDS[term]) if is_listed else None, is_listed))
        return rows

    def _lists(self) -> dict[int, bytes]:
        terms, entries = packed.invert(packed.to_sequences(self._rows[:-1]))
        return {term: entries[terms == term].tobytes() for term in terms.tolist()}


def lists_of(database: Database, total: int = 4) -> words.TermLists:
    return words.TermLists(database, total, 12, database.recent)


def test_terms_are_counted_in_segments_and_out_of_them_with_one_statement() -> None:
    database = Database(CHUNKS)
    lists = lists_of(database)
    assert lists.counts(["run", "dog", "cat", "gone", "horse"]) == [(1, 3), (2, 3), (3, 1), None, None]
    assert lists.counts(["cat"]) == [(3, 1)]
    assert database.statements == ["term_lists"]


def test_a_large_index_has_counted_its_terms_earlier() -> None:
    database = Database(CHUNKS, {"run": 99})
    assert lists_of(database, COUNTED_FROM).counts(["run", "dog"]) == [(1, 99), (2, 3)]
    assert database.statements == ["terms"]


def test_what_one_search_counted_is_known_to_the_next_which_asks_for_its_lists_alone() -> None:
    database, known = Database(CHUNKS, {"run": 99, "dog": 3}), words.TermCounts()
    first, lists = (words.TermLists(database, COUNTED_FROM, 12, database.recent, most=4, known=known) for _ in range(2))
    assert first.counts(["run", "horse"]) == lists.counts(["run", "horse"]) == [(1, 99), None]
    assert database.statements == ["terms"]
    assert lists.counts(["dog", "run"], with_lists=True) == [(2, 3), (1, 99)]
    assert len(lists.entries([2])[2]) == 3
    assert database.statements == ["terms", "terms"]


def test_the_lists_of_rare_terms_come_with_their_numbers() -> None:
    database = Database(CHUNKS, {"run": 99, "dog": 3, "cat": 1})
    lists = words.TermLists(database, COUNTED_FROM, 12, database.recent, most=4)
    assert lists.counts(["run", "dog", "cat"], with_lists=True) == [(1, 99), (2, 3), (3, 1)]
    assert [len(entries) for entries in lists.entries([2, 3]).values()] == [3, 1]
    assert database.statements == ["terms"]
    assert len(lists.entries([1])[1]) == 3
    assert database.statements == ["terms", "lists"]


def test_a_phrase_is_its_terms_side_by_side_in_one_column() -> None:
    lists = lists_of(Database(CHUNKS))
    assert lists.phrase_frequencies(["run", "dog"]) == {5: (2, 4)}
    assert lists.phrase_frequencies(["dog", "run", "dog"]) == {5: (1, 4)}
    assert lists.phrase_frequencies(["cat", "cat"]) == {8: (2, 3)}
    assert lists.phrase_frequencies(["run", "horse"]) == {}
    assert lists.phrase_frequencies([]) == {}


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_the_chunks_of_a_phrase_are_compared_in_batches(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_SEQUENCES_PER_BATCH", batch)
    assert lists_of(Database(CHUNKS)).phrase_frequencies(["run", "dog"]) == {5: (2, 4)}


def test_the_best_chunks_come_in_growing_parts_each_once() -> None:
    query = [
        QueryTerm('"run"', in_query=True, document_frequency=3, term=1),
        QueryTerm('"cat"', in_query=True, document_frequency=1, term=3),
    ]
    lists = lists_of(Database(CHUNKS), total=400)
    parts = list(lists.best(query, None, 1))
    assert [chunk_id for part in parts for chunk_id, _ in part] == [8, 5, 6, 7]
    assert [len(part) for part in parts] == [1, 3]
    scores = [score for part in parts for _, score in part]
    assert scores == sorted(scores, reverse=True)
    exact = lists.scores(query, [5, 6, 7, 8])
    assert {chunk_id: weight.bm25 for chunk_id, weight in exact.items()} == pytest.approx(
        dict(pair for part in parts for pair in part)
    )
    assert [chunk_id for part in lists.best(query, [6, 7], 9) for chunk_id, _ in part] == [6, 7]
    assert list(lists.best(query, [99], 9)) == []


def test_a_phrase_scores_more_where_it_is_more_frequent_and_the_text_shorter() -> None:
    scores = words.phrase_scores({1: (1, 10), 2: (2, 10), 3: (1, 100)}, total=50, all_tokens=1000)
    assert scores[2] > scores[1] > scores[3] > 0

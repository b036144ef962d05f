"""The places of terms in a chunk, and phrases found by them."""

from collections.abc import Mapping
from typing import Any

from pincite.store.postgres import words


def rows_of(chunks: Mapping[int, list[list[str]]], ids: Mapping[str, int]) -> words.Rows:
    """Answers as the database would, for chunks split into terms."""

    def rows(name: str, arguments: Any) -> list[tuple[Any, ...]]:
        if name == "term_ids":
            return [(term, ids[term]) for term in arguments[0] if term in ids]
        assert name == "phrase"
        found: list[tuple[Any, ...]] = []
        for chunk_id, columns in chunks.items():
            placed, length = words.places(columns)
            at = {ids[term]: ",".join(map(str, placed[term])) for term in placed if ids[term] in arguments[0]}
            if len(at) == arguments[1]:
                found.append((chunk_id, length, list(at), list(at.values())))
        return found

    return rows


def test_places_count_through_context_and_text_with_a_gap_between() -> None:
    placed, length = words.places([["a", "b"], ["b", "a", "a"]])
    assert placed == {"a": [0, 4, 5], "b": [1, 3]}
    assert length == 5


def test_a_phrase_is_its_terms_side_by_side_in_one_column() -> None:
    ids = {"run": 1, "dog": 2, "cat": 3}
    chunks = {5: [[], ["run", "dog", "run", "dog"]], 6: [["run"], ["dog"]], 7: [[], ["dog", "run"]]}
    rows = rows_of(chunks, ids)
    assert words.phrase_frequencies(rows, ["run", "dog"]) == {5: (2, 4)}
    assert words.phrase_frequencies(rows, ["dog", "run", "dog"]) == {5: (1, 4)}
    assert words.phrase_frequencies(rows, ["run", "horse"]) == {}
    assert words.phrase_frequencies(rows, []) == {}


def test_a_term_that_is_twice_in_a_phrase_has_to_be_there_twice() -> None:
    rows = rows_of({1: [[], ["the", "the"]], 2: [[], ["the"]]}, {"the": 1})
    assert words.phrase_frequencies(rows, ["the", "the"]) == {1: (1, 2)}


def test_a_phrase_scores_more_where_it_is_more_frequent_and_the_text_shorter() -> None:
    scores = words.phrase_scores({1: (1, 10), 2: (2, 10), 3: (1, 100)}, total=50, all_tokens=1000)
    assert scores[2] > scores[1] > scores[3] > 0

"""Each content type is among the results before any comes twice, and the results are in order of relevance."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.ranking.diversity import Candidate, diverse

TEXT, TABLE, LIST = "text", "table", "list"


def test_the_best_of_each_type_comes_in_before_the_rest() -> None:
    candidates = [
        Candidate(score, kind, 0.5) for score, kind in [(9, TEXT), (8, TEXT), (7, TEXT), (2, TABLE), (1, LIST)]
    ]
    assert diverse(candidates, 3) == [0, 3, 4]
    assert diverse(candidates, 4) == [0, 1, 3, 4]
    assert diverse(candidates, 9) == [0, 1, 2, 3, 4]


def test_where_there_is_no_room_for_all_types_the_most_relevant_come_in() -> None:
    candidates = [Candidate(1, LIST, 0.5), Candidate(3, TEXT, 0.5), Candidate(2, TABLE, 0.5)]
    assert diverse(candidates, 1) == [1]
    assert diverse(candidates, 2) == [1, 2]
    assert diverse(candidates, 0) == []


def test_importance_decides_between_equals_then_the_given_order() -> None:
    candidates = [Candidate(1, TEXT, 0.5), Candidate(1, TEXT, 0.7), Candidate(1, TEXT, 0.5)]
    assert diverse(candidates, 1) == [1]
    assert diverse(candidates, 3) == [1, 0, 2]


@given(
    st.lists(st.builds(Candidate, st.floats(-10, 10), st.sampled_from([TEXT, TABLE, LIST]), st.floats(0, 1))),
    st.integers(0, 8),
)
def test_every_type_is_there_if_there_is_room(candidates: list[Candidate], n: int) -> None:
    chosen = diverse(candidates, n)
    assert len(chosen) == len(set(chosen)) == min(n, len(candidates))
    relevance = [candidates[index].relevance for index in chosen]
    assert relevance == sorted(relevance, reverse=True)
    types = {candidate.content_type for candidate in candidates}
    assert len({candidates[index].content_type for index in chosen}) == min(n, len(types))

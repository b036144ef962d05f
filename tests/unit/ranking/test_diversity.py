from typing import NamedTuple

from pincite.ranking.diversity import distinct_first, diversified


class Candidate(NamedTuple):
    name: str
    kind: str
    score: float
    importance: float = 0.5


def chosen(candidates: list[Candidate], n: int) -> str:
    found = diversified(candidates, n, lambda each: each.kind, lambda each: each.score, lambda each: each.importance)
    return "".join(each.name for each in found)


def test_the_best_of_each_kind_comes_before_the_second_best_of_another() -> None:
    candidates = [
        Candidate("a", "text", 0.9),
        Candidate("b", "text", 0.8),
        Candidate("c", "text", 0.7),
        Candidate("d", "table", 0.2),
        Candidate("e", "list", 0.1),
    ]
    assert chosen(candidates, 3) == "ade"
    assert chosen(candidates, 4) == "abde"
    assert chosen(candidates, 9) == "abcde"
    assert chosen(candidates, 2) == "ad"


def test_the_more_important_of_equally_relevant_ones_is_preferred() -> None:
    candidates = [Candidate("a", "text", 0.5, 0.3), Candidate("b", "text", 0.5, 0.9), Candidate("c", "list", 0.4)]
    assert chosen(candidates, 2) == "bc"
    assert chosen(candidates, 3) == "bac"


def test_nothing_is_chosen_from_nothing() -> None:
    assert chosen([], 5) == ""


def test_the_first_places_are_of_different_keys_and_the_rest_keeps_its_order() -> None:
    ranked = ["a1", "a2", "b1", "a3", "c1", "b2", "d1"]
    assert distinct_first(ranked, 3, lambda item: item[0]) == ["a1", "b1", "c1", "a2", "a3", "b2", "d1"]
    assert distinct_first(ranked, 0, lambda item: item[0]) == ranked


def test_too_few_keys_leave_the_order_after_their_best() -> None:
    assert distinct_first(["a1", "a2", "b1", "a3"], 5, lambda item: item[0]) == ["a1", "b1", "a2", "a3"]


def test_what_has_no_key_repeats_nothing() -> None:
    assert distinct_first(["1", "a2", "3", "a4"], 3, lambda item: "a" if "a" in item else None) == [
        "1",
        "a2",
        "3",
        "a4",
    ]

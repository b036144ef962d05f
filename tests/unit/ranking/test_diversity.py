from typing import NamedTuple

from pincite.ranking.diversity import diversified


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

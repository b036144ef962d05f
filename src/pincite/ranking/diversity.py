"""Choose among candidates so that every kind of content is there."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def diversified(
    candidates: Sequence[T],
    n: int,
    kind: Callable[[T], str],
    score: Callable[[T], float],
    importance: Callable[[T], float],
) -> list[T]:
    """Return n candidates, most relevant first: the best of each kind of content, then the most relevant others.

    Args:
        candidates: In any order; of equal ones the first is preferred.
        n: Maximum number.
        kind: Returns the kind of content.
        score: Returns the relevance.
        importance: Returns what decides between equally relevant ones.
    """

    def rank(number: int) -> tuple[float, float, int]:
        return -score(candidates[number]), -importance(candidates[number]), number

    ranked = sorted(range(len(candidates)), key=rank)
    best: dict[str, int] = {}
    for number in ranked:
        best.setdefault(kind(candidates[number]), number)
    firsts = list(best.values())
    chosen = [*firsts, *(number for number in ranked if number not in best.values())][:n]
    return [candidates[number] for number in sorted(chosen, key=rank)]


def distinct_first(ranked: Iterable[T], n: int, key: Callable[[T], Hashable | None]) -> list[T]:
    """Move the best item of each key to the front, up to a number of items; the rest keep their order.

    Args:
        ranked: Best first.
        n: Number of items without a repeated key, if there are enough keys.
        key: Returns what must not repeat; None for an item that repeats nothing.
    """
    seen: set[Hashable] = set()
    first: list[T] = []
    rest: list[T] = []
    for item in ranked:
        name = key(item)
        if len(first) < n and (name is None or name not in seen):
            first.append(item)
            seen.add(name)
        else:
            rest.append(item)
    return [*first, *rest]

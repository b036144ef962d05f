"""How near a passage is to a query, token by token."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pincite.model.vector import Vector

T = TypeVar("T")


def token_similarity(query: "Vector", passage: "Vector") -> float:
    """Return the mean, over the tokens of a query, of the cosine to the nearest token of a passage.

    A vector of a whole passage is a mean that says little of any word in it; this compares each word in its context
    with each (late interaction). Vectors are (tokens, dimensions), each of length 1; 0 where there is no token.
    """
    nearest = _nearest(query, passage)
    return float(nearest.mean()) if len(nearest) else 0.0


def weak_similarity(query: "Vector", passage: "Vector") -> float:
    """Return the mean as `token_similarity` does, over the half of the query's tokens that the passage meets worst.

    Most words of a question are met in any passage of its field; whether the passage answers it shows in the others.
    """
    nearest = sorted(map(float, _nearest(query, passage)))
    worst = nearest[: max(1, len(nearest) // 2)]
    return sum(worst) / len(worst) if worst else 0.0


def _nearest(query: "Vector", passage: "Vector") -> "Vector":
    """Return the cosine of each token of a query to the nearest token of a passage; none where there is no token."""
    return (query @ passage.T).max(axis=1) if len(passage) else query[:0, 0]


def reordered(ranked: Sequence[T], similarity: Callable[[T], float | None]) -> list[T]:
    """Sort the items that have a similarity by it; items without one keep their rank, and equal ones their order."""
    compared = [(value, item) for item in ranked if (value := similarity(item)) is not None]
    best_first = iter(sorted(compared, key=lambda pair: -pair[0]))
    return [item if similarity(item) is None else next(best_first)[1] for item in ranked]

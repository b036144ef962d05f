"""The diversity filter of contract 4: first the best of each content type, then the rest by relevance."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reranked chunk.

    Attributes:
        relevance: Higher for a better one.
        content_type: What it is: a table, a list, a heading, text.
        importance: Its importance score, which decides between equals.
    """

    relevance: float
    content_type: str
    importance: float


def diverse(candidates: Sequence[Candidate], n: int) -> list[int]:
    """Return the indexes of at most n candidates, in order of relevance.

    The best of each content type comes in before the second of any, as far as there is room; ties in relevance are
    decided by importance, then by the given order.
    """
    ranked = sorted(range(len(candidates)), key=lambda i: (-candidates[i].relevance, -candidates[i].importance, i))
    first_of: dict[str, int] = {}
    for index in ranked:
        first_of.setdefault(candidates[index].content_type, index)
    chosen = list(first_of.values())[:n]
    chosen += [index for index in ranked if index not in chosen][: n - len(chosen)]
    return [index for index in ranked if index in chosen]

"""How much the words of a query count beside its meaning."""

import math
from collections.abc import Callable, Sequence

from pincite.model.search import KeywordQuery

KEYWORD_WEIGHT = 0.66
"""Weight of the words beside the meaning; flat between 0.6 and 0.76 (0.7 over the study's nine sets)."""

IDENTIFIER_KEYWORD_WEIGHT = 1.0
"""The same for a query that names an identifier, path or version."""

LEAST_KNOWN = 0.01
"""Share of a query that counts as known to the model even where it knows none of it."""


def keyword_weight(
    query: KeywordQuery,
    chunks: int,
    document_frequencies: Callable[[Sequence[str]], Sequence[int]],
    is_english: Callable[[str], bool],
) -> float:
    """The weight of the words of this query.

    A name that the model never saw has no meaning to it. Where one chunk alone holds the name, that says
    where to look: the meaning counts only for the rest of the query, by idf.

    Args:
        query: What is searched for.
        chunks: Chunks in the index.
        document_frequencies: In how many of them each word stands.
        is_english: Whether the model knows a lower-case word.
    """
    base = IDENTIFIER_KEYWORD_WEIGHT if query.phrases else KEYWORD_WEIGHT
    words = (*query.terms, *query.phrases)
    if all(is_english(word.lower()) for word in words):
        return base
    whole, named = 0.0, 0.0
    for word, frequency in zip(words, document_frequencies(words), strict=True):
        idf = math.log1p((chunks - frequency + 0.5) / (frequency + 0.5))
        whole += idf
        if frequency == 1 and not is_english(word.lower()):
            named += idf
    return base / max(1 - named / whole, LEAST_KNOWN)

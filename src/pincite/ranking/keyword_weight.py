"""The weight of the keyword leg for a query."""

import math
from collections.abc import Callable, Sequence

from pincite.model.search import KeywordQuery

KEYWORD_WEIGHT = 0.66
"""Weight of the keyword leg; that of the semantic leg is 1.

Results are flat between 0.6 and 0.76; 0.7 was best over the study's nine sets.
"""

IDENTIFIER_KEYWORD_WEIGHT = 1.0
"""The same for a query with an identifier, path or version."""

MIN_KNOWN_SHARE = 0.01
"""Minimum share of a query that counts as known to the model, which bounds the weight to 100 times the base."""


def keyword_weight(
    query: KeywordQuery,
    chunks: int,
    document_frequencies: Callable[[Sequence[str]], Sequence[int]],
    is_english: Callable[[str], bool],
) -> float:
    """Return the weight of the keyword leg for a query.

    The model cannot embed a name that it does not know. If only one chunk contains the name, that chunk is
    most likely meant, so the semantic leg counts only by the idf share of the other words.

    Args:
        query: The query.
        chunks: Chunks in the index.
        document_frequencies: Returns the number of chunks that contain each word.
        is_english: Returns True if the model knows a lower-case word.
    """
    base = IDENTIFIER_KEYWORD_WEIGHT if query.phrases else KEYWORD_WEIGHT
    words = (*query.terms, *query.phrases)
    if all(is_english(word.lower()) for word in words):
        return base
    total_idf, name_idf = 0.0, 0.0
    for word, frequency in zip(words, document_frequencies(words), strict=True):
        idf = math.log1p((chunks - frequency + 0.5) / (frequency + 0.5))
        total_idf += idf
        if frequency == 1 and not is_english(word.lower()):
            name_idf += idf
    return base / max(1 - name_idf / total_idf, MIN_KNOWN_SHARE)

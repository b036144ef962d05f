"""The weight of the keyword leg for a query."""

import math
from collections.abc import Callable, Sequence

from pincite.model.search import KeywordQuery

KEYWORD_WEIGHT = 0.66
"""Weight of the keyword leg; the semantic leg has 1.

Results are flat between 0.6 and 0.76; 0.7 was best over the study's nine sets.
"""

IDENTIFIER_KEYWORD_WEIGHT = 1.0
"""The same for a query with an identifier, path or version."""

UNKNOWN_FACTOR = 2.0
"""Factor of the weight for a query without a word that the model knows.

Of 1.5 to 5, on questions in Russian, Arabic and Chinese (`eval/languages`): verbatim lines first .985 → .990,
descriptions within five .82 → .84."""

MIN_KNOWN_SHARE = 0.01
"""Minimum share of a query that counts as known to the model, which bounds the weight to 100 times the base."""


def keyword_weight(
    query: KeywordQuery,
    chunks: int,
    document_frequencies: Callable[[Sequence[str]], Sequence[int]],
    is_english: Callable[[str], bool],
    *,
    only_english: bool,
) -> float:
    """Return the weight of the keyword leg for a query.

    The model cannot embed a name that it does not know. If only one chunk contains the name, that chunk is
    most likely meant, so the semantic leg counts only by the idf share of the other words.

    Args:
        query: The query.
        chunks: Chunks in the index.
        document_frequencies: Returns the number of chunks that contain each word.
        is_english: Returns True if a lower-case word is English.
        only_english: Whether the model knows no other language.
    """
    base = IDENTIFIER_KEYWORD_WEIGHT if query.phrases else KEYWORD_WEIGHT
    words = (*query.terms, *query.phrases)
    english = [is_english(word.lower()) for word in words]
    if all(english):
        return base
    if only_english and not any(english):
        base *= UNKNOWN_FACTOR
    total_idf, name_idf = 0.0, 0.0
    for frequency, is_known in zip(document_frequencies(words), english, strict=True):
        idf = math.log1p((chunks - frequency + 0.5) / (frequency + 0.5))
        total_idf += idf
        if frequency == 1 and not is_known:
            name_idf += idf
    return base / max(1 - name_idf / total_idf, MIN_KNOWN_SHARE)

"""One absolute score from two legs: cosine and BM25.

The formula and its constants were measured over nine sets and 1,305 questions: the sum of the
cosine and a concave, absolute BM25 is never below either leg, needs no normalisation by query, and
its value can be compared between queries.
"""

import math
from collections.abc import Sequence

from pincite.model.search import Parts
from pincite.ranking.gain import GAIN

BM25_TERM = 2.2
"""`k1 + 1` for FTS5's k1 = 1.2: what one fully matched term adds per unit of idf."""

RRF_K = 60
"""The rank constant of reciprocal rank fusion (Cormack et al., 2009; contract 2)."""


def word_share(bm25: float, chunks: int) -> float:
    """BM25 mapped to 0..1: about how many rare words are fully matched, concave.

    Args:
        bm25: A positive BM25 value.
        chunks: Chunks in the index; the greatest idf grows with its logarithm.
    """
    matched = bm25 / (BM25_TERM * math.log(chunks + 1)) if chunks else 0.0
    return matched / (matched + 1)


def fused(cosine: float | None, bm25: float | None, chunks: int, gain: float = GAIN) -> Parts:
    """What meaning and words add to the score of a chunk; together 0..1.

    Args:
        cosine: Cosine with the query; None where the chunk has no vector yet (it counts as 0).
        bm25: BM25, positive; None where no word matched.
        chunks: Chunks in the index.
        gain: Weight of the words.
    """
    meaning = min(max(cosine or 0.0, 0.0), 1.0)
    words = word_share(bm25, chunks) if bm25 else 0.0
    return Parts(meaning / (1 + gain), gain * words / (1 + gain))


def reciprocal_ranks(meaning: Sequence[int], words: Sequence[int], weight: float) -> dict[int, Parts]:
    """Weighted reciprocal rank fusion of two rankings, k = 60, divided by its maximum: 1 is first on both.

    Args:
        meaning: Chunk ids, nearest first.
        words: Chunk ids, best BM25 first.
        weight: Share of the meaning, 0..1.
    """
    by_meaning = {chunk: weight * (RRF_K + 1) / (RRF_K + rank) for rank, chunk in enumerate(meaning, 1)}
    by_words = {chunk: (1 - weight) * (RRF_K + 1) / (RRF_K + rank) for rank, chunk in enumerate(words, 1)}
    both = dict.fromkeys([*meaning, *words])
    return {chunk: Parts(by_meaning.get(chunk, 0.0), by_words.get(chunk, 0.0)) for chunk in both}

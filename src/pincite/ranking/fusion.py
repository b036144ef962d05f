"""One absolute score from two legs: cosine and BM25.

The formula and its constants were measured over nine sets and 1,305 questions: the sum of the
cosine and a concave, absolute BM25 is never below either leg, needs no normalisation by query, and
its value can be compared between queries.
"""

import math
from collections.abc import Mapping, Sequence

from pincite.model.search import Parts
from pincite.ranking.keyword_weight import KEYWORD_WEIGHT

BM25_TERM = 2.2
"""`k1 + 1` for FTS5's k1 = 1.2: what one fully matched term adds per unit of idf."""

Shares = tuple[float, ...]
"""The first two or three fields of `Parts` without their names: of the chunks that are scored few are shown."""

RRF_K = 60
"""The rank constant of reciprocal rank fusion (Cormack et al., 2009; contract 2)."""


def keyword_share(bm25: float, chunks: int) -> float:
    """BM25 mapped to 0..1: about how many rare words are fully matched, concave.

    Args:
        bm25: A positive BM25 value.
        chunks: Chunks in the index; the greatest idf grows with its logarithm.
    """
    matched = bm25 / (BM25_TERM * math.log(chunks + 1)) if chunks else 0.0
    return matched / (matched + 1)


def fused_all(
    cosines: Mapping[int, float], weights: Mapping[int, float], chunks: int, keyword_weight: float = KEYWORD_WEIGHT
) -> dict[int, Shares]:
    """What meaning and words add to the score of each chunk; together 0..1.

    Args:
        cosines: Cosine with the query, by chunk; one that has no vector yet counts as 0.
        weights: BM25, by chunk; 0 where no word matched. Every chunk in it is scored.
        chunks: Chunks in the index.
        keyword_weight: Weight of the words.
    """
    whole, term = 1 + keyword_weight, BM25_TERM * math.log(chunks + 1) or math.inf
    # For each of some 400 chunks: comprehensions take a third of the time of a function of one chunk.
    matched = [bm25 / term if bm25 else 0.0 for bm25 in weights.values()]
    near = [cosines.get(chunk, 0.0) for chunk in weights]
    semantic = [0.0 if cosine <= 0.0 else cosine / whole if cosine < 1.0 else 1.0 / whole for cosine in near]
    keyword = [keyword_weight * (share / (share + 1)) / whole for share in matched]
    return dict(zip(weights, zip(semantic, keyword, strict=True), strict=True))


def reciprocal_ranks(semantic: Sequence[int], keyword: Sequence[int], weight: float) -> dict[int, Parts]:
    """Weighted reciprocal rank fusion of two rankings, k = 60, divided by its maximum: 1 is first on both.

    Args:
        semantic: Chunk ids, nearest first.
        keyword: Chunk ids, best BM25 first.
        weight: Share of the meaning, 0..1.
    """
    by_semantic_rank = {chunk: weight * (RRF_K + 1) / (RRF_K + rank) for rank, chunk in enumerate(semantic, 1)}
    by_keyword_rank = {chunk: (1 - weight) * (RRF_K + 1) / (RRF_K + rank) for rank, chunk in enumerate(keyword, 1)}
    both = dict.fromkeys([*semantic, *keyword])
    return {chunk: Parts(by_semantic_rank.get(chunk, 0.0), by_keyword_rank.get(chunk, 0.0)) for chunk in both}

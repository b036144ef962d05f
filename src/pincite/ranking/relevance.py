"""The probability that the documents answer a question at all.

A logistic model of five features, fitted by `eval/relevance.py --fit` on 2026-11-22 over twelve sets of questions
(manuals, standards, man pages, abstracts, this project's guide; 95 to 9,532 chunks): 746 whose answer is found within
five, 546 without one (foreign, of the same field, in everyday words), and 1,134 that other sets answer. Every set
counts alike. `docs/measurements.md` holds the figures with one corpus left out at a time. Fit it again when the
embedding model, the chunking or the candidates change.
"""

import math
from collections.abc import Collection
from typing import NamedTuple

COSINE_WEIGHT = 12.679
COVERAGE_WEIGHT = 2.925
SPREAD_WEIGHT = 21.555
UNKNOWN_WEIGHT = -1.969
SIZE_WEIGHT = -0.895
OFFSET = -1.784

VERBATIM = 0.9
"""The least for a query that occurs word for word, or names an identifier that one chunk holds with all other words."""

LOW = 0.17
"""Below this an answer carries a note: 2 % of the questions whose answer was found lie below, 96 % of foreign ones."""


class Evidence(NamedTuple):
    """What a search shows of whether the documents answer the question.

    Attributes:
        cosine: The highest cosine of a chunk with the query.
        coverage: The greatest share of the query's idf that one chunk holds, 0..1.
        spread: The standard deviation of the candidates' cosines: large where some chunks are close and others are not.
        unknown: How specific the most specific word is that no chunk holds (`Tokenizer.rarity`), 0..1.
        chunks: Chunks that were searched: the more there are, the closer is the closest by chance.
        verbatim: Whether the query, a phrase in it or an identifier occurs word for word.
    """

    cosine: float
    coverage: float
    spread: float
    unknown: float
    chunks: int
    verbatim: bool = False


def relevance(evidence: Evidence) -> float:
    """Return the probability that the documents answer the question; it tells nothing of a single hit."""
    logit = (
        COSINE_WEIGHT * evidence.cosine
        + COVERAGE_WEIGHT * evidence.coverage
        + SPREAD_WEIGHT * evidence.spread
        + UNKNOWN_WEIGHT * evidence.unknown
        + SIZE_WEIGHT * math.log(evidence.chunks + 1)
        + OFFSET
    )
    probability = 1 / (1 + math.exp(-logit))
    return max(probability, VERBATIM) if evidence.verbatim else probability


def spread(cosines: Collection[float]) -> float:
    """Return the standard deviation (`statistics.pstdev`, which is exact to the last digit, takes 1 ms for 400)."""
    mean = sum(cosines) / len(cosines)
    return math.sqrt(sum((cosine - mean) ** 2 for cosine in cosines) / len(cosines))

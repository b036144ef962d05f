"""The probability that the documents answer a question at all.

A logistic model of seven features, fitted by `eval/relevance.py --fit` on 2026-11-22 over twelve sets of questions
(manuals, standards, man pages, abstracts, this project's guide; 100 to 9,532 chunks): 734 whose answer is found within
five, 548 without one (foreign, of the same field, in everyday words), and 1,162 that other sets answer. Every set
counts alike. `docs/measurements.md` holds the figures with one corpus left out at a time. Fit it again when the
embedding model, the chunking or the candidates change.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

COSINE_WEIGHT = 14.338
COVERAGE_WEIGHT = 1.806
SPREAD_WEIGHT = 17.971
MISSING_WEIGHT = -2.476
UNKNOWN_WEIGHT = -1.149
CHUNKS_WEIGHT = -0.693
DOCUMENTS_WEIGHT = -0.207
OFFSET = -0.986

VERBATIM = 0.9
"""The least for a query that occurs word for word, or names an identifier that one chunk holds with all other words."""

LOW = 0.13
"""Below this an answer carries a note: 2 % of the questions whose answer was found lie below, 96 % of foreign ones."""

MIN_WORD_CHARS = 3
"""The shortest word that `missing` looks for: shorter ones occur inside other words of any text."""

STEM_SHARE = 0.6
"""The share of a word that counts as its stem: `encryp` for `encryption` (0.65 and 0.7 tell less)."""

MIN_STEM_CHARS = 4
"""Characters of the shortest stem, whatever its share: three occur in too many other words."""

_RUN = re.compile(rf"[^\W_]{{{MIN_WORD_CHARS},}}")


class Evidence(NamedTuple):
    """What a search shows of whether the documents answer the question.

    Attributes:
        cosine: The highest cosine of a chunk with the query.
        coverage: The greatest share of the query's idf that one chunk holds, 0..1.
        spread: The standard deviation of the candidates' cosines: large where some chunks are close and others are not.
        missing: The rarity of the rarest word that the chunks nearest in meaning lack (`missing`), 0..1.
        unknown: Whether a word occurs in no chunk at all.
        chunks: Chunks that were searched: the more there are, the closer is the closest by chance.
        documents: Their documents: chunks of one document resemble each other and give chance less to choose from.
        verbatim: Whether the query, a phrase in it or an identifier occurs word for word.
    """

    cosine: float
    coverage: float
    spread: float
    missing: float
    unknown: bool
    chunks: int
    documents: int
    verbatim: bool = False


def relevance(evidence: Evidence) -> float:
    """Return the probability that the documents answer the question; it tells nothing of a single hit."""
    logit = (
        COSINE_WEIGHT * evidence.cosine
        + COVERAGE_WEIGHT * evidence.coverage
        + SPREAD_WEIGHT * evidence.spread
        + MISSING_WEIGHT * evidence.missing
        + UNKNOWN_WEIGHT * evidence.unknown
        + CHUNKS_WEIGHT * math.log(evidence.chunks + 1)
        + DOCUMENTS_WEIGHT * math.log(evidence.documents + 1)
        + OFFSET
    )
    probability = 1 / (1 + math.exp(-logit))
    return max(probability, VERBATIM) if evidence.verbatim else probability


def missing(words: Iterable[str], texts: Iterable[str], rarity: Callable[[str], float]) -> float:
    """Return the rarity of the rarest word that occurs in none of the texts, in any form; 0 if all words occur.

    Args:
        words: The words of the query.
        texts: The texts of the chunks nearest in meaning.
        rarity: Returns how specific a lower-case word is, 0..1 (`Tokenizer.rarity`).
    """
    folded = "\n".join(texts).casefold()
    absent = (word for word in words if not all(stem in folded for stem in _stems(word.casefold())))
    return max((rarity(word.lower()) for word in absent), default=0.0)


def _stems(word: str) -> list[str]:
    """Return the stem of each part of a lower-case word: `retry-after` has two parts."""
    runs: list[str] = _RUN.findall(word)
    return [run[: max(MIN_STEM_CHARS, math.ceil(STEM_SHARE * len(run)))] for run in runs]


def spread(cosines: Collection[float]) -> float:
    """Return the standard deviation (`statistics.pstdev`, which is exact to the last digit, takes 1 ms for 400)."""
    mean = sum(cosines) / len(cosines)
    return math.dist(list(cosines), [mean] * len(cosines)) / math.sqrt(len(cosines))

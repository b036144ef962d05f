"""The probability that the documents answer a question at all.

A logistic model of the highest cosine and two features of the words. If its probability is uncertain (`DOUBT`), it is
averaged with a second model, which compares the first hits token by token instead of the cosine. Both were fitted by
`eval/retrieval/relevance.py --fit` to questions answered within five hits and to questions without an answer: near the
topic of the documents (written so, or asked without the pages that answer), of the same field, foreign. Every set
counts alike. Decision 0079 has their accuracy with one corpus left out at a time. Fit them again when the embedding
model, the chunking or the candidates change.
"""

import math
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Weights(NamedTuple):
    """The weights of a model's features (see `Evidence`), and its offset."""

    meaning: float
    coverage: float
    missing: float
    offset: float


BY_COSINE = Weights(8.466, 2.545, -1.615, -4.887)
"""The model whose meaning is the highest cosine."""

BY_TOKENS = Weights(11.708, 1.374, -1.021, -5.469)
"""The model whose meaning is the weak similarity."""

DOUBT = (0.02, 0.3)
"""Probabilities between which the first hits are compared token by token: one of eight answered questions, and two
of five near the topic. Up to .5 it would be one of four, and gain hardly anything."""

MIN_ENGLISH_SHARE = 0.4
"""Share of English words in a question below which relevance is None: the models were fitted to English questions."""

COMPARED_HITS = 3
"""First hits that are compared (one is less accurate, five not more)."""

VERBATIM = 0.9
"""The least for a query that occurs word for word, or names an identifier that one chunk holds with all other words."""

LOW = 0.1
"""Below this an answer carries a note: 1 % of the answered questions are below, and 93 % of the foreign ones."""

MIN_WORD_CHARS = 3
"""The shortest word that `missing` searches for: shorter ones occur inside other words of any text."""

STEM_SHARE = 0.6
"""The share of a word that counts as its stem: `encryp` for `encryption` (0.65 and 0.7 are less accurate)."""

MIN_STEM_CHARS = 4
"""Characters of the shortest stem, whatever its share: three occur in too many other words."""

_RUN = re.compile(rf"[^\W_]{{{MIN_WORD_CHARS},}}")


class Evidence(NamedTuple):
    """What a search shows of whether the documents answer the question.

    Attributes:
        cosine: The highest cosine of a chunk with the query.
        coverage: The greatest share of the query's idf that one chunk holds, 0..1.
        missing: The rarity of the rarest word that the chunks nearest in meaning lack (`missing`), 0..1.
        verbatim: Whether the query, a phrase in it or an identifier occurs word for word.
        weak_similarity: The greatest `weak_similarity` of one of the first hits; None if they were not compared.
    """

    cosine: float
    coverage: float
    missing: float
    verbatim: bool = False
    weak_similarity: float | None = None


def relevance(evidence: Evidence) -> float:
    """Return the probability that the documents answer the question; it is no property of a single hit."""
    by_cosine = probability(evidence, BY_COSINE, evidence.cosine)
    if evidence.weak_similarity is None:
        return by_cosine
    return (by_cosine + probability(evidence, BY_TOKENS, evidence.weak_similarity)) / 2


def probability(evidence: Evidence, weights: Weights, meaning: float) -> float:
    """Return the probability by one model, from its weights and its measure of meaning."""
    logit = (
        weights.meaning * meaning
        + weights.coverage * evidence.coverage
        + weights.missing * evidence.missing
        + weights.offset
    )
    result = 1 / (1 + math.exp(-logit))
    return max(result, VERBATIM) if evidence.verbatim else result


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

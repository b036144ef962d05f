"""The probability that the documents answer a question at all.

Two logistic models: one of seven features that every search has; and where that one doubts, one that knows how near the
first hits are token by token, in place of the highest cosine. The more confident one counts. They were fitted by
`eval/retrieval/relevance.py --fit` over twelve sets of questions (manuals, standards, man pages, abstracts, this
project's guide; 100 to 9,532 chunks): some 730 whose answer is found within five, 548 without one
(foreign, of the same field, in everyday words), and 1,162 that other sets answer. Every set counts alike.
With one corpus left out at a time, 95 % of the foreign questions are noted and 1.4 % at most of a set's answered ones
(decision 0079). Fit it again when the embedding model, the chunking or the candidates change.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple


class Weights(NamedTuple):
    """The weights of a model's features (see `Evidence`), and its offset."""

    meaning: float
    coverage: float
    spread: float
    missing: float
    unknown: float
    chunks: float
    documents: float
    offset: float


BY_COSINE = Weights(14.338, 1.806, 17.971, -2.476, -1.149, -0.693, -0.207, -0.986)
"""The model whose meaning is the highest cosine."""

BY_TOKENS = Weights(14.344, 0.801, 28.339, -1.566, -0.88, 0.0, -0.283, -5.708)
"""The model whose meaning is the weak similarity. Without the number of chunks: with it, what is fitted with a corpus
and without it differ too much (decision 0079)."""

DOUBT = (0.01, 0.3)
"""Between these the first hits are compared token by token: 6 % of the questions whose answer was found lie there, and
a quarter of the foreign ones."""

MIN_ENGLISH_SHARE = 0.4
"""Share of English words in a question below which nothing is said: the models were fitted to English questions."""

COMPARED_HITS = 3
"""First hits that are compared (one tells less, five no more)."""

VERBATIM = 0.9
"""The least for a query that occurs word for word, or names an identifier that one chunk holds with all other words."""

LOW = 0.2
"""Below this an answer carries a note: 1 % of the questions whose answer was found lie below, 96 % of foreign ones."""

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
        weak_similarity: The greatest `weak_similarity` of one of the first hits; None if they were not compared.
    """

    cosine: float
    coverage: float
    spread: float
    missing: float
    unknown: bool
    chunks: int
    documents: int
    verbatim: bool = False
    weak_similarity: float | None = None


def relevance(evidence: Evidence) -> float:
    """Return the probability that the documents answer the question; it tells nothing of a single hit."""
    by_cosine = probability(evidence, BY_COSINE, evidence.cosine)
    if evidence.weak_similarity is None:
        return by_cosine
    return max(by_cosine, probability(evidence, BY_TOKENS, evidence.weak_similarity))


def probability(evidence: Evidence, weights: Weights, meaning: float) -> float:
    """Return the probability by one model, of its weights and what it takes for the meaning."""
    logit = (
        weights.meaning * meaning
        + weights.coverage * evidence.coverage
        + weights.spread * evidence.spread
        + weights.missing * evidence.missing
        + weights.unknown * evidence.unknown
        + weights.chunks * math.log(evidence.chunks + 1)
        + weights.documents * math.log(evidence.documents + 1)
        + weights.offset
    )
    found = 1 / (1 + math.exp(-logit))
    return max(found, VERBATIM) if evidence.verbatim else found


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

"""Search: two legs, one score."""

import heapq
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite.index.view import IndexView
from pincite.model.search import EVERYTHING, Allow, Hit, Parts, Scored, Weighed, WordQuery
from pincite.ranking.fusion import Shares, fused_all, reciprocal_ranks, word_share
from pincite.ranking.gain import GAIN, gain
from pincite.ranking.query import word_query
from pincite.ranking.relevance import relevance
from pincite.store.base import Snapshot

if TYPE_CHECKING:
    from pincite.model.vector import Vector

CANDIDATES = 200
"""Chunks that each leg brings in (`measured`: 50 loses 0.002 to 0.014, 200 nothing)."""

SHOWN_DIGITS = 6
"""Scores are rounded before they order the list, so that ties are ties in what is shown too."""


class Method(StrEnum):
    """How what the legs found is ordered."""

    FUSED = "fused"
    RRF = "rrf"
    WORDS = "words"
    MEANING = "meaning"


class SearchType(StrEnum):
    """Which legs took part."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        hits: Best first.
        search_type: Which legs took part.
        chunks: Chunks that were searched, after the filter.
        relevance: The probability that the documents speak of the question at all; None where words alone ranked.
        did_you_mean: What was searched for instead of the question; None where no word was repaired.
    """

    hits: Sequence[Hit]
    search_type: SearchType
    chunks: int
    relevance: float | None = None
    did_you_mean: str | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What to search for.

    Attributes:
        query: As the user typed it, or repaired.
        embed: Turns the query into a vector; None to search by words alone.
        knows: Whether the embedder knows a lower-case word.
        allow: Which chunks may be found.
        n: How many hits.
        synonyms: Other words for what the query names.
        method: How hits are ordered.
        meaning_share: The weight of the meaning in reciprocal rank fusion.
    """

    query: str
    embed: "Callable[[str], Vector] | None"
    knows: Callable[[str], bool]
    allow: Allow
    n: int
    synonyms: tuple[str, ...] = ()
    method: Method = Method.FUSED
    meaning_share: float = 0.7


def search(view: IndexView, asked: Search, beside: Executor) -> Found:
    """The best chunks for a question.

    Args:
        view: Where to search.
        asked: What for.
        beside: Runs the word leg while the query is embedded and the vectors are scanned, and a part of that scan.
    """
    snapshot = view.snapshot
    searched = snapshot.count(asked.allow)
    total = searched if asked.allow.documents is None else snapshot.count(EVERYTHING)
    wanted = replace(word_query(asked.query), synonyms=asked.synonyms)
    if asked.embed is not None and asked.method is not Method.WORDS:
        legs = _both(snapshot, asked, asked.embed, wanted, beside)
        if legs.near:
            plain = _fused(legs, total, GAIN)
            search_type, scores = _scores(asked, legs, plain, total, gain(wanted, total, snapshot.holding, asked.knows))
            hits = _hits(view, scores, legs.cosines, asked.n)
            return Found(hits, search_type, searched, _relevance(legs, plain))
    # Words alone weigh themselves: a first answer by words need not wait for NumPy.
    words = snapshot.words(wanted, asked.allow, CANDIDATES)
    shares = {s.chunk_id: Parts(0.0, word_share(s.score, total)) for s in words}
    return Found(_hits(view, shares, {}, asked.n), SearchType.KEYWORD, searched)


@dataclass(frozen=True, slots=True)
class _Legs:
    """What both legs brought in, every candidate with its cosine (if it has a vector) and weighed by every word."""

    near: Sequence[Scored]
    words: Sequence[int]
    cosines: Mapping[int, float]
    weighed: Mapping[int, Weighed]


_WordLeg = tuple[dict[int, Weighed], dict[int, float]]
"""What the words bring in: by chunk, what it weighs, and its cosine if it has a vector."""


def _both(
    snapshot: Snapshot, asked: Search, embed: "Callable[[str], Vector]", wanted: WordQuery, beside: Executor
) -> _Legs:
    embedded: Future[Vector] = Future()
    by_words = None
    if asked.method is not Method.MEANING:
        by_words = beside.submit(_word_leg, snapshot, asked, wanted, embedded)
    try:
        embedded.set_result(embed(asked.query))
    except BaseException as error:
        embedded.set_exception(error)
        raise
    near = snapshot.nearest(embedded.result(), asked.allow, CANDIDATES, beside)
    weighed, cosines = _by_words(by_words, snapshot, asked, wanted, embedded) if by_words else ({}, {})
    words = list(weighed)
    cosines = dict(near) | cosines
    if near:
        weighed |= snapshot.weigh(wanted, [chunk for chunk in cosines if chunk not in weighed])
    return _Legs(near, words, cosines, weighed)


def _by_words(
    leg: "Future[_WordLeg]", snapshot: Snapshot, asked: Search, wanted: WordQuery, embedded: "Future[Vector]"
) -> "_WordLeg":
    """The result of the word leg; it runs here where no thread has begun it, as on a busy machine."""
    return _word_leg(snapshot, asked, wanted, embedded) if leg.cancel() else leg.result()


def _word_leg(snapshot: Snapshot, asked: Search, wanted: WordQuery, embedded: "Future[Vector]") -> "_WordLeg":
    """What the words bring in, weighed and with its cosines while the vectors are still scanned."""
    if asked.method is Method.RRF:
        # A rank on this leg counts also where the meaning did not find the chunk.
        found = [scored.chunk_id for scored in snapshot.words(wanted, asked.allow, CANDIDATES)]
    else:
        found = snapshot.candidates(wanted, asked.allow, CANDIDATES)
    return snapshot.weigh(wanted, found), snapshot.similarities(embedded.result(), found)


def _scores(
    asked: Search, legs: _Legs, plain: Mapping[int, Shares], total: int, words_count: float
) -> tuple[SearchType, Mapping[int, Shares]]:
    """What each leg adds to every candidate's score."""
    if asked.method is Method.MEANING or not any(weight.bm25 for weight in legs.weighed.values()):
        return SearchType.SEMANTIC, {s.chunk_id: Parts(max(0.0, s.score), 0.0) for s in legs.near}
    if asked.method is Method.RRF:
        by_words = sorted(legs.words, key=lambda chunk: (-legs.weighed[chunk].bm25, chunk))
        ranked = reciprocal_ranks([s.chunk_id for s in legs.near], by_words, asked.meaning_share)
        return SearchType.HYBRID, ranked
    return SearchType.HYBRID, plain if words_count == GAIN else _fused(legs, total, words_count)


def _fused(legs: _Legs, total: int, words_count: float) -> Mapping[int, Shares]:
    weights = {chunk: bm25 for chunk, (bm25, _) in legs.weighed.items()}
    return fused_all(legs.cosines, weights, total, words_count)


def _relevance(legs: _Legs, plain: Mapping[int, Shares]) -> float:
    """By the best score at the one gain that it was fitted with, whatever ordered the list."""
    best = max([meaning + words for meaning, words in plain.values()])
    return relevance(best, max([coverage for _, coverage in legs.weighed.values()]))


def _hits(view: IndexView, scores: Mapping[int, Shares], cosines: Mapping[int, float], n: int) -> list[Hit]:
    """The best n. Ties go by document name, then document order, so that ties at the end are looked up too."""
    summed = {chunk: meaning + words for chunk, (meaning, words) in scores.items()}
    least = heapq.nlargest(n, summed.values())[-1:] if len(summed) > n else [-1.0]
    # Rounding costs more than all the rest: only what can be shown is rounded.
    near = {chunk: score for chunk, score in summed.items() if score > least[0] - 10**-SHOWN_DIGITS}
    shown = {chunk: round(score, SHOWN_DIGITS) for chunk, score in near.items()}
    ranked = sorted(shown, key=lambda chunk: -shown[chunk])
    last = shown[ranked[n - 1]] if len(ranked) > n else -1.0
    wanted = [chunk for chunk in ranked if shown[chunk] >= last]
    found = [Hit(c, shown[c.id], cosines.get(c.id), Parts(*scores[c.id])) for c in view.snapshot.chunks(wanted)]
    found.sort(key=lambda hit: (-hit.score, hit.chunk.document, hit.chunk.chunk.ordinal))
    return found[:n]

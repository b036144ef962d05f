"""Search: two legs, one score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite.index.view import IndexView
from pincite.model.search import EVERYTHING, Allow, Hit, Scored, Weighed
from pincite.ranking.fusion import GAIN, IDENTIFIER_GAIN, fused, reciprocal_ranks, word_share
from pincite.ranking.query import word_query
from pincite.ranking.relevance import relevance

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
    """

    hits: Sequence[Hit]
    search_type: SearchType
    chunks: int
    relevance: float | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What to search for.

    Attributes:
        query: As the user typed it.
        vector: The embedded query; None to search by words alone.
        allow: Which chunks may be found.
        n: How many hits.
        method: How they are ordered.
        meaning_share: The weight of the meaning in reciprocal rank fusion.
    """

    query: str
    vector: "Vector | None"
    allow: Allow
    n: int
    method: Method = Method.FUSED
    meaning_share: float = 0.7


def search(view: IndexView, asked: Search) -> Found:
    """The best chunks for a question."""
    snapshot = view.snapshot
    searched = snapshot.count(asked.allow)
    total = searched if asked.allow.documents is None else snapshot.count(EVERYTHING)
    wanted = word_query(asked.query)
    words: list[Scored] = []
    if asked.method is not Method.MEANING:
        words = snapshot.words(wanted, asked.allow, CANDIDATES)
    near: list[Scored] = []
    if asked.vector is not None and asked.method is not Method.WORDS:
        near = snapshot.nearest(asked.vector, asked.allow, CANDIDATES)
    cosines = {s.chunk_id: s.score for s in near}
    if near and asked.vector is not None:
        cosines |= snapshot.similarities(asked.vector, [s.chunk_id for s in words if s.chunk_id not in cosines])
    # Each leg only brings candidates in; all of them are weighed by every word. Words alone weigh themselves:
    # a first answer by words need not wait for NumPy.
    weighed = snapshot.weigh(wanted, list({s.chunk_id for s in words} | cosines.keys())) if near else {}
    shares = {s.chunk_id: word_share(s.score, total) for s in words}
    shares |= {i: word_share(w.bm25, total) for i, w in weighed.items()}
    gain = IDENTIFIER_GAIN if wanted.phrases else GAIN
    search_type, scores = _scores(asked, words, near, cosines, weighed, total, gain)
    hits = _hits(view, scores, cosines, shares, asked.n)
    return Found(hits, search_type, searched, _relevance(weighed, cosines, total) if near else None)


def _scores(
    asked: Search,
    words: Sequence[Scored],
    near: Sequence[Scored],
    cosines: Mapping[int, float],
    weighed: Mapping[int, Weighed],
    total: int,
    gain: float,
) -> tuple[SearchType, dict[int, float]]:
    """Every candidate's score, by the legs that there are."""
    if not near:
        return SearchType.KEYWORD, {s.chunk_id: word_share(s.score, total) for s in words}
    if not words:
        return SearchType.SEMANTIC, {s.chunk_id: max(0.0, s.score) for s in near}
    if asked.method is Method.RRF:
        ranked = [s.chunk_id for s in near], [s.chunk_id for s in words]
        return SearchType.HYBRID, reciprocal_ranks(*ranked, asked.meaning_share)
    return SearchType.HYBRID, {i: fused(cosines.get(i), w.bm25, total, gain) for i, w in weighed.items()}


def _relevance(weighed: Mapping[int, Weighed], cosines: Mapping[int, float], total: int) -> float:
    """What `ranking.relevance` makes of the best fused score and the best coverage, whatever ordered the list."""
    best = max(fused(cosines.get(i), w.bm25, total) for i, w in weighed.items())
    return relevance(best, max(w.coverage for w in weighed.values()))


def _hits(
    view: IndexView, scores: Mapping[int, float], cosines: Mapping[int, float], shares: Mapping[int, float], n: int
) -> list[Hit]:
    """The best n. Ties go by document name, then document order, so that ties at the end are looked up too."""
    shown = {chunk: round(score, SHOWN_DIGITS) for chunk, score in scores.items()}
    ranked = sorted(shown, key=lambda chunk: -shown[chunk])
    last = shown[ranked[n - 1]] if len(ranked) > n else -1.0
    wanted = [chunk for chunk in ranked if shown[chunk] >= last]
    found = [Hit(c, shown[c.id], cosines.get(c.id), shares[c.id]) for c in view.snapshot.chunks(wanted)]
    found.sort(key=lambda hit: (-hit.score, hit.chunk.document, hit.chunk.chunk.ordinal))
    return found[:n]

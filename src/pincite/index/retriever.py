"""Hybrid search: a semantic and a keyword leg, fused into one score."""

import heapq
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Protocol

from pincite.index.code_names import definition_boosts
from pincite.index.phrases import (
    COMPARED_BY_KEYWORDS,
    COMPLETE,
    NO_PHRASES,
    PhraseMatches,
    PhraseSearch,
    best,
    chunks_with_all,
    complete,
    match_phrases,
    phrase_candidates,
    phrase_search,
)
from pincite.model.chunk import last_heading
from pincite.model.search import NO_FILTER, Filter, Hit, KeywordQuery, KeywordScore, Parts, Scored
from pincite.model.store import StoredChunk
from pincite.ranking.fusion import SEMANTIC_WEIGHT, Shares, fused_all, keyword_share, reciprocal_ranks
from pincite.ranking.keyword_weight import KEYWORD_WEIGHT, keyword_weight
from pincite.ranking.phrases import raise_matches
from pincite.ranking.query import keyword_query
from pincite.ranking.relevance import Evidence, missing, relevance
from pincite.store.base import Snapshot
from pincite.store.stems import MARKS, query_stems
from pincite.text.prose import contents_titles, letters, says_something

if TYPE_CHECKING:
    from pincite.model.vector import Vector

CANDIDATES = 200
"""Candidates per leg (measured: 50 loses 0.002 to 0.014, 200 nothing)."""

SURVEY_CHUNKS = 5
"""Chunks nearest in meaning that are searched for every word of the query (3 tell less, 10 no more)."""

NEAR_CHUNKS = 8
"""Chunks on each side of a heading alone, of which one with text is the better hit: few headings in a row have none."""

MIN_TITLES = 3
"""Titles from which a passage may be a table of contents: one or two headings end in a number of their own."""

CONTENTS_SHARE = 0.7
"""Share of a table of contents that is headings: the rest is page numbers, running heads, and text before it."""

SHOWN_DIGITS = 6
"""Decimals of a score. Scores are rounded before sorting, so that equal shown scores are ties."""


class Method(StrEnum):
    """How what the legs found is ordered.

    `KEYWORD` raises chunks that contain a phrase of the query; `BM25` returns only those with each one in quotation
    marks. `BEST` is `RRF` with the words that a
    question implies; who asks for it refines the order.
    """

    FUSED = "fused"
    BEST = "best"
    RRF = "rrf"
    KEYWORD = "keyword"
    BM25 = "bm25"
    SEMANTIC = "semantic"


class Legs(Protocol):
    """What finds the candidates of a search: a snapshot, or a mirror that holds the same."""

    def keywords(self, query: KeywordQuery, where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.keywords`."""
        ...

    def nearest(self, vector: "Vector", where: Filter, n: int) -> list[Scored]:
        """See `Snapshot.nearest`."""
        ...


_WITH_PHRASES = (Method.FUSED, Method.KEYWORD)
"""Methods that raise phrases and definitions; the others are published methods, unchanged for comparison and for
contract 2."""

RANK_METHODS = (Method.BEST, Method.RRF)
"""Methods that fuse the ranks of both legs."""

KEYWORD_METHODS = (Method.KEYWORD, Method.BM25)
"""Methods that search keywords alone."""


class SearchType(StrEnum):
    """Which legs took part."""

    HYBRID = "hybrid"
    SEMANTIC = "semantic"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """The result of a search.

    Attributes:
        hits: Best first.
        search_type: The legs that took part.
        chunks: Number of searched chunks, after the filter.
        relevance: Probability that the documents answer the question; None for keyword search.
        did_you_mean: The corrected question that was searched; None without a correction.
        evidence: The features of the relevance model.
        missing_phrases: Phrases in quotation marks that no chunk contains; their words were searched.
        keyword_reason: Why the search fell back to keywords alone; empty if it did not.
        mirror_reason: Why the library's own vectors were searched instead of the mirror's; empty if they were not.
        semantic_reason: Why hybrid search fell back to meaning alone; empty if it did not.
        clause_reason: Why other clauses were searched than the query names; empty if they were not.
        query_tokens: The vectors of the query's tokens; None if nothing was compared token by token.
    """

    hits: Sequence[Hit]
    search_type: SearchType
    chunks: int
    relevance: float | None = None
    did_you_mean: str | None = None
    evidence: Evidence | None = None
    missing_phrases: tuple[str, ...] = ()
    keyword_reason: str = ""
    mirror_reason: str = ""
    semantic_reason: str = ""
    clause_reason: str = ""
    query_tokens: "Vector | None" = field(default=None, compare=False, repr=False)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Every reason why the search was not the one that was meant."""
        return tuple(filter(None, (self.keyword_reason, self.semantic_reason, self.mirror_reason, self.clause_reason)))


@dataclass(frozen=True, slots=True)
class Query:
    """A query with its parameters.

    Attributes:
        text: As the user typed it, or corrected.
        embed: Embeds the query; None for keyword search.
        knows: Returns True if the embedder's vocabulary has a lower-case word.
        only_english: Whether the embedder knows no other language than English.
        rarity: Returns how rare a lower-case word is, 0..1.
        where: Restricts the chunks.
        n: Number of hits.
        synonyms: Synonyms of the query's terms.
        method: How hits are ranked.
        semantic_weight: Weight of the semantic leg in reciprocal rank fusion.
    """

    text: str
    embed: "Callable[[str], Vector] | None"
    knows: Callable[[str], bool]
    only_english: bool
    rarity: Callable[[str], float]
    where: Filter
    n: int
    synonyms: tuple[str, ...] = ()
    method: Method = Method.FUSED
    semantic_weight: float = SEMANTIC_WEIGHT


def search(snapshot: Snapshot, query: Query, executor: Executor, legs: Legs | None = None) -> RetrievalResult:
    """Return the best chunks for a query.

    Args:
        snapshot: The snapshot to search.
        query: The query.
        executor: Runs the keyword leg in parallel with embedding and vector scan.
        legs: Find the candidates; the snapshot if None.
    """
    finding = legs or snapshot
    searched = snapshot.count(query.where)
    total = (searched if query.where == NO_FILTER else snapshot.count(NO_FILTER)).chunks
    keywords = keyword_query(query.text)
    stems = query_stems(keywords.terms, snapshot.document_frequencies(MARKS), total)
    keywords = replace(keywords, synonyms=(*query.synonyms, *keywords.synonyms, *stems))
    phrases = phrase_search(query.text, query.knows) if query.method in _WITH_PHRASES else NO_PHRASES
    if query.method is Method.BM25 and (quoted := phrase_search(query.text, query.knows)).quoted:
        return _quoted(snapshot, query, keywords, quoted, searched.chunks, total)
    if query.embed is not None and query.method not in KEYWORD_METHODS:
        both = _both(snapshot, finding, query, query.embed, keywords, phrases, executor)
        if both.semantic:
            search_type, scores, matches = _scores(snapshot, query, keywords, phrases, both, total)
            surveyed = [scored.chunk_id for scored in both.semantic[:SURVEY_CHUNKS]]
            raised = _raised(snapshot, query, scores, matches)
            hits, texts = _hits(snapshot, raised, both.cosines, query.n, surveyed)
            evidence = _evidence(query, keywords, both, texts, verbatim=bool(matches.boosts))
            return RetrievalResult(
                hits, search_type, searched.chunks, relevance(evidence), None, evidence, matches.missing
            )
    shares, matches = _by_keywords(snapshot, finding, query, keywords, phrases, total)
    hits, _ = _hits(snapshot, _raised(snapshot, query, shares, matches), {}, query.n)
    return RetrievalResult(hits, SearchType.KEYWORD, searched.chunks, missing_phrases=matches.missing)


def _quoted(
    snapshot: Snapshot, query: Query, keywords: KeywordQuery, quoted: PhraseSearch, searched: int, total: int
) -> RetrievalResult:
    """Return the chunks that contain every phrase in quotation marks, by their BM25."""
    chunks = chunks_with_all(snapshot, quoted, query.where, CANDIDATES)
    weights = snapshot.score_keywords(keywords, chunks)
    scores = {chunk: Parts(0.0, keyword_share(weight.bm25, total)) for chunk, weight in weights.items()}
    missing_phrases = () if chunks else tuple(phrase.text for phrase in quoted.phrases)
    hits, _ = _hits(snapshot, scores, {}, query.n)
    return RetrievalResult(hits, SearchType.KEYWORD, searched, missing_phrases=missing_phrases)


def _by_keywords(
    snapshot: Snapshot, finding: Legs, query: Query, keywords: KeywordQuery, phrases: PhraseSearch, total: int
) -> tuple[dict[int, Parts], PhraseMatches]:
    """Return scores and phrase matches by keywords alone, without NumPy: a first answer need not wait for it."""
    scores = {s.chunk_id: s.score for s in finding.keywords(keywords, query.where, CANDIDATES)}
    holders = phrase_candidates(snapshot, phrases, query.where)
    if unscored := [chunk for chunk in holders if chunk not in scores]:
        scores |= {chunk: weight.bm25 for chunk, weight in snapshot.score_keywords(keywords, unscored).items()}
    compared = dict.fromkeys([*holders, *list(scores)[:COMPARED_BY_KEYWORDS]])
    matches = match_phrases(snapshot, phrases, list(compared))
    return {chunk: Parts(0.0, keyword_share(bm25, total)) for chunk, bm25 in scores.items()}, matches


@dataclass(frozen=True, slots=True)
class _Legs:
    """The candidates of both legs, each with its cosine (if it has a vector) and its full keyword score."""

    semantic: Sequence[Scored]
    keyword: Sequence[int]
    cosines: Mapping[int, float]
    keyword_scores: Mapping[int, KeywordScore]
    phrase_candidates: Sequence[int]


_KeywordLeg = tuple[dict[int, KeywordScore], dict[int, float], list[int]]
"""The keyword leg's candidates: keyword score by chunk, cosine by chunk (if it has a vector), and the chunks that may
contain a phrase."""


def _both(
    snapshot: Snapshot,
    finding: Legs,
    query: Query,
    embed: "Callable[[str], Vector]",
    keywords: KeywordQuery,
    phrases: PhraseSearch,
    executor: Executor,
) -> _Legs:
    embedded: Future[Vector] = Future()
    keyword_leg = None
    if query.method is not Method.SEMANTIC:
        keyword_leg = executor.submit(_keyword_leg, snapshot, finding, query, keywords, phrases, embedded)
    try:
        embedded.set_result(embed(query.text))
    except BaseException as error:
        embedded.set_exception(error)
        raise
    near = finding.nearest(embedded.result(), query.where, CANDIDATES)
    if keyword_leg is None:
        keyword_scores, cosines, holders = {}, {}, []
    elif keyword_leg.cancel():  # not started yet, as on a busy machine: run it in this thread
        keyword_scores, cosines, holders = _keyword_leg(snapshot, finding, query, keywords, phrases, embedded)
    else:
        keyword_scores, cosines, holders = keyword_leg.result()
    keyword = list(keyword_scores)
    cosines = dict(near) | cosines
    if near:
        keyword_scores |= snapshot.score_keywords(keywords, [chunk for chunk in cosines if chunk not in keyword_scores])
    return _Legs(near, keyword, cosines, keyword_scores, holders)


def _keyword_leg(
    snapshot: Snapshot,
    finding: Legs,
    query: Query,
    keywords: KeywordQuery,
    phrases: PhraseSearch,
    embedded: "Future[Vector]",
) -> _KeywordLeg:
    """Find and score the keyword candidates, with cosines, while the other thread scans the vectors."""
    if query.method in RANK_METHODS:
        # Ranks need the exact best chunks of this leg, even those that the semantic leg does not find.
        chunk_ids = [scored.chunk_id for scored in finding.keywords(keywords, query.where, CANDIDATES)]
    else:
        chunk_ids = snapshot.candidates(keywords, query.where, CANDIDATES)
    keyword_scores = snapshot.score_keywords(keywords, chunk_ids)
    holders = phrase_candidates(snapshot, phrases, query.where, keyword_scores)
    if unscored := [chunk for chunk in holders if chunk not in keyword_scores]:
        keyword_scores |= snapshot.score_keywords(keywords, unscored)
    return keyword_scores, snapshot.similarities(embedded.result(), list(keyword_scores)), holders


def _raised(
    snapshot: Snapshot, query: Query, scores: Mapping[int, Shares], matches: PhraseMatches
) -> dict[int, Shares]:
    """Return the scores with those raised that have a phrase of the query, or define a name in it."""
    if query.method not in _WITH_PHRASES:
        return raise_matches(scores, matches.boosts)
    defined = definition_boosts(snapshot, query.text, query.where, scores)
    boosts = dict(defined.boosts)
    for chunk, boost in matches.boosts.items():
        boosts[chunk] = max(boost, boosts.get(chunk, 0.0))
    return raise_matches({**scores, **dict.fromkeys(defined.added, Parts(0.0, 0.0))}, boosts)


def _scores(
    snapshot: Snapshot, query: Query, keywords: KeywordQuery, phrases: PhraseSearch, legs: _Legs, total: int
) -> tuple[SearchType, Mapping[int, Shares], PhraseMatches]:
    """Return the legs that took part, each candidate's parts of the score, and the matches of phrases."""
    if query.method in RANK_METHODS:  # hybrid also if no word matches: its scores are ranks, not cosines
        by_keywords = sorted(legs.keyword, key=lambda chunk: (-legs.keyword_scores[chunk].bm25, chunk))
        ranked = reciprocal_ranks([s.chunk_id for s in legs.semantic], by_keywords, query.semantic_weight)
        return SearchType.HYBRID, ranked, PhraseMatches({})
    matches = PhraseMatches({})
    if query.method is not Method.SEMANTIC:
        plain = _fused(legs, total, KEYWORD_WEIGHT)
        if phrases.phrases:
            compared = dict.fromkeys([*legs.phrase_candidates, *best(complete(legs.keyword_scores), plain)])
            matches = match_phrases(snapshot, phrases, list(compared))
        if any(weight.bm25 for weight in legs.keyword_scores.values()):
            weight = keyword_weight(
                keywords, total, snapshot.document_frequencies, query.knows, only_english=query.only_english
            )
            return SearchType.HYBRID, plain if weight == KEYWORD_WEIGHT else _fused(legs, total, weight), matches
    return SearchType.SEMANTIC, {s.chunk_id: (max(0.0, s.score), 0.0) for s in legs.semantic}, matches


def _fused(legs: _Legs, total: int, keyword_weight: float) -> Mapping[int, Shares]:
    weights = {chunk: bm25 for chunk, (bm25, _) in legs.keyword_scores.items()}
    return fused_all(legs.cosines, weights, total, keyword_weight)


def _evidence(
    query: Query,
    keywords: KeywordQuery,
    legs: _Legs,
    texts: Sequence[str],
    *,
    verbatim: bool,
) -> Evidence:
    """Return the features of the relevance model; `texts` come from the chunks nearest in meaning."""
    coverage = max(weight.coverage for weight in legs.keyword_scores.values())
    return Evidence(
        cosine=max(legs.cosines.values()),
        coverage=coverage,
        missing=missing((*keywords.terms, *keywords.phrases), texts, query.rarity),
        verbatim=verbatim or (coverage >= COMPLETE and bool(keywords.phrases)),
    )


def _hits(
    snapshot: Snapshot,
    scores: Mapping[int, Shares],
    cosines: Mapping[int, float],
    n: int,
    surveyed: Sequence[int] = (),
) -> tuple[list[Hit], list[str]]:
    """Return the n best hits, and the texts of other chunks, which are looked up with them: a statement less.

    Ties are ordered by document name and order. A passage that says nothing is no hit.
    """

    @cache
    def headings(document_id: int) -> AbstractSet[str]:
        breadcrumbs = {place.breadcrumb for place in snapshot.places(document_id)}
        return {letters(last_heading(breadcrumb)) for breadcrumb in breadcrumbs}

    while True:
        shown = _best(scores, n)
        stored = {chunk.id: chunk for chunk in snapshot.chunks(list(dict.fromkeys([*shown, *surveyed])))}
        blank = {chunk for chunk in shown if chunk in stored and _is_blank(snapshot, stored[chunk], headings)}
        if not blank:
            break
        scores = {chunk: shares for chunk, shares in scores.items() if chunk not in blank}
    hits = [
        Hit(stored[chunk], score, cosines.get(chunk), Parts(*scores[chunk]))
        for chunk, score in shown.items()
        if chunk in stored
    ]
    hits.sort(key=lambda hit: (-hit.score, hit.chunk.document, hit.chunk.chunk.ordinal))
    return hits[:n], [stored[chunk].chunk.text for chunk in surveyed if chunk in stored]


def _is_blank(snapshot: Snapshot, stored: StoredChunk, headings: Callable[[int], AbstractSet[str]]) -> bool:
    """Return True for front matter, and for a passage that says nothing (`says_something`) beside one of text.

    A table of contents says nothing that its headings do not.

    The passages below a heading are found by its words, too. A document of such alone is found by what it has.
    """
    chunk = stored.chunk
    if not chunk.body.strip():
        return True
    if says_something(chunk.body, chunk.heading) and not _is_contents(stored, headings):
        return False
    neighbours = snapshot.document_chunks(
        stored.document_id, max(0, chunk.ordinal - NEAR_CHUNKS), chunk.ordinal + NEAR_CHUNKS
    )
    return any(says_something(near.chunk.body, near.chunk.heading) for near in neighbours if near.id != stored.id)


def _is_contents(stored: StoredChunk, headings: Callable[[int], AbstractSet[str]]) -> bool:
    """Return True for a part of a table of contents: little else than headings of the document with their pages."""
    titles = contents_titles(stored.chunk.body)
    if len(titles) < MIN_TITLES:
        return False
    least = CONTENTS_SHARE * len(letters(stored.chunk.body))
    if sum(map(len, titles)) < least:
        return False
    known = headings(stored.document_id)
    return sum(len(title) for title in titles if title in known) >= least


def _best(scores: Mapping[int, Shares], n: int) -> dict[int, float]:
    """Return the n best scores as they are shown, and all that equal the last of them."""
    summed = dict(zip(scores, map(sum, scores.values()), strict=True))
    least = heapq.nlargest(n, summed.values())[-1:] if len(summed) > n else [-1.0]
    # Rounding costs more than the rest of this function, so only scores that may be shown are rounded.
    near = {chunk: score for chunk, score in summed.items() if score > least[0] - 10**-SHOWN_DIGITS}
    shown = {chunk: round(score, SHOWN_DIGITS) for chunk, score in near.items()}
    ranked = sorted(shown, key=lambda chunk: -shown[chunk])
    last = shown[ranked[n - 1]] if len(ranked) > n else -1.0
    return {chunk: shown[chunk] for chunk in ranked if shown[chunk] >= last}

"""The search of one collection: corrects the question, picks the legs and says why one of them is missing."""

import logging
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from pincite.embedding.base import PROVIDERS_OF_OTHER_LANGUAGES, TokenEmbedder
from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import TimeoutExceeded
from pincite.index.catalogue import Catalogue
from pincite.index.retriever import KEYWORD_METHODS, RANK_METHODS, Method, Query, RetrievalResult, SearchType, search
from pincite.index.updating.refresher import Refreshed
from pincite.index.updating.vectorizer import log_embedding
from pincite.model.call import Call
from pincite.model.search import NO_FILTER, Filter, Hit
from pincite.ranking.accounting import statement_words
from pincite.ranking.fusion import SEMANTIC_WEIGHT
from pincite.ranking.query import english_share
from pincite.ranking.relevance import COMPARED_HITS, DOUBT, MIN_ENGLISH_SHARE, relevance
from pincite.ranking.spelling import repair
from pincite.ranking.synonyms import Synonyms
from pincite.ranking.token_similarity import weak_similarity
from pincite.text.names.glob import Predicate

if TYPE_CHECKING:
    from pincite.index.mirrors.mirrored import MirroredLibrary
    from pincite.model.vector import Vector

log = logging.getLogger("pincite.embedding")

_NO_HYBRID = "Hybrid search is switched off (QDRANT_HYBRID_SEARCH): searched by meaning alone."


@dataclass(frozen=True, slots=True)
class Ranking:
    """What is searched and how hits are ranked.

    Attributes:
        method: How hits are ranked.
        keep: Returns True for the names of documents to search; None for all.
        where: A further filter.
        semantic_weight: Weight of the semantic leg in reciprocal rank fusion, 0..1.
    """

    method: Method = Method.FUSED
    keep: Predicate | None = None
    where: Filter = NO_FILTER
    semantic_weight: float = SEMANTIC_WEIGHT


@dataclass(frozen=True, slots=True)
class Searcher:
    """Searches one collection by keywords and, if possible, semantically.

    Attributes:
        embedder: The embedding model.
        catalogue: The ids of documents by name.
        synonyms: Synonyms of words.
        executor: Runs the keyword leg of each search in parallel with its vector scan.
        mirrored: The mirror that is searched instead of the collection while both hold the same; None without one.
    """

    embedder: LazyEmbedder
    catalogue: Catalogue
    synonyms: Synonyms
    executor: Executor
    mirrored: "MirroredLibrary | None" = None

    def search(self, index: Refreshed, call: Call, question: str, n: int, ranking: Ranking) -> RetrievalResult:
        """Return the n best chunks; see `View.search`."""
        method, semantic_reason = self._method(ranking.method, call)
        embedder = self.embedder.embedder
        # Looked up before the search: the model may finish loading before the reason is written.
        is_ready = self.embedder.ready(0)
        is_hybrid = is_ready and call.remaining() > 0 and _mostly_embedded(index)
        # A word may be unknown only because its document is not indexed yet.
        knows = embedder.tokenizer.knows
        repaired = question if index.waiting else repair(question, index.snapshot, knows, is_loaded=is_ready)
        # The published methods rank by the question as it is.
        implied = _implied_words(index, repaired) if method in (Method.FUSED, Method.BEST) else ()
        query = Query(
            repaired,
            embed=partial(self._embed_query, call, implied) if is_hybrid else None,
            knows=knows,
            only_english=embedder.provider not in PROVIDERS_OF_OTHER_LANGUAGES,
            rarity=embedder.tokenizer.rarity,
            where=self._filter(index, ranking),
            n=max(n, COMPARED_HITS),
            synonyms=tuple(dict.fromkeys((*self.synonyms.of(repaired), *implied))),
            method=method,
            semantic_weight=ranking.semantic_weight,
        )
        ranked = self._doubted(call, repaired, self._found(index, query))
        if ranked.evidence and not ranked.evidence.verbatim and english_share(repaired, knows) < MIN_ENGLISH_SHARE:
            ranked = replace(ranked, relevance=None)
        result = replace(ranked, hits=ranked.hits[:n], semantic_reason=semantic_reason)
        if result.search_type is SearchType.KEYWORD and method not in KEYWORD_METHODS:
            result = replace(result, keyword_reason=self._keyword_reason(call, is_ready=is_ready))
        return result if repaired == question else replace(result, did_you_mean=repaired)

    def weak_similarity(self, call: Call, question: str, hits: Sequence[Hit]) -> float | None:
        """Return the greatest weak similarity of one of the first hits; None if the model or the time allow none."""
        vectors = self._token_vectors(call, question, hits)
        return _greatest_weak_similarity(vectors) if vectors else None

    def _doubted(self, call: Call, question: str, result: RetrievalResult) -> RetrievalResult:
        """Compare the first hits with the question token by token if the relevance is in doubt."""
        least, most = DOUBT
        if result.evidence is None or result.relevance is None or not least <= result.relevance < most:
            return result
        vectors = self._token_vectors(call, question, result.hits)
        if not vectors:
            return result
        evidence = result.evidence._replace(weak_similarity=_greatest_weak_similarity(vectors))
        return replace(result, relevance=relevance(evidence), evidence=evidence, query_tokens=vectors[0])

    def _token_vectors(self, call: Call, question: str, hits: Sequence[Hit]) -> "list[Vector]":
        """Return the vectors of the tokens of a question and of its first hits; none if there is nothing to compare."""
        embedder = self.embedder.embedder
        if not hits or not isinstance(embedder, TokenEmbedder):
            return []
        try:
            return embedder.embed_tokens([question, *(hit.chunk.chunk.text for hit in hits[:COMPARED_HITS])], call)
        except TimeoutExceeded:
            return []

    def _method(self, method: Method, call: Call) -> tuple[Method, str]:
        if method in RANK_METHODS and self.mirrored is not None and not self.mirrored.has_keywords:
            log.warning("search.semantic_only", extra={"problem": _NO_HYBRID, "rid": call.request_id})
            return Method.SEMANTIC, _NO_HYBRID
        return method, ""

    def _found(self, index: Refreshed, query: Query) -> RetrievalResult:
        """Search the mirror, or the collection itself if the mirror does not hold the same or does not answer."""
        if self.mirrored is None:
            return search(index.snapshot, query, self.executor)
        legs = self.mirrored.legs(index.snapshot)
        if legs is not None:
            result = search(index.snapshot, query, self.executor, legs)
            if self.mirrored.confirm(index.snapshot, legs):
                return result
        result = search(index.snapshot, query, self.executor)
        return replace(result, mirror_reason=f"{self.mirrored.problem} The library itself was searched.")

    def _embed_query(self, call: Call, implied: Sequence[str], question: str) -> "Vector":
        embedder, start = self.embedder.embedder, time.monotonic()
        text = " ".join((question, *implied))
        vector = embedder.embed_query(text, call)
        log_embedding(embedder, [text], start, call)
        return vector

    def _filter(self, index: Refreshed, ranking: Ranking) -> Filter:
        keep, where = ranking.keep, ranking.where
        if keep is None and not index.outdated:
            return where
        ids = self.catalogue.ids(index.snapshot)
        if keep is None and not any(name in ids for name in index.outdated):
            return where
        kept = frozenset(i for name, i in ids.items() if name not in index.outdated and (keep is None or keep(name)))
        return replace(where, documents=kept if where.documents is None else kept & where.documents)

    def _keyword_reason(self, call: Call, *, is_ready: bool) -> str:
        if self.embedder.failure:
            return self.embedder.failure
        if not is_ready:
            return "The embedding model is still loading."
        return "Most pages have no vectors yet." if call.remaining() > 0 else "The time ran out."


def _implied_words(index: Refreshed, question: str) -> tuple[str, ...]:
    """Return the words of statements that a question's terms of accounting imply; none if no chunk has one of them.

    Documents that have no statements, where a "current ratio" is of transformers, lack "receivable" or "stockholders".
    """
    words = statement_words(question)
    return words if words and all(index.snapshot.document_frequencies(words)) else ()


def _greatest_weak_similarity(vectors: "Sequence[Vector]") -> float:
    """Return the greatest weak similarity of a passage; the vectors of the question's tokens come first."""
    question, *passages = vectors
    return max(weak_similarity(question, passage) for passage in passages)


def _mostly_embedded(index: Refreshed) -> bool:
    return not index.unembedded or index.unembedded * 2 <= index.snapshot.statistics().documents

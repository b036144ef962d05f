"""The `knowledge` toolset: a library of standards and handbooks, searched by clause, by meaning and by word."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from pincite.embedding.base import Embedder
from pincite.errors import ErrorForm, InvalidInput, PinciteError, TimeoutExceeded
from pincite.index.retriever import Method, RetrievalResult, SearchType
from pincite.index.searcher import Ranking
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.search import Filter, Hit
from pincite.model.status import iso
from pincite.ranking.fusion import SEMANTIC_WEIGHT
from pincite.runtime.abandonable import abandonable
from pincite.services.bounds import Cursor, MaxTokens
from pincite.services.library.clause_names import clause
from pincite.services.library.glossaries import Glossaries
from pincite.services.library.ingestion import path_of
from pincite.services.library.probes import Probe, probe
from pincite.toolkit import Tool, tool
from pincite.tools.answers.bounded import bounded
from pincite.tools.answers.cited import definition_of, document_of, requirement_of, type_of
from pincite.tools.answers.editions import comparison
from pincite.tools.answers.knowledge import (
    ComparisonAnswer,
    EmbeddingModel,
    HealthAnswer,
    HealthCheck,
    HealthChecks,
    KnowledgeBase,
    LookupAnswer,
    PassagesAnswer,
    RequirementsAnswer,
    StatsAnswer,
    VectorStore,
)
from pincite.tools.answers.passages import (
    SUGGESTIONS,
    compared_words,
    empty_library,
    find_passages,
    mirror_status,
    passages,
    standards,
    unknown_document,
)
from pincite.tools.answers.search_notes import low_relevance
from pincite.tools.arguments.knowledge import (
    EVENTS,
    ChunkTypes,
    ClauseNumber,
    DocumentIds,
    DocumentTypes,
    HybridWeight,
    Query,
    RankingName,
    filled,
    method_of,
    text_of,
)
from pincite.tools.base import Parts

PASSAGES = ("results", "content")
DEFINITIONS = ("definitions", "definition")
REQUIREMENTS = ("results", "requirement_text")
DOCUMENTS = ("documents", "")
CHANGES = ("changes", "")
"""The list of an answer that `max_tokens` bounds, and the text of its entries."""

SEARCH_TYPES = {Method.SEMANTIC: SearchType.SEMANTIC, Method.BM25: SearchType.KEYWORD}
"""What a search by a method is called; the others are hybrid."""

MAX_LOADING_SECONDS = 10.0
"""Time that a health check waits for the model to load; it takes one to two seconds from a disk."""

MAX_LOOK_SECONDS = 0.3
"""Time that statistics wait for the vector store: they may take half a second (contract 2)."""

MAX_PROBE_SECONDS = 10.0
"""Time that a health check waits for a vector: one request to a service, without its retries."""


class KnowledgeToolset:
    """Seven tools over the library."""

    name = "knowledge"
    error_form = ErrorForm.OBJECT
    events = EVENTS

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._glossaries = Glossaries()

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[View] | None:
        """See `Toolset.view`: the library; its health is checked even if it cannot be opened."""
        del arguments
        if tool.name == "knowledge_health":
            return None
        return self._parts.library_collection().view(call, semantic=tool.semantic)

    @tool(semantic=True, refuse_empty=True)
    def knowledge_search(
        self,
        view: View,
        call: Call,
        query: Query,
        n_results: Annotated[int, Field(ge=1, le=100, description="Maximum number of passages, 1 to 100.")] = 10,
        document_type: DocumentTypes = None,
        chunk_type: ChunkTypes = None,
        normative_only: Annotated[bool, Field(description="Only passages that bind.")] = False,
        ranking: RankingName = None,
        use_hybrid: Annotated[bool, Field(description="If false, ranking is semantic.")] = True,
        hybrid_weight: HybridWeight = None,
        document_id: DocumentIds = None,
        clause_number: ClauseNumber = None,
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
    ) -> PassagesAnswer:
        """Search standards and handbooks by meaning and by word, each passage with its clause, page and citation. For
        what binds on a topic use knowledge_requirements, for a term knowledge_lookup.
        """
        where = Filter(
            documents=_documents(view, _listed(document_id), _listed(document_type)),
            chunk_types=frozenset(_listed(chunk_type)),
            normative=True if normative_only else None,
            clauses=() if clause_number is None else (clause(clause_number),),
        )
        method = method_of(ranking, hybrid_weight, use_hybrid=use_hybrid)
        weight = SEMANTIC_WEIGHT if hybrid_weight is None else hybrid_weight
        compared = self._parts.library.compared if self._parts.library else 0
        result = find_passages(view, call, query, n_results, Ranking(method, None, where, weight), compared)
        answer = passages(view, call, query, result)
        if result.chunks or not answer.suggestions:
            arguments = [query, n_results, repr(where), method, weight]
            return bounded(self._parts, call, answer, PASSAGES, ["knowledge_search", *arguments], max_tokens, cursor)
        unknown = [unknown_document(view, name) for name in _listed(document_id)]
        filtered = where != Filter()
        return answer.model_copy(
            update={
                "search_type": SEARCH_TYPES.get(method, SearchType.HYBRID),
                "suggestions": [*filter(None, unknown), *(SUGGESTIONS if filtered else empty_library(view))],
                "warnings": None,
            }
        )

    @tool(refuse_empty=True)  # waits for no vectors: only similar terms use them
    def knowledge_lookup(
        self,
        view: View,
        call: Call,
        term: Annotated[str, text_of(200, "A term or an abbreviation."), AfterValidator(filled)],
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
    ) -> LookupAnswer:
        """Look a term up in the glossaries and definitions of the library; similar terms if it is not defined. Use
        knowledge_search for text that only mentions it.
        """
        glossary = self._glossaries.of(view)
        chunks = view.snapshot.chunks([entry.chunk_id for entry in glossary.find_term(term.strip())])
        chunks = chunks or self._glossaries.marking(view, term)
        if not chunks:
            return LookupAnswer(
                term=term,
                found=False,
                message=f"Term '{term}' not found in knowledge base",
                similar_terms=glossary.similar(term.strip(), lambda: self._glossaries.nearest(view, call, term)),
            )
        answer = LookupAnswer(term=term, found=True, definitions=[definition_of(view, chunk) for chunk in chunks])
        return bounded(self._parts, call, answer, DEFINITIONS, ["knowledge_lookup", term], max_tokens, cursor)

    @tool(semantic=True, refuse_empty=True)
    def knowledge_requirements(
        self,
        view: View,
        call: Call,
        topic: Annotated[str, text_of(1000, "What the requirements are about."), AfterValidator(filled)],
        standard: Annotated[
            str | None, Field(min_length=1, max_length=100, description="A part of a document's id or title.")
        ] = None,
        n_results: Annotated[int, Field(ge=1, le=50, description="Maximum number of requirements, 1 to 50.")] = 10,
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
    ) -> RequirementsAnswer:
        """Find what is required on a topic, then what is recommended, each with its clause number and citation. Use
        knowledge_search for guidance and examples.
        """
        documents = None if standard is None else _of_standard(view, standard)
        hits: list[Hit] = []
        searches: list[RetrievalResult] = []
        for kind in ("requirement", "recommendation"):
            missing = n_results - len(hits)
            if missing <= 0:
                break
            where = Filter(documents=documents, chunk_types=frozenset({kind}))
            result = view.ranked(call, topic, missing, Ranking(Method.BEST, where=where))
            # Recommendations follow all requirements, and no score rises down the list.
            least = hits[-1].score if hits else 1.0
            hits += [replace(hit, score=min(hit.score, least)) for hit in result.hits]
            searches.append(result)
        is_empty = not hits
        warnings = [warning for search in searches if search.chunks for warning in search.warnings]
        reason = next((search.keyword_reason for search in searches if search.chunks), "")
        best = max(searches, key=lambda search: search.relevance or 0.0)
        answer = RequirementsAnswer(
            results=[requirement_of(view, hit) for hit in hits],
            topic=topic,
            standard_filter=standard,
            total=len(hits),
            message="No requirements found for this topic" if is_empty else None,
            suggestions=(([compared_words(reason)] if reason else standards(view, standard)) if is_empty else None),
            relevance=None if is_empty or best.relevance is None else round(best.relevance, 4),
            note=low_relevance(best),
            warnings=list(dict.fromkeys(warnings)) or None,
        )
        arguments = ["knowledge_requirements", topic, standard, n_results]
        return bounded(self._parts, call, answer, REQUIREMENTS, arguments, max_tokens, cursor)

    @tool(refuse_empty=True)
    def knowledge_keyword_search(
        self,
        view: View,
        call: Call,
        query: Annotated[str, text_of(500, "Words, identifiers or numbers."), AfterValidator(filled)],
        n_results: Annotated[int, Field(ge=1, le=100, description="Maximum number of passages, 1 to 100.")] = 10,
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
    ) -> PassagesAnswer:
        """Search by word alone, for identifiers, numbers and names; knowledge_search also finds other wordings."""
        result = view.ranked(call, query, n_results, Ranking(Method.BM25))
        answer = passages(view, call, query, result, by_word_alone=True)
        arguments = ["knowledge_keyword_search", query, n_results]
        return bounded(self._parts, call, answer, PASSAGES, arguments, max_tokens, cursor)

    @tool()
    def knowledge_stats(
        self, view: View, call: Call, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> StatsAnswer:
        """List the documents of the library with their types, and count what it holds."""
        statistics = view.snapshot.statistics()
        documents = view.documents()
        library = self._parts.library
        model = view.searcher.embedder.embedder
        if view.searcher.mirrored is not None:
            # As `knowledge_health` does; an engine that hangs is noted when it is given up.
            with suppress(PinciteError, TimeoutError):
                abandonable(view.searcher.mirrored.look, call, name="pincite-stats", seconds=MAX_LOOK_SECONDS)
        status, warnings = mirror_status(view)
        answer = StatsAnswer(
            knowledge_base=KnowledgeBase(
                total_chunks=statistics.chunks,
                total_documents=len(documents),
                total_tokens=view.snapshot.tokens(),
                storage_bytes=view.store.size(),
            ),
            documents=[document_of(view, document) for document in documents],
            vector_store=VectorStore(
                backend=library.store if library else "sqlite",
                status=status,
                hybrid_enabled=view.searcher.mirrored is None or view.searcher.mirrored.has_keywords,
            ),
            embedding=EmbeddingModel(model=model.model, dimensions=model.dimensions),
            warnings=warnings,
        )
        return bounded(self._parts, call, answer, DOCUMENTS, ["knowledge_stats"], max_tokens, cursor)

    @tool()
    def knowledge_health(self, call: Call) -> HealthAnswer:
        """Check whether the store and the embedding model answer, and how fast."""
        slow_ms = self._parts.library.slow_ms if self._parts.library else 0
        store = probe(self._touch_store)
        model = self._embedding_probe(call)
        probes = (store, model)
        is_down = any(not part.is_up for part in probes)
        is_slow = any(part.latency_ms >= slow_ms for part in probes)
        return HealthAnswer(
            status="unhealthy" if is_down else "degraded" if is_slow else "healthy",
            checks=HealthChecks(vector_store=_check(store, slow_ms), embedding_service=_check(model, slow_ms)),
            timestamp=iso(time.time()),
        )

    @tool()
    def knowledge_compare(
        self,
        view: View,
        call: Call,
        old: Annotated[str, text_of(200, "document_id of the old edition."), AfterValidator(filled)],
        new: Annotated[str, text_of(200, "document_id of the new edition."), AfterValidator(filled)],
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
    ) -> ComparisonAnswer:
        """Compare two editions of a standard: requirements added, removed, changed and renumbered."""
        answer = comparison(view, call, old, new)
        return bounded(self._parts, call, answer, CHANGES, ["knowledge_compare", old, new], max_tokens, cursor)

    def _touch_store(self) -> None:
        library = self._parts.library_collection()
        with library.store.snapshot() as snapshot:
            snapshot.statistics()
        if library.mirrored is not None:
            library.mirrored.look()

    def _embedding_probe(self, call: Call) -> Probe:
        """Embed a word, after waiting for the model to load, which is no part of the latency."""
        try:
            lazy = self._parts.library_collection().embedder
        except PinciteError as error:
            return Probe(is_up=False, latency_ms=0, message=error.message)
        lazy.start()
        if not lazy.ready(min(call.remaining(), MAX_LOADING_SECONDS)):
            return Probe(is_up=False, latency_ms=0, message=lazy.failure or "The embedding model is still loading.")
        return probe(lambda: _answered_in_time(lazy.embedder, call))


def _answered_in_time(embedder: Embedder, call: Call) -> None:
    try:
        abandonable(lambda: embedder.embed_query("health"), call, name="pincite-health", seconds=MAX_PROBE_SECONDS)
    except TimeoutError as error:
        raise TimeoutExceeded(f"It did not answer within {MAX_PROBE_SECONDS:g} s.") from error


def _listed(value: str | Sequence[str] | None) -> Sequence[str]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _documents(view: View, names: Sequence[str], types: Sequence[str]) -> frozenset[int] | None:
    """Return the ids in the store of the documents of these ids and types; None for all."""
    if not names and not types:
        return None
    held = {view.named(name) for name in names}
    return frozenset(
        document.id
        for document in view.documents()
        if (not held or document.name in held) and (not types or type_of(document) in types)
    )


def _of_standard(view: View, standard: str) -> frozenset[int]:
    """Return the ids in the store of the documents whose id or title has this text, by letters and digits alone; else
    of those whose path has it.
    """
    sought = _folded(standard)
    if not sought:
        raise InvalidInput(f"standard needs a letter or digit, as of a document's id or title, not {standard!r}.")
    documents = view.documents()
    named = [
        document.id for document in documents if sought in _folded(document.name) or sought in _folded(document.label)
    ]
    # A standard in several files often has its name in the folder's alone.
    return frozenset(
        named or (document.id for document in documents if sought in _folded(path_of(document.source_key)))
    )


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _check(probed: Probe, slow_ms: int) -> HealthCheck:
    is_slow = probed.is_up and probed.latency_ms >= slow_ms
    message = f"It took longer than {slow_ms} ms." if is_slow else probed.message
    return HealthCheck(status="up" if probed.is_up else "down", latency_ms=probed.latency_ms, message=message)

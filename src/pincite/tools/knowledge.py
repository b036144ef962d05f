"""The `knowledge` toolset: a library of standards and handbooks, searched by clause, by meaning and by word."""

import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from pincite.errors import ErrorForm, PinciteError
from pincite.index.retriever import Method, RetrievalResult, SearchType
from pincite.index.searcher import Ranking
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.locator import Ref
from pincite.model.search import Clause, Filter, Hit
from pincite.model.status import iso
from pincite.model.store import StoredChunk, StoredDocument
from pincite.services.chunk_ids import chunk_uuid
from pincite.services.citation_text import citation_text
from pincite.services.glossaries import Glossaries
from pincite.services.library import DOCUMENT_TYPE, INGESTED_AT, path_of
from pincite.services.probes import Probe, probe
from pincite.text.excerpt import excerpts
from pincite.text.paths import nearest
from pincite.text.prose import passage
from pincite.toolkit import Answer, Events, Tool, tool
from pincite.tools.answers.knowledge import (
    ChunkType,
    ClauseSource,
    Definition,
    DocumentType,
    EmbeddingModel,
    HealthAnswer,
    HealthCheck,
    HealthChecks,
    KnowledgeBase,
    LibraryDocument,
    LookupAnswer,
    Passage,
    PassageMetadata,
    PassagesAnswer,
    PassageSource,
    Requirement,
    RequirementsAnswer,
    StatsAnswer,
    VectorStore,
)
from pincite.tools.base import Parts

HYBRID_WEIGHT = 0.7
"""The semantic share of hybrid search where a call names none (contract 2)."""

NEAREST_IDS = 3

_FILTERS = ("document_id", "document_type", "chunk_type", "normative_only", "clause_number", "standard", "use_hybrid")
"""Arguments that the log may show; queries, topics and terms are hashed."""

_QUESTIONS = ("query", "topic", "term")


def _received(arguments: Mapping[str, Any]) -> Mapping[str, object]:
    question = next((str(arguments[name]) for name in _QUESTIONS if name in arguments), "")
    digest = hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return {"query_hash": digest, "filters": {name: arguments[name] for name in _FILTERS if name in arguments}}


def _completed(answer: Answer, seconds: float) -> Mapping[str, object]:
    listed = next((getattr(answer, name, None) for name in ("results", "definitions", "documents")), None)
    return {"count": len(listed or ()), "latency_ms": round(seconds * 1000, 1)}


EVENTS = Events(
    start="query_received",
    success="query_complete",
    timeout="query_failed",
    known_error="query_failed",
    unhandled_error="query_failed",
    received=_received,
    completed=_completed,
    problem="error_message",
    level=40,
)
"""Contract 2 names them; every failed query is an error in the log."""


def _filled(value: str) -> str:
    if not value.strip():
        raise ValueError("text that is not blank")
    return value


def _text(longest: int, description: str) -> Any:
    return Field(min_length=1, max_length=longest, description=description)


Query = Annotated[str, _text(2000, "A question or keywords."), AfterValidator(_filled)]
Id = Annotated[str, Field(min_length=1)]
DocumentIds = Annotated[
    Id | Annotated[list[Id], Field(min_length=1)] | None,
    Field(description="Only these documents, as knowledge_stats lists them: one or several."),
]
DocumentTypes = Annotated[
    DocumentType | Annotated[list[DocumentType], Field(min_length=1)] | None,
    Field(description="Only documents of these types: one or several."),
]
ChunkTypes = Annotated[
    ChunkType | Annotated[list[ChunkType], Field(min_length=1)] | None,
    Field(description="Only passages of these types: one or several."),
]
ClauseNumber = Annotated[
    str | None,
    Field(min_length=1, max_length=100, description="This clause and all under it, as `5.3`; `=5.3` for it alone."),
    AfterValidator(lambda value: None if value is None else _filled(value)),
]


class KnowledgeToolset:
    """Six tools over the library."""

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
        use_hybrid: Annotated[bool, Field(description="By meaning and by word; if false, by meaning alone.")] = True,
        hybrid_weight: Annotated[
            float, Field(ge=0, le=1, allow_inf_nan=False, description="Share of meaning in hybrid search, 0 to 1.")
        ] = HYBRID_WEIGHT,
        document_id: DocumentIds = None,
        clause_number: ClauseNumber = None,
    ) -> PassagesAnswer:
        """Search standards and handbooks by meaning and by word, each passage with its clause, page and citation. For
        what binds on a topic use knowledge_requirements, for a term knowledge_lookup.
        """
        where = Filter(
            documents=_documents(view, _listed(document_id), _listed(document_type)),
            chunk_types=frozenset(_listed(chunk_type)),
            normative=True if normative_only else None,
            clauses=() if clause_number is None else (_clause(clause_number),),
        )
        method = Method.RRF if use_hybrid else Method.SEMANTIC
        found = view.ranked(call, query, n_results, Ranking(method, where=where, semantic_weight=hybrid_weight))
        answer = _passages(view, call, query, found)
        if found.chunks or not answer.suggestions:
            return answer
        unknown = [_unknown_document(view, name) for name in _listed(document_id)]
        filtered = where != Filter()
        return answer.model_copy(
            update={
                "search_type": SearchType.HYBRID if use_hybrid else SearchType.SEMANTIC,
                "suggestions": [*filter(None, unknown), *(_SUGGESTIONS if filtered else _EMPTY_LIBRARY)],
                "warnings": None,
            }
        )

    @tool(semantic=True, refuse_empty=True)
    def knowledge_lookup(
        self,
        view: View,
        call: Call,
        term: Annotated[str, _text(200, "A term or an abbreviation."), AfterValidator(_filled)],
    ) -> LookupAnswer:
        """Look a term up in the glossaries and definitions of the library; similar terms if it is not defined. Use
        knowledge_search for text that only mentions it.
        """
        glossary = self._glossaries.of(view)
        entries = glossary.find(term.strip())
        if not entries:
            return LookupAnswer(
                term=term,
                found=False,
                message=f"Term '{term}' not found in knowledge base",
                similar_terms=glossary.similar(term.strip(), lambda: self._glossaries.nearest(view, call, term)),
            )
        chunks = view.snapshot.chunks([entry.chunk_id for entry in entries])
        return LookupAnswer(term=term, found=True, definitions=[_definition(view, chunk) for chunk in chunks])

    @tool(semantic=True, refuse_empty=True)
    def knowledge_requirements(
        self,
        view: View,
        call: Call,
        topic: Annotated[str, _text(1000, "What the requirements are about."), AfterValidator(_filled)],
        standard: Annotated[
            str | None, Field(min_length=1, max_length=100, description="A part of a document's id or title.")
        ] = None,
        n_results: Annotated[int, Field(ge=1, le=50, description="Maximum number of requirements, 1 to 50.")] = 10,
    ) -> RequirementsAnswer:
        """Find what is required on a topic, then what is recommended, each with its clause number and citation. Use
        knowledge_search for guidance and examples.
        """
        documents = None if standard is None else _of_standard(view, standard)
        hits: list[Hit] = []
        warnings: list[str] = []
        for kind in ("requirement", "recommendation"):
            wanted = n_results - len(hits)
            if wanted <= 0:
                break
            where = Filter(documents=documents, chunk_types=frozenset({kind}))
            ranking = Ranking(Method.RRF, where=where, semantic_weight=HYBRID_WEIGHT)
            found = view.ranked(call, topic, wanted, ranking)
            # Recommendations follow all requirements, and no score rises down the list.
            least = hits[-1].score if hits else 1.0
            hits += [replace(hit, score=min(hit.score, least)) for hit in found.hits]
            warnings += [found.keyword_reason] if found.keyword_reason and found.chunks else []
        is_empty = not hits
        return RequirementsAnswer(
            results=[_requirement(view, hit) for hit in hits],
            topic=topic,
            standard_filter=standard,
            total=len(hits),
            message="No requirements found for this topic" if is_empty else None,
            suggestions=_standards(view, standard) if is_empty else None,
            warnings=list(dict.fromkeys(warnings)) or None,
        )

    @tool(refuse_empty=True)
    def knowledge_keyword_search(
        self,
        view: View,
        call: Call,
        query: Annotated[str, _text(500, "Words, identifiers or numbers."), AfterValidator(_filled)],
        n_results: Annotated[int, Field(ge=1, le=100, description="Maximum number of passages, 1 to 100.")] = 10,
    ) -> PassagesAnswer:
        """Search by word alone, for identifiers, numbers and names; knowledge_search also finds other wordings."""
        return _passages(view, call, query, view.ranked(call, query, n_results, Ranking(Method.BM25)))

    @tool()
    def knowledge_stats(self, view: View) -> StatsAnswer:
        """List the documents of the library with their types, and count what it holds."""
        statistics = view.snapshot.statistics()
        documents = view.documents()
        library = self._parts.library
        model = view.searcher.embedder.embedder
        return StatsAnswer(
            knowledge_base=KnowledgeBase(
                total_chunks=statistics.chunks,
                total_documents=len(documents),
                total_tokens=view.snapshot.tokens(),
                storage_bytes=view.store.size(),
            ),
            documents=[_listed_document(view, document) for document in documents],
            vector_store=VectorStore(
                backend=library.store if library else "sqlite", status="healthy", hybrid_enabled=True
            ),
            embedding=EmbeddingModel(model=model.model, dimensions=model.dimensions),
        )

    @tool()
    def knowledge_health(self, call: Call) -> HealthAnswer:
        """Check whether the store and the embedding model answer, and how fast."""
        slow_ms = self._parts.library.slow_ms if self._parts.library else 0
        store = probe(self._touch_store)
        model = self._embedding_probe(call)
        probes = (store, model)
        is_down = any(not each.is_up for each in probes)
        is_slow = any(each.latency_ms >= slow_ms for each in probes)
        return HealthAnswer(
            status="unhealthy" if is_down else "degraded" if is_slow else "healthy",
            checks=HealthChecks(vector_store=_check(store, slow_ms), embedding_service=_check(model, slow_ms)),
            timestamp=iso(time.time()),
        )

    def _touch_store(self) -> None:
        with self._parts.library_collection().store.snapshot() as snapshot:
            snapshot.statistics()

    def _embedding_probe(self, call: Call) -> Probe:
        """Embed a word, after waiting for the model to load, which is no part of the latency."""
        try:
            lazy = self._parts.library_collection().embedder
        except PinciteError as error:
            return Probe(is_up=False, latency_ms=0.0, message=error.message)
        lazy.start()
        if not lazy.ready(min(call.remaining(), MAX_LOADING_SECONDS)):
            return Probe(is_up=False, latency_ms=0.0, message=lazy.failure or "The embedding model is still loading.")
        return probe(lambda: lazy.embedder.embed_query("health"))


MAX_LOADING_SECONDS = 10.0
"""Time that a health check waits for the model to load; it takes one to two seconds from a disk."""

_SUGGESTIONS = ("Leave out a filter: nothing in the library passes all of them.",)
_EMPTY_LIBRARY = ("The library is empty. Add documents: pincite ingest FOLDER",)
_OTHER_WORDS = ("Use other words, or knowledge_search, which also finds other wordings.",)


def _listed(value: str | Sequence[str] | None) -> Sequence[str]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


def _documents(view: View, names: Sequence[str], types: Sequence[str]) -> frozenset[int] | None:
    """Return the ids in the store of the documents of these ids and types; None for all."""
    if not names and not types:
        return None
    return frozenset(
        document.id
        for document in view.documents()
        if (not names or document.name in names) and (not types or _type(document) in types)
    )


def _of_standard(view: View, standard: str) -> frozenset[int]:
    """Return the ids in the store of the documents whose id or title has this text, by letters and digits alone."""
    wanted = _folded(standard)
    return frozenset(
        document.id
        for document in view.documents()
        if wanted in _folded(document.name) or wanted in _folded(document.label)
    )


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _clause(written: str) -> Clause:
    number = written.strip()
    exact = number.startswith("=")
    number = number.removeprefix("=").strip()
    return Clause(number.removeprefix("§").strip().rstrip("."), exact)


def _type(document: StoredDocument) -> str:
    return document.properties.get(DOCUMENT_TYPE, "custom")


def _passages(view: View, call: Call, query: str, found: RetrievalResult) -> PassagesAnswer:
    is_empty = not found.hits
    return PassagesAnswer(
        results=[_passage(view, hit) for hit in found.hits],
        total=len(found.hits),
        query=query,
        search_type=found.search_type,
        message="No documents matched your query" if is_empty else None,
        suggestions=list(_OTHER_WORDS if found.chunks else _EMPTY_LIBRARY) if is_empty else None,
        relevance=None if found.relevance is None else round(found.relevance, 4),
        did_you_mean=found.did_you_mean,
        warnings=[found.keyword_reason] if found.keyword_reason else None,
        partial=None if call.remaining() > 0 else True,
    )


def _unknown_document(view: View, name: str) -> str:
    known = [document.name for document in view.documents()]
    if name in known:
        return ""
    near = nearest(name, known, NEAREST_IDS)
    return f"There is no document {name!r}." + (f" Nearest: {excerpts(near)}." if near else "")


def _standards(view: View, standard: str | None) -> list[str]:
    if standard is None:
        return ["Use other words, or knowledge_search, which also finds guidance and examples."]
    known = [document.name for document in view.documents()]
    return [f"Documents of the library: {excerpts(known[:20])}."] if known else list(_EMPTY_LIBRARY)


def _passage(view: View, hit: Hit) -> Passage:
    stored = hit.chunk
    chunk, document = stored.chunk, view.document_of(stored)
    clause = _clause_source(view, stored)
    return Passage(
        id=chunk_uuid(stored.document, chunk.locator, chunk.text),
        content=passage(chunk.text),
        score=hit.score,
        source=PassageSource(
            document_id=clause.document_id,
            document_title=clause.document_title,
            document_type=_type(document),
            source_path=path_of(document.source_key),
            page_numbers=list(chunk.pages),
            section=chunk.heading or document.label,
            citation=clause.citation,
        ),
        metadata=PassageMetadata(
            chunk_type=chunk.tags.chunk_type or "overview",  # front matter has no type
            normative=bool(chunk.tags.normative),
            clause_number=chunk.tags.clause or None,
            section_hierarchy=list(chunk.heading_path),
            references=list(chunk.tags.references),
        ),
        ref=_ref(stored),
        incomplete=view.shortfall(document),
    )


def _definition(view: View, stored: StoredChunk) -> Definition:
    return Definition(
        definition=passage(stored.chunk.text).strip(),
        source=_clause_source(view, stored),
        ref=_ref(stored),
        incomplete=view.shortfall(view.document_of(stored)),
    )


def _requirement(view: View, hit: Hit) -> Requirement:
    stored = hit.chunk
    return Requirement(
        requirement_text=passage(stored.chunk.text).strip(),
        requirement_id=stored.chunk.tags.clause or None,
        source=_clause_source(view, stored),
        normative=bool(stored.chunk.tags.normative),
        score=hit.score,
        ref=_ref(stored),
        incomplete=view.shortfall(view.document_of(stored)),
    )


def _clause_source(view: View, stored: StoredChunk) -> ClauseSource:
    document, chunk = view.document_of(stored), stored.chunk
    return ClauseSource(
        document_id=document.name,
        document_title=document.label,
        citation=citation_text(document.label, chunk.tags.clause, chunk.heading, chunk.pages),
    )


def _ref(stored: StoredChunk) -> str:
    return str(Ref(stored.document, stored.revision, stored.chunk.locator))


def _listed_document(view: View, document: StoredDocument) -> LibraryDocument:
    return LibraryDocument(
        document_id=document.name,
        document_title=document.label,
        document_type=_type(document),
        chunk_count=document.chunk_count,
        ingested_at=document.properties.get(INGESTED_AT, ""),
        incomplete=view.shortfall(document),
    )


def _check(found: Probe, slow_ms: int) -> HealthCheck:
    is_slow = found.is_up and found.latency_ms >= slow_ms
    message = f"It took longer than {slow_ms} ms." if is_slow else found.message
    return HealthCheck(status="up" if found.is_up else "down", latency_ms=round(found.latency_ms, 3), message=message)

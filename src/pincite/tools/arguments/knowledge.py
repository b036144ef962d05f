"""The arguments of the `knowledge` tools, and what the log shows of them."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from pincite.errors import InvalidInput
from pincite.index.retriever import Method
from pincite.model.chunk import ChunkType
from pincite.ranking.fusion import SEMANTIC_WEIGHT
from pincite.toolkit import Answer, Events
from pincite.tools.answers.knowledge import DocumentType

_FILTERS = (
    *("document_id", "document_type", "chunk_type", "normative_only", "clause_number", "standard"),
    *("ranking", "use_hybrid", "hybrid_weight"),
)
"""Arguments that the log may show; queries, topics and terms are hashed."""

_QUESTIONS = ("query", "topic", "term")


def _received(arguments: Mapping[str, Any]) -> Mapping[str, object]:
    question = next((str(arguments[name]) for name in _QUESTIONS if name in arguments), "")
    digest = hashlib.sha256(question.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return {"query_hash": digest, "filters": {name: arguments[name] for name in _FILTERS if name in arguments}}


def _completed(answer: Answer, seconds: float) -> Mapping[str, object]:
    listed = next((getattr(answer, name, None) for name in ("results", "definitions", "documents")), None)
    return {"count": len(listed or ()), "latency_ms": round(seconds * 1000)}


EVENTS = Events(
    start="query_received",
    success="query_complete",
    timeout="query_failed",
    known_error="query_failed",
    unhandled_error="query_failed",
    received=_received,
    completed=_completed,
    problem="error_message",
    level=logging.ERROR,
)
"""Contract 2 names them; every failed query is an error in the log."""


def filled(value: str) -> str:
    """Refuse text that is blank."""
    if not value.strip():
        raise ValueError("text that is not blank")
    return value


def text_of(longest: int, description: str) -> Any:
    """Return a field of text of limited length."""
    return Field(min_length=1, max_length=longest, description=description)


Query = Annotated[str, text_of(2000, "A question or keywords."), AfterValidator(filled)]
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
    AfterValidator(lambda value: None if value is None else filled(value)),
]
RankingName = Annotated[
    Literal["best", "rrf", "semantic", "keyword"] | None,
    Field(description="best (default), rrf (weighted), semantic (cosine) or keyword (BM25)."),
]
HybridWeight = Annotated[
    float | None,
    Field(ge=0, le=1, allow_inf_nan=False, description=f"Share of meaning in ranking rrf, 0 to 1 ({SEMANTIC_WEIGHT})."),
]

_METHODS = {"best": Method.BEST, "rrf": Method.RRF, "semantic": Method.SEMANTIC, "keyword": Method.BM25}


def method_of(ranking: str | None, hybrid_weight: float | None, *, use_hybrid: bool) -> Method:
    """Return the method that the arguments of a search name together (contract 2).

    Raises:
        InvalidInput: They contradict each other.
    """
    implied = "best" if hybrid_weight is None else "rrf"
    name = ranking or (implied if use_hybrid else "semantic")
    if hybrid_weight is not None and name != "rrf":
        raise InvalidInput(f"hybrid_weight belongs to ranking rrf, not {name}. Leave one of them out.")
    if not use_hybrid and name != "semantic":
        raise InvalidInput(f"use_hybrid: false means ranking semantic, not {name}. Leave one of them out.")
    return _METHODS[name]

"""The response models of the `knowledge` tools."""

from typing import Literal

from pydantic import Field

from pincite.index.retriever import SearchType
from pincite.services.bounds import Bounded
from pincite.toolkit import Answer, ResponseModel, optional

DocumentType = Literal["standard", "handbook", "guide", "specification", "report", "policy", "custom"]


class ClauseSource(ResponseModel):
    """The location of a definition or a requirement."""

    document_id: str
    document_title: str
    citation: str = Field(description="Title, clause, section and pages, to paste into a report.")


class PassageSource(ClauseSource):
    """The location of a passage."""

    document_type: str
    source_path: str = Field(description="The file, below the folder that was ingested, or its URL.")
    page_numbers: list[int]
    section: str = Field(description="The nearest heading.")


class PassageMetadata(ResponseModel):
    """What was recognised in a passage."""

    chunk_type: str
    normative: bool
    clause_number: str | None = Field(description="Its clause, as `5.3.1.2` or `A.2`; of several, the first.")
    clauses: list[str] = Field(description="All its clauses: short sections are one passage.")
    table_header: str | None = optional("The header of the table that the passage begins within.")
    section_hierarchy: list[str]
    references: list[str] = Field(description="Clauses and documents that it refers to.")


class Passage(ResponseModel):
    """One passage."""

    id: str = Field(description="UUID, the same after the same content was ingested again.")
    content: str
    score: float = Field(description="0 to 1.")
    source: PassageSource
    metadata: PassageMetadata
    ref: str = Field(description="Reference to cite it by.")
    incomplete: str | None = optional("What part of the document was not read, or that its file changed since.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class Warned(Answer):
    """An answer that may have warnings."""

    warnings: list[str] | None = optional("What limits this answer.")


class PassagesAnswer(Warned, Bounded):
    """The passages, best first."""

    results: list[Passage]
    total: int = Field(description="Number of results.")
    query: str
    search_type: SearchType
    message: str | None = optional("Set if there are no results.")
    suggestions: list[str] | None = optional("What to try if there are no results.")
    relevance: float | None = optional("Probability that the documents cover the question at all.")
    did_you_mean: str | None = optional("The query that was searched, with a misspelt word corrected.")
    note: str | None = optional("That the documents may not cover it: relevance is low.")


class Definition(ResponseModel):
    """One definition."""

    definition: str
    source: ClauseSource
    ref: str = Field(description="Reference to cite it by.")
    incomplete: str | None = optional("What part of the document was not read, or that its file changed since.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class LookupAnswer(Warned, Bounded):
    """The definitions of a term, or similar terms."""

    term: str
    found: bool
    definitions: list[Definition] | None = optional("Entries of glossaries first.")
    message: str | None = optional("Set if the term is not defined.")
    similar_terms: list[str] | None = optional("Terms that may have been meant.")


class Requirement(ResponseModel):
    """One requirement or recommendation."""

    requirement_text: str
    requirement_id: str | None = Field(description="Its clause number.")
    source: ClauseSource
    normative: bool
    score: float = Field(description="0 to 1.")
    ref: str = Field(description="Reference to cite it by.")
    incomplete: str | None = optional("What part of the document was not read, or that its file changed since.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class RequirementsAnswer(Warned, Bounded):
    """Requirements first, then recommendations."""

    results: list[Requirement]
    topic: str
    standard_filter: str | None
    total: int = Field(description="Number of results.")
    message: str | None = optional("Set if there are no results.")
    suggestions: list[str] | None = optional("What to try if there are no results.")
    relevance: float | None = optional("Probability that the documents cover the topic at all.")
    note: str | None = optional("That the documents may not cover it: relevance is low.")


class EditionChange(ResponseModel):
    """A requirement or recommendation that two editions do not share."""

    change: Literal["added", "removed", "changed", "renumbered"]
    old: Requirement | None = Field(description="In the old edition; null if it was added.")
    new: Requirement | None = Field(description="In the new edition; null if it was removed.")


class ComparisonAnswer(Warned, Bounded):
    """What differs between two editions."""

    old: str = Field(description="Title of the old edition.")
    new: str = Field(description="Title of the new edition.")
    changes: list[EditionChange]
    counts: dict[str, int] = Field(description="Number of changes of each kind, and of what is `unchanged`.")


class KnowledgeBase(ResponseModel):
    """The size of the library."""

    total_chunks: int
    total_documents: int
    total_tokens: int
    storage_bytes: int


class LibraryDocument(ResponseModel):
    """One document of the library."""

    document_id: str
    document_title: str
    document_type: str
    chunk_count: int
    ingested_at: str
    incomplete: str | None = optional("What part of the document was not read, or that its file changed since.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class VectorStore(ResponseModel):
    """The store of the library."""

    backend: str
    status: Literal["healthy", "degraded", "unavailable"]
    hybrid_enabled: bool


class EmbeddingModel(ResponseModel):
    """The embedding model."""

    model: str
    dimensions: int


class StatsAnswer(Warned, Bounded):
    """What the library holds."""

    knowledge_base: KnowledgeBase
    documents: list[LibraryDocument]
    vector_store: VectorStore
    embedding: EmbeddingModel


class HealthCheck(ResponseModel):
    """The check of one part."""

    status: Literal["up", "down"]
    latency_ms: int
    message: str


class HealthChecks(ResponseModel):
    """The checks."""

    vector_store: HealthCheck
    embedding_service: HealthCheck


class HealthAnswer(Answer):
    """Whether every part answers, and in time."""

    status: Literal["healthy", "degraded", "unhealthy"]
    checks: HealthChecks
    timestamp: str

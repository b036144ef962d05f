"""The response models of the `docs` tools."""

from typing import Literal, Self

from pydantic import Field

from pincite.index.retriever import SearchType
from pincite.model.status import Freshness
from pincite.services.bounds import Bounded
from pincite.services.citations.page_boxes import PageBox
from pincite.toolkit import Answer, IndexState, ResponseModel, optional, state_fields

COLLECTION = "Its collection, if several are served."


class Part(ResponseModel):
    """Which part of a split section a chunk is."""

    index: int = Field(description="From 1.")
    of: int


class ChunkMetadata(ResponseModel):
    """What is needed to cite a chunk and to read on."""

    collection: str | None = optional(COLLECTION)
    file_path: str
    title: str = Field(description="The title of its page.")
    heading_path: str = Field(description="The breadcrumb that get_section takes.")
    heading_level: int
    last_modified: str
    char_count: int
    part: Part | None = optional("Which part of a split section this is.")
    table_header: str | None = optional("The header of the table that the passage begins within.")
    page_numbers: list[int] | None = optional("Its pages, if the format has pages.")
    boxes: list[PageBox] | None = optional("Its boxes on these pages.")


class Explanation(ResponseModel):
    """The parts of a score, which add up to it."""

    meaning: float
    words: float
    phrase: float | None = optional("Added if a phrase occurs word for word, or a name in the query is defined.")


class SearchResult(ResponseModel):
    """One passage."""

    content: str
    score: float
    similarity: float | None = Field(description="Cosine similarity; null if keywords alone ranked.")
    ref: str = Field(description="The citation.")
    metadata: ChunkMetadata
    incomplete: str | None = optional("What part of the document was not read, and why.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")
    explanation: Explanation | None = optional("How the score is made up.")


class SearchAnswer(Bounded):
    """The passages, best first."""

    results: list[SearchResult]
    total_chunks: int = Field(description="Chunks that were searched.")
    query_ms: float
    search_type: SearchType
    relevance: float | None = optional("Probability that the documents cover the question at all.")
    did_you_mean: str | None = optional("The query that was searched, with a misspelt word corrected.")
    note: str | None = optional("Why keywords alone ranked, why nothing was found, or that relevance is low.")
    partial: bool | None = optional("True if the search ran out of time.")


class PageChunk(ResponseModel):
    """One chunk of a page."""

    content: str
    heading_path: str
    heading_level: int
    char_count: int
    ordinal: int
    ref: str
    part: Part | None = optional("Which part of a split section this is.")


class PageAnswer(Bounded):
    """A whole page."""

    collection: str | None = optional(COLLECTION)
    file_path: str
    title: str
    last_modified: str
    total_chars: int
    chunks: list[PageChunk]
    incomplete: str | None = optional("What part of the document was not read, and why.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class SectionMetadata(ResponseModel):
    """The location of a section."""

    collection: str | None = optional(COLLECTION)
    file_path: str
    heading_path: str
    heading_level: int
    last_modified: str
    char_count: int


class SectionAnswer(Bounded):
    """One complete section."""

    content: str
    ref: str
    refs: list[str] | None = optional("Of each section of this breadcrumb, where the page has several.")
    metadata: SectionMetadata
    incomplete: str | None = optional("What part of the document was not read, and why.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class HeadingsPart(ResponseModel):
    """Which headings of a page an entry shows, if they do not fit one answer."""

    first: int = Field(description="From 0.")
    of: int


class PageEntry(ResponseModel):
    """One page of the list."""

    collection: str | None = optional(COLLECTION)
    file_path: str
    title: str
    headings: list[str] = Field(description="Texts of its h1 and h2.")
    heading_paths: list[str] = Field(description="Their breadcrumbs, as get_section takes them.")
    headings_part: HeadingsPart | None = optional("Which headings these are, if the limit of the answer split them.")
    chunk_count: int
    total_chars: int
    last_modified: str
    incomplete: str | None = optional("What part of the document was not read, and why.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class PageFolder(ResponseModel):
    """A folder of pages."""

    collection: str | None = optional(COLLECTION)
    path: str = Field(description="As prefix takes it.")
    pages: int


class PagesAnswer(Bounded):
    """The pages, by path."""

    folders: list[PageFolder] | None = optional("Where the list is cut: its folders by path, the largest that fit.")
    pages: list[PageEntry]
    total_pages: int


class ServerStatus(ResponseModel):
    """The server."""

    version: str
    uptime_seconds: float
    docs_root: str


class Progress(ResponseModel):
    """How far the indexing is, in documents."""

    done: int
    total: int


class FreshnessMethod(ResponseModel):
    """How changes are found."""

    method: Literal["inotify", "scan"]
    reason: str


class Failure(ResponseModel):
    """A document that could not be read."""

    file_path: str
    reason: str


class IndexStatusState(IndexState):
    """The index: what is in it and how fresh it is."""

    total_pages: int
    total_chunks: int
    last_indexed: str | None
    db_path: str
    db_size_bytes: int
    skipped: dict[str, int]
    failed: dict[str, int] = Field(description="Reasons why documents could not be read, with counts.")
    failures: list[Failure] | None = optional("The first 20 documents that could not be read.")
    incomplete: dict[str, int] = Field(description="Reasons why parts of documents could not be read, with counts.")
    indexing: Progress | None
    rereading: int | None = optional(
        "Documents to be read again after an upgrade or with other settings; until then their present text is found."
    )
    freshness: FreshnessMethod
    warnings: list[str]


class EmbeddingStatus(ResponseModel):
    """The embedding model."""

    model: str
    dimensions: int
    provider: str
    state: Literal["unused", "loading", "ready", "unavailable"]
    note: str | None


class GitStatus(ResponseModel):
    """The git repository of the folder; a field is null if git cannot tell."""

    head_commit: str | None
    origin_main: str | None
    dirty: bool | None


class ServedCollection(ResponseModel):
    """One of several collections that are served."""

    collection: str
    docs_root: str
    index: IndexStatusState
    git: GitStatus | None


class StatusAnswer(Answer):
    """What is served, how much of it is indexed, and how fresh it is."""

    server: ServerStatus
    index: IndexStatusState | None = optional("The state of the index.")  # pyright: ignore[reportIncompatibleVariableOverride]  # answers are read, not written
    embedding: EmbeddingStatus
    git: GitStatus | None
    collections: list[ServedCollection] | None = optional(
        "Each collection, if several are served; `index` has their sums, all else is of the first."
    )

    def with_index_state(self, freshness: Freshness) -> Self:
        """The index's own fields stay; what every answer says of its index is written over them."""
        index = self.index and self.index.model_copy(update=state_fields(freshness))
        return self.model_copy(update={"index": index})

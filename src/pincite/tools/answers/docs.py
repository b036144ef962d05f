"""What the `docs` tools answer: the shape of each answer, and of its parts."""

from typing import Literal, Self

from pydantic import Field

from pincite.index.retriever import SearchType
from pincite.model.status import Freshness
from pincite.services.bounds import Bounded
from pincite.services.page_boxes import PageBox
from pincite.toolkit import Answer, IndexState, ResponseModel, optional, state_fields


class Part(ResponseModel):
    """Which part of a split section a chunk is."""

    index: int = Field(description="From 1.")
    of: int


class ChunkMetadata(ResponseModel):
    """What is needed to cite a chunk and to follow it up."""

    file_path: str
    heading_path: str = Field(description="The breadcrumb that get_section takes.")
    heading_level: int
    last_modified: str
    char_count: int
    part: Part | None = optional("Which part of a split section this is.")
    page_numbers: list[int] | None = optional("The pages that it stands on, where its format has pages.")
    boxes: list[PageBox] | None = optional("Where it stands on them.")


class Explanation(ResponseModel):
    """What a score is made of; the parts add up to it."""

    meaning: float
    words: float
    phrase: float | None = optional("Added where a phrase occurs word for word.")


class SearchResult(ResponseModel):
    """One passage that was found."""

    content: str
    score: float
    similarity: float | None = Field(description="Cosine of meaning; null where words alone ranked.")
    ref: str = Field(description="The citation.")
    metadata: ChunkMetadata
    incomplete: str | None = optional("What of the document was not read, and why.")
    explanation: Explanation | None = optional("What meaning and words add to the score.")


class SearchAnswer(Bounded):
    """The passages that were found, best first."""

    results: list[SearchResult]
    total_chunks: int = Field(description="Chunks that were searched.")
    query_ms: float
    search_type: SearchType
    relevance: float | None = optional("Probability that the documents speak of the question at all.")
    did_you_mean: str | None = optional("What was searched for: the query with a word repaired.")
    note: str | None = optional("Why words alone ranked, why nothing was found, or that relevance is low.")
    partial: bool | None = optional("True if the time ran out before the search was done.")


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

    file_path: str
    title: str
    last_modified: str
    total_chars: int
    chunks: list[PageChunk]
    incomplete: str | None = optional("What of the document was not read, and why.")


class SectionMetadata(ResponseModel):
    """Where a section stands."""

    file_path: str
    heading_path: str
    heading_level: int
    last_modified: str
    char_count: int


class SectionAnswer(Bounded):
    """One section, whole."""

    content: str
    ref: str
    metadata: SectionMetadata
    incomplete: str | None = optional("What of the document was not read, and why.")


class HeadingsPart(ResponseModel):
    """Which headings an entry shows of a page that has too many for one answer."""

    first: int = Field(description="From 0.")
    of: int


class PageEntry(ResponseModel):
    """One page of the list."""

    file_path: str
    title: str
    headings: list[str] = Field(description="Texts of its h1 and h2.")
    heading_paths: list[str] = Field(description="Their breadcrumbs, as get_section takes them.")
    headings_part: HeadingsPart | None = optional("Which headings these are, where max_tokens split them.")
    chunk_count: int
    total_chars: int
    last_modified: str
    incomplete: str | None = optional("What of the document was not read, and why.")


class PagesAnswer(Bounded):
    """The pages, by path."""

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
    failed: dict[str, int] = Field(description="Why documents could not be read, and how many each.")
    failures: list[Failure] | None = optional("The first 20 documents that could not be read.")
    incomplete: dict[str, int] = Field(description="Why parts of documents could not be read, and of how many each.")
    indexing: Progress | None
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
    """The repository that the folder belongs to; null where git cannot say."""

    head_commit: str | None
    origin_main: str | None
    dirty: bool | None


class StatusAnswer(Answer):
    """What is served, how much of it is indexed, and how fresh it is."""

    server: ServerStatus
    index: IndexStatusState | None = None  # pyright: ignore[reportIncompatibleVariableOverride]  # answers are read, not written
    embedding: EmbeddingStatus
    git: GitStatus | None

    def with_index_state(self, freshness: Freshness) -> Self:
        """The index's own fields stay; what every answer says of its index is written over them."""
        index = self.index and self.index.model_copy(update=state_fields(freshness))
        return self.model_copy(update={"index": index})

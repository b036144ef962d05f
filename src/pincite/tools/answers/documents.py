"""The response models of the `documents` tools."""

from typing import Any, Literal

from pydantic import Field

from pincite.index.retriever import SearchType
from pincite.services.bounds import Bounded
from pincite.toolkit import Answer, ResponseModel, optional


class Metadata(ResponseModel):
    """What is known of a document besides its text."""

    source: str = Field(description="The URL.")
    doc_type: str = Field(description="pdf, docx, pptx, xlsx, csv, html, txt, md, image or unknown.")
    title: str | None = optional("Its title.")
    pages: int | None = optional("Number of its pages, slides or sheets, if it has such.")
    properties: dict[str, str] = Field(description="The document's own properties.")
    warnings: list[str] = Field(description="What was not read, and why.")
    fallback: str | None = optional("What was done instead of reading it as what it is.")


class DocumentTable(ResponseModel):
    """A table."""

    content: str = Field(description="Markdown.")
    table_type: str = Field(description="spreadsheet, csv or document.")
    location: str = Field(description="The sheet's name, or `page N`.")
    metadata: dict[str, Any] = Field(
        description="Rows, columns with name, type and density; `truncated` if content does not have all of it."
    )


class DocumentImage(ResponseModel):
    """A picture in a document."""

    image_path: str = Field(description="Its name inside the document.")
    ocr_text: str
    metadata: dict[str, Any]
    confidence: float = Field(description="Of the recognised text, 0 to 1.")


class DocumentLink(ResponseModel):
    """A link."""

    url: str
    context: str = Field(description="The text around it.")
    source_location: str
    confidence: float
    url_type: str = Field(description="api_endpoint, navigation, image or general.")


class ProcessedDocument(Bounded):
    """A document: its text, and what was found in it."""

    content: str
    content_length: int = Field(description="Characters of the whole text.")
    metadata: Metadata
    tables: list[DocumentTable]
    images: list[DocumentImage]
    urls: list[DocumentLink]
    detected_language: str = Field(description="ISO 639-1.")
    detected_language_name: str
    reliable: bool = Field(description="False if the language could not be recognised.")


class DocumentChunk(ResponseModel):
    """A passage."""

    text: str
    chunk_index: int
    total_chunks: int
    importance_score: float
    content_type: str = Field(description="table, list, heading or text.")
    locator: str
    page: int | None = optional("Its first page or slide.")
    ref: str = Field(description="The citation.")


class ChunkedDocument(Bounded):
    """The passages of a document, in order."""

    chunks: list[DocumentChunk]
    chunk_count: int = Field(description="Of the whole document.")
    document_type: str
    warnings: list[str] | None = optional("What was not read, and why.")


class RetrievedChunk(ResponseModel):
    """A passage that answers a query."""

    text: str
    chunk_index: int
    importance_score: float
    content_type: str = Field(description="table, list, heading or text.")
    score: float
    locator: str
    page: int | None = optional("Its first page or slide.")
    ref: str = Field(description="The citation.")


class RetrievedChunks(Bounded):
    """The passages that answer a query, best first."""

    results: list[RetrievedChunk]
    total_chunks_indexed: int
    search_type: SearchType | None = optional("The legs that took part in the search.")
    relevance: float | None = optional("Probability that the document covers the query at all.")
    did_you_mean: str | None = optional("The query that was searched, with a misspelt word corrected.")
    note: str | None = optional("Why keywords alone ranked, or that relevance is low.")
    warnings: list[str] | None = optional("What was not read, and why.")


class ExtractedText(Bounded):
    """The text of a document."""

    text: str
    char_count: int = Field(description="Characters of the whole text.")
    warnings: list[str] | None = optional("What was not read, and why.")


class ExtractedTables(Bounded):
    """The tables of a spreadsheet."""

    tables: list[DocumentTable]
    table_count: int = Field(description="Of the whole document.")
    warnings: list[str] | None = optional("What was not read, and why.")


class RecognisedText(ResponseModel):
    """The text of a picture."""

    text: str
    confidence: float = Field(description="Mean over the words, 0 to 1.")
    metadata: dict[str, Any] = Field(description="words: each with text, confidence and box.")


class RecognisedTexts(Bounded):
    """The texts of a picture's pages."""

    ocr_results: list[RecognisedText]
    warnings: list[str] | None = optional("What was not read, and why.")


class DetectedLanguage(Answer):
    """A language."""

    language_code: str = Field(description="ISO 639-1.")
    language_name: str
    reliable: bool = Field(description="False if the language could not be recognised.")


class Features(ResponseModel):
    """Optional features."""

    rerank: bool
    ocr: bool
    language_detection: bool


class Security(ResponseModel):
    """How callers are checked."""

    auth_enabled: bool
    rate_limit_rpm: int


class Models(ResponseModel):
    """The models in use."""

    loaded: list[str] = Field(description="Those that are loaded.")
    fast: str = Field(description="For documents of 100 chunks and more.")
    accurate: str = Field(description="For smaller ones.")
    reranker: str | None
    notes: list[str] | None = optional("Why a configured model is not in use.")


class LayerStatistics(ResponseModel):
    """What a cache was used for since the start."""

    hits: int
    misses: int
    hit_rate: float
    entries: int
    bytes: int


class CacheLayers(ResponseModel):
    """The three caches."""

    download: LayerStatistics
    document: LayerStatistics
    retriever: LayerStatistics


class SystemHealth(Answer):
    """The state of the server."""

    status: Literal["healthy", "degraded"]
    version: str
    features: Features
    security: Security
    models: Models
    formats: list[str]
    device: Literal["cuda", "mps", "cpu"]
    cache: CacheLayers
    timestamp: str


class ClearedLayers(ResponseModel):
    """How many entries were evicted."""

    download: int
    document: int
    retriever: int


class CacheAnswer(Answer):
    """The statistics, or what was evicted."""

    download: LayerStatistics | None = optional("With action `stats`.")
    document: LayerStatistics | None = optional("With action `stats`.")
    retriever: LayerStatistics | None = optional("With action `stats`.")
    cleared: ClearedLayers | None = optional("With action `clear`.")

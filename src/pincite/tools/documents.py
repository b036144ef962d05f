"""The `documents` toolset: a URL in; text, tables, links, passages out. No language model is used."""

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field

from pincite.chunking.profiles import UNKNOWN, document_type
from pincite.errors import ErrorForm, InvalidInput, ProcessingFailed, ReadingFailed
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.recognition import RecognisedPage
from pincite.model.status import Freshness, iso
from pincite.ranking.diversity import diversified
from pincite.registry import FORMATS
from pincite.services.bounds import Bound, Cursor, MaxTokens, bound, continued
from pincite.services.documents.derived import Derivation
from pincite.services.documents.language import LanguageDetection
from pincite.services.documents.opening import Opened, Opener
from pincite.services.documents.paging import Page, page
from pincite.services.documents.retrievers import Subject
from pincite.services.documents.tables import tables
from pincite.toolkit import TOOL_EVENTS, Answer, Tool, tool
from pincite.tools.answers.documents import (
    CacheAnswer,
    CacheLayers,
    ChunkedDocument,
    ClearedLayers,
    DetectedLanguage,
    DocumentChunk,
    DocumentImage,
    DocumentLink,
    DocumentTable,
    ExtractedTables,
    ExtractedText,
    Features,
    LayerStatistics,
    Models,
    ProcessedDocument,
    RecognisedTexts,
    RetrievedChunk,
    RetrievedChunks,
    Security,
    SystemHealth,
)
from pincite.tools.answers.opened import (
    chunk_parts,
    found_in,
    hit_parts,
    metadata,
    passages,
    recognised_text,
    reranked,
    search_note,
    table_parts,
)
from pincite.tools.base import DocumentParts, Parts
from pincite.version import __version__

MAX_CONTENT_CHARS = 50_000
"""Maximum characters of a text in one answer; by contract 4, Functions."""
MAX_HITS = 20
"""Maximum of `top_k`, and of the candidates that are ranked; by contract 4, Retrieval."""
CANDIDATES_PER_HIT = 3
"""Candidates that are ranked for each hit."""
POLICY = "passages"

WHOLE_SECONDS, EXTRACT_SECONDS, SHORT_SECONDS = 300.0, 120.0, 30.0
"""Timeouts; by contract 4, Functions."""

A = TypeVar("A", bound=Answer)

DocumentUrl = Annotated[
    str,
    Field(
        description="http(s) URL, `upload:` id, or allowed local path of the document.",
        json_schema_extra={"minLength": 1, "maxLength": 2048},
    ),
]
ImageUrl = Annotated[str | None, Field(description="As document_url, of the picture.")]
Text = Annotated[str, Field(description="The text.", json_schema_extra={"maxLength": 100_000})]


class DocumentsToolset:
    """Twelve tools over documents at URLs."""

    name = "documents"
    error_form = ErrorForm.CODE
    events = TOOL_EVENTS

    def __init__(self, parts: Parts) -> None:
        self._all = parts
        self._language = LanguageDetection()

    @cached_property
    def _parts(self) -> DocumentParts:
        return self._all.documents

    @cached_property
    def _opener(self) -> Opener:
        return Opener(self._parts.fetcher, self._parts.reading, self._derivation.laid_out)

    @cached_property
    def _derivation(self) -> Derivation:
        return Derivation(self._parts.caches.derived, self._language)

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[View] | None:
        """See `Toolset.view`: None, as the index of a document is opened once it is downloaded."""
        del tool, arguments, call
        self._parts.models.start()

    @tool(open_world=True, seconds=WHOLE_SECONDS, route="POST /api/process-document")
    def process_document(
        self, call: Call, document_url: DocumentUrl, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> ProcessedDocument:
        """Read a document: its text, tables, pictures, links and language. For passages that answer a question, use
        retrieve_chunks.
        """
        opened = self._opener.open_document(document_url, call)
        text, extracted = opened.document.text, self._derivation.extracted(opened.document, opened.source.url)
        language = extracted.language
        whole = ProcessedDocument(
            content="",
            content_length=len(text),
            metadata=metadata(opened),
            tables=[],
            images=[],
            urls=[],
            detected_language=language.code,
            detected_language_name=language.name,
            reliable=language.reliable,
        )
        limit = self._limit(opened, ["process_document", document_url], max_tokens, cursor)
        parts = found_in(opened, extracted, self._recognised(opened, call), whole=max_tokens is not None)
        shown = page(limit, call, whole, text, parts, MAX_CONTENT_CHARS)
        update = {
            "content": shown.content,
            "images": shown.of(DocumentImage),
            "urls": shown.of(DocumentLink),
            **continued(call, shown.cursor),
            **_with_tables(shown),
        }
        return _current(whole.model_copy(update=update), opened)

    @tool(open_world=True, seconds=WHOLE_SECONDS, route="POST /api/chunk-document")
    def chunk_document(
        self, call: Call, document_url: DocumentUrl, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> ChunkedDocument:
        """Cut a document into passages, each with its kind of content and how much it matters. For the passages that
        answer a question, use retrieve_chunks.
        """
        opened = self._opener.open_document(document_url, call)
        whole = ChunkedDocument(
            chunks=[], chunk_count=0, document_type=opened.doc_type, warnings=list(opened.warnings) or None
        )
        if not opened.document.text:
            return _current(whole, opened)
        with self._index(opened, call, semantic=False) as view:
            parts = chunk_parts(view, view.chunks(view.document(opened.source.name)))
            whole = whole.model_copy(update={"chunk_count": len(parts)})
            limit = self._limit(opened, ["chunk_document", document_url], max_tokens, cursor)
            shown = page(limit, call, whole, None, parts, 0)
            update = {"chunks": shown.of(DocumentChunk), **continued(call, shown.cursor)}
            return _current(whole.model_copy(update=update), opened, view.freshness)

    @tool(semantic=True, open_world=True, seconds=WHOLE_SECONDS, route="POST /api/retrieve-chunks")
    def retrieve_chunks(
        self,
        call: Call,
        document_url: DocumentUrl,
        query: Annotated[
            str, Field(description="A question or keywords.", json_schema_extra={"minLength": 1, "maxLength": 100_000})
        ],
        top_k: Annotated[int, Field(description="Number of passages, 1 to 20.")] = 5,
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
    ) -> RetrievedChunks:
        """Find the passages of a document that answer a query, each with its citation. Read the whole with
        process_document.
        """
        if not query.strip():
            raise InvalidInput("query parameter is required")
        opened = self._opener.open_document(document_url, call)
        n = min(max(top_k, 1), MAX_HITS)
        whole = RetrievedChunks(results=[], total_chunks_indexed=0, warnings=list(opened.warnings) or None)
        if not opened.document.text:
            return _current(whole, opened)
        models = self._parts.models
        embedder = models.embedder_for(self._parts.cut(opened.document, call), call)
        with self._index(opened, call, semantic=True, embedder=embedder) as view:
            result = view.search(call, query, min(CANDIDATES_PER_HIT * n, MAX_HITS))
            hits = diversified(
                reranked(result.hits, models.scores(query, passages(result.hits), call)),
                n,
                kind=lambda hit: hit.chunk.chunk.tags.chunk_type,
                score=lambda hit: hit.score,
                importance=lambda hit: hit.chunk.chunk.tags.importance or 0.0,
            )
            whole = whole.model_copy(
                update={
                    "total_chunks_indexed": result.chunks,
                    "search_type": result.search_type,
                    "relevance": None if result.relevance is None else round(result.relevance, 4),
                    "did_you_mean": result.did_you_mean,
                    "note": search_note(result),
                }
            )
            order = [hit.chunk.chunk.ordinal for hit in hits]
            limit = self._limit(opened, ["retrieve_chunks", document_url, query, n, order], max_tokens, cursor)
            shown = page(limit, call, whole, None, hit_parts(view, hits), 0)
            update = {"results": shown.of(RetrievedChunk), **continued(call, shown.cursor)}
            return _current(whole.model_copy(update=update), opened, view.freshness)

    @tool(open_world=True, seconds=EXTRACT_SECONDS, route="POST /api/extract/pdf")
    def extract_pdf_text(
        self, call: Call, document_url: DocumentUrl, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> ExtractedText:
        """Read the text of a PDF; every page begins with a line `--- Page N ---`."""
        return self._text("extract_pdf_text", "pdf", call, document_url, max_tokens, cursor)

    @tool(open_world=True, seconds=EXTRACT_SECONDS, route="POST /api/extract/docx")
    def extract_docx_text(
        self, call: Call, document_url: DocumentUrl, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> ExtractedText:
        """Read the text of a Word document as Markdown."""
        return self._text("extract_docx_text", "docx", call, document_url, max_tokens, cursor)

    @tool(open_world=True, seconds=EXTRACT_SECONDS, route="POST /api/extract/pptx")
    def extract_pptx_text(
        self, call: Call, document_url: DocumentUrl, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> ExtractedText:
        """Read the text of a presentation, with its notes; slides have a line `---` between them."""
        return self._text("extract_pptx_text", "pptx", call, document_url, max_tokens, cursor)

    @tool(open_world=True, seconds=EXTRACT_SECONDS, route="POST /api/extract/xlsx")
    def extract_xlsx_tables(
        self, call: Call, document_url: DocumentUrl, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> ExtractedTables:
        """Read the tables of a workbook: columns and the first 20 rows of each sheet; all rows with max_tokens."""
        return self._tables("extract_xlsx_tables", "xlsx", call, document_url, max_tokens, cursor)

    @tool(open_world=True, seconds=EXTRACT_SECONDS, route="POST /api/extract/csv")
    def extract_csv_tables(
        self, call: Call, document_url: DocumentUrl, max_tokens: MaxTokens = None, cursor: Cursor = None
    ) -> ExtractedTables:
        """Read the table of a CSV file: its columns and first 20 rows; all rows with max_tokens."""
        return self._tables("extract_csv_tables", "csv", call, document_url, max_tokens, cursor)

    @tool(open_world=True, seconds=EXTRACT_SECONDS, route="POST /api/extract/image")
    def extract_image_text(
        self, call: Call, image_url: ImageUrl = None, document_url: ImageUrl = None
    ) -> RecognisedTexts:
        """Recognise the text in a picture (OCR). Give its address as image_url or document_url."""
        if image_url and document_url and image_url != document_url:
            raise InvalidInput("image_url and document_url are two names of one argument: give one of them.")
        argument = "document_url" if document_url else "image_url"
        url = image_url or document_url
        if not url:
            raise InvalidInput("image_url parameter is required")
        opened = self._opener.open_document(url, call, argument=argument, doc_type="image")
        pages = self._recognised(opened, call)
        results = [recognised_text(page) for page in pages] if any(page.lines for page in pages) else []
        return _current(RecognisedTexts(ocr_results=results, warnings=list(opened.warnings) or None), opened)

    @tool(seconds=SHORT_SECONDS, is_quick=True, route="POST /api/detect-language")
    def detect_language(self, text: Text) -> DetectedLanguage:
        """Recognise the language of a text, by its first 5,000 characters."""
        language = self._language.detect(text)
        return DetectedLanguage(language_code=language.code, language_name=language.name, reliable=language.reliable)

    @tool(seconds=SHORT_SECONDS, is_quick=True, route="GET /api/health")
    def get_system_health(self, call: Call) -> SystemHealth:
        """Say what the server can do now: features, models, formats, caches."""
        models = self._parts.models.status(call)
        language = self._language.available
        return SystemHealth(
            status="healthy" if language and not models.problem else "degraded",
            version=__version__,
            features=Features(
                rerank=models.reranker is not None, ocr=self._parts.reading.recognises, language_detection=language
            ),
            security=Security(auth_enabled=self._parts.auth_enabled, rate_limit_rpm=self._parts.rate_limit),
            models=Models(
                loaded=list(models.loaded),
                fast=models.fast,
                accurate=models.accurate,
                reranker=models.reranker,
                notes=list(models.notes) or None,
            ),
            formats=sorted({document_type(row.media_types[0]) for row in FORMATS} - {UNKNOWN}),
            device=self._parts.models.device(),
            cache=CacheLayers(**self._statistics()),
            timestamp=iso(time.time()),
        )

    @tool(read_only=False, seconds=SHORT_SECONDS, is_quick=True, route="POST /api/cache")
    def manage_cache(
        self, action: Annotated[Literal["stats", "clear"], Field(description="stats or clear.")]
    ) -> CacheAnswer:
        """Show the statistics of the caches of downloads, documents and indexes, or empty them."""
        if action == "stats":
            return CacheAnswer().model_copy(update=self._statistics())
        caches = self._parts.caches
        cleared = ClearedLayers(
            download=caches.download.clear(),
            document=caches.clear_documents(),
            retriever=self._parts.retrievers.clear(),
        )
        return CacheAnswer(cleared=cleared)

    def _text(
        self, tool_name: str, doc_type: str, call: Call, url: str, max_tokens: int | None, cursor: str | None
    ) -> ExtractedText:
        opened = self._opener.open_document(url, call, doc_type=doc_type)
        text = opened.document.text
        whole = ExtractedText(text="", char_count=len(text), warnings=list(opened.warnings) or None)
        limit = self._limit(opened, [tool_name, url], max_tokens, cursor)
        shown = page(limit, call, whole, text, [], MAX_CONTENT_CHARS)
        update = {"text": shown.content, **continued(call, shown.cursor)}
        return _current(whole.model_copy(update=update), opened)

    def _tables(
        self, tool_name: str, doc_type: str, call: Call, url: str, max_tokens: int | None, cursor: str | None
    ) -> ExtractedTables:
        opened = self._opener.open_document(url, call, doc_type=doc_type)
        if max_tokens is None:
            parts = table_parts(self._derivation.extracted(opened.document).tables)
        else:
            parts = table_parts(tables(opened.document, whole=True))
        whole = ExtractedTables(tables=[], table_count=len(parts), warnings=list(opened.warnings) or None)
        limit = self._limit(opened, [tool_name, url], max_tokens, cursor)
        shown = page(limit, call, whole, None, parts, 0)
        update = {**continued(call, shown.cursor), **_with_tables(shown)}
        return _current(whole.model_copy(update=update), opened)

    def _recognised(self, opened: Opened, call: Call) -> Sequence[RecognisedPage]:
        """Return the recognised pages of a picture; none of any other file, nor without recognition."""
        if opened.doc_type != "image" or opened.fallback or not self._parts.reading.recognises:
            return ()
        # What the picture was read with is kept, so that it is not recognised twice.
        return self._parts.reading.recognised(opened.blob, call)

    @contextmanager
    def _index(self, opened: Opened, call: Call, *, semantic: bool, embedder: str = "") -> Generator[View]:
        subject = Subject(opened.source.url, opened.source.name, opened.blob)
        try:
            retrievers = self._parts.retrievers
            with retrievers.view(subject, policy=POLICY, embedder=embedder, call=call, semantic=semantic) as view:
                yield view
        except ReadingFailed as failure:
            raise ProcessingFailed(failure.message) from failure

    def _limit(self, opened: Opened, arguments: list[object], max_tokens: int | None, cursor: str | None) -> Bound:
        return bound(self._all.tokens, opened.blob.fingerprint[:16], arguments, max_tokens, cursor)

    def _statistics(self) -> dict[str, LayerStatistics]:
        return {
            name: LayerStatistics(
                hits=layer.hits,
                misses=layer.misses,
                hit_rate=round(layer.hit_rate, 4),
                entries=layer.entries,
                bytes=layer.bytes,
            )
            for name, layer in self._parts.caches.statistics().items()
        }


def _current(answer: A, opened: Opened, of_index: Freshness | None = None) -> A:
    """Return an answer that says whether its document may have changed since."""
    return answer.with_index_state(opened.source.freshness(of_index))


def _with_tables(shown: Page) -> dict[str, Any]:
    """Return the tables of an answer, and that it is cut if one of them is."""
    tables = shown.of(DocumentTable)
    is_cut = any(table.metadata.get("truncated") for table in tables)
    return {"tables": tables, **({"truncated": True} if is_cut else {})}

"""The `extraction` toolset: index one document, search it, read what was found, check what was extracted."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Annotated, Any, Literal

from pydantic import Field

from pincite.errors import ErrorForm, InvalidInput
from pincite.formats.detect.sniff import sniff
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.chunk import ChunkKind
from pincite.model.search import Hit
from pincite.services.bounds import Bounded, Cursor, MaxTokens
from pincite.services.extraction import indexes
from pincite.services.extraction.indexes import DocumentIndexes
from pincite.toolkit import TOOL_EVENTS, Answer, ResponseModel, Tool, tool
from pincite.tools.answers.bounded import bounded
from pincite.tools.base import Parts

SNIPPET_CHARS = 200
"""By contract 3."""

SNIPPET_LEAD_CHARS = 60
"""Characters of a snippet before its match."""

MAX_RESULTS = 50
MAX_READ_CHARS = 500_000
"""Sent to clients as `anthropic/maxResultSizeChars`, which else shorten a long text."""

INDEX_SECONDS, TOOL_SECONDS = 120.0, 60.0
"""Time limits by contract 3."""

CONTENTS = ("toc", "title")
"""The list of an answer that `max_tokens` bounds, and the text of its entries."""

SCOPES: Mapping[str, ChunkKind | None] = {"text": ChunkKind.TEXT, "tables": ChunkKind.TABLE, "all": None}


class TocEntry(ResponseModel):
    """A heading."""

    locator: str
    title: str


class BuiltIndex(Bounded):
    """The index of a document."""

    index_id: str = Field(description="SHA-256 of the file's bytes.")
    doc_fingerprint: str
    doc_type: str
    page_count: int | None = Field(description="Null for formats without pages.")
    chunk_count: int
    toc: list[TocEntry] = Field(description="Every heading, in order.")
    notes: list[str] = Field(description="What was not read, and other remarks.")


class SearchHit(ResponseModel):
    """A passage."""

    locator: str
    ref: str = Field(description="Reference to cite it by.")
    kind: Literal["text", "table"]
    snippet: str = Field(description="Some words around the match.")
    score: float


class SearchHits(Answer):
    """The passages that answer a query, best first; empty if nothing does."""

    results: list[SearchHit]

    def text_form(self, dumped: Mapping[str, Any]) -> object:
        """See `Answer.text_form`: the bare array, by contract 3."""
        return dumped["results"]


class PassageMeta(ResponseModel):
    """Where a passage is."""

    heading_path: list[str]
    original_heading: str
    chunk_index: int | None = Field(description="Number of the text under its heading, from 1; null for others.")
    table_index: int | None = Field(description="Number of the table under its heading, from 1; null for others.")
    page: int | None


class ReadPassage(Answer):
    """The content of a locator."""

    locator: str
    ref: str = Field(description="Reference to cite it by; of a section without those below it.")
    kind: Literal["text", "table", "section"]
    content: str
    meta: PassageMeta


class CheckedData(Answer):
    """Data in a schema's shape."""

    ok: bool
    errors: list[str]
    warnings: list[str]
    normalized: dict[str, Any]


IndexId = Annotated[str, Field(description="index_id of doc_index_build, or its cache_key.")]


class ExtractionToolset:
    """Four tools over single documents."""

    name = "extraction"
    error_form = ErrorForm.ERROR
    events = TOOL_EVENTS

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._own = parts.extraction
        self._indexes = DocumentIndexes(parts.cached, parts.collections, self._own.aliases)

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[View] | None:
        """See `Toolset.view`: the index that the call names."""
        index_id = arguments.get("index_id")
        if index_id is None:
            return None
        return self._indexes.find(index_id).view(call, semantic=tool.semantic)

    @tool(seconds=INDEX_SECONDS)
    def doc_index_build(
        self,
        call: Call,
        file_path: Annotated[str, Field(description="Path of the file.")],
        cache_key: Annotated[str | None, Field(description="A name of yours for index_id.")] = None,
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
    ) -> BuiltIndex:
        """Read and index a file (PDF, Office, HTML, Markdown and others); the answer lists its headings with their
        locators. Search it next with doc_search.
        """
        blob = self._own.files.read_blob(file_path)
        sniffed = sniff(blob.name, blob.data)
        with (
            self._indexes.build(blob, cache_key, call) as collection,
            collection.view(call, semantic=False) as view,
        ):
            document = indexes.document_of(view)
            toc = [TocEntry(locator=locator, title=title) for locator, title in indexes.contents(view, document)]
            is_converted = sniffed.format is not None and sniffed.format.isolated
            notes = [sniffed.warning, self._own.converter if is_converted else "", view.shortfall(document) or ""]
            answer = BuiltIndex(
                index_id=blob.fingerprint,
                doc_fingerprint=blob.fingerprint,
                doc_type=sniffed.format.name if sniffed.format else "",
                page_count=document.coverage.pages,
                chunk_count=document.chunk_count,
                toc=toc,
                notes=[note for note in notes if note],
            ).with_index_state(view.freshness)
        return bounded(self._parts, call, answer, CONTENTS, ["doc_index_build", file_path], max_tokens, cursor)

    @tool(semantic=True, seconds=TOOL_SECONDS)
    def doc_search(
        self,
        view: View,
        call: Call,
        index_id: IndexId,
        query: Annotated[str, Field(description="Words of the field that you look for, as the document may say them.")],
        top_k: Annotated[int, Field(description="Maximum number of passages, 1 to 50.")] = 5,
        scope: Annotated[str, Field(description="text, tables or all.")] = "all",
    ) -> SearchHits:
        """Find passages of an indexed document by words and meaning, best first; an empty list means that it says
        nothing of the query. Read a promising one with doc_read.
        """
        del index_id  # the view is its
        if scope not in SCOPES:
            raise InvalidInput(f"Bad scope: {scope[:40]}. Use text, tables or all.")
        n = min(max(top_k, 1), MAX_RESULTS)
        hits = indexes.search(view, call, query, n, SCOPES[scope], self._own.relevance_floor)
        return SearchHits(results=[_hit(hit, query, view.reference_to(hit.chunk)) for hit in hits])

    @tool(seconds=TOOL_SECONDS, result_chars=MAX_READ_CHARS)
    def doc_read(
        self,
        view: View,
        index_id: IndexId,
        locator: Annotated[str, Field(description="h3-c1 (text), h3-t1 (table), or h3 for the whole section.")],
        max_chars: Annotated[int, Field(description="Maximum length of content.")] = 3000,
    ) -> ReadPassage:
        """Read what a locator of doc_search or doc_index_build names. Quote `content` as evidence, word for word."""
        del index_id  # the view is its
        document = indexes.document_of(view)
        passage = indexes.read(view, document, locator, min(max(max_chars, 1), MAX_READ_CHARS))
        stored = passage.first
        first = stored.chunk
        number = None if passage.is_section else int(locator.partition("-")[2][1:])
        is_table = first.kind is ChunkKind.TABLE
        return ReadPassage(
            locator=locator,
            ref=view.section_reference(stored) if passage.is_section else view.reference_to(stored),
            kind="section" if passage.is_section else "table" if is_table else "text",
            content=passage.text,
            meta=PassageMeta(
                heading_path=list(first.heading_path),
                original_heading=first.heading,
                chunk_index=None if is_table else number,
                table_index=number if is_table else None,
                page=first.pages[0] if first.pages else None,
            ),
        )

    @tool(seconds=TOOL_SECONDS, refuse_empty=True)
    def json_validate_and_normalize(
        self,
        call: Call,
        schema: Annotated[dict[str, Any] | str, Field(description="A skeleton or JSON Schema, or its JSON text.")],
        data: Annotated[Any, Field(description="The object to check, or its JSON text.")] = None,
    ) -> CheckedData:
        """Check extracted data against a schema and bring them into its shape: what is missing becomes null, with a
        warning. Correct the errors and check again.
        """
        from pincite.services.extraction.validation import validate_and_normalize  # noqa: PLC0415 - not at start-up

        return CheckedData.model_validate(validate_and_normalize(data, schema, call), from_attributes=True)


def _hit(hit: Hit, query: str, ref: str) -> SearchHit:
    chunk = hit.chunk.chunk
    return SearchHit(
        locator=chunk.locator,
        ref=ref,
        kind="table" if chunk.kind is ChunkKind.TABLE else "text",
        snippet=_snippet(chunk.body, query),
        score=min(1.0, max(0.0, hit.score)),
    )


def _snippet(text: str, query: str) -> str:
    """Return some words around the first match of a query, or the beginning."""
    from pincite.ranking.highlight import matches  # noqa: PLC0415 - not at start-up

    flat = " ".join(text.split())
    if len(flat) <= SNIPPET_CHARS:
        return flat
    first = next(iter(matches(flat, query)), (0, 0))[0]
    start = min(max(0, first - SNIPPET_LEAD_CHARS), len(flat) - SNIPPET_CHARS)
    if start > 0:
        start = flat.find(" ", start, first) + 1 or start  # not within a word, if one ends before the match
    return flat[start : start + SNIPPET_CHARS].strip()

"""The `citations` toolset: open a reference, and check a quote against it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from pincite.chunking.tokens import TokenCounter
from pincite.errors import InternalError, InvalidInput
from pincite.evidence.file_order import FileOrder, Source, in_file_order
from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import Prepared, prepare
from pincite.index.citations import Cited, resolve, section_of
from pincite.index.view import IndexView
from pincite.model.call import Call
from pincite.model.chunk import PlacedText
from pincite.model.locator import parse
from pincite.model.store import StoredChunk
from pincite.services.bounds import Bounded, Cursor, MaxTokens, bound, continued
from pincite.services.page_boxes import PageBox, line_boxes
from pincite.toolkit import Answer, ResponseModel, optional, tool

MAX_QUOTE_CHARS = 20_000
"""About eight pages; a longer text is no longer a quote."""

DEFAULT_TOKENS = 8_000
"""Default `max_tokens` of `open_citation`, by contract 0, section 3."""

MAX_CONTEXT_CHUNKS = 20

WHOLE_TEXT_CHARS = 500_000
"""Sent to clients as `anthropic/maxResultSizeChars`, which else shorten a long text: that cannot be quoted."""


class CitedSource(ResponseModel):
    """The location of a cited text."""

    title: str
    path: str
    section: str = Field(description="The breadcrumb that get_section takes.")
    page_numbers: list[int]
    boxes: list[PageBox]


class OpenedCitation(Bounded):
    """The text that a reference cites."""

    ref: str
    content: str
    source: CitedSource
    current: bool = Field(description="False if the document has changed since, but not this text.")
    newer_ref: str | None = optional("The same text in the current revision.")
    incomplete: str | None = optional("What part of the document was not read, and why.")


class VerifiedQuote(Answer):
    """The result of checking a quote against a reference."""

    verdict: Verdict
    at: str | None = Field(description="Reference of the quote, or of its start; null if absent.")
    content: str = Field(description="The document's own words there; parts are joined by an ellipsis.")
    incomplete: str | None = optional("What part of the document was not read, and why.")


class CitationsToolset:
    """Two tools over one collection."""

    name = "citations"

    def __init__(self, tokens: TokenCounter) -> None:
        """Count `max_tokens` with this counter."""
        self._tokens = tokens
        self._ready: Prepared | None = None
        self._ordered: tuple[str, list[Source], FileOrder] | None = None

    @tool(result_chars=WHOLE_TEXT_CHARS)
    def open_citation(
        self,
        view: IndexView,
        call: Call,
        ref: Annotated[str, Field(description="A `ref` of any answer.")],
        context: Annotated[int, Field(description="Neighbouring chunks to add on each side, 0 to 20.")] = 0,
        max_tokens: MaxTokens = DEFAULT_TOKENS,
        cursor: Cursor = None,
    ) -> OpenedCitation:
        """Open a reference: the text that it cites, its location, and whether the document has changed since.
        Check words against it with verify_quote.
        """
        cited = resolve(view, parse(ref))
        # Clamped, not refused: a model that asks for too much should still get an answer.
        neighbours = min(max(context, 0), MAX_CONTEXT_CHUNKS)
        text = _text(cited, neighbours)
        limit = bound(self._tokens, cited.document.revision, ["open_citation", ref, neighbours], max_tokens, cursor)
        whole = OpenedCitation(
            ref=ref,
            content="",
            source=_cited_source(cited),
            current=cited.current,
            newer_ref=None if cited.current else str(cited.ref),
            incomplete=cited.document.coverage.shortfall,
        )
        taken, following = limit.take(call, [text], whole)
        content = "".join(text[part.start : part.end] for part in taken)
        return whole.model_copy(update={"content": content, **continued(call, following)})

    @tool()
    def verify_quote(
        self,
        view: IndexView,
        call: Call,
        ref: Annotated[str, Field(description="The reference that the quote is attributed to.")],
        quote: Annotated[str, Field(description="The words to be quoted.")],
    ) -> VerifiedQuote:
        """Check whether a quote is in the text that a reference cites: exact (each character), normalised (other white
        space, typography, or case of its first letter; any other case is absent: MUST is not must), moved (elsewhere
        in the document), stitched (from parts) or absent. Quote the `content` that comes back.
        """
        if len(quote) > MAX_QUOTE_CHARS:
            raise InvalidInput(
                f"The quote has {len(quote):,} characters; the maximum is {MAX_QUOTE_CHARS:,}. Check it in parts."
            )
        cited = resolve(view, parse(ref))
        text = "".join(stored.chunk.text for stored in cited.every)
        sources = list(_table_sources(cited.every))

        # A callable: matching in the order of the file is costly, and needed only if the quote is not found otherwise.
        def file_order() -> FileOrder | None:
            return self._in_file_order(text, sources, call) if sources else None

        match = verify(quote, self._prepared(text, call), _cited_span(cited), call, file_order)
        return VerifiedQuote(
            verdict=match.verdict,
            at=_reference_of(cited, match.spans[0]) if match.spans else None,
            content=" … ".join(text[start:end] for start, end in match.spans),
            incomplete=cited.document.coverage.shortfall,
        )

    def _prepared(self, text: str, call: Call) -> Prepared:
        """Return the text prepared for matching; keep the last one: agents check several quotes of one document."""
        prepared = self._ready
        if prepared is None or prepared.text != text:
            prepared = self._ready = prepare(text, call)
        return prepared

    def _in_file_order(self, text: str, sources: list[Source], call: Call) -> FileOrder:
        """Return the text with its tables in the order of the file; keep the last one."""
        prepared = self._ordered
        if prepared is None or prepared[:2] != (text, sources):
            prepared = self._ordered = (text, sources, in_file_order(text, sources, call))
        return prepared[2]


def _table_sources(chunks: Iterable[StoredChunk]) -> Iterator[Source]:
    """Yield the tables of a document with their spans in its text."""
    start = 0
    for stored in chunks:
        for source in stored.chunk.sources:
            yield start + source.start, start + source.end, source.text
        start += len(stored.chunk.text)


def _cited_span(cited: Cited) -> tuple[int, int]:
    """Return the span that a reference cites, in the text of the whole document."""
    start = sum(len(stored.chunk.text) for stored in cited.every[: cited.first])
    first, last = cited.ref.span or (0, len(cited.text))
    return start + first, start + last


def _reference_of(cited: Cited, span: tuple[int, int]) -> str:
    """Return the reference of a span: to its chunk; to its section if it covers several chunks; else to its start."""
    start = 0
    for number, stored in enumerate(cited.every):
        end = start + len(stored.chunk.text)
        if span[0] < end:
            locator = stored.chunk.locator
            # A locator names one section at most; of a span that leaves it the part in that section is named.
            if span[1] > end:
                parts = cited.every[number + 1 - stored.chunk.part :][: stored.chunk.parts]
                before = sum(len(part.chunk.text) for part in parts[: stored.chunk.part - 1])
                start, end = start - before, start - before + sum(len(part.chunk.text) for part in parts)
                locator = section_of(locator)
            within = (span[0] - start, min(span[1], end) - start)
            return str(replace(cited.ref, locator=locator, span=within))
        start = end
    raise InternalError("A quote was found outside of its document.")


def _text(cited: Cited, neighbours: int) -> str:
    """Return the cited range, or the text of the locator with its neighbours."""
    # With neighbours, whole chunks: a range would cut the text between them.
    if cited.ref.span and not neighbours:
        return cited.text[slice(*cited.ref.span)]
    chunks = cited.every[max(0, cited.first - neighbours) : cited.first + cited.count + neighbours]
    return "".join(stored.chunk.text for stored in chunks)


def _cited_source(cited: Cited) -> CitedSource:
    document, chunks = cited.document, cited.chunks
    pages = sorted({page for stored in chunks for page in stored.chunk.pages})
    return CitedSource(
        title=document.title or document.first_h1 or document.name.rpartition("/")[2],
        path=document.name,
        section=chunks[0].breadcrumb,
        page_numbers=pages,
        boxes=line_boxes(_cited_boxes(cited)),
    )


def _cited_boxes(cited: Cited) -> Iterator[PlacedText]:
    start, end = cited.ref.span or (0, len(cited.text))
    for stored in cited.chunks:
        for placed in stored.chunk.boxes:
            if placed.start < end and placed.end > start:
                yield placed
        start, end = start - len(stored.chunk.text), end - len(stored.chunk.text)

"""The `citations` toolset: open a reference, and check a quote against it."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Annotated, Any, cast

from pydantic import Field

from pincite.errors import InvalidInput
from pincite.evidence.claims import MAX_QUOTE_CHARS
from pincite.evidence.file_order import Source
from pincite.evidence.quotes import Finding, Verdict, check_words
from pincite.index.citations import Cited
from pincite.index.retriever import Method
from pincite.index.searcher import Ranking
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.locator import parse
from pincite.model.store import StoredDocument
from pincite.services.bounds import MAX_ANSWER_TOKENS, Bounded, Cursor, InCollection, MaxTokens, continued
from pincite.services.citations.page_boxes import PageBox, cited_boxes, line_boxes
from pincite.services.citations.page_links import page_link
from pincite.services.citations.verification import Verification
from pincite.text.names.glob import Predicate
from pincite.text.quotation_marks import MARKS
from pincite.toolkit import TOOL_EVENTS, Answer, ResponseModel, Tool, optional, tool
from pincite.tools.base import WHOLE_TEXT_CHARS, Parts

DEFAULT_TOKENS = 8_000
"""Default `max_tokens` of `open_citation`, by contract 0, section 3."""

COMPARED_PASSAGES = 20
"""Passages whose documents are compared with a quote that comes without a reference: passages with its words in
sequence rank first."""

MAX_CONTEXT_CHUNKS = 20
"""Chunks on each side of a citation; more are read by section or page."""

_NO_QUOTATION_MARKS = str.maketrans(dict.fromkeys(MARKS, " "))
_STRICTEST_FIRST = list(Verdict)


class CitedSource(ResponseModel):
    """The location of a cited text."""

    title: str
    path: str
    section: str = Field(description="The breadcrumb of its section.")
    page_numbers: list[int]
    boxes: list[PageBox]


class OpenedCitation(Bounded):
    """The text that a reference cites."""

    ref: str
    content: str
    source: CitedSource
    current: bool = Field(description="False if the document has changed since, but not this text.")
    newer_ref: str | None = optional("The same text in the current revision.")
    link: str | None = optional("Address at which a person sees the text in its document.")
    incomplete: str | None = optional("What part of the document was not read, and why.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class VerifiedQuote(Answer):
    """The result of checking a quote against a reference."""

    verdict: Verdict
    at: str | None = Field(description="Reference of the quote, or of its start; null if absent.")
    content: str = Field(description="The document's own words there; parts are joined by an ellipsis.")
    link: str | None = optional("Address at which a person sees the quote in its document.")
    incomplete: str | None = optional("What part of the document was not read, and why.")
    ocr: str | None = optional("That text of it was recognised in a picture, and on which pages: it may have errors.")


class CitationsToolset:
    """Two tools over every collection."""

    name = "citations"
    events = TOOL_EVENTS

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.error_form = parts.error_form
        self.omitted = parts.omitted
        self._verification = Verification()

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[View]:
        """See `Toolset.view`: the collection that the reference cites."""
        collections, named = self._parts.collections, arguments.get("collection")
        collection = collections.get(named) if named else collections.find(parse(arguments["ref"]), call)
        return collection.view(call, semantic=tool.semantic)

    @tool(result_chars=WHOLE_TEXT_CHARS)
    def open_citation(
        self,
        view: View,
        call: Call,
        ref: Annotated[str, Field(description="A `ref` of any answer.")],
        context: Annotated[int, Field(description="Neighbouring chunks to add on each side, 0 to 20.")] = 0,
        max_tokens: MaxTokens = DEFAULT_TOKENS,
        cursor: Cursor = None,
        collection: InCollection = None,
    ) -> OpenedCitation:
        """Open a reference: the text that it cites, its location, and whether the document has changed since.
        Check words against it with verify_quote.
        """
        del collection  # `view` is of it
        cited = view.resolve(parse(ref))
        # Clamped, not refused: a model that asks for too much should still get an answer.
        neighbours = min(max(context, 0), MAX_CONTEXT_CHUNKS)
        # With neighbours, whole chunks: a range would cut the text between them.
        text = view.text(cited.document, *(view.surroundings(cited, neighbours) if neighbours else cited.span))
        limit = self._parts.bound(cited.document.revision, ["open_citation", ref, neighbours], max_tokens, cursor)
        whole = OpenedCitation(
            ref=ref,
            content="",
            source=_cited_source(cited),
            current=cited.current,
            newer_ref=None if cited.current else str(cited.ref),
            link=page_link(call.page, str(cited.ref)),
            incomplete=cited.document.coverage.shortfall,
            ocr=_recognised(cited),
        )
        taken, following = limit.take(call, [text], whole)
        content = "".join(text[part.start : part.end] for part in taken)
        return whole.model_copy(update={"content": content, **continued(call, following)})

    @tool()
    def verify_quote(
        self,
        view: View,
        call: Call,
        ref: Annotated[str, Field(description="The reference that the quote is attributed to.")],
        quote: Annotated[str, Field(description="The words to be quoted.")],
        collection: InCollection = None,
    ) -> VerifiedQuote:
        """Check whether a quote is in the text that a reference cites: exact (each character), normalised (other white
        space, typography, or case of its first letter; any other case is absent: MUST is not must), moved (elsewhere
        in the document), stitched (from parts) or absent. Quote the `content` that comes back.
        """
        del collection  # `view` is of it
        _check_length(quote)
        cited = view.resolve(parse(ref))
        text = view.text(cited.document)
        match = self._verification.verify(quote, text, lambda: _sources(view, cited.document), cited.span, call)
        return _verified(view, cited.document, text, match, call).model_copy(update={"ocr": _recognised(cited)})


def find_quote(view: View, quote: str, call: Call, keep: Predicate | None = None) -> VerifiedQuote:
    """Check whether a quote is in any document: in those with the `COMPARED_PASSAGES` passages nearest to its words.

    The strictest verdict counts. None is `moved`, since no reference says where the quote should be.

    Args:
        view: The collection.
        quote: The words.
        call: Checked for cancellation.
        keep: Returns True for the names of documents to compare; None for all.

    Raises:
        InvalidInput: The quote is too long, or has no letter and no digit.
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    _check_length(quote)
    check_words(quote)
    query = f'"{quote.translate(_NO_QUOTATION_MARKS)}"'
    hits = view.ranked(call, query, COMPARED_PASSAGES, Ranking(Method.KEYWORD, keep)).hits
    best = VerifiedQuote(verdict=Verdict.ABSENT, at=None, content="")
    for name in dict.fromkeys(hit.chunk.document for hit in hits):
        document = view.document(name)
        text = view.text(document)
        sources = partial(_sources, view, document)
        match = Verification().verify(quote, text, sources, (0, len(text)), call)
        if _STRICTEST_FIRST.index(match.verdict) < _STRICTEST_FIRST.index(best.verdict):
            best = _verified(view, document, text, match, call)
        if best.verdict is Verdict.EXACT:
            break
    return best.with_index_state(view.freshness)


def open_whole(call_tool: Callable[[str, Mapping[str, Any]], Answer], ref: str, context: int) -> OpenedCitation:
    """Return the complete text that a reference cites, in one answer.

    Args:
        call_tool: Calls a tool by name with its arguments.
        ref: The reference.
        context: Number of neighbouring chunks to add on each side.

    Raises:
        PinciteError: See `Toolbox.call`.
    """
    arguments = {"ref": ref, "context": context, "max_tokens": MAX_ANSWER_TOKENS}
    answer = cast("OpenedCitation", call_tool("open_citation", arguments))
    parts, cursor = [answer.content], answer.next_cursor
    while cursor:
        following = cast("OpenedCitation", call_tool("open_citation", {**arguments, "cursor": cursor}))
        parts.append(following.content)
        cursor = following.next_cursor
    return answer.model_copy(update={"content": "".join(parts), "truncated": None, "next_cursor": None})


def _check_length(quote: str) -> None:
    if len(quote) > MAX_QUOTE_CHARS:
        raise InvalidInput(
            f"The quote has {len(quote):,} characters; the maximum is {MAX_QUOTE_CHARS:,}. Check it in parts."
        )


def _verified(view: View, document: StoredDocument, text: str, match: Finding, call: Call) -> VerifiedQuote:
    at = view.reference(document, match.spans[0]) if match.spans else None
    return VerifiedQuote(
        verdict=match.verdict,
        at=at and str(at),
        link=at and page_link(call.page, str(at)),
        content=" … ".join(text[start:end] for start, end in match.spans),
        incomplete=document.coverage.shortfall,
        ocr=at and _recognised(view.resolve(at)),
    )


def _sources(view: View, document: StoredDocument) -> list[Source]:
    """Return the tables of a document with their spans in its text, in order."""
    return [(source.start, source.end, source.text) for source in view.source_texts(document)]


def _recognised(cited: Cited) -> str | None:
    return cited.document.coverage.recognised(_page_numbers(cited), [cited.span])


def _page_numbers(cited: Cited) -> list[int]:
    return sorted({page for stored in cited.chunks for page in stored.chunk.pages})


def _cited_source(cited: Cited) -> CitedSource:
    return CitedSource(
        title=cited.document.label,
        path=cited.document.name,
        section=cited.chunks[0].breadcrumb,
        page_numbers=_page_numbers(cited),
        boxes=line_boxes(cited_boxes(cited.chunks, cited.span)),
    )

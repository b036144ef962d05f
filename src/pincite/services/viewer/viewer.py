"""The questions of the web page: which documents there are, what answers a query, what a citation names."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from pincite.formats.base import Blob
from pincite.index.citations import Cited
from pincite.index.collections import Collections
from pincite.index.searcher import Ranking
from pincite.index.view import View
from pincite.index.views import opened
from pincite.model.call import Call
from pincite.model.chunk import ChunkType
from pincite.model.document import Document
from pincite.model.locator import parse
from pincite.model.search import NO_FILTER, Filter, Hit
from pincite.model.status import iso
from pincite.model.store import StoredDocument
from pincite.ranking.highlight import matches
from pincite.services.citations.page_boxes import PageBox, cited_boxes, line_boxes
from pincite.services.library.clause_names import as_spelt, clause
from pincite.services.library.downloads import url_of
from pincite.services.library.ingestion import DOCUMENT_TYPE
from pincite.services.library.uploads import LibraryUploads
from pincite.services.reading.reading import Reading
from pincite.services.viewer.address import Documents, format_of
from pincite.services.viewer.pages import Pages
from pincite.text.languages import language_shares
from pincite.text.prose import prose

if TYPE_CHECKING:
    from pincite.services.tasks.service import TaskService

MAX_LISTED = 200
"""Documents in one answer: what a screen shows, several times over."""

EXCERPT_CHARS = 420
"""Length of a passage in a list of results: five lines of a column."""

SIZES = {"under 2,000": 2_000, "to 10,000": 10_000, "to 50,000": 50_000, "to 250,000": 250_000, "more": math.inf}
"""Ranges of a document's length, in characters of its text: a page has some 2,000."""

_LEAD_CHARS = 120
"""Characters of an excerpt before its first match."""

_HEADING_MARK = re.compile(r"^#{1,6} +", re.MULTILINE)
_MARKS_OF_PROSE = re.compile(r"!?\[((?:[^\[\]\n]|\[[^\[\]\n]*\])*)\]\([#./][^()\s]*\)|`+")
"""What prose keeps of Markdown: signs of code, and links within a document whose text has brackets."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A document in the list; of one that could not be read `failure` is the reason."""

    name: str
    label: str
    format: str
    type: str
    pages: int | None
    chunks: int
    hidden: int
    failure: str
    shortfall: str | None
    waiting: bool


@dataclass(frozen=True, slots=True)
class Currency:
    """How fresh an answer is; see `Freshness`."""

    checked_at: str
    pending: int
    stale: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A part of the list of documents.

    Attributes:
        documents: The part.
        total: Number of documents that match.
        of: Number of all documents.
        gaps: Number of those that match and were not read, or not in full.
        pages: Number of all their pages.
        chunks: Number of all their passages.
        formats: Formats of all documents, with their number.
        types: Types of the library's documents, with their number.
        kinds: Kinds of the library's passages, with their number.
        languages: Languages of the passages, with their share in per cent; see `language_shares`.
        sizes: Number of documents of each range of `SIZES`, shortest first.
        freshness: How fresh the list is.
    """

    documents: Sequence[Listed]
    total: int
    of: int
    gaps: int
    pages: int
    chunks: int
    formats: Mapping[str, int]
    types: Mapping[str, int]
    kinds: Mapping[str, int]
    languages: Mapping[str, int]
    sizes: Mapping[str, int]
    freshness: Currency


@dataclass(frozen=True, slots=True)
class ShownSpan:
    """A span of a document, to be shown.

    Attributes:
        collection: The name of its collection.
        document: The document's name in it.
        label: The document's title.
        url: Where it was downloaded from; empty if it was not.
        breadcrumb: The headings above.
        ref: The reference to it, in the present revision.
        start: Its first character in the document's text.
        end: One past its last character.
        boxes: Its boxes; empty for formats without pages.
        pages: Its pages.
    """

    collection: str
    document: str
    label: str
    url: str
    breadcrumb: str
    ref: str
    start: int
    end: int
    boxes: Sequence[PageBox]
    pages: Sequence[int]


@dataclass(frozen=True, slots=True)
class FoundPassage(ShownSpan):
    """A result of a search.

    Attributes:
        excerpt: Its text in pieces, each with whether it matches a word of the query.
        clause: Its clause number; empty without one.
        kind: What it is, in the library's vocabulary; empty without.
    """

    excerpt: Sequence[tuple[str, bool]]
    clause: str
    kind: str


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a search.

    Attributes:
        passages: Best first.
        searched: Number of passages that were searched.
        relevance: Probability that the documents answer the query; None for keyword search.
        corrected: The query that was searched instead; None without a correction.
        note: Why keywords alone were searched; empty if they were not.
        matching: Number of passages that have the only word of the query; None if it has several, or with filters.
        freshness: Of each collection.
    """

    passages: Sequence[FoundPassage]
    searched: int
    relevance: float | None
    corrected: str | None
    note: str
    matching: int | None
    freshness: Sequence[Currency]


@dataclass(frozen=True, slots=True)
class OpenedCitation:
    """What a citation names.

    Attributes:
        place: The cited span.
        text: The cited text.
        current: False if the document has changed since, but not this text.
        given: The reference as it was given.
        clause: The clause number at its place; empty without one.
    """

    place: ShownSpan
    text: str
    current: bool
    given: str
    clause: str


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """What a search is restricted to.

    Attributes:
        collection: The name of a collection; empty for all.
        document: The name of a document in it; empty for all.
        document_type: A type of the library's documents; empty for all.
        kind: A type of passages; empty for all.
        normative: Whether only binding passages are searched.
        clause: A clause and those below it, as people write it; empty for all.
    """

    collection: str = ""
    document: str = ""
    document_type: str = ""
    kind: str = ""
    normative: bool = False
    clause: str = ""


class Viewer:
    """What the web page asks. Thread-safe.

    Args:
        names: The names of the collections that are listed and searched.
        library: The name of the one that is a library; None without one.
        collections: Returns the collections; citations are resolved in all of them.
        reading: Returns what reads and renders.
        tasks: Returns the tasks; None if none are served.
        revision: Returns the revision of a task's document as read.
        uploads: Adds files to the library; None if nobody may.
        picture_bytes: Maximum size of the pictures of pages that are kept.
    """

    def __init__(
        self,
        names: Sequence[str],
        library: str | None,
        collections: Callable[[], Collections],
        reading: Callable[[], Reading],
        tasks: "Callable[[], TaskService | None]",
        revision: Callable[[Blob, Document], str],
        uploads: LibraryUploads | None = None,
        picture_bytes: int = 0,
    ) -> None:
        self.names = names
        self.uploads = uploads
        self.library = library
        self._collections = collections
        self.documents = Documents(collections, reading, tasks, revision)
        self.pages = Pages(reading, picture_bytes)

    def listing(
        self, collection: str, contains: str, first: int, count: int, call: Call, *, gaps_only: bool = False
    ) -> Listing:
        """Return a part of a collection's documents, by name.

        Args:
            collection: Its name.
            contains: Letters that the name or the title must have; empty for all.
            first: Number of documents to skip.
            count: Maximum number of documents, at most `MAX_LISTED`.
            call: Checked for cancellation.
            gaps_only: Only documents that were not read, or not in full.

        Raises:
            NotFound: There is no such collection.
        """
        with self._collections().get(collection).view(call, semantic=False) as view:
            documents = view.snapshot.documents()
            rows = [_listed(view, view.titled(document)) for document in documents]
            needle = contains.casefold()
            matching = [row for row in rows if needle in row.name.casefold() or needle in row.label.casefold()]
            with_gaps = [row for row in matching if row.failure or row.shortfall]
            shown = with_gaps if gaps_only else matching
            return Listing(
                shown[first:][: min(count, MAX_LISTED)],
                len(shown),
                len(rows),
                len(with_gaps),
                sum(row.pages or 0 for row in rows),
                sum(row.chunks for row in rows),
                Counter(row.format for row in rows if row.format),
                Counter(row.type for row in rows if row.type),
                _kinds(view) if collection == self.library and not first else {},
                language_shares(view.snapshot.document_frequencies) if not first else {},
                _sizes(document.total_chars for document in documents if not document.failure),
                _currency(view),
            )

    def search(self, query: str, filters: SearchFilters, n: int, call: Call) -> Results:
        """Return the passages that answer a query best.

        Raises:
            NotFound: There is no such collection.
        """
        names = [filters.collection] if filters.collection else self.names
        if not names:
            return Results((), 0, None, None, "", None, ())
        with opened(map(self._collections().get, names), call, semantic=True) as views:
            found = views.search(call, query, n, lambda view: _ranking(view, filters))
            result = found.result
            words = result.did_you_mean or query
            return Results(
                [_found(view, hit, words) for view, hit in found.hits],
                result.chunks,
                result.relevance,
                result.did_you_mean,
                result.keyword_reason if result.chunks else "",
                _matching(views.views, words) if filters == SearchFilters(filters.collection) else None,
                [_currency(view) for view in views.views],
            )

    def locate(self, ref: str, call: Call) -> OpenedCitation:
        """Return what a reference names.

        Raises:
            InvalidInput, NotFound, Ambiguous: See `Collections.find`, `View.resolve`.
        """
        collection = self._collections().find(parse(ref), call)
        with collection.view(call, semantic=False) as view:
            cited = view.resolve(parse(ref))
            start, end = cited.span
            return OpenedCitation(_shown_span(collection.spec.name, cited), view.text(cited.document, start, end),
                               cited.current, ref, cited.chunks[0].chunk.tags.clause)  # fmt: skip


def _matching(views: Sequence[View], words: str) -> int | None:
    if len(words.split()) != 1:
        return None
    return sum(view.snapshot.document_frequencies([words])[0] for view in views)


def _ranking(view: View, filters: SearchFilters) -> Ranking:
    where = NO_FILTER
    if filters.kind or filters.normative or filters.clause:
        kinds = frozenset({filters.kind}) if filters.kind else frozenset[str]()
        clauses = (clause(filters.clause),) if filters.clause else ()
        where = as_spelt(
            view, Filter(chunk_types=kinds, normative=True if filters.normative else None, clauses=clauses)
        )
    if not filters.document and not filters.document_type:
        return Ranking(where=where)
    names = {
        document.name
        for document in view.snapshot.documents()
        if filters.document in ("", document.name)
        and filters.document_type in ("", document.properties.get(DOCUMENT_TYPE, ""))
    }
    return Ranking(where=where, keep=lambda name: name in names)


def _listed(view: View, document: StoredDocument) -> Listed:
    kind = format_of(document.source_key or document.name)
    return Listed(
        document.name,
        document.label,
        kind.name if kind else "",
        document.properties.get(DOCUMENT_TYPE, ""),
        document.coverage.pages,
        document.chunk_count,
        document.coverage.hidden_spans,
        document.failure,
        view.shortfall(document),
        document.name in view.waiting,
    )


def _kinds(view: View) -> Mapping[str, int]:
    counts = {kind: view.snapshot.count(Filter(chunk_types=frozenset({kind}))).chunks for kind in get_args(ChunkType)}
    return {kind: count for kind, count in counts.items() if count}


def _sizes(lengths: Iterable[int]) -> Mapping[str, int]:
    counts = Counter(next(name for name, limit in SIZES.items() if length <= limit) for length in lengths)
    return {name: counts[name] for name in SIZES if counts[name]}


def _currency(view: View) -> Currency:
    state = view.freshness
    return Currency(iso(state.checked_at), state.pending, state.stale, state.reason)


def _found(view: View, hit: Hit, query: str) -> FoundPassage:
    stored, chunk = hit.chunk, hit.chunk.chunk
    return FoundPassage(
        view.collection,
        stored.document,
        view.document_of(stored).label,
        url_of(view.document_of(stored).source_key),
        stored.breadcrumb,
        view.reference_to(stored),
        chunk.start,
        chunk.end,
        line_boxes(chunk.boxes),
        chunk.pages,
        marked(chunk.body, query),
        chunk.tags.clause,
        chunk.tags.chunk_type,
    )


def _shown_span(collection: str, cited: Cited) -> ShownSpan:
    placed = list(cited_boxes(cited.chunks, cited.span))
    return ShownSpan(
        collection,
        cited.document.name,
        cited.document.label,
        url_of(cited.document.source_key),
        cited.chunks[0].breadcrumb,
        str(cited.ref),
        *cited.span,
        line_boxes(placed),
        sorted({box.page for box in placed} or {page for stored in cited.chunks for page in stored.chunk.pages}),
    )


def marked(text: str, query: str) -> list[tuple[str, bool]]:
    """Return an excerpt of a passage around its first match, in pieces: text, and whether it matches the query."""
    flat = " ".join(_MARKS_OF_PROSE.sub(r"\1", prose(_HEADING_MARK.sub("", text))).split())
    spans = matches(flat, query)
    start = 0
    if len(flat) > EXCERPT_CHARS and spans:
        start = min(max(0, spans[0][0] - _LEAD_CHARS), len(flat) - EXCERPT_CHARS)
        start = flat.rfind(" ", 0, start) + 1
    end = min(len(flat), start + EXCERPT_CHARS)
    if end < len(flat):
        end = max(flat.rfind(" ", start, end), start) or end
    pieces = [("…", False)] if start else []
    pieces += _pieces(flat, spans, start, end)
    return [*pieces, ("…", False)] if end < len(flat) else pieces


def _pieces(text: str, spans: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[tuple[str, bool]]:
    position = start
    for first, last in spans:
        if first < position or last > end:
            continue
        if first > position:
            yield text[position:first], False
        yield text[first:last], True
        position = last
    if position < end:
        yield text[position:end], False

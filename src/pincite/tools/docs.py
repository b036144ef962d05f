"""The `docs` toolset: a folder of documentation, searched, browsed and read."""

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from itertools import groupby
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from pincite.errors import ErrorForm, InvalidInput, NotFound
from pincite.index.retriever import RetrievalResult
from pincite.index.searcher import Ranking
from pincite.index.spans import partition, section_of, section_spans
from pincite.index.updating.missing import NEAREST
from pincite.index.view import View
from pincite.index.views import Views
from pincite.model.call import Call
from pincite.model.chunk import BREADCRUMB_SEPARATOR, last_heading
from pincite.model.store import StoredChunk, StoredDocument
from pincite.ranking.relevance import LOW
from pincite.services.bounds import Bound, Cursor, InCollection, MaxTokens, continued
from pincite.services.git import facts
from pincite.text.counts import counted
from pincite.text.excerpt import excerpt, excerpts
from pincite.text.names.glob import Predicate, matcher, under
from pincite.text.names.paths import from_root, nearest, relative, shown
from pincite.text.prose import passage
from pincite.toolkit import TOOL_EVENTS, Tool, tool
from pincite.tools.answers.docs import (
    PageAnswer,
    PageChunk,
    PageEntry,
    PagesAnswer,
    SearchAnswer,
    SearchResult,
    SectionAnswer,
    SectionMetadata,
    ServedCollection,
    ServerStatus,
    StatusAnswer,
)
from pincite.tools.answers.pages import (
    iso_time,
    page_chunk,
    page_entry,
    page_folders,
    pages_hash,
    results_hash,
    search_result,
)
from pincite.tools.answers.search_notes import LOW_RELEVANCE
from pincite.tools.answers.status import embedding_status, git_status, index_status, summed
from pincite.tools.base import WHOLE_TEXT_CHARS, Parts
from pincite.version import __version__

MAX_HITS = 20
"""Maximum of `top_k`; by the contract of `search_docs`."""

MAX_QUERY_CHARS = 8_000
"""Only the start of a longer query is searched; the model reads about 1,300 characters of it."""

MAX_QUERY_MS = 999_999.999
"""As many digits as a search takes room for in a bounded answer, however long it took: 16 minutes."""

FOLDERS_SHARE = 4
"""`list_pages` shows folders of at most one byte for this number of tokens of its answer: a quarter of it."""

SHOWN_PHRASE_CHARS = 80
"""Characters of a phrase that a note repeats."""


def _shortened(query: str) -> str:
    return query[:MAX_QUERY_CHARS]


class DocsToolset:
    """Five tools over one or several folders."""

    name = "docs"
    error_form = ErrorForm.MESSAGE
    events = TOOL_EVENTS

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.omitted = parts.omitted

    def view(self, tool: Tool, arguments: Mapping[str, Any], call: Call) -> AbstractContextManager[Views]:
        """See `Toolset.view`: the served folders, or the one of the collection that is named."""
        return self._parts.folder_views(tool, call, arguments.get("collection"))

    @tool(semantic=True)
    def search_docs(
        self,
        view: Views,
        call: Call,
        query: Annotated[
            str,
            AfterValidator(_shortened),
            Field(description="A question, keywords or an identifier; quotes find a phrase word for word."),
        ],
        top_k: Annotated[int, Field(description="Maximum number of passages, 1 to 20.")] = 5,
        file_filter: Annotated[
            str | None, Field(description="Glob over the whole relative path, e.g. `guides/**/*.md`.")
        ] = None,
        explain: Annotated[bool, Field(description="Show how each score is made up.")] = False,
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
        collection: InCollection = None,
    ) -> SearchAnswer:
        """Search the documentation by keyword and by meaning. Each passage carries its file, section and citation;
        read on with get_section or get_page.
        """
        if not query.strip():
            raise InvalidInput("query parameter is required")
        start = time.monotonic()
        n = min(max(top_k, 1), MAX_HITS)  # the contract clamps it to 1..20
        keep = {member.collection: _file_predicate(member, file_filter) for member in view.views}
        answered = view.search(call, query, n, lambda member: Ranking(keep=keep[member.collection]))
        result = answered.result
        in_time = call.remaining() > 0

        waiting = sum(_matches(keep[member.collection], name) for member in view.views for name in member.waiting)
        is_filtered = any(keep.values())
        answer = SearchAnswer(
            results=[
                search_result(member, hit, passage(hit.chunk.chunk.text), view.shown(member), explain=explain)
                for member, hit in answered.hits
            ],
            total_chunks=result.chunks,
            query_ms=round((time.monotonic() - start) * 1000, 3),
            search_type=result.search_type,
            note=_search_note(result, waiting, is_filtered=is_filtered)
            if result.chunks
            else _empty_note(view, keep, waiting),
            did_you_mean=result.did_you_mean,
            relevance=None if result.relevance is None else round(result.relevance, 4),
            partial=None if in_time else True,
        )
        arguments = ["search_docs", query, n, file_filter, explain, collection]
        limit = self._parts.bound(results_hash(answer), arguments, max_tokens, cursor)
        return _cut_results(call, limit, answer)

    @tool(result_chars=WHOLE_TEXT_CHARS)
    def get_page(
        self,
        view: Views,
        call: Call,
        file_path: Annotated[str, Field(description="Path as list_pages shows it.")],
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
        collection: InCollection = None,
    ) -> PageAnswer:
        """Read a whole page as raw Markdown, in chunks that join to the file. Use list_pages to find its path."""
        member, document = _document(view, file_path)
        chunks = member.chunks(document)
        text = member.text(document)
        contents = [text[start:end] for start, end in partition(chunks, len(text))]
        limit = self._parts.bound(document.revision, ["get_page", document.name, collection], max_tokens, cursor)
        whole = PageAnswer(
            collection=view.shown(member),
            file_path=document.name,
            title=document.label,
            last_modified=iso_time(document.modified_ns),
            total_chars=document.total_chars,
            chunks=[],
            incomplete=document.coverage.shortfall,
            ocr=document.coverage.recognised(),
        )

        @cache  # the mark of a reference takes a millisecond
        def entry(n: int) -> PageChunk:
            return page_chunk(member, chunks[n], "")

        taken, following = limit.take(call, contents, whole, entry)
        shown = [
            entry(p.text).model_copy(
                update={"content": contents[p.text][p.start : p.end], "char_count": p.end - p.start}
            )
            for p in taken
        ]
        return whole.model_copy(update={"chunks": shown, **continued(call, following)})

    @tool(result_chars=WHOLE_TEXT_CHARS)
    def get_section(
        self,
        view: Views,
        call: Call,
        file_path: Annotated[str, Field(description="Path as list_pages shows it.")],
        heading_path: Annotated[str, Field(description="The complete breadcrumb, e.g. `Architecture > Data Flow`.")],
        match: Annotated[
            Literal["exact", "suffix"], Field(description="`suffix` also accepts a unique ending of a breadcrumb.")
        ] = "exact",
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
        collection: InCollection = None,
    ) -> SectionAnswer:
        """Read one section whole, without its subsections. Take heading_path from search_docs or get_page."""
        member, document = _document(view, file_path)
        # Several sections of a page may have the same breadcrumb: all of them are returned, in order.
        chunks = member.section(document, heading_path)
        if not chunks and match == "suffix":
            chunks = _by_suffix(member.chunks(document), heading_path)
        if not chunks:
            raise NotFound(_no_section(document.name, heading_path, member.chunks(document)))
        content = "".join(member.text(document, start, end) for start, end in section_spans(chunks))
        first = chunks[0]
        by_section = groupby(chunks, key=lambda stored: section_of(stored.chunk.locator))
        refs = [member.section_reference(next(parts)) for _, parts in by_section]
        arguments = ["get_section", document.name, heading_path, match, collection]
        limit = self._parts.bound(document.revision, arguments, max_tokens, cursor)
        whole = SectionAnswer(
            content="",
            ref=refs[0],
            refs=refs if len(refs) > 1 else None,
            metadata=SectionMetadata(
                collection=view.shown(member),
                file_path=document.name,
                heading_path=first.breadcrumb,
                heading_level=first.chunk.level,
                last_modified=iso_time(document.modified_ns),
                char_count=len(content),
            ),
            incomplete=document.coverage.shortfall,
            ocr=document.coverage.recognised(
                sorted({number for stored in chunks for number in stored.chunk.pages}), section_spans(chunks)
            ),
        )
        taken, following = limit.take(call, [content], whole)
        shown = "".join(content[part.start : part.end] for part in taken)
        return whole.model_copy(update={"content": shown, **continued(call, following)})

    @tool()
    def list_pages(
        self,
        view: Views,
        call: Call,
        prefix: Annotated[str | None, Field(description="Path of a folder or of one file.")] = None,
        max_tokens: MaxTokens = None,
        cursor: Cursor = None,
        collection: InCollection = None,
    ) -> PagesAnswer:
        """List the pages with their titles and headings, by path; a long list begins with its folders: narrow it with
        prefix or max_tokens. Read one with get_page.
        """
        headings: dict[tuple[str, int], list[tuple[str, str]]] = {}
        listed: list[tuple[View, StoredDocument]] = []
        for member in view.by_name():
            is_under = under(from_root(prefix or "", member.root))
            listed += [(member, document) for document in member.documents() if is_under(document.name)]
            for row in member.headings(2):
                headings.setdefault((member.collection, row.document_id), []).append((row.text, row.breadcrumb))

        def entry(n: int, first: int, last: int) -> PageEntry:
            member, document = listed[n]
            titles = headings.get((member.collection, document.id), [])
            return page_entry(document, view.shown(member), titles, first, last)

        limit = self._parts.bound(pages_hash(listed), ["list_pages", prefix, collection], max_tokens, cursor)
        whole = PagesAnswer(pages=[], total_pages=len(listed))
        sizes = [len(headings.get((member.collection, document.id), ())) for member, document in listed]
        taken, following = limit.take_items(call, sizes, whole, entry)
        if following and cursor is None and limit.most:
            most = limit.most // FOLDERS_SHARE // len(view.views)
            names = groupby(listed, key=lambda page: view.shown(page[0]))
            folders = [
                folder for name, pages in names for folder in page_folders([page.name for _, page in pages], name, most)
            ]
            whole = whole.model_copy(update={"folders": folders})
            taken, following = limit.take_items(call, sizes, whole, entry)
        pages = [entry(part.text, part.start, part.end) for part in taken]
        return whole.model_copy(update={"pages": pages, **continued(call, following)})

    @tool()
    def get_status(self, view: Views, call: Call, collection: InCollection = None) -> StatusAnswer:
        """Report what is served: pages, chunks, skipped files with reasons, freshness, embedding model, git state."""
        del collection  # `view` is of it
        statuses = [member.status(call) for member in view.views]
        served = [
            ServedCollection(
                collection=member.collection,
                docs_root=shown(member.root),
                index=index_status(member, status),
                git=git_status(facts(member.root, self._parts.git_seconds)),
            )
            for member, status in zip(view.views, statuses, strict=True)
        ]
        first = served[0]
        return StatusAnswer(
            server=ServerStatus(
                version=__version__,
                uptime_seconds=round(time.monotonic() - self._parts.started, 3),
                docs_root=first.docs_root,
            ),
            index=summed([collected.index for collected in served]) if len(served) > 1 else first.index,
            embedding=embedding_status(statuses[0].embedding),
            git=first.git,
            collections=served if view.is_named else None,
        )


def _document(view: Views, file_path: str) -> tuple[View, StoredDocument]:
    """Return the page of this path; see `Views.document`."""
    name = relative(file_path, view.views[0].root)
    return view.document(
        lambda member: relative(file_path, member.root),
        f"No page found at path: {excerpt(name)}. Use list_pages to discover available pages.",
    )


def _file_predicate(view: View, file_filter: str | None) -> Predicate | None:
    pattern = from_root(file_filter or "", view.root)
    return None if pattern in ("", ".") else matcher(pattern)


def _matches(file_predicate: Predicate | None, name: str) -> bool:
    return file_predicate is None or file_predicate(name)


def _cut_results(call: Call, limit: Bound, answer: SearchAnswer) -> SearchAnswer:
    """Return as many results as fit; the last passage may be cut."""

    def cut(n: int, start: int, end: int) -> SearchResult:
        whole = answer.results[n]
        metadata = whole.metadata.model_copy(update={"char_count": end - start})
        return whole.model_copy(update={"content": whole.content[start:end], "metadata": metadata})

    around = answer.model_copy(update={"results": [], "query_ms": MAX_QUERY_MS})  # the clock must not move the cut
    taken, following = limit.take(call, [result.content for result in answer.results], around, lambda n: cut(n, 0, 0))
    results = [cut(part.text, part.start, part.end) for part in taken]
    rest = continued(call, following)
    return answer.model_copy(update={"results": results, **rest, "partial": answer.partial or rest["partial"]})


def _empty_note(view: Views, keep: Mapping[str, Predicate | None], waiting: int) -> str:
    """Return why there was nothing to search."""
    stored = [(member, document) for member in view.views for document in (*member.documents(), *member.failures())]
    known = [document for member, document in stored if _matches(keep[member.collection], document.name)]
    if waiting:
        read = f"{len(known)} of {len(known) + waiting} so far"
        return f"The documents are still being indexed, {read}: ask again in a moment; get_status shows the progress."
    if known:
        return f"No page ({len(known)} indexed) has text that could be read; get_status says why."
    return (
        "The folder has no pages; get_status says what was skipped."
        if not any(keep.values())
        else "No page matches file_filter."
    )


def _search_note(result: RetrievalResult, waiting: int, *, is_filtered: bool) -> str | None:
    """Explain a missing phrase, a ranking without the model, or a low relevance; None if there is none of them.

    Args:
        result: The result.
        waiting: Number of documents that are not indexed yet: nothing is claimed of them.
        is_filtered: Whether other documents were not searched: of them neither.
    """
    searched = (" that matches file_filter" if is_filtered else "") + (" indexed so far" if waiting else "")
    notes = [_missing_phrase(phrase, searched) for phrase in result.missing_phrases[:1]]
    if result.keyword_reason:
        nothing = "" if result.hits else f"No page{searched} contains these words. "
        notes.append(f"{nothing}Ranked by keywords only: {result.keyword_reason}")
    elif result.relevance is not None and result.relevance < LOW:
        notes.append(LOW_RELEVANCE)
    if waiting and (result.missing_phrases or not result.hits):
        notes.insert(1, f"{counted(waiting, 'document')} {'waits' if waiting == 1 else 'wait'}: ask again in a moment.")
    return " ".join(notes) or None


def _missing_phrase(phrase: str, searched: str) -> str:
    shown = excerpt(phrase, SHOWN_PHRASE_CHARS)
    return f"No passage{searched} contains “{shown}” word for word: its words were searched."


def _by_suffix(chunks: Sequence[StoredChunk], heading: str) -> list[StoredChunk]:
    """Return the chunks of the one breadcrumb that ends in `heading`; empty if several do.

    Whole headings count before their last words: `Memorized Secrets` is `5.1.1 Memorized Secrets` if no heading is it.
    """
    for border in (BREADCRUMB_SEPARATOR, " "):
        ends = {c.breadcrumb for c in chunks if f"{border}{c.breadcrumb}".endswith(f"{border}{heading}")}
        if ends:
            return [c for c in chunks if c.breadcrumb in ends] if len(ends) == 1 else []
    return []


def _no_section(name: str, heading: str, chunks: Sequence[StoredChunk]) -> str:
    known = list(dict.fromkeys(c.breadcrumb for c in chunks if c.breadcrumb))
    leaf, lowered = last_heading(heading), heading.lower()
    ending = [b for b in known if last_heading(b) == leaf or lowered in b.lower()]
    near = list(dict.fromkeys([*ending, *nearest(heading, known, NEAREST)]))[:NEAREST]
    shown = f"No section found at heading: {excerpt(heading)} in {excerpt(name)}."
    return f"{shown} Use get_page to see available sections." + (f" Nearest: {excerpts(near, '; ')}." if near else "")

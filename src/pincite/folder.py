"""The Python API: open a folder, search it, read and check citations.

The parts of a server are imported by `open`, not with the types.
"""

import os
import weakref
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, cast

from pincite.errors import ConfigError, InvalidInput
from pincite.model.document import Box

if TYPE_CHECKING:
    from pincite.app import App
    from pincite.toolkit import Answer
    from pincite.toolkit import IndexState as AnsweredState
    from pincite.tools.answers.docs import SearchAnswer, StatusAnswer
    from pincite.tools.answers.docs import SearchResult as AnsweredResult
    from pincite.tools.citations import VerifiedQuote as AnsweredQuote

MAX_RESULTS = 20
"""As many as one call of `search_docs` returns."""

Verdict = Literal["exact", "normalised", "moved", "stitched", "absent"]
"""The result of `Folder.verify`; docs/guide/citations-and-freshness.md explains each."""


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of the index that an answer was taken from.

    Attributes:
        generation: Version of the index.
        checked_at: When the folder was last compared with the index, in UTC.
        pending: Documents that still wait to be indexed.
        stale: True if the answer may miss a change.
        reason: Why it is stale; None if it is not.
    """

    generation: int
    checked_at: datetime
    pending: int
    stale: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A passage.

    Attributes:
        content: Its text, as it is in the file.
        score: From 0 to 1; comparable between searches.
        ref: Its citation, for `Folder.read` and `Folder.verify`.
        file_path: Relative to the folder, with `/`.
        heading_path: The headings that it is below, from the page's title down, joined by ` > `.
        page_numbers: Its pages, from 1; empty if the format has no pages.
        incomplete: What part of the document was not read, and why; None if all of it was.
        boxes: Its boxes, each with its page; empty if the format has no pages.
    """

    content: str
    score: float
    ref: str
    file_path: str
    heading_path: str
    page_numbers: list[int]
    incomplete: str | None
    boxes: Sequence[tuple[int, Box]] = ()


class SearchResults(list[SearchResult]):
    """The passages, best first.

    Attributes:
        search_type: How they were ranked: `hybrid` by keywords and meaning, `semantic` by meaning because no word
            matched, `keyword` by keywords alone because there is no model.
        relevance: Probability that the documents cover the question at all; None if keywords alone ranked.
        did_you_mean: The query that was searched, if a misspelt word was corrected.
        note: Why keywords alone ranked, why nothing was found, or that relevance is low.
        index_state: The state of the index.
    """

    def __init__(
        self,
        results: Iterable[SearchResult],
        *,
        search_type: Literal["hybrid", "semantic", "keyword"],
        relevance: float | None,
        did_you_mean: str | None,
        note: str | None,
        index_state: IndexState,
    ) -> None:
        super().__init__(results)
        self.search_type = search_type
        self.relevance = relevance
        self.did_you_mean = did_you_mean
        self.note = note
        self.index_state = index_state


@dataclass(frozen=True, slots=True)
class Citation:
    """The text that a reference cites.

    Attributes:
        ref: The reference.
        content: The text, complete.
        title: Title of the document.
        file_path: Relative to the folder, with `/`.
        heading_path: The headings that it is below, joined by ` > `.
        page_numbers: Its pages, from 1; empty if the format has no pages.
        current: False if the document has changed since, but not this text.
        newer_ref: The same text in the current revision, if `current` is False.
        incomplete: What part of the document was not read, and why; None if all of it was.
        index_state: The state of the index.
    """

    ref: str
    content: str
    title: str
    file_path: str
    heading_path: str
    page_numbers: list[int]
    current: bool
    newer_ref: str | None
    incomplete: str | None
    index_state: IndexState


@dataclass(frozen=True, slots=True)
class VerifiedQuote:
    """The result of checking a quote.

    Attributes:
        verdict: How far the document contains the quote.
        at: Reference of the quote, or of its start; None if it is absent.
        content: The document's own words there; parts are joined by an ellipsis.
        incomplete: What part of the document was not read, and why; None if all of it was.
        index_state: The state of the index.
    """

    verdict: Verdict
    at: str | None
    content: str
    incomplete: str | None
    index_state: IndexState


@dataclass(frozen=True, slots=True)
class Status:
    """What of a folder is indexed.

    Attributes:
        pages: Number of documents.
        chunks: Number of passages that they are cut into.
        skipped: Number of files left out, by reason.
        failed: Number of documents that could not be read, by reason.
        incomplete: Number of documents that were read in part, by reason.
        warnings: What else should be known, one sentence each.
        model: Name of the embedding model.
        model_state: Whether the model is in use; `unavailable` means that keywords alone rank.
        index_state: The state of the index.
    """

    pages: int
    chunks: int
    skipped: dict[str, int]
    failed: dict[str, int]
    incomplete: dict[str, int]
    warnings: list[str]
    model: str
    model_state: Literal["unused", "loading", "ready", "unavailable"]
    index_state: IndexState


class Opened:
    """What is open: a folder or a library."""

    _opened_by: ClassVar[str]

    def __init__(self, path: Path, app: "App") -> None:
        self.path = path
        """The folder, as it was given."""
        self._app = app
        self._process = os.getpid()
        self._closing = weakref.finalize(self, _close, app, self._process)

    def read(self, ref: str, *, context: int = 0) -> Citation:
        """Return the complete text that a reference cites, and whether the document has changed since.

        Args:
            ref: A `ref` of a search result.
            context: Number of neighbouring passages to add on each side, 0 to 20.

        Raises:
            NotFound: The document or its locator does not exist, or the text has changed; the message names what is
                there now.
        """
        from pincite.tools.citations import open_whole  # noqa: PLC0415 - the types are imported without a server

        answer = open_whole(self._call, ref, context)
        source = answer.source
        return Citation(
            ref=answer.ref,
            content=answer.content,
            title=source.title,
            file_path=source.path,
            heading_path=source.section,
            page_numbers=source.page_numbers,
            current=answer.current,
            newer_ref=answer.newer_ref,
            incomplete=answer.incomplete,
            index_state=_index_state(answer.index),
        )

    def verify(self, ref: str, quote: str) -> VerifiedQuote:
        """Check whether a quote is in the text that a reference cites. Deterministic; no model is involved.

        Args:
            ref: The reference that the quote is attributed to.
            quote: The words, at most 20,000 characters.

        Raises:
            NotFound: As `read`.
        """
        answer = cast("AnsweredQuote", self._call("verify_quote", {"ref": ref, "quote": quote}))
        return VerifiedQuote(
            verdict=answer.verdict.value,
            at=answer.at,
            content=answer.content,
            incomplete=answer.incomplete,
            index_state=_index_state(answer.index),
        )

    def close(self) -> None:
        """Stop the background work and close the index. A second call does nothing."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<pincite.{type(self).__name__} {str(self.path)!r}{'' if self._closing.alive else ', closed'}>"

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> "Answer":
        """Call a tool as every transport does."""
        from pincite.model.call import Call  # noqa: PLC0415 - as above

        return self._checked().toolbox.call(tool, arguments, Call())

    def _checked(self) -> "App":
        """Return the application, if it can be used here."""
        kind, name = type(self).__name__.lower(), self.path.name
        if not self._closing.alive:
            raise InvalidInput(f"The {kind} {name!r} is closed. Open it again: pincite.{self._opened_by}(…).")
        # A fork copies the locks and the connections of threads that the new process does not have.
        if os.getpid() != self._process:
            raise InvalidInput(f"The {kind} {name!r} was opened by another process. Open it in this one.")
        return self._app


class Folder(Opened):
    """An open folder of documents; made by `pincite.open`.

    Every method first indexes what has changed in the folder. Methods may be called from several threads.

    All methods raise `InvalidInput` for a wrong argument or if the folder is closed, and otherwise a `PinciteError`
    whose message names the next action.
    """

    _opened_by = "open"

    def search(self, query: str, n: int = 5, file_filter: str | None = None) -> SearchResults:
        """Search by keyword and by meaning; return the best passages first.

        The first search of a folder indexes it and may take minutes; later ones index only what has changed.

        Args:
            query: A question, keywords or an identifier; quotation marks find a phrase word for word.
            n: Maximum number of passages, 1 to 20.
            file_filter: Glob over the whole relative path, e.g. `guides/**/*.md`; other files are not searched.
        """
        answer = self._call(
            "search_docs", {"query": query, "top_k": checked_n(n, MAX_RESULTS), "file_filter": file_filter}
        )
        return _search_results(cast("SearchAnswer", answer))

    def status(self) -> Status:
        """Return what is indexed, what was left out and why."""
        answer = cast("StatusAnswer", self._call("get_status", {}))
        index = answer.index
        if index is None:
            raise TypeError("get_status answered without an index")
        return Status(
            pages=index.total_pages,
            chunks=index.total_chunks,
            skipped=index.skipped,
            failed=index.failed,
            incomplete=index.incomplete,
            warnings=index.warnings,
            model=answer.embedding.model,
            model_state=answer.embedding.state,
            index_state=_index_state(index),
        )


def open(folder: str | os.PathLike[str], *, settings: Mapping[str, object] | None = None) -> Folder:  # noqa: A001 - as in `pincite.open(folder)`
    """Open a folder of documents.

    Nothing is indexed before the first call of a method. Calls wait until their answer is complete, however long that
    takes, unless `PINCITE_FRESH_BUDGET`, `PINCITE_MODEL_GRACE` or `MCP_REQUEST_TIMEOUT` is set.

    Args:
        folder: The folder. Nothing is written into it.
        settings: Values of settings by their variable, e.g. `{"PINCITE_CACHE": "/tmp/cache"}`. They override the
            environment; a `.env` file is not read.

    Raises:
        ConfigError: The folder does not exist, or a setting is invalid.
    """
    path = Path(folder)
    if not path.is_dir():
        problem = "is a file" if path.is_file() else "does not exist"
        raise ConfigError(f"{str(path)!r} {problem}. pincite.open needs a folder of documents.")
    return Folder(path, open_app(settings, path))


def open_app(settings: Mapping[str, object] | None, folder: Path | None, toolsets: Sequence[str] = ()) -> "App":
    """Return an application whose calls wait until their answer is complete; see `App`.

    Raises:
        ConfigError: A setting is invalid.
    """
    import logging  # noqa: PLC0415 - the types are imported without a server

    from pincite import settings as all_settings  # noqa: PLC0415 - as above
    from pincite.app import App  # noqa: PLC0415 - as above

    # A library leaves its log to the program: without this, warnings would go to standard error.
    logger = logging.getLogger("pincite")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    return App(all_settings.patient(all_settings.load(settings)), folder, toolsets=toolsets)


def checked_n(n: int, most: int) -> int:
    """Return how many results are asked for.

    Raises:
        InvalidInput: Fewer than one, or more than a call returns.
    """
    if not 1 <= n <= most:
        raise InvalidInput(f"n is {n}; it must be from 1 to {most}.")
    return n


def _close(app: "App", process: int) -> None:
    """Close an app in the process that opened it: on request, when its folder is collected, or at exit."""
    if os.getpid() == process:
        app.close()


def _search_results(answer: "SearchAnswer") -> SearchResults:
    return SearchResults(
        map(_search_result, answer.results),
        search_type=answer.search_type.value,
        relevance=answer.relevance,
        did_you_mean=answer.did_you_mean,
        note=answer.note,
        index_state=_index_state(answer.index),
    )


def _search_result(result: "AnsweredResult") -> SearchResult:
    metadata = result.metadata
    return SearchResult(
        content=result.content,
        score=result.score,
        ref=result.ref,
        file_path=metadata.file_path,
        heading_path=metadata.heading_path,
        page_numbers=metadata.page_numbers or [],
        incomplete=result.incomplete,
        boxes=tuple((box.page, Box(box.x0, box.y0, box.x1, box.y1)) for box in metadata.boxes or ()),
    )


def _index_state(state: "AnsweredState | None") -> IndexState:
    if state is None:
        raise TypeError("a tool that reads an index answered without its state")
    checked_at = datetime.fromisoformat(state.checked_at)
    return IndexState(state.generation, checked_at, state.pending, state.stale, state.reason)

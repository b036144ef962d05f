"""What toolsets are made of."""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pincite.chunking.tokens import TokenCounter
from pincite.errors import ErrorForm, NotFound
from pincite.index.cached import CachedCollections
from pincite.index.collection import Collection
from pincite.index.collections import Collections
from pincite.index.views import Views, opened
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.services.bounds import Bound, bound
from pincite.text.excerpt import excerpt
from pincite.toolkit import Scope, Tool

WHOLE_TEXT_CHARS = 500_000
"""Sent to clients as `anthropic/maxResultSizeChars`, which else shorten a long text: that cannot be quoted."""

if TYPE_CHECKING:
    from pincite.services.documents.caches import Caches
    from pincite.services.documents.fetching import DocumentFetcher
    from pincite.services.documents.retrieval_models import RetrievalModels
    from pincite.services.documents.retrievers import Retrievers
    from pincite.services.extraction.aliases import Aliases
    from pincite.services.local_files import LocalFiles
    from pincite.services.reading.reading import Reading


@dataclass(frozen=True, slots=True)
class DocumentParts:
    """What tools for documents at URLs use.

    Attributes:
        fetcher: Gets documents: downloads, uploads, local files.
        reading: Reads them.
        retrievers: Opens the indexes of single documents.
        models: Chooses the models of retrieval.
        caches: What is kept of all that.
        cut: Cuts a document as its index is.
        auth_enabled: Whether callers over HTTP need a key.
        rate_limit: Calls a minute that each of them may make; 0 for no limit.
    """

    fetcher: "DocumentFetcher"
    reading: "Reading"
    retrievers: "Retrievers"
    models: "RetrievalModels"
    caches: "Caches"
    cut: Callable[[Document, Call], Iterable[Chunk]]
    auth_enabled: bool
    rate_limit: int


@dataclass(frozen=True, slots=True)
class ExtractionParts:
    """What the extraction tools use.

    Attributes:
        files: The local files that may be read.
        aliases: Names that callers gave to indexes.
        relevance_floor: Minimum cosine of a passage that shares no word with a query.
        converter: What is noted of documents that an external converter reads; empty without one.
    """

    files: "LocalFiles"
    aliases: "Aliases"
    relevance_floor: float
    converter: str = ""

    def within(self, scope: Scope) -> "ExtractionParts":
        """Return the same with the files of a scope alone."""
        return replace(self, files=self.files.within(scope.files))


@dataclass(frozen=True, slots=True)
class Library:
    """The library that toolsets answer from.

    Attributes:
        name: The name of its collection.
        store: The name of its store.
        slow_ms: Latency in milliseconds above which a part of it counts as slow.
        compared: Number of passages among which a search compares clauses with the query token by token.
    """

    name: str
    store: str
    slow_ms: int
    compared: int = 0


@dataclass
class Parts:
    """The parts of a server that toolsets use, each made at its first use.

    Attributes:
        make_collections: Returns the collections that tools may read.
        make_tokens: Returns the tokenizer that counts `max_tokens`.
        make_cached: Returns the indexes of single documents.
        make_extraction: Returns what the extraction tools use.
        make_documents: Returns what tools for documents at URLs use.
        folders: The names of the served folders' collections, in the order in which they are served.
        git_seconds: Timeout of git.
        error_form: The form of the errors of tools that no contract gives one.
        answer_tokens: Maximum tokens of an answer where a call sets none; 0 for no limit.
        library: What toolsets that answer from a library need; None if none is served.
        started: `time.monotonic()` of the server's start.
    """

    make_collections: Callable[[], Collections]
    make_tokens: Callable[[], TokenCounter]
    make_cached: Callable[[], CachedCollections]
    make_extraction: Callable[[], ExtractionParts]
    make_documents: Callable[[], DocumentParts]
    folders: tuple[str, ...]
    git_seconds: float
    error_form: ErrorForm
    answer_tokens: int
    library: Library | None
    started: float = field(default_factory=time.monotonic)

    @cached_property
    def collections(self) -> Collections:
        """The collections that tools may read."""
        return self.make_collections()

    @cached_property
    def tokens(self) -> TokenCounter:
        """Counts the tokens of `max_tokens`."""
        return self.make_tokens()

    def bound(self, stamp: str, arguments: Sequence[object], max_tokens: int | None, cursor: str | None) -> Bound:
        """Return the size limit of a call; see `services.bounds.bound`."""
        return bound(self.tokens, stamp, arguments, max_tokens, cursor, self.answer_tokens)

    @cached_property
    def cached(self) -> CachedCollections:
        """The indexes of single documents."""
        return self.make_cached()

    @cached_property
    def documents(self) -> DocumentParts:
        """What tools for documents at URLs use."""
        return self.make_documents()

    @cached_property
    def extraction(self) -> ExtractionParts:
        """What the extraction tools use."""
        return self.make_extraction()

    @property
    def omitted(self) -> frozenset[str]:
        """The arguments and fields that only a server of several folders has."""
        return frozenset[str]() if len(self.folders) > 1 else frozenset({"collection", "collections"})

    def folder_views(self, tool: Tool, call: Call, collection: str | None = None) -> AbstractContextManager[Views]:
        """Open a view of each served folder, or of the one of this collection.

        Raises:
            NotFound: No folder is served, or none under this name.
        """
        if not self.folders:
            raise NotFound("No folder is served. Name one: pincite serve ./docs")
        if collection is not None and collection not in self.folders:
            raise NotFound(f"No collection {excerpt(collection)!r} here. Served: {', '.join(self.folders)}.")
        names = self.folders if collection is None else [collection]
        is_named = len(self.folders) > 1
        return opened(map(self.collections.get, names), call, semantic=tool.semantic, is_named=is_named)

    def library_collection(self) -> Collection:
        """Return the library.

        Raises:
            NotFound: No library is served.
            ConfigError: It cannot be opened.
        """
        if self.library is None:
            raise NotFound("No library is served. Serve one: pincite serve --toolsets knowledge")
        return self.collections.get(self.library.name)

    def within(self, scope: Scope) -> "Parts":
        """Return the same parts with the collections of a scope alone."""
        return replace(
            self,
            make_collections=lambda: self.collections.within(scope),
            make_extraction=lambda: self.extraction.within(scope),
            make_documents=lambda: self.documents,
        )

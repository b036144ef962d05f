"""A collection: documents of a source in a store, refreshed by each call and searched."""

import hashlib
import threading
from collections.abc import Generator, Iterable
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from unicodedata import normalize

from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import IndexLost, InternalError, PinciteError
from pincite.index.catalogue import Catalogue
from pincite.index.searcher import Searcher
from pincite.index.updating.indexer import Indexer
from pincite.index.updating.ingestion import Addition, Ingestion, IngestReport
from pincite.index.updating.refresher import Refresher
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.store import StoredChunk
from pincite.ranking.synonyms import Synonyms
from pincite.sources.base import WatchedSource
from pincite.store.base import Store

if TYPE_CHECKING:
    from pincite.index.mirrors.mirrored import MirroredLibrary

_CLOSED = "The index was closed during the call. Ask again."


@dataclass(frozen=True, slots=True)
class Spec:
    """What a collection is made of.

    Attributes:
        name: Unique among the collections of a server; part of its documents' URIs.
        kind: A folder's has what is in the folder. A library has what was added to it, whatever becomes of the files.
            A cached one has what was added to it, too, and may be closed while it is idle: it is opened again when it
            is next used.
        source: The folder as it was named, which may be a link; the one that files of a library are in.
        identity: The source as the index file records it, so that no index is of two sources.
        location: The index file.
        policy: The name of the policy that cuts its documents.
        embedder: The name of its embedder; empty for the one of the settings.
        document_hash: The `name_hash` of its only document; empty if it may have any.
        content: What a cached one was made from, whatever its embedder: those that share it cite alike. Else empty.
    """

    name: str
    kind: Literal["folder", "library", "cached"]
    source: Path
    identity: str
    location: Path
    policy: str = "sections"
    embedder: str = ""
    document_hash: str = ""
    content: str = ""

    def may_have(self, document: str) -> bool:
        """Return False if it cannot have a document of this name."""
        return self.document_hash in ("", name_hash(document))


def name_hash(document: str) -> str:
    """Return a short hash of a document's name, for names of files; equal for canonically equivalent names."""
    return hashlib.sha256(normalize("NFC", document).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Collection:
    """A source, its store, and the refresher that keeps them in step."""

    def __init__(  # the parts of a collection, each given once, by the composition root
        self,
        spec: Spec,
        source: WatchedSource,
        store: Store,
        indexer: Indexer,
        refresher: Refresher,
        ingestion: Ingestion,
        embedder: LazyEmbedder,
        synonyms: Synonyms,
        executor: Executor,
        mirrored: "MirroredLibrary | None" = None,
    ) -> None:
        self.spec = spec
        self.source = source
        self.store = store
        self.embedder = embedder
        self.mirrored = mirrored
        self._indexer = indexer
        self._refresher = refresher
        self._ingestion = ingestion
        self._searcher = Searcher(embedder, Catalogue(), synonyms, executor, mirrored)
        self._lock = threading.Lock()
        self._closing = threading.Lock()
        self._uses = 0
        self._closed = False

    @contextmanager
    def view(self, call: Call, *, semantic: bool, deadline: float | None = None) -> Generator[View]:
        """Open a view that has every change before this call, or is marked as stale.

        Args:
            call: The call to answer.
            semantic: Whether the answer depends on vectors.
            deadline: See `Refresher.refreshed`.

        Raises:
            IndexLost: The collection was closed, or its file is lost; `Collections` opens it again.
        """
        try:
            with self.in_use(), self._refresher.refreshed(call, semantic=semantic, deadline=deadline) as index:
                yield View(self.spec.name, self.source, self.store, self._indexer, self._searcher, index)
        except RuntimeError as error:
            if self._closed:  # the executor of all searches is shut down while the server stops
                raise IndexLost(_CLOSED) from error
            raise

    @contextmanager
    def in_use(self) -> Generator[None]:
        """Keep the collection from being closed as idle during the with-block.

        Raises:
            IndexLost: It was closed.
        """
        with self._lock:
            if self._closed:
                raise IndexLost(_CLOSED)
            self._uses += 1
        try:
            yield
        finally:
            with self._lock:
                self._uses -= 1

    def fresh_deadline(self, call: Call) -> float:
        """See `Refresher.deadline`."""
        return self._refresher.deadline(call)

    def add(self, additions: Iterable[Addition], call: Call) -> IngestReport:
        """Add documents; see `Ingestion.add`. Their vectors are computed in the background.

        Raises:
            InternalError: The collection is a folder's: what is added would be deleted again.
        """
        report = self.ingestion.add(additions, call)
        self.start()
        return report

    @property
    def ingestion(self) -> Ingestion:
        """Adds documents and removes them.

        Raises:
            InternalError: The collection is a folder's: what is added would be deleted again.
        """
        if self.spec.kind == "folder":
            raise InternalError("Nothing can be added to the collection of a folder.", details=self.spec.name)
        return self._ingestion

    def start(self) -> None:
        """Start indexing in the background."""
        self._refresher.start()

    @property
    def background_failure(self) -> PinciteError | None:
        """See `Refresher.background_failure`."""
        return self._refresher.background_failure

    def retry_refused(self, call: Call) -> int:
        """See `Vectorizer.retry_refused`."""
        return self._refresher.retry_refused(call)

    def refused(self) -> list[StoredChunk]:
        """Return the chunks whose text a service refused to embed: they are found by keywords alone."""
        with self.store.snapshot() as snapshot:
            return snapshot.chunks(snapshot.refused())

    def complete(self) -> bool:
        """Return True if every document that an earlier run found has terms and vectors."""
        with self.store.snapshot() as snapshot:
            return snapshot.generation > 0 and not self.store.waiting_documents()

    def is_lost(self) -> bool:
        """Return True if its file was deleted, replaced or corrupted. Takes microseconds."""
        return self.store.is_invalid()

    def close_if_idle(self) -> bool:
        """Close the collection unless it is read or written; return True if it is closed."""
        with self._lock:
            if self._uses:
                return False
            self._closed = True
        self.close()
        return True

    def close(self) -> None:
        """Stop the background work and discard the store; open views can still be read.

        Raises:
            ConfigError: The store's file is damaged and cannot be moved aside.
        """
        with self._closing:
            self._closed = True
            self.embedder.close()
            self._refresher.close()
            if self.mirrored is not None:
                self.mirrored.close()
            self.store.discard()

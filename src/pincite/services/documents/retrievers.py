"""Indexes of documents at URLs: which is whose, so that a repeated question does not read its document again."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pincite.formats.base import Blob
from pincite.index.cached import CachedCollections
from pincite.index.view import View
from pincite.model.call import Call
from pincite.services.timed_cache import TimedCache
from pincite.store.sqlite.opening import file_size


@dataclass(frozen=True, slots=True)
class Subject:
    """A document to search in.

    Attributes:
        origin: Where it is from: a URL, or an upload's name.
        name: Its name in citations.
        blob: Its bytes, under the name that decides a text file's format.
    """

    origin: str
    name: str
    blob: Blob


@dataclass(frozen=True, slots=True)
class Retriever:
    """The index of a document.

    Attributes:
        collection: The name of its collection.
        size_bytes: Its size on disk when it was last made or checked.
    """

    collection: str
    size_bytes: int


RetrieverKey = tuple[str, str, str, str, str]
"""Origin, name, content, policy and embedder: indexes of two models are never mixed."""

RetrieverCache = TimedCache[RetrieverKey, Retriever]


class Retrievers:
    """Opens indexes of documents, making those that are not there. Thread-safe.

    The files are `CachedCollections`', which bounds them on disk; what is kept here is that a document has been
    checked. An index whose entry is over is checked again, not made again.

    Args:
        cached: Returns the indexes of single documents.
        cache: The indexes in use.
    """

    def __init__(self, cached: Callable[[], CachedCollections], cache: RetrieverCache) -> None:
        self._cached = cached
        self._cache = cache

    @contextmanager
    def view(
        self, subject: Subject, *, policy: str, embedder: str, call: Call, semantic: bool = True
    ) -> Generator[View]:
        """Open a view of the index that has this document alone.

        Args:
            subject: The document.
            policy: The name of the policy that cuts it.
            embedder: The name of the embedder; empty for the one of the settings.
            call: Ends the work when it is cancelled or out of time.
            semantic: Whether the answer depends on vectors.

        Raises:
            PinciteError: See `CachedCollections.using`.
        """
        key = (subject.origin, subject.name, subject.blob.fingerprint, policy, embedder)
        known = self._cache.get(key)
        blob = replace(subject.blob, name=subject.name, digest=subject.blob.fingerprint)
        with self._cached().using(
            blob, call, policy, embedder, source_key=subject.blob.name, is_checked=known is not None
        ) as collection:
            with collection.view(call, semantic=semantic) as view:
                yield view
            if known is None:
                self._cache.put(key, Retriever(collection.spec.name, file_size(collection.spec.location)))

    def clear(self) -> int:
        """Delete the indexes in use, but those that a call reads; return their number."""
        names = {retriever.collection for retriever in self._cache.values()}
        cleared = self._cache.clear()
        for name in names:
            self._cached().delete(name)
        return cleared

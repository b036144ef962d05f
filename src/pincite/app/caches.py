"""Build the caches of documents at URLs."""

from pincite.model.sizes import MEGABYTE
from pincite.services.documents.caches import Caches
from pincite.services.documents.size import document_bytes
from pincite.services.timed_cache import CacheLimits, TimedCache
from pincite.settings import Settings

CACHED_DOWNLOADS, CACHED_DOCUMENTS, CACHED_RETRIEVERS = 50, 50, 20
"""Entries of the caches of documents at URLs, of contract 4."""


def build_caches(settings: Settings) -> Caches:
    """Return the caches of documents at URLs."""
    caches = settings.caches

    def limits(entries: int, megabytes: float) -> CacheLimits:
        return CacheLimits(entries, int(megabytes * MEGABYTE), caches.seconds)

    return Caches(
        TimedCache(limits(CACHED_DOWNLOADS, caches.download_size), lambda download: len(download.blob.data)),
        TimedCache(limits(CACHED_DOCUMENTS, caches.document_size), document_bytes),
        TimedCache(limits(CACHED_DOCUMENTS, caches.document_size), lambda derived: derived.size_bytes),
        TimedCache(limits(CACHED_RETRIEVERS, settings.storage.index_cache), lambda retriever: retriever.size_bytes),
    )

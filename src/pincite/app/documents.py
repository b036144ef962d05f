"""Build what tools for documents at URLs use."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import cast

from pincite import registry
from pincite.app import plugins
from pincite.app.caches import build_caches
from pincite.app.own_files import own_files
from pincite.chunking.base import Policy
from pincite.embedding.base import Embedder
from pincite.embedding.lazy import LazyModel
from pincite.errors import Unsupported
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document
from pincite.model.sizes import MEGABYTE
from pincite.ranking.base import Reranker
from pincite.registry import POLICIES, find
from pincite.services.documents.caches import Caches
from pincite.services.documents.downloads import DownloadOptions, Downloads
from pincite.services.documents.fetching import DocumentFetcher
from pincite.services.documents.retrieval_models import ACCURATE, Part, RetrievalModels
from pincite.services.documents.uploads import DocumentUploads, UploadLimits
from pincite.services.local_files import LocalFiles
from pincite.settings import Settings
from pincite.sources.url.transfer import TransferLimits
from pincite.tools.documents import POLICY


def build_retrieval_models(
    settings: Settings, fast: Embedder, embedder_named: Callable[[str], Embedder]
) -> RetrievalModels:
    """Return the models of retrieval; a model whose extra is not installed is left out, with the reason.

    Args:
        settings: The settings.
        fast: The embedder of the settings.
        embedder_named: Returns an embedder by its name in the registry.
    """
    accurate, reranker = None, None
    accurate_part, reranker_part = Part(settings.fastembed_model), Part(settings.retrieval.reranker)
    try:
        accurate = LazyModel(embedder_named(ACCURATE), title="accurate embedding model")
    except Unsupported as error:
        accurate_part = Part(accurate_part.name, error.message)
    try:
        made = plugins.build(registry.RERANKERS[0], settings, cache_dir=settings.storage.cache / "models")
        reranker = LazyModel(cast("Reranker", made), title="reranker")
    except Unsupported as error:
        reranker_part = Part(reranker_part.name, error.message)
    return RetrievalModels(
        LazyModel(fast, title="embedding model"),
        accurate,
        accurate_part,
        reranker,
        reranker_part,
        grace=settings.embedding.grace,
    )


def build_downloads(settings: Settings, caches: Caches) -> Downloads:
    """Return the service that downloads within the limits of the settings."""
    given = settings.downloads
    limits = TransferLimits(int(given.size * MEGABYTE), given.idle, given.allow_private)
    return Downloads(DownloadOptions(limits, given.timeout, given.delays), caches.download)


def download(settings: Settings, url: str, call: Call) -> Blob:
    """Return the document at a URL, which is not kept.

    Raises:
        InvalidInput: It is not an http or https URL.
        DownloadFailed: The document cannot be downloaded, or may not.
    """
    return build_downloads(settings, build_caches(settings)).fetch(url, call, argument="The URL").blob


def build_uploads(settings: Settings) -> DocumentUploads:
    """Return the uploads of documents."""
    largest, together = settings.extraction.max_upload, settings.caches.uploads_size
    limits = UploadLimits(int(largest * MEGABYTE), int(together * MEGABYTE))
    return DocumentUploads(settings.storage.data / "cache" / "uploads", limits)


def build_fetcher(
    settings: Settings, roots: Sequence[Path], downloads: Downloads, uploads: DocumentUploads
) -> DocumentFetcher:
    """Return what gets documents.

    Args:
        settings: The settings.
        roots: The folders whose files may be read.
        downloads: Gets those at URLs.
        uploads: The uploads.
    """
    return DocumentFetcher(downloads, _local_files(settings, roots), uploads)


def _local_files(settings: Settings, roots: Iterable[Path]) -> LocalFiles:
    return LocalFiles(roots, int(settings.extraction.max_upload * MEGABYTE), reserved=own_files(settings))


def build_cut(settings: Settings, embedder: Embedder) -> Callable[[Document, Call], Iterable[Chunk]]:
    """Return what cuts a document as the index of a document at a URL is cut."""
    policy = cast("Policy", plugins.build(find(POLICIES, POLICY), settings))
    return lambda document, call: policy.cut(document, embedder.tokenizer, call)

"""Where documents come from: a URL, an upload, or a local file under the allowed roots."""

import re
import time
from dataclasses import dataclass
from typing import Protocol

from pincite.errors import InvalidInput, NotFound
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.status import Freshness
from pincite.services.documents.uploads import SCHEME, DocumentUploads
from pincite.services.local_files import LocalFiles
from pincite.sources.url.locations import MAX_URL_CHARS
from pincite.sources.url.names import safe_name

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""What has a scheme. One of a single letter is a drive on Windows."""


NOT_COMPARED = "The document is from the cache: its URL was not compared with it since checked_at."
"""Why an answer from a cached download is stale."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document, where it is from.

    Attributes:
        url: How an answer names it: its URL without credentials, `upload:<id>`, or its path relative to its root.
        name: Its name in citations.
        blob: Its bytes, under its file name.
        media_type: As its server declared it; empty without one.
        checked_at: When it was read, or its server was asked last, in seconds since 1970.
        is_cached: True if it is from the cache, without a request to its server.
    """

    url: str
    name: str
    blob: Blob
    media_type: str
    checked_at: float
    is_cached: bool

    def freshness(self, of_index: Freshness | None = None) -> Freshness:
        """Return how fresh an answer from it is.

        Args:
            of_index: How fresh the index is that it was answered from; None without one.
        """
        index = of_index or Freshness(0, self.checked_at)
        reasons = " ".join(filter(None, (NOT_COMPARED if self.is_cached else "", index.reason)))
        is_stale = self.is_cached or index.stale
        return Freshness(index.generation, self.checked_at, index.pending, is_stale, reasons)


class Fetcher(Protocol):
    """Gets documents."""

    def fetch(self, url: str, call: Call, *, argument: str = "document_url") -> Fetched:
        """Return the document at a URL."""
        ...


class DocumentFetcher:
    """Gets documents by what a caller names them. Thread-safe.

    Args:
        downloads: Gets those at URLs.
        files: The local files that may be read.
        uploads: The uploads.
    """

    def __init__(self, downloads: Fetcher, files: LocalFiles, uploads: DocumentUploads) -> None:
        self._downloads = downloads
        self._files = files
        self._uploads = uploads

    def fetch(self, url: str, call: Call, *, argument: str = "document_url") -> Fetched:
        """Return a document.

        Args:
            url: An http or https URL, `upload:<id>`, or the path of a local file.
            call: Ends a download when it is cancelled or out of time.
            argument: The name of the argument, for messages.

        Raises:
            InvalidInput: It names no document, or none that this caller may read.
            DownloadFailed: It cannot be downloaded, or may not.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        is_upload = url.startswith(SCHEME)
        if not url or len(url) > MAX_URL_CHARS or (_URL.match(url) and not is_upload):
            return self._downloads.fetch(url, call, argument=argument)
        if call.is_foreign:
            raise InvalidInput(f"{argument} must be an http or https URL: pages of other machines may name no other.")
        return self._upload(url) if is_upload else self._local(url, argument)

    def _upload(self, url: str) -> Fetched:
        now = time.time()
        blob = self._uploads.read_upload(url)
        return Fetched(url, blob.name, blob, "", now, is_cached=False)

    def _local(self, path: str, argument: str) -> Fetched:
        now = time.time()
        try:
            file = self._files.read_file(path)
        except NotFound:
            raise InvalidInput(
                f"{argument} must be an http or https URL (as https://example.com/report.pdf), an upload, or a file "
                "under the allowed roots (ALLOWED_ROOTS): there is no such file."
            ) from None
        return Fetched(file.path, safe_name(file.blob.name), file.blob, "", now, is_cached=False)

"""Read files and render pages: what every face reads files with."""

from dataclasses import replace

from pincite.formats.base import Blob
from pincite.formats.detect.sniff import sniff
from pincite.formats.worker.pool import ReaderPool, readable
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.services.document_cache import DocumentCache


class Reading:
    """Reads files through the reader processes, and keeps the documents on disk. Thread-safe."""

    def __init__(self, pool: ReaderPool, cache: DocumentCache | None = None) -> None:
        """Read with this pool.

        Args:
            pool: The reader processes, with their limits.
            cache: Where documents are kept; None to keep none.
        """
        self._pool = pool
        self._cache = cache

    def read(self, blob: Blob, call: Call) -> Document:
        """Return the document of a file: from disk if the same bytes were read before by this reader, as far as then.

        Args:
            blob: Its name in its collection, and its bytes. The name decides the format of a text file alone.
            call: Checked for cancellation; receives progress in pages.

        Raises:
            PinciteError: See `ReaderPool.read`. Failures are not kept.
        """
        sniffed = sniff(blob.name, blob.data)
        row = readable(sniffed)
        # A file that is read in this process is read as fast as its document is restored.
        if self._cache is None or not row.isolated:
            return self._pool.read(sniffed, blob, call)
        key = f"{row.identity} {blob.fingerprint} {self._pool.options}"
        document = self._cache.get(key, call)
        if document is None:
            # A warning about the name belongs to this file, not to every file of these bytes.
            document = self._pool.read(replace(sniffed, warning=""), blob, call)
            self._cache.put(key, replace(document, name=""))
        warnings = (sniffed.warning, *document.warnings) if sniffed.warning else document.warnings
        return replace(document, name=blob.name, warnings=warnings)

    def render(self, blob: Blob, page: int, width: int, call: Call) -> bytes:
        """Return a page of a file as a PNG, rendered in a reader process.

        Args:
            blob: Its name in its collection, and its bytes.
            page: Page number from 1.
            width: Width of the picture in pixels, 1 to `formats.base.MAX_RENDER_WIDTH`.
            call: Checked for cancellation.

        Raises:
            PinciteError: See `ReaderPool.render`.
        """
        return self._pool.render(sniff(blob.name, blob.data), blob, page, width, call)

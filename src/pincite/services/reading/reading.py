"""Read files and render pages: what every face reads files with."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from pincite.formats.base import Blob
from pincite.formats.detect.sniff import Sniffed, sniff
from pincite.formats.worker.pool import ReaderPool, readable
from pincite.model.call import Call
from pincite.model.document import Document, PageSizes
from pincite.model.recognition import RecognisedPage
from pincite.registry import Format
from pincite.services.reading.cache import DocumentCache
from pincite.services.timed_cache import TimedCache


class Converts(Protocol):
    """Converts documents to Markdown."""

    @property
    def identity(self) -> str:
        """A string that differs between converters."""
        ...

    def convert(self, blob: Blob, call: Call) -> str:
        """Return a document as Markdown, with page marks if it has pages.

        Raises:
            PinciteError: It cannot be converted.
        """
        ...


class Reading:
    """Reads files through the reader processes, and keeps the documents in memory and on disk. Thread-safe."""

    def __init__(
        self,
        pool: ReaderPool,
        cache: DocumentCache | None = None,
        memory: TimedCache[str, Document] | None = None,
        converter: Converts | None = None,
    ) -> None:
        """Read with this pool.

        Args:
            pool: The reader processes, with their limits.
            cache: Where documents are kept on disk; None to keep none.
            memory: Where they are kept in memory; None to keep none.
            converter: Reads every format but Markdown and text instead of the pool; None if the pool does.
        """
        self._pool = pool
        self._cache = cache
        self._memory = memory
        self._converter = converter

    @property
    def converter_identity(self) -> str:
        """The identity of the converter, with a space before; empty without one."""
        return "" if self._converter is None else f" {self._converter.identity}"

    def read(self, blob: Blob, call: Call) -> Document:
        """Return the document of a file: a kept one if the same bytes were read before by this reader, as far as then.

        Args:
            blob: Its name in its collection, and its bytes. The name decides the format of a text file alone.
            call: Checked for cancellation; receives progress in pages.

        Raises:
            PinciteError: See `ReaderPool.read` and `Converts.convert`. Failures are not kept.
        """
        return self.read_as(sniff(blob.name, blob.data), blob, call)

    def read_as(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        """Return the document of a file whose format is known; see `read`.

        Raises:
            PinciteError: See `ReaderPool.read`.
        """
        row = readable(sniffed)
        key = self._key(row, blob)
        document = None if self._memory is None else self._memory.get(key)
        if document is None:
            # A warning about the name belongs to this file, not to every file of these bytes.
            document = self._from_disk(row, key, replace(sniffed, warning=""), blob, call)
            if self._memory is not None:
                self._memory.put(key, document)
        warnings = (sniffed.warning, *document.warnings) if sniffed.warning else document.warnings
        return replace(document, name=blob.name, warnings=warnings)

    def forget(self, blob: Blob) -> None:
        """Delete what is kept on disk of the document of a file."""
        row = sniff(blob.name, blob.data).format
        if self._cache is not None and row is not None:
            self._cache.delete(self._key(row, blob))

    def _key(self, row: Format, blob: Blob) -> str:
        return f"{row.identity}{self.converter_identity} {blob.fingerprint} {self._pool.options}"

    def _from_disk(self, row: Format, key: str, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        """Return a document from the disk, or read it and keep it there."""
        # A file that is read in this process is read as fast as its document is restored.
        if self._cache is None or not row.isolated:
            return self._read(row, sniffed, blob, call)
        document = self._cache.get(key, call)
        if document is None:
            document = self._read(row, sniffed, blob, call)
            self._cache.put(key, replace(document, name=""))
        return document

    def _read(self, row: Format, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        if self._converter is None or not row.isolated:
            return self._pool.read(sniffed, blob, call)
        from pincite.services.conversion.page_marks import paged  # noqa: PLC0415 - only with a converter

        markdown = self._converter.convert(blob, call)
        return paged(markdown, blob, row.media_types[0], self._pool.options, call)

    @property
    def recognises(self) -> bool:
        """True if text in pictures is recognised."""
        return bool(self._pool.options.ocr)

    def recognised(self, blob: Blob, call: Call) -> Sequence[RecognisedPage]:
        """Return the text in each page of a file of pictures, with words and confidences; nothing of it is kept.

        Args:
            blob: Its name in its collection, and its bytes.
            call: Checked for cancellation.

        Raises:
            PinciteError: See `ReaderPool.recognised`.
        """
        return self._pool.recognised(sniff(blob.name, blob.data), blob, call)

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

    def measure(self, blob: Blob, call: Call) -> PageSizes:
        """Return the size of each page of a file as displayed, measured in a reader process.

        Raises:
            PinciteError: See `ReaderPool.measure`.
        """
        return self._pool.measure(sniff(blob.name, blob.data), blob, call)

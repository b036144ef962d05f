"""Read a file's bytes into a document, with its format's reader; render a page with its renderer."""

from collections.abc import Callable, Generator
from contextlib import closing

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.zip_guard import guard, is_zip
from pincite.formats.writing.builder import build
from pincite.model.call import Call
from pincite.model.document import Document, Head, Page, PageSizes
from pincite.registry import Format, load, load_measurer, load_renderer

SILENT_BYTES = 2048
"""Size above which a file without any text is a failure, not an empty document."""

Stream = Callable[[Format, Blob, ReadOptions, Call], Generator[Head | Page]]
"""Yields the head and pages of a file: in this process (`pages`) or from another one."""


def pages(row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
    """Yield the head and pages of a file, once the guard has passed its zip archive."""
    if is_zip(blob.data):
        guard(blob.data, options.zip, call)
    yield from load(row)(blob, options, call)


def picture(row: Format, blob: Blob, page: int, width: int, options: ReadOptions, call: Call) -> bytes:
    """Return a page as a PNG, in this process, once the guard has passed a zip archive; see `Renderer`."""
    if is_zip(blob.data):
        guard(blob.data, options.zip, call)
    return load_renderer(row)(blob, page, width, options, call)


def page_sizes(row: Format, blob: Blob, options: ReadOptions, call: Call) -> PageSizes:
    """Return the size of each page, in this process, once the guard has passed a zip archive; see `Measurer`."""
    if is_zip(blob.data):
        guard(blob.data, options.zip, call)
    return load_measurer(row)(blob, options, call)


def read_document(row: Format, blob: Blob, options: ReadOptions, call: Call, stream: Stream = pages) -> Document:
    """Return the document of a file.

    Args:
        row: Its format, see `formats.detect.sniff.sniff`.
        blob: Its name in its collection, and its bytes.
        options: The limits of reading.
        call: Checked for cancellation between pages and blocks.
        stream: The source of its pages.

    Raises:
        Unsupported: The bytes are not of this format, or its extra is not installed.
        InvalidInput: The file is damaged or encrypted, or has more than 2 kB and no text.
        ReadingFailed: The file exceeds a limit, or crashed its reader.
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    # Closed even if building fails: the generator returns its process to the pool.
    with closing(stream(row, blob, options, call)) as items:
        document = build(blob.name, blob.fingerprint, row.media_types[0], items)
    if not document.text and len(blob.data) > SILENT_BYTES:
        raise InvalidInput(f"No text in {len(blob.data):,} bytes: {document.coverage.reasons or 'it is blank'}.")
    return document

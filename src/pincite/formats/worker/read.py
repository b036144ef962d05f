"""A file's bytes into a document, by the reader that the registry names."""

import hashlib
from collections.abc import Callable, Generator
from contextlib import closing

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.zip_guard import guard, is_zip
from pincite.formats.writing.builder import build
from pincite.model.call import Call
from pincite.model.document import Document, Head, Page
from pincite.registry import Format, load

SILENT_BYTES = 2048
"""A file of more bytes that gives no character is a failure, never a quietly empty document."""

Stream = Callable[[Format, Blob, ReadOptions, Call], Generator[Head | Page]]
"""How the head and the pages of a file are had: here (`pages`), or from another process."""


def pages(row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
    """What a reader yields; before it sees a zipped format, the guard does."""
    if is_zip(blob.data):
        guard(blob.data, options.zip, call)
    yield from load(row)(blob, options, call)


def read_document(row: Format, blob: Blob, options: ReadOptions, call: Call, stream: Stream = pages) -> Document:
    """Read a file.

    Args:
        row: Its format, see `formats.sniff.sniff`.
        blob: Its name in its collection, and its bytes.
        options: The limits of reading.
        call: Asked between pages and blocks.
        stream: How its pages are had.

    Raises:
        Unsupported: The bytes are not of this format, or its extra is not installed.
        InvalidInput: They are damaged or encrypted, or more than 2 kB of them hold no text.
        ReadingFailed: They are more than a limit allows, or their reader died of them.
        Cancelled, TimeoutExceeded: As the call says.
    """
    fingerprint = hashlib.sha256(blob.data).hexdigest()
    with closing(stream(row, blob, options, call)) as items:
        document = build(blob.name, fingerprint, row.media_types[0], items)
    if not document.text and len(blob.data) > SILENT_BYTES:
        reasons = [failure.reason for failure in document.coverage.failed] or ["it is blank"]
        raise InvalidInput(f"No text in {len(blob.data):,} bytes: {'; '.join(dict.fromkeys(reasons))}.")
    return document

"""A file's bytes into a document, by the reader that the registry names."""

import hashlib

from pincite.errors import InvalidInput
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.builder import build
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.registry import Format, load

SILENT_BYTES = 2048
"""A file of more bytes that gives no character is a failure, never a quietly empty document."""


def read_document(row: Format, blob: Blob, options: ReadOptions, call: Call) -> Document:
    """Read a file.

    Args:
        row: Its format, see `formats.sniff.detect`.
        blob: Its name in its collection, and its bytes.
        options: The limits of reading.
        call: Asked between pages and blocks.

    Raises:
        Unsupported: The bytes are not of this format, or its extra is not installed.
        InvalidInput: They are damaged or encrypted, or more than 2 kB of them hold no text.
        Cancelled, TimeoutExceeded: As the call says.
    """
    fingerprint = hashlib.sha256(blob.data).hexdigest()
    document = build(blob.name, fingerprint, row.media_types[0], load(row)(blob, options, call))
    if not document.text and len(blob.data) > SILENT_BYTES:
        reasons = [failure.reason for failure in document.coverage.failed] or ["it is blank"]
        raise InvalidInput(f"No text in {len(blob.data):,} bytes: {'; '.join(dict.fromkeys(reasons))}.")
    return document

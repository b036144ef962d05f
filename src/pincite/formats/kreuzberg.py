"""E-mail: kreuzberg's plain text (`pip install 'pincite[more]'`), cut into paragraphs."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

import kreuzberg

from pincite.errors import InvalidInput, Unsupported
from pincite.formats import text as plain_text
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.writing.page_writer import one_line
from pincite.model.call import Call
from pincite.model.document import Head, Page, PageFailure
from pincite.text import invisible

EMAIL = "message/rfc822"

_HEAD_BYTES = 4096
"""First bytes of a file that identify its format."""
_PROPERTIES = {
    "title": "title",
    "subject": "subject",
    "authors": "author",
    "keywords": "keywords",
    "created_at": "created",
    "modified_at": "modified",
    "language": "language",
    "from_email": "from",
    "to_emails": "to",
    "cc_emails": "cc",
    "attachments": "attachments",
}


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    if not is_email(blob.data):
        raise Unsupported("The file is not an e-mail, whatever its name says. Give it the extension of its format.")
    result = _extract(blob.data)
    metadata = _properties(result.metadata)
    # Its Markdown joins all paragraphs into one.
    raw = result.content.replace("\r\n", "\n").strip("\n")
    text, hidden = invisible.without_hidden(raw), plain_text.invisible_asides(raw)
    yield Head(metadata.get("title") or metadata.get("subject"), metadata, metadata.get("language"))
    warnings = tuple(one_line(warning.message) for warning in result.processing_warnings)
    # An empty message is a document without text, and the answer must say so.
    lost = () if text.strip() else (PageFailure(None, "nothing readable was found in it"),)
    for page in plain_text.read(Blob(blob.name, text.encode("utf-8", "replace")), options, call):
        if isinstance(page, Page):
            asides = (*page.asides, *hidden)
            yield replace(page, failures=(*page.failures, *lost), warnings=(*page.warnings, *warnings), asides=asides)


def is_email(data: bytes) -> bool:
    """Return True for text with a colon near its start."""
    head = data[:_HEAD_BYTES]
    return b":" in head and b"\0" not in head


def _extract(data: bytes) -> kreuzberg.ExtractionResult:
    # No cache on disk, as documents are private; no OCR, as in the other readers.
    config = kreuzberg.ExtractionConfig(use_cache=False, disable_ocr=True, output_format="plain")
    try:
        return kreuzberg.extract_bytes_sync(data, EMAIL, config)
    except kreuzberg.KreuzbergError as error:
        raise _damaged(error) from error
    except BaseException as error:
        # A panic of its Rust code derives from `BaseException`, and its class cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise _damaged(error) from error


def _damaged(error: BaseException) -> InvalidInput:
    return InvalidInput("The file is damaged or protected. Save it again, as .docx or PDF.", details=str(error))


def _properties(metadata: Mapping[str, object]) -> dict[str, str]:
    properties: dict[str, str] = {}
    for key, name in _PROPERTIES.items():
        value = metadata.get(key)
        parts = [str(part) for part in cast("list[object]", value)] if isinstance(value, list) else [str(value or "")]
        text = one_line(", ".join(parts))
        if text:
            properties[name] = text
    return properties

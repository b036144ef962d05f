"""Open a document by its URL: never an error because of what its file is, but a text as far as it can be read."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol

from pincite.chunking.profiles import UNKNOWN, document_type
from pincite.chunking.separators import lay_out
from pincite.errors import InvalidInput, PinciteError, ProcessingFailed, ReadingFailed, Unsupported
from pincite.formats.base import Blob
from pincite.formats.detect.decode import HEAD_BYTES, decode, is_binary
from pincite.formats.detect.signature import signature
from pincite.formats.detect.sniff import Sniffed, sniff
from pincite.model.call import Call
from pincite.model.document import Coverage, Document, PageFailure
from pincite.registry import FORMATS, Format
from pincite.services.documents.all_text import all_text
from pincite.services.documents.fetching import Fetched, Fetcher
from pincite.text.excerpt import excerpts

log = logging.getLogger("pincite.documents")

AS_TEXT, ALL_TEXT, NOTHING = "read as plain text", "read without its structure", "nothing could be read"
"""What was done with a file that its reader cannot read."""

_HIDDEN_PARTS = ("hidden sheet", "hidden rows", "hidden column", "hidden slide")
"""Reasons of asides whose text a person would search for: the author hid it by a command, not by its style."""

MAX_NAMED = 5
"""Maximum number of them that a warning names."""

PLAIN_TEXT = next(row for row in FORMATS if row.name == "text")


class Reader(Protocol):
    """Reads files; `services.reading.Reading`."""

    def read_as(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        """Return the document of a file whose format is known."""
        ...


@dataclass(frozen=True, slots=True)
class Opened:
    """A document, read.

    Attributes:
        source: What was downloaded.
        blob: Its bytes, under a file name whose extension says how they were read.
        document: Its text, laid out with lines between pages, slides, sheets; empty if nothing could be read.
        doc_type: See `chunking.profiles.document_type`; by the file's name if nothing could be read.
        warnings: What was not read, and why.
        fallback: What was done instead of reading it with its reader; empty if that was possible.
    """

    source: Fetched
    blob: Blob
    document: Document
    doc_type: str
    warnings: tuple[str, ...]
    fallback: str


class Opener:
    """Opens documents. Thread-safe.

    Args:
        fetcher: Gets them.
        reader: Reads them.
        laid_out: Lays them out, see `separators.lay_out`.
    """

    def __init__(self, fetcher: Fetcher, reader: Reader, laid_out: Callable[[Document], Document] = lay_out) -> None:
        self._fetcher = fetcher
        self._reader = reader
        self._laid_out = laid_out

    def open_document(self, url: str, call: Call, *, argument: str = "document_url", doc_type: str = "") -> Opened:
        """Return the document at a URL. A damaged or encrypted file is no error.

        Args:
            url: As the caller wrote it.
            call: Ends the work when it is cancelled or out of time.
            argument: The name of the argument, for messages.
            doc_type: The type that it must have; empty for any. One of another type is not read.

        Raises:
            InvalidInput: It is not an http or https URL.
            DownloadFailed: The document cannot be downloaded, or may not.
            ProcessingFailed: It is of another type, exceeds a limit, or crashed its reader.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        fetched = self._fetcher.fetch(url, call, argument=argument)
        sniffed = sniff(fetched.blob.name, fetched.blob.data, fetched.media_type)
        if sniffed.format is not None:
            _check_type(document_type(sniffed.format.media_types[0]), doc_type)
        opened = self._opened(fetched, sniffed, call)
        _check_type(opened.doc_type, doc_type)
        return opened

    def _opened(self, fetched: Fetched, sniffed: Sniffed, call: Call) -> Opened:
        data = fetched.blob.data
        blob = Blob(_file_name(fetched.blob.name, sniffed.format), data, fetched.blob.fingerprint)
        try:
            document = self._read(sniffed, blob, call)
        except (Unsupported, InvalidInput) as failure:
            log.info(
                "document.fallback", extra={"rid": call.request_id, "url": fetched.url, "problem": failure.message}
            )
            return self._fallback(fetched, sniffed, failure, call)
        doc_type = document_type(document.media_type)
        gaps = (document.coverage.shortfall, _in_place_of(fetched, doc_type), _hidden(document))
        warnings = (*filter(None, gaps), *document.warnings)
        return Opened(fetched, blob, self._named(document, fetched), doc_type, warnings, "")

    def _read(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        try:
            return self._reader.read_as(sniffed, blob, call)
        except ReadingFailed as failure:
            raise ProcessingFailed(failure.message, details=failure.details) from failure

    def _fallback(self, fetched: Fetched, sniffed: Sniffed, failure: PinciteError, call: Call) -> Opened:
        """Return a file that its reader cannot read: as plain text if it is text, else without any text."""
        data = fetched.blob.data
        row = sniffed.format or _expected(fetched)
        document = Document(
            name=fetched.name,
            text="",
            sections=(),
            title=None,
            fingerprint=fetched.blob.fingerprint,
            media_type=row.media_types[0] if row else "",
            properties={},
            language=None,
            coverage=Coverage(failed=(PageFailure(None, failure.message),)),
        )
        blob, fallback = fetched.blob, NOTHING
        if data.strip() and signature(data) is None and not is_binary(data[:HEAD_BYTES]):
            fallback = AS_TEXT
            if row is not None and row.name == "html":
                data, fallback = all_text(decode(data).text, call).encode("utf-8", "replace"), ALL_TEXT
            digest = fetched.blob.fingerprint if data is fetched.blob.data else ""
            blob = Blob(_file_name(fetched.blob.name, PLAIN_TEXT), data, digest)
            read = self._read(Sniffed(PLAIN_TEXT), blob, call)
            document = replace(read, media_type=document.media_type or read.media_type)
        doc_type = document_type(row.media_types[0]) if row else UNKNOWN
        return Opened(fetched, blob, self._named(document, fetched), doc_type, (failure.message,), fallback)

    def _named(self, document: Document, fetched: Fetched) -> Document:
        return self._laid_out(replace(document, name=fetched.name))


def _check_type(doc_type: str, required: str) -> None:
    if required and doc_type != required:
        raise ProcessingFailed(
            f"The document is of type {doc_type}, not {required}. process_document reads every type."
        )


def _file_name(name: str, row: Format | None) -> str:
    """Return a name by which the format is recognised, also without the media type."""
    suffix = PurePosixPath(name).suffix.lower()
    return name if row is None or suffix in row.extensions else f"{name}{row.extensions[0]}"


def _in_place_of(fetched: Fetched, doc_type: str) -> str:
    """Return a warning that a web page came under the name of a file of another format; empty if that is not so."""
    suffix = PurePosixPath(fetched.name).suffix.lower()
    named = next((row.name for row in FORMATS if suffix in row.extensions and not row.text), "")
    if doc_type != "html" or not named:
        return ""
    return f"The URL names a {suffix} file, and a web page came instead: perhaps one to sign in on, or an error."


def _hidden(document: Document) -> str:
    """Return a warning that names the sheets, rows, columns and slides that are hidden; empty if there are none."""
    hidden = [aside for aside in document.asides if aside.reason in _HIDDEN_PARTS]
    named = [f"{aside.reason} {aside.place or aside.page or ''}".strip() for aside in hidden]
    more = [f"and {len(named) - MAX_NAMED} more"] * (len(named) > MAX_NAMED)
    return f"Left out, as it is hidden: {excerpts([*named[:MAX_NAMED], *more])}." if named else ""


def _expected(fetched: Fetched) -> Format | None:
    """Return the format that the file's name or media type promises."""
    suffix = PurePosixPath(fetched.blob.name).suffix.lower()
    plain = fetched.media_type.partition(";")[0].strip().lower()
    by_name = next((row for row in FORMATS if suffix in row.extensions), None)
    return by_name or next((row for row in FORMATS if plain in row.media_types), None)

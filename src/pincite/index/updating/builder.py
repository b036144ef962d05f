"""From the bytes of a file to the document that is written: read, cut into chunks, with what it depends on."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pincite.chunking.base import Policy
from pincite.embedding.base import Tokenizer
from pincite.errors import ConnectionFailed, PinciteError, TimeoutExceeded
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import Sniffed, sniff
from pincite.index.stamps import NO_READER, Stamps
from pincite.model.call import Call
from pincite.model.document import Coverage, Document
from pincite.model.locator import revision
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument, StoredDocument
from pincite.sources.base import SourceDocument
from pincite.text.embed_text import embed_hash

log = logging.getLogger("pincite.index")


@dataclass(frozen=True, slots=True)
class Description:
    """What a collection records of a document.

    Attributes:
        title: Its title, or None.
        properties: See `DocumentRow.properties`.
        context: The title that its chunks are embedded and indexed under; its own if None.
    """

    title: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict[str, str])
    context: str | None = None


Describe = Callable[[Document, str], Description]
"""Describes a document, given its source key (its name, if that is the key)."""


def describe_by_title(document: Document, source_key: str) -> Description:
    """Describe a document by its first h1, else by the title in its metadata (contract 1), or by its title page."""
    del source_key
    return Description(document.display_title)


Read = Callable[[Sniffed, Blob, Call], Document]
"""Returns the document of a file of a known format.

Raises:
    PinciteError: See `ReaderPool.read`.
"""


class DocumentBuilder:
    """Reads and cuts documents of one collection. Thread-safe."""

    def __init__(
        self,
        read: Read,
        policy: Policy,
        tokenizer: Tokenizer,
        stamps: Stamps,
        describe: Describe = describe_by_title,
    ) -> None:
        self._read = read
        self._policy = policy
        self._tokenizer = tokenizer
        self._stamps = stamps
        self._describe = describe

    def build(self, name: str, source: SourceDocument, call: Call, source_key: str = "") -> NewDocument:
        """Return a document with its chunks; one that cannot be read has the reason instead.

        Args:
            name: Its name in the collection.
            source: Its bytes and their state.
            call: Checked for cancellation; receives progress in pages.
            source_key: See `DocumentRow.source_key`; a text file's format is recognised by how it ends.

        Raises:
            ConnectionFailed: No reader process can be had now.
            TimeoutExceeded: The deadline has passed.
            Cancelled: The call is cancelled.
        """
        blob = Blob(name, source.data, source.fingerprint)
        sniffed = sniff(source_key or name, source.data)
        reader = sniffed.format.identity if sniffed.format else NO_READER
        try:
            document = self._policy.lay_out(self._read(sniffed, blob, call))
            described = self._describe(document, source_key or name)
            titled = document if described.context is None else replace(document, title=described.context)
            chunks = list(self._policy.cut(titled, self._tokenizer, call))
        except (ConnectionFailed, TimeoutExceeded):
            raise
        except PinciteError as error:
            call.check()
            log.warning("document.failed", extra={"document": name, "problem": error.message})
            message, cause = error.message, error
        except Exception as error:  # a reader's bug on one file must not stop the indexing of the others
            log.exception("document.failed", extra={"document": name})
            message, cause = f"its reader failed ({type(error).__name__}); the log says more", error
        else:
            stamp = self._stamps.of_document(reader, document.coverage)
            row = _row(blob, source, source_key, stamp, described, document.coverage)
            return NewDocument(row, document.text, chunks, [embed_hash(chunk) for chunk in chunks])
        # Not of the condition for another attempt: a failure that repeats changes nothing.
        row = _row(blob, source, source_key, self._stamps.of(reader), failure=message)
        return NewDocument(replace(row, stamp=self._stamps.of_failure(reader, cause)))

    def row(self, name: str, source: SourceDocument, source_key: str, known: StoredDocument) -> DocumentRow:
        """Return the row of a document that is known by the same bytes, with this file and its state."""
        sniffed = sniff(source_key or name, source.data)
        reader = sniffed.format.identity if sniffed.format else NO_READER
        stamp = self._stamps.of_document(reader, known.coverage)
        described = Description(known.title, known.properties)
        return _row(Blob(name, source.data, source.fingerprint), source, source_key, stamp, described, known.coverage)


def _row(
    blob: Blob,
    source: SourceDocument,
    source_key: str,
    stamp: str,
    described: Description | None = None,
    coverage: Coverage | None = None,
    failure: str = "",
) -> DocumentRow:
    return DocumentRow(
        name=blob.name,
        title=described.title if described else None,
        # A second write within the clock's resolution would leave the same state: compare it again next time.
        state=source.state if source.is_settled else UNTRUSTED,
        modified_ns=source.modified_ns,
        fingerprint=blob.fingerprint,
        revision=revision(blob.fingerprint, stamp),
        coverage=coverage or Coverage(),
        failure=failure,
        stamp=stamp,
        source_key=source_key,
        properties=described.properties if described else {},
    )

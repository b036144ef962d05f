"""The rows of an index, as the store takes and gives them."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.model.chunk import Chunk
from pincite.model.document import Coverage


class FileState(NamedTuple):
    """What `stat` says of a file; two equal states mean the same bytes.

    A state that cannot be trusted (the file changed within the clock's grain of the look)
    is stored as `UNTRUSTED`, which equals no file's.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


UNTRUSTED = FileState(-1, -1, -1, -1)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document as it is written to the index.

    Attributes:
        name: Unique in its collection.
        title: The title it gives itself, or None.
        state: The file's state when its bytes were read.
        modified_ns: When the document was last modified, nanoseconds since 1970.
        fingerprint: SHA-256 of the bytes, in hex.
        revision: See `model.locator.revision`.
        failure: Why it could not be read; empty when it was. A failed document has no chunks.
    """

    name: str
    title: str | None
    state: FileState
    modified_ns: int
    fingerprint: str
    revision: str
    coverage: Coverage = field(default_factory=Coverage)
    failure: str = ""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the index gives it."""

    id: int
    name: str
    title: str | None
    first_h1: str | None
    modified_ns: int
    revision: str
    fingerprint: str
    chunk_count: int
    total_chars: int
    coverage: Coverage
    failure: str


@dataclass(frozen=True, slots=True)
class StoredChunk:
    """A chunk as the index gives it, with what is needed to cite it.

    `breadcrumb` is `chunk.heading_path` joined; it is what is compared, byte for byte.
    """

    id: int
    document_id: int
    document: str
    revision: str
    modified_ns: int
    breadcrumb: str
    chunk: Chunk


@dataclass(frozen=True, slots=True)
class PastPlace:
    """What a locator of an old revision meant: the hash of its chunk's text, and the chunk's breadcrumb."""

    locator: str
    hash: bytes
    breadcrumb: str


@dataclass(frozen=True, slots=True)
class PastRevision:
    """A revision that is no more, without its text.

    Attributes:
        ended_ns: When it ended, nanoseconds since 1970.
        places: In document order.
    """

    ended_ns: int
    places: tuple[PastPlace, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a document: its text, its level, its breadcrumb."""

    document_id: int
    text: str
    level: int
    breadcrumb: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Why a document could not be read (empty: it was), and how much of it was."""

    failure: str
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class Statistics:
    """Recounted truth about an index, read in one snapshot.

    Attributes:
        documents: Documents that were read, empty ones included.
        failed: Documents that could not be read.
        chunks: Chunks in the index.
        waiting_documents: Documents that have a chunk without vector.
        waiting_chunks: Chunks without vector.
        last_indexed_ns: When the index last changed, nanoseconds since 1970; None before the first time.
    """

    documents: int
    failed: int
    chunks: int
    waiting_documents: int
    waiting_chunks: int
    last_indexed_ns: int | None

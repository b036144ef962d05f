"""The records of an index, as a store writes and returns them."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pincite.model.chunk import Chunk
from pincite.model.document import Coverage


class FileState(NamedTuple):
    """Values of `stat` that identify a file's content: equal states mean equal bytes.

    A state that cannot be trusted (the file changed within the clock's resolution before it was
    read) is stored as `UNTRUSTED`, which equals no file's.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


UNTRUSTED = FileState(-1, -1, -1, -1)


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document to write to the index.

    Attributes:
        name: Unique in its collection.
        title: The title from its metadata, or None.
        state: The file's state when its bytes were read.
        modified_ns: Time of its last modification, nanoseconds since 1970.
        fingerprint: SHA-256 of the bytes, in hex.
        revision: See `model.locator.revision`.
        failure: Why it could not be read; empty if it was. A failed document has no chunks.
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
    """A document in the index."""

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
    """A chunk in the index, with the data needed to cite it.

    `breadcrumb` is `chunk.heading_path` joined; sections are compared by it, byte for byte.
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
    """A locator of a replaced revision, with the hash of its chunk's text and the chunk's breadcrumb."""

    locator: str
    hash: bytes
    breadcrumb: str


@dataclass(frozen=True, slots=True)
class PastRevision:
    """A replaced revision, without its text.

    Attributes:
        ended_ns: Time of its replacement, nanoseconds since 1970.
        places: Its locators in document order.
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
    """Why a document could not be read (empty if it was), and its coverage."""

    failure: str
    coverage: Coverage


@dataclass(frozen=True, slots=True)
class Statistics:
    """Counts of an index, from one snapshot.

    Attributes:
        documents: Documents that were read, empty ones included.
        failed: Documents that could not be read.
        chunks: Chunks in the index.
        waiting_documents: Documents that have a chunk without vector.
        waiting_chunks: Chunks without vector.
        last_indexed_ns: Time of the last change, nanoseconds since 1970; None before the first.
    """

    documents: int
    failed: int
    chunks: int
    waiting_documents: int
    waiting_chunks: int
    last_indexed_ns: int | None

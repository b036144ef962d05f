"""The records of an index, as a store writes and returns them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite.model.chunk import Chunk
from pincite.model.document import Coverage

State = tuple[int, ...]
"""What a source compares to see whether a document changed. Only the source knows what the numbers mean."""

UNTRUSTED: State = ()
"""The state of a document that may have changed within the clock's resolution before it was read: equals no other."""

UNSEEN: State = (-1,)
"""The state of a document that cannot be read at the moment, if it is there at all: what is indexed of it is kept."""


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document to write to the index.

    Attributes:
        name: Its id, which references and answers use. Unique in its collection.
        title: The title that its collection records, or None.
        state: Its state in the source when its bytes were read.
        modified_ns: Time of its last modification, nanoseconds since 1970.
        fingerprint: SHA-256 of the bytes, in hex.
        revision: See `model.locator.revision`.
        failure: Why it could not be read; empty if it was. A failed document has no chunks.
        stamp: What its chunks depend on besides its bytes (`index.stamps`): a document with an outdated stamp is
            read again.
        source_key: Its key in the source, unique in its collection; empty if that is its name.
        properties: What its collection records of it, in the collection's own vocabulary (a library: its type).
    """

    name: str
    title: str | None
    state: State
    modified_ns: int
    fingerprint: str
    revision: str
    coverage: Coverage = field(default_factory=Coverage)
    failure: str = ""
    stamp: str = ""
    source_key: str = ""
    properties: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class NewDocument:
    """What is written of a document.

    Attributes:
        row: Its row.
        text: Its canonical text, which its chunks are spans of.
        chunks: Its chunks, in order.
        embed_hashes: For each chunk the hash of its text to embed, the key of its vector.
    """

    row: DocumentRow
    text: str = ""
    chunks: Sequence[Chunk] = ()
    embed_hashes: Sequence[bytes] = ()


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A chunk without vector: its embed hash, and the parts of its text to embed."""

    embed_hash: bytes
    context: str
    text: str


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document in the index.

    Attributes:
        title: See `DocumentRow`.
        first_h1: Its first heading of level 1, or None.
        properties: See `DocumentRow`.
    """

    id: int
    name: str
    source_key: str
    title: str | None
    first_h1: str | None
    modified_ns: int
    revision: str
    fingerprint: str
    chunk_count: int
    total_chars: int
    coverage: Coverage
    failure: str
    properties: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def label(self) -> str:
        """The title that every answer shows: the one that its collection records, else its file name."""
        return self.title or self.first_h1 or self.name.rpartition("/")[2]


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
class ChunkChanges:
    """The chunks that differ from an earlier generation.

    Attributes:
        changed: Ids of chunks that are new, or have got a vector or other tags since.
        removed: Ids of chunks that were deleted since; some may never have been seen.
    """

    changed: Sequence[int]
    removed: Sequence[int]


@dataclass(frozen=True, slots=True)
class Place:
    """A locator of a revision.

    Attributes:
        hash: Hash of its chunk's text.
        breadcrumb: The chunk's breadcrumb.
        span: The chunk's span in the document's text; empty if it is not known.
    """

    locator: str
    hash: bytes
    breadcrumb: str
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class PastRevision:
    """A replaced revision, without its text.

    Attributes:
        ended_ns: Time of its replacement, nanoseconds since 1970.
        places: Its locators in document order.
    """

    ended_ns: int
    places: tuple[Place, ...]


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

"""The interface of a mirror: a copy of a collection in another engine, which searches it.

A mirror is derived from a store, document by document, and can be made anew from it at any time. It names chunks by
document and ordinal, which mean the same on every machine: ids of a store do not.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pincite.errors import ConfigError, ConnectionFailed
from pincite.model.chunk import NO_TAGS, ChunkKind, Tags
from pincite.model.search import Clause, KeywordQuery

if TYPE_CHECKING:
    from pincite.model.vector import Vector

BATCH_CHUNKS = 200
"""Chunks of one request to a mirror: under a megabyte with vectors of 384 numbers and texts of 2 kB."""


class EngineBusy(ConnectionFailed):
    """The engine answers that it cannot work at the moment, as it starts or is overloaded (HTTP 503)."""


class EngineTaken(ConnectionFailed):
    """Another process has the engine's folder open, as a server has that copies what is ingested."""


@dataclass(frozen=True, slots=True)
class MirroredChunk:
    """What a mirror has of a chunk.

    Attributes:
        id: A UUID: the same for the same text at the same place of the same document.
        ordinal: Its position in the document, from 0.
        text: Its text, as it can be encoded.
        vector: Its vector, of length 1; None while it has none.
        context: Title and headings, which are searched by keyword, too.
        fields: The fields of contract 2, for other programs that read the mirror.
        place: Everything else of the chunk, as one string.
    """

    id: str
    ordinal: int
    text: str
    vector: "Vector | None"
    kind: ChunkKind = ChunkKind.TEXT
    tags: Tags = NO_TAGS
    context: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    place: str = ""


@dataclass(frozen=True, slots=True)
class MirroredDocument:
    """What a mirror has of a document.

    Attributes:
        name: Its id in the collection.
        digest: Equal for two documents that a search cannot tell apart.
        record: What a library needs of it besides its chunks, as one string.
        chunks: By ordinal.
    """

    name: str
    digest: str
    record: str
    chunks: Sequence[MirroredChunk]


@dataclass(frozen=True, slots=True)
class MirrorState:
    """What a mirror holds.

    Attributes:
        library: The identity of the store that it was written from.
        digest: Of all its documents together.
        is_complete: False while it is being written, or if that was interrupted.
    """

    library: str
    digest: str
    is_complete: bool

    def fields(self, model: str, dimensions: int) -> dict[str, Any]:
        """Return it as an entry of a mirror of a model's vectors; see `read_state`."""
        return {"point": "state", **asdict(self), "embedding_model": model, "dimensions": dimensions}


@dataclass(frozen=True, slots=True)
class MirrorFilter:
    """A `Filter` whose documents are names."""

    documents: frozenset[str] | None = None
    kinds: frozenset[ChunkKind] = frozenset()
    chunk_types: frozenset[str] = frozenset()
    normative: bool | None = None
    clauses: tuple[Clause, ...] = ()


class MirrorHit(NamedTuple):
    """A chunk and its score: cosine, or BM25 as the mirror computes it."""

    document: str
    ordinal: int
    score: float


class Mirror(Protocol):
    """A derived copy of one collection. Thread-safe.

    Every method raises ConnectionFailed or TimeoutExceeded if the engine does not answer, AuthError if it refuses the
    key, and ConfigError if it cannot hold this collection.
    """

    def check(self) -> None:
        """Raise ConfigError if it holds another model's vectors, or is another program's."""
        ...

    def state(self) -> MirrorState | None:
        """Return what it holds; None if nothing was ever written to it."""
        ...

    def record(self, state: MirrorState) -> None:
        """Write the state."""
        ...

    def documents(self) -> dict[str, str]:
        """Return the digests by name of the documents that it has in full."""
        ...

    def put(self, document: MirroredDocument) -> None:
        """Insert or replace a document; interrupted, `documents` does not name it with this digest."""
        ...

    def remove(self, names: Iterable[str]) -> None:
        """Delete documents; unknown names are ignored."""
        ...

    def nearest(self, vector: "Vector", where: MirrorFilter, n: int) -> list[MirrorHit]:
        """Return about the n nearest chunks by cosine that pass a filter, best first."""
        ...

    def keywords(self, query: KeywordQuery, where: MirrorFilter, n: int) -> list[MirrorHit] | None:
        """Return about the n best chunks by BM25 that pass a filter, best first; None without such a search."""
        ...

    def read(self) -> Iterator[MirroredDocument]:
        """Yield every document that it has in full, with `place`, `text` and `vector` of its chunks."""
        ...

    def close(self) -> None:
        """Release connections and locks."""
        ...


def read_state(fields: Mapping[str, Any] | None) -> MirrorState | None:
    """Return a state from its entry; None without one."""
    if fields is None:
        return None
    library, digest = (str(fields.get(name, "")) for name in ("library", "digest"))
    return MirrorState(library, digest, fields.get("is_complete") is True)


def chunk_fields(document: MirroredDocument, chunk: MirroredChunk) -> dict[str, Any]:
    """Return what of a chunk every engine has under the same names, beside the fields of contract 2."""
    return {
        **chunk.fields,
        "point": "chunk",
        "document_id": document.name,
        "digest": document.digest,
        "ordinal": chunk.ordinal,
        "place": chunk.place,
    }


def clause_paths(clauses: Iterable[str]) -> list[str]:
    """Return clause numbers and all above them at a dot: an engine without prefix search matches one of them."""
    parts = [clause.split(".") for clause in clauses]
    return list(dict.fromkeys(".".join(each[:n]) for each in parts for n in range(1, len(each) + 1)))


def check_dimensions(document: MirroredDocument, dimensions: int) -> None:
    """Refuse vectors of another length: an engine would, too late and in its own words.

    Raises:
        ConfigError: A vector has other dimensions.
    """
    for chunk in document.chunks:
        if chunk.vector is not None and chunk.vector.shape != (dimensions,):
            raise ConfigError(f"A vector of {chunk.vector.size} numbers for a mirror of {dimensions}: another model's.")

"""A mirror in a collection of a Qdrant server: dense vectors, sparse BM25 vectors, and an index for every filter.

A chunk is a point, and so is a document's record, written after its chunks; one more point has the state. Qdrant
searches a vector only in the points that have it, so the others are never found.
"""

import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse

from pincite.errors import ConfigError, ConnectionFailed
from pincite.model.search import KeywordQuery
from pincite.store.mirrors.base import (
    BATCH_CHUNKS,
    MirroredChunk,
    MirroredDocument,
    MirrorFilter,
    MirrorHit,
    MirrorState,
    check_dimensions,
    chunk_fields,
    clause_paths,
    read_state,
)
from pincite.store.mirrors.qdrant_client import QUERY_LIMITS, WRITE_LIMITS, Connect, connect, found, translated
from pincite.store.mirrors.sparse import SparseEncoder

if TYPE_CHECKING:
    from pincite.model.vector import Vector

DENSE, SPARSE = "dense", "bm25"
"""The names of the vectors."""

_NAMESPACE = uuid.UUID("0c6f3a6e-6a2e-5d39-8f53-2f8a6f3c1b9d")
"""Of the points that are no chunks; part of their ids: not to be changed."""

_STATE = str(uuid.uuid5(_NAMESPACE, "state"))

_INDEXES: Mapping[str, models.PayloadSchemaType] = {
    "point": models.PayloadSchemaType.KEYWORD,
    "document_id": models.PayloadSchemaType.KEYWORD,
    "document_type": models.PayloadSchemaType.KEYWORD,
    "chunk_type": models.PayloadSchemaType.KEYWORD,
    "normative": models.PayloadSchemaType.BOOL,
    "clause_number": models.PayloadSchemaType.KEYWORD,
    "tags.kind": models.PayloadSchemaType.KEYWORD,
    "tags.chunk_type": models.PayloadSchemaType.KEYWORD,
    "tags.normative": models.PayloadSchemaType.BOOL,
    "tags.clause": models.PayloadSchemaType.KEYWORD,
    "tags.clauses": models.PayloadSchemaType.KEYWORD,
}
"""The payload fields that are indexed. The filters of a search are over `document_id` and `tags`, which are as the
library has them; the others are the fields of contract 2, for other programs."""

_PAGE_POINTS = 500
"""Points of one page of a scroll."""

_HIT_FIELDS = ["document_id", "ordinal"]


class Secret(Protocol):
    """A key that is not printed by accident."""

    def get_secret_value(self) -> str:
        """Return the key."""
        ...


def build(
    *, url: str | None, key: Secret | None, collection: str, has_keywords: bool, model: str, dimensions: int
) -> "QdrantMirror":
    """Return a mirror at an address; nothing is contacted yet.

    Raises:
        ConfigError: There is no address.
    """
    if url is None:
        raise ConfigError("VECTOR_STORE is qdrant, and there is no address. Set QDRANT_URL.")
    connecting = partial(connect, url, key.get_secret_value() if key else "")
    return QdrantMirror(connecting, collection, model=model, dimensions=dimensions, has_keywords=has_keywords)


class QdrantMirror:
    """A collection of a Qdrant server. Satisfies `Mirror`.

    Args:
        connecting: Returns a client.
        collection: The name of the collection, created when something is written to it.
        model: The identity of the embedding model.
        dimensions: The length of its vectors.
        has_keywords: Whether the collection has sparse vectors.
    """

    def __init__(
        self, connecting: Connect, collection: str, *, model: str, dimensions: int, has_keywords: bool = True
    ) -> None:
        self._connecting = connecting
        self._collection = collection
        self._model = model
        self._dimensions = dimensions
        self._has_keywords = has_keywords
        self._lock = threading.Lock()
        self._is_created = False
        self._encoder = SparseEncoder()

    @cached_property
    def _reader(self) -> QdrantClient:
        return self._connecting(QUERY_LIMITS)

    @cached_property
    def _writer(self) -> QdrantClient:
        return self._connecting(WRITE_LIMITS)

    def check(self) -> None:
        """See `Mirror.check`."""
        vectors = self._vectors()
        if vectors is None:
            return
        dense, sparse = vectors
        if dense is None:
            raise ConfigError(
                f"The Qdrant collection {self._collection!r} is another program's. Name another one: QDRANT_COLLECTION."
            )
        state = self._payload(_STATE) or {}
        model = str(state.get("embedding_model", self._model))
        if dense != self._dimensions or model != self._model:
            raise ConfigError(
                f"The Qdrant collection {self._collection!r} has vectors of {model} ({dense} numbers), the library's "
                f"are of {self._model} ({self._dimensions}). Name another collection (QDRANT_COLLECTION), or set "
                "EMBEDDING_MODEL back."
            )
        if self._has_keywords and not sparse:
            raise ConfigError(
                f"The Qdrant collection {self._collection!r} has no {SPARSE!r} vectors. Set "
                "QDRANT_HYBRID_SEARCH=false, or name another collection (QDRANT_COLLECTION)."
            )

    def state(self) -> MirrorState | None:
        """See `Mirror.state`."""
        return read_state(self._payload(_STATE))

    def record(self, state: MirrorState) -> None:
        """See `Mirror.record`."""
        self._create()
        payload = state.fields(self._model, self._dimensions)
        self._upsert([models.PointStruct(id=_STATE, vector={}, payload=payload)])

    def documents(self) -> dict[str, str]:
        """See `Mirror.documents`."""
        records = self._scroll(_matching("point", "document"), ["document_id", "digest"])
        payloads = [record.payload or {} for record in records]
        return {str(payload.get("document_id")): str(payload.get("digest")) for payload in payloads}

    def put(self, document: MirroredDocument) -> None:
        """See `Mirror.put`: without the old record, the new chunks, without the old ones, the new record."""
        check_dimensions(document, self._dimensions)
        self._create()
        identifier = str(uuid.uuid5(_NAMESPACE, f"document\0{document.name}"))
        self._delete(models.Filter(must=[models.HasIdCondition(has_id=[identifier])]))
        for start in range(0, len(document.chunks), BATCH_CHUNKS):
            self._upsert(self._points(document, document.chunks[start : start + BATCH_CHUNKS]))
        stale = models.Filter(
            must=[_match("document_id", document.name), _match("point", "chunk")],
            must_not=[_match("digest", document.digest)],
        )
        self._delete(stale)
        payload = {
            "point": "document",
            "document_id": document.name,
            "digest": document.digest,
            "record": document.record,
        }
        self._upsert([models.PointStruct(id=identifier, vector={}, payload=payload)])

    def remove(self, names: Iterable[str]) -> None:
        """See `Mirror.remove`."""
        listed = list(names)
        if listed:
            self._delete(models.Filter(must=[_match_any("document_id", listed)]))

    def nearest(self, vector: "Vector", where: MirrorFilter, n: int) -> list[MirrorHit]:
        """See `Mirror.nearest`."""
        return self._query(cast("list[float]", vector.tolist()), DENSE, where, n)

    def keywords(self, query: KeywordQuery, where: MirrorFilter, n: int) -> list[MirrorHit] | None:
        """See `Mirror.keywords`."""
        if not self._has_keywords:
            return None
        indices, values = self._encoder.query(query)
        return self._query(models.SparseVector(indices=indices, values=values), SPARSE, where, n) if indices else []

    def read(self) -> Iterator[MirroredDocument]:
        """See `Mirror.read`."""
        for record in self._scroll(_matching("point", "document"), ["document_id", "digest", "record"]):
            payload = record.payload or {}
            name, digest = str(payload.get("document_id")), str(payload.get("digest"))
            chunks = models.Filter(
                must=[_match("point", "chunk"), _match("document_id", name), _match("digest", digest)]
            )
            points = self._scroll(chunks, ["id", "ordinal", "content", "place"], with_vectors=[DENSE])
            yield MirroredDocument(name, digest, str(payload.get("record")), [_to_chunk(point) for point in points])

    def close(self) -> None:
        """See `Mirror.close`."""
        for name in ("_reader", "_writer"):
            if client := self.__dict__.get(name):
                client.close()

    def _vectors(self) -> tuple[int | None, bool] | None:
        """Return the dimensions of the dense vectors (None without any of ours), and whether there are sparse ones.

        None if there is no collection.
        """
        collection = found(self._reader.get_collection, self._collection)
        if collection is None:
            return None
        parameters = collection.config.params
        dense = parameters.vectors.get(DENSE) if isinstance(parameters.vectors, dict) else None
        return (dense.size if dense else None), SPARSE in (parameters.sparse_vectors or {})

    def _create(self) -> None:
        """Create the collection and its indexes, once a process; those that are there stay."""
        with self._lock:
            if self._is_created:
                return
            with translated():
                if self._vectors() is None:
                    self._create_collection()
                for field, schema in _INDEXES.items():
                    self._writer.create_payload_index(self._collection, field, schema)
            self._is_created = True

    def _create_collection(self) -> None:
        sparse = models.SparseVectorParams(modifier=models.Modifier.IDF)
        try:
            self._writer.create_collection(
                self._collection,
                vectors_config={DENSE: models.VectorParams(size=self._dimensions, distance=models.Distance.COSINE)},
                sparse_vectors_config={SPARSE: sparse} if self._has_keywords else None,
            )
        except UnexpectedResponse:
            if self._vectors() is None:  # else another process was faster
                raise

    def _points(self, document: MirroredDocument, chunks: Sequence[MirroredChunk]) -> list[models.PointStruct]:
        sparse = self._encoder.chunks((chunk.context, chunk.text) for chunk in chunks) if self._has_keywords else []
        points: list[models.PointStruct] = []
        for number, chunk in enumerate(chunks):
            vectors: dict[str, Any] = {}
            if chunk.vector is not None:
                vectors[DENSE] = chunk.vector.tolist()
            if sparse and sparse[number].indices:
                vectors[SPARSE] = models.SparseVector(indices=sparse[number].indices, values=sparse[number].values)
            points.append(models.PointStruct(id=chunk.id, vector=vectors, payload=_chunk_payload(document, chunk)))
        return points

    def _payload(self, identifier: str) -> dict[str, Any] | None:
        records = found(self._reader.retrieve, self._collection, [identifier])
        return (records[0].payload or {}) if records else None

    def _query(
        self, query: "list[float] | models.SparseVector", using: str, where: MirrorFilter, n: int
    ) -> list[MirrorHit]:
        if n <= 0:
            return []
        request, conditions = self._reader.query_points, _filter(where)
        answer = found(
            request, self._collection, query, using=using, query_filter=conditions, limit=n, with_payload=_HIT_FIELDS
        )
        with translated():
            return [_to_hit(point) for point in answer.points] if answer else []

    def _scroll(
        self, where: models.Filter, fields: list[str], with_vectors: "list[str] | bool" = False
    ) -> Iterator[models.Record]:
        offset: Any = None
        scroll = partial(self._writer.scroll, self._collection, where, _PAGE_POINTS, with_payload=fields)
        while page := found(scroll, offset=offset, with_vectors=with_vectors):
            records, following = page
            yield from records
            if following is None:
                return
            if following == offset:
                raise ConnectionFailed("Qdrant answers the same page again and again.")
            offset = following

    def _upsert(self, points: Sequence[models.PointStruct]) -> None:
        with translated():
            self._writer.upsert(self._collection, list(points), wait=True)

    def _delete(self, where: models.Filter) -> None:
        with translated():
            self._writer.delete(self._collection, models.FilterSelector(filter=where), wait=True)


def _chunk_payload(document: MirroredDocument, chunk: MirroredChunk) -> dict[str, Any]:
    tags = chunk.tags
    return {
        **chunk_fields(document, chunk),
        "id": chunk.id,
        "content": chunk.text,
        "tags": {
            "kind": chunk.kind.value,
            "chunk_type": tags.chunk_type,
            "normative": tags.normative,
            "clause": list(tags.numbers),
            "clauses": clause_paths(tags.numbers),
        },
    }


def _filter(where: MirrorFilter) -> models.Filter | None:
    conditions: list[models.Condition] = []
    if where.documents is not None:
        conditions.append(_match_any("document_id", sorted(where.documents)))
    if where.kinds:
        conditions.append(_match_any("tags.kind", sorted(kind.value for kind in where.kinds)))
    if where.chunk_types:
        conditions.append(_match_any("tags.chunk_type", sorted(where.chunk_types)))
    if where.normative is not None:
        conditions.append(models.FieldCondition(key="tags.normative", match=models.MatchValue(value=where.normative)))
    if where.clauses:
        # An empty number matches no clause: `clause_paths` has none.
        exact = [clause.number for clause in where.clauses if clause.exact and clause.number]
        below = [clause.number for clause in where.clauses if not clause.exact]
        either: list[models.Condition] = [_match_any("tags.clauses", below)] if below else []
        either += [_match_any("tags.clause", exact)] if exact else []
        conditions.append(models.Filter(should=either) if either else _match("point", "none"))
    return models.Filter(must=conditions) if conditions else None


def _match(key: str, value: str) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))


def _match_any(key: str, values: Sequence[str]) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchAny(any=list(values)))


def _matching(key: str, value: str) -> models.Filter:
    return models.Filter(must=[_match(key, value)])


def _to_hit(point: models.ScoredPoint) -> MirrorHit:
    payload = point.payload or {}
    return MirrorHit(str(payload["document_id"]), int(payload["ordinal"]), point.score)


def _to_chunk(point: models.Record) -> MirroredChunk:
    payload = point.payload or {}
    vectors = point.vector if isinstance(point.vector, dict) else {}
    dense = vectors.get(DENSE)
    return MirroredChunk(
        id=str(payload.get("id")),
        ordinal=int(payload.get("ordinal", -1)),
        text=str(payload.get("content", "")),
        vector=None if dense is None else np.asarray(dense, np.float32),
        place=str(payload.get("place", "")),
    )

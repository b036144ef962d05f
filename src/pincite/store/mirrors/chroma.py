"""A mirror in ChromaDB: embedded in this process, or a server. It has no keyword search: the library does that.

Chunks with a vector are in one collection, everything else (chunks without one, the records of documents, the state) in
a second one, as ChromaDB keeps nothing without a vector.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
from chromadb.config import Settings
from chromadb.errors import AuthorizationError, ChromaAuthError, ChromaError, InvalidArgumentError, NotFoundError

from pincite.errors import AuthError, ConfigError, ConnectionFailed, PinciteError, TimeoutExceeded
from pincite.model.call import Call
from pincite.model.search import KeywordQuery
from pincite.runtime.abandonable import abandonable
from pincite.runtime.private_files import make_folder
from pincite.store.mirrors.answers import Limits
from pincite.store.mirrors.base import (
    BATCH_CHUNKS,
    EngineBusy,
    EngineTaken,
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
from pincite.store.process_lock import ProcessLock

if TYPE_CHECKING:
    from pincite.model.vector import Vector

COLLECTION = "se_knowledge_base"
"""The collection of chunks; `QDRANT_COLLECTION` has the same name by default."""

RECORDS = f"{COLLECTION}_records"

LOCK_NAME = "pincite.lock"

LIMITS = Limits(30, 256_000_000)
"""Of a server's answers; ChromaDB's client has none. A page of 500 entries with vectors of 8,192 numbers is a third."""

_CONFIGURATION: Mapping[str, Any] = {"hnsw": {"space": "cosine", "ef_search": 256}}
"""256: more than the 200 candidates of a search, or the index would find fewer of them."""

_NO_VECTOR = [0.0]
"""The vector of what has none."""

_STATE = "state"

_PAGE_ENTRIES = 500
"""Entries of one page of a reading."""

_FIELD = "tag_"
"""Begins the fields that filters are over, which are as the library has them."""

Client = Any
"""A `chromadb.api.ClientAPI`, whose types are not complete."""


def build(*, path: Path, url: str | None, model: str, dimensions: int) -> "ChromaMirror":
    """Return a mirror at an address, or in a folder without one; nothing is opened yet."""
    if url:
        return ChromaMirror(partial(connect, url), model=model, dimensions=dimensions)
    return ChromaMirror(partial(open_folder, path), path, model=model, dimensions=dimensions)


def open_folder(path: Path) -> Client:
    """Open an embedded ChromaDB, whose folder exists."""
    return chromadb.PersistentClient(path, settings=Settings(anonymized_telemetry=False))


def connect(url: str) -> Client:
    """Connect to a ChromaDB server.

    Raises:
        TimeoutError: It does not answer.
    """
    parts = urlsplit(url)
    is_secure = parts.scheme == "https"
    opening = partial(
        chromadb.HttpClient,
        parts.hostname or "",
        parts.port or (443 if is_secure else 80),
        ssl=is_secure,
        settings=Settings(anonymized_telemetry=False),
    )
    # Its requests have no time limit, and the first are made before there is a client to set one.
    client: Any = abandonable(opening, Call(), name="pincite-chromadb", seconds=LIMITS.seconds, discard=disconnect)
    with suppress(AttributeError):  # private
        client._server._session.timeout = httpx.Timeout(LIMITS.seconds)  # noqa: SLF001
        client._server._session.event_hooks = LIMITS.hooks()  # noqa: SLF001
    return client


def disconnect(client: Client) -> None:
    """Close the connections to a server, which `Client.close` leaves open: its own, and those that it began with."""
    parts: tuple[Any, Any] = (client, getattr(client, "_admin_client", None))
    for part in parts:
        with suppress(AttributeError):  # private, and not there in an embedded one
            part._server._session.close()  # noqa: SLF001


@contextmanager
def translated() -> Generator[None]:
    """Raise ChromaDB's failures as ours; no message has an address or a path.

    Raises:
        AuthError: The server refuses the request.
        TimeoutExceeded: There is no answer in time.
        ConfigError: The request does not fit the collection.
        ConnectionFailed: There is no answer, or ChromaDB fails.
    """
    try:
        yield
    except PinciteError:
        raise
    except (ChromaAuthError, AuthorizationError) as error:
        raise AuthError("ChromaDB refuses the request: servers with authentication are not supported.") from error
    except InvalidArgumentError as error:
        raise ConfigError("ChromaDB refuses the request; the log says why.", details=str(error)) from error
    except (httpx.TimeoutException, TimeoutError) as error:
        raise TimeoutExceeded("ChromaDB does not answer in time. Check its load.") from error
    except (ChromaError, httpx.HTTPError, OSError) as error:
        raise _failure(error) from error
    except Exception as error:  # the client raises plain exceptions for errors of its server and its database
        raise _failure(error) from error


def _failure(error: Exception) -> PinciteError:
    cause = error.__cause__ or error.__context__ or error  # the client raises the body of what the server refuses
    if isinstance(cause, httpx.HTTPStatusError) and cause.response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        return EngineBusy("ChromaDB is starting or overloaded (HTTP 503). Try again later.")
    return ConnectionFailed(
        "ChromaDB does not answer. Check CHROMADB_PATH, or that its server runs (PINCITE_CHROMADB_URL).",
        details=f"{type(error).__name__}: {error}"[:500],
    )


class ChromaMirror:
    """Two collections of a ChromaDB. Satisfies `Mirror`.

    Args:
        opening: Returns a client.
        path: The folder of an embedded one, which is locked: two processes that write to it destroy its index.
        model: The identity of the embedding model.
        dimensions: The length of its vectors.
    """

    def __init__(self, opening: Callable[[], Client], path: Path | None = None, *, model: str, dimensions: int) -> None:
        self._opening = opening
        self._path = path
        self._model = model
        self._dimensions = dimensions
        self._lock = threading.RLock()
        self._process_lock = ProcessLock(path / LOCK_NAME) if path else None
        self._client: Client = None
        self._collections: dict[str, Any] = {}

    def check(self) -> None:
        """See `Mirror.check`.

        Raises:
            EngineTaken: Another process has the folder open, too.
        """
        chunks, state = self._collection(COLLECTION), self._entry(_STATE)
        if chunks is None and state is None:
            return
        model, dimensions = str((state or {}).get("embedding_model", "")), (state or {}).get("dimensions")
        if not state or "library" not in state:
            raise ConfigError("The ChromaDB collection is another program's. Name another folder: CHROMADB_PATH.")
        if model != self._model or dimensions != self._dimensions:
            raise ConfigError(
                f"The ChromaDB collection has vectors of {model} ({dimensions} numbers), the library's are of "
                f"{self._model} ({self._dimensions}). Name another folder (CHROMADB_PATH), or set EMBEDDING_MODEL back."
            )

    def state(self) -> MirrorState | None:
        """See `Mirror.state`."""
        return read_state(self._entry(_STATE))

    def record(self, state: MirrorState) -> None:
        """See `Mirror.record`."""
        entry = state.fields(self._model, self._dimensions)
        with self._working():
            self._created(RECORDS).upsert(ids=[_STATE], embeddings=[_NO_VECTOR], documents=[""], metadatas=[entry])

    def documents(self) -> dict[str, str]:
        """See `Mirror.documents`."""
        entries = self._entries(RECORDS, {"point": "document"}, ["metadatas"])
        with translated():
            return {str(fields["document_id"]): str(fields["digest"]) for fields, _, _ in entries}

    def put(self, document: MirroredDocument) -> None:
        """See `Mirror.put`: without the old record, the new chunks, without the old ones, the new record."""
        check_dimensions(document, self._dimensions)
        record = f"document:{document.name}"
        with self._working():
            self._created(RECORDS).delete(ids=[record])
            for start in range(0, len(document.chunks), BATCH_CHUNKS):
                chunks = document.chunks[start : start + BATCH_CHUNKS]
                self._put_chunks(COLLECTION, document, [chunk for chunk in chunks if chunk.vector is not None])
                self._put_chunks(RECORDS, document, [chunk for chunk in chunks if chunk.vector is None])
            stale = _all({"document_id": document.name}, {"digest": {"$ne": document.digest}})
            for name in (COLLECTION, RECORDS):
                self._created(name).delete(where=stale)
            self._created(RECORDS).upsert(
                ids=[record],
                embeddings=[_NO_VECTOR],
                documents=[document.record],
                metadatas=[{"point": "document", "document_id": document.name, "digest": document.digest}],
            )

    def remove(self, names: Iterable[str]) -> None:
        """See `Mirror.remove`."""
        listed = list(names)
        with self._working():
            for collection in (self._collection(COLLECTION), self._collection(RECORDS)):
                if listed and collection is not None:
                    collection.delete(where={"document_id": {"$in": listed}})

    def nearest(self, vector: "Vector", where: MirrorFilter, n: int) -> list[MirrorHit]:
        """See `Mirror.nearest`."""
        if n <= 0:
            return []
        with self._working():
            collection = self._collection(COLLECTION)
            if collection is None:
                return []
            found = collection.query(
                query_embeddings=[vector], n_results=n, where=_where(where), include=["metadatas", "distances"]
            )
            hits = zip(found["metadatas"][0], found["distances"][0], strict=True)
            return [MirrorHit(str(each["document_id"]), int(each["ordinal"]), 1 - distance) for each, distance in hits]

    def keywords(self, query: KeywordQuery, where: MirrorFilter, n: int) -> list[MirrorHit] | None:
        """Return None: ChromaDB has no BM25."""
        del query, where, n

    def read(self) -> Iterator[MirroredDocument]:
        """See `Mirror.read`."""
        included = ["metadatas", "documents", "embeddings"]
        for fields, record, _ in self._entries(RECORDS, {"point": "document"}, included):
            with translated():
                name, digest = str(fields["document_id"]), str(fields["digest"])
            where = _all({"point": "chunk"}, {"document_id": name}, {"digest": digest})
            chunks = [_to_chunk(*entry, has_vector=True) for entry in self._entries(COLLECTION, where, included)]
            chunks += [_to_chunk(*entry, has_vector=False) for entry in self._entries(RECORDS, where, included)]
            yield MirroredDocument(name, digest, record, chunks)

    def close(self) -> None:
        """See `Mirror.close`."""
        with self._lock:
            self._collections.clear()
            client, self._client = self._client, None
            if client is not None:
                client.close()
                disconnect(client)
            if self._process_lock is not None:
                self._process_lock.release()

    @contextmanager
    def _working(self) -> Generator[None]:
        """Serialise requests: the embedded engine is not made for several threads at once."""
        with self._lock, translated():
            try:
                yield
            except NotFoundError:
                self._collections.clear()  # deleted by somebody else: looked up again
                raise

    def _opened(self) -> Client:
        if self._client is None:
            if self._path is not None and self._process_lock is not None:
                make_folder(self._path)
                if not self._process_lock.acquire():
                    raise EngineTaken(
                        "Another process has the ChromaDB in CHROMADB_PATH open, and two would destroy it. Stop it, or "
                        "run a ChromaDB server for both (PINCITE_CHROMADB_URL)."
                    )
            self._client = self._opening()
        return self._client

    def _collection(self, name: str) -> Any:
        """Return a collection; None if it does not exist."""
        with self._working():
            if name not in self._collections:
                try:
                    self._collections[name] = self._opened().get_collection(name, embedding_function=None)
                except NotFoundError:
                    return None
            return self._collections[name]

    def _created(self, name: str) -> Any:
        with self._working():
            if name not in self._collections:
                configuration = _CONFIGURATION if name == COLLECTION else None
                self._collections[name] = self._opened().get_or_create_collection(
                    name, embedding_function=None, configuration=configuration
                )
            return self._collections[name]

    def _put_chunks(self, name: str, document: MirroredDocument, chunks: Sequence[MirroredChunk]) -> None:
        if chunks:
            self._created(name).upsert(
                ids=[chunk.id for chunk in chunks],
                embeddings=[_NO_VECTOR if chunk.vector is None else chunk.vector for chunk in chunks],
                documents=[chunk.text for chunk in chunks],
                metadatas=[_metadata(document, chunk) for chunk in chunks],
            )

    def _entry(self, identifier: str) -> Mapping[str, Any] | None:
        with self._working():
            collection = self._collection(RECORDS)
            if collection is None:
                return None
            found: list[Mapping[str, Any]] = collection.get(ids=[identifier], include=["metadatas"])["metadatas"]
            return found[0] if found else None

    def _entries(
        self, name: str, where: Mapping[str, Any], include: Sequence[str]
    ) -> Iterator[tuple[Mapping[str, Any], str, Any]]:
        """Yield fields, text and vector of the entries that pass a filter."""
        start, last = 0, None
        while True:
            with self._working():
                collection = self._collection(name)
                if collection is None:
                    return
                page = collection.get(where=dict(where), include=list(include), limit=_PAGE_ENTRIES, offset=start)
            if page["ids"] and page["ids"] == last:
                raise ConnectionFailed("ChromaDB answers the same page again and again.")
            last, count = page["ids"], len(page["ids"])
            texts = page["documents"] or [""] * count
            vectors = [None] * count if page["embeddings"] is None else page["embeddings"]
            yield from zip(page["metadatas"], texts, vectors, strict=True)
            start += count
            if count < _PAGE_ENTRIES:
                return


def _metadata(document: MirroredDocument, chunk: MirroredChunk) -> dict[str, Any]:
    """Return a chunk's fields; None deletes one that an earlier version of the chunk had: an upsert merges them."""
    tags = chunk.tags
    fields: dict[str, Any] = {
        **{name: value for name, value in chunk_fields(document, chunk).items() if name not in {"content", "id"}},
        f"{_FIELD}kind": chunk.kind.value,
        f"{_FIELD}chunk_type": tags.chunk_type,
        f"{_FIELD}normative": tags.normative,
        f"{_FIELD}numbers": list(tags.numbers),
        f"{_FIELD}clauses": clause_paths(tags.numbers),
    }
    return {name: None if value == [] else value for name, value in fields.items()}


def _where(where: MirrorFilter) -> dict[str, Any] | None:
    conditions: list[dict[str, Any]] = []
    if where.documents is not None:
        # No list may be empty: no document has an empty name.
        conditions.append({"document_id": {"$in": sorted(where.documents) or [""]}})
    if where.kinds:
        conditions.append({f"{_FIELD}kind": {"$in": sorted(kind.value for kind in where.kinds)}})
    if where.chunk_types:
        conditions.append({f"{_FIELD}chunk_type": {"$in": sorted(where.chunk_types)}})
    if where.normative is not None:
        conditions.append({f"{_FIELD}normative": where.normative})
    if where.clauses:
        either = [
            {f"{_FIELD}{'numbers' if clause.exact else 'clauses'}": {"$contains": clause.number}}
            for clause in where.clauses
            if clause.number
        ]
        # An empty number matches no clause.
        conditions.append({"$or": either} if len(either) > 1 else either[0] if either else {"point": "none"})
    return _all(*conditions) if conditions else None


def _all(first: dict[str, Any], *others: dict[str, Any]) -> dict[str, Any]:
    return {"$and": [first, *others]} if others else first


def _to_chunk(fields: Mapping[str, Any], text: str, vector: Any, *, has_vector: bool) -> MirroredChunk:
    return MirroredChunk(
        id="",
        ordinal=int(fields.get("ordinal", -1)),
        text=text,
        vector=np.asarray(vector, np.float32) if has_vector else None,
        place=str(fields.get("place", "")),
    )

"""Keeping a mirror in step with its library: document by document, from any state, after any interruption."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.model.store import UNTRUSTED, DocumentRow, NewDocument, StoredDocument
from pincite.sources.library import ELSEWHERE
from pincite.store.base import Snapshot, Store
from pincite.store.mirrors.base import Mirror, MirroredChunk, MirroredDocument, MirrorState
from pincite.store.mirrors.records import encode_chunk, encode_document
from pincite.text.counts import counted

MAX_ROUNDS = 20
"""Passes over a library that changes while it is copied; the next copy continues."""

Fields = Callable[[NewDocument], Iterator[Mapping[str, Any]]]
"""Yields the published fields of each chunk of a document, with its `id`."""


@dataclass(frozen=True, slots=True)
class Digests:
    """What a library holds, in a form that can be compared with a mirror's.

    Attributes:
        documents: The digest of each document by name.
        total: Of all of them together.
    """

    documents: Mapping[str, str]
    total: str


def digests(snapshot: Snapshot) -> Digests:
    """Return the digests of a library's documents."""
    waiting = snapshot.waiting_chunks()
    by_name = {row.name: _digest(row, waiting.get(row.id, 0)) for row in snapshot.documents() if not row.failure}
    lines = "\n".join(f"{json.dumps(name)} {digest}" for name, digest in sorted(by_name.items()))
    return Digests(by_name, hashlib.sha256(lines.encode()).hexdigest())


def catch_up(store: Store, mirror: Mirror, fields: Fields, call: Call, *, takes_over: bool = False) -> tuple[int, int]:
    """Make a mirror a copy of a library.

    A mirror that is being written says so, and is not searched until it is complete. Interrupted at any moment, the
    next call writes what is missing.

    Args:
        store: The library.
        mirror: The mirror.
        fields: Yields the published fields of chunks.
        call: Checked between documents; receives progress.
        takes_over: Whether a mirror of another library is overwritten.

    Returns:
        The numbers of documents written and deleted.

    Raises:
        ConfigError: It holds other documents, of another library, or this library is empty.
        PinciteError: See `Mirror`.
    """
    mirror.check()
    state, own, identity = mirror.state(), _digests_of(store), store.identity()
    if state == MirrorState(identity, own.total, is_complete=True):
        return 0, 0
    if state is not None and not takes_over:
        check_owner(mirror, state, own, identity)
    written, deleted = 0, set[str]()
    mirror.record(MirrorState(identity, own.total, is_complete=False))
    held = mirror.documents()
    for _ in range(MAX_ROUNDS):
        if surplus := held.keys() - own.documents.keys():
            mirror.remove(surplus)
            deleted |= surplus
            held = {name: digest for name, digest in held.items() if name not in surplus}
        pending = [name for name, digest in own.documents.items() if held.get(name) != digest]
        for done, name in enumerate(pending):
            call.check()
            call.progress(done, len(pending), "documents copied to the vector store")
            if (document := _mirrored(store, name, fields)) is not None:
                mirror.put(document)
                held[name] = document.digest
                written += 1
        own = _digests_of(store)
        if held == own.documents:
            mirror.record(MirrorState(identity, own.total, is_complete=True))
            break
    return written, len(deleted)


def check_owner(mirror: Mirror, state: MirrorState, own: Digests, identity: str) -> None:
    """Refuse to overwrite what this library does not have.

    Raises:
        ConfigError: The mirror holds documents, and they are another library's or this library is empty.
    """
    is_own = state.library == identity and bool(own.documents)
    if is_own or state.digest == own.total:
        return
    if count := len(mirror.documents()):
        if not own.documents:
            raise ConfigError(
                f"The library is empty, and the vector store holds {counted(count, 'document')}. Bring them here: "
                "pincite ingest --from-mirror"
            )
        raise ConfigError(
            f"The vector store holds another library, of {counted(count, 'document')}. Bring them here (pincite ingest "
            "--from-mirror), overwrite them (pincite ingest --to-mirror), or name another collection."
        )


def stored_document(snapshot: Snapshot, document: StoredDocument) -> NewDocument:
    """Return a stored document as it was written, apart from its state."""
    chunks = [stored.chunk for stored in snapshot.document_chunks(document.id)]
    row = DocumentRow(
        document.name,
        document.title,
        UNTRUSTED,
        document.modified_ns,
        document.fingerprint,
        document.revision,
        document.coverage,
        stamp=snapshot.stamp(document.id),
        source_key=document.source_key.removeprefix(ELSEWHERE),
        properties=document.properties,
    )
    return NewDocument(row, snapshot.text(document.id), chunks)


def _digests_of(store: Store) -> Digests:
    with store.snapshot() as snapshot:
        return digests(snapshot)


def _digest(document: StoredDocument, waiting: int) -> str:
    values = [
        document.name,
        document.title,
        document.revision,
        document.fingerprint,
        document.chunk_count,
        waiting,
        sorted(document.properties.items()),
    ]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:32]


def _mirrored(store: Store, name: str, fields: Fields) -> MirroredDocument | None:
    """Return a document as it is now; None if it was deleted meanwhile."""
    with store.snapshot() as snapshot:
        document = snapshot.document(name)
        if document is None or document.failure:
            return None
        new = stored_document(snapshot, document)
        chunks = list(_chunks(snapshot, document, new, fields))
        digest = _digest(document, snapshot.waiting_chunks().get(document.id, 0))
    return MirroredDocument(name, digest, encode_document(new), chunks)


def _chunks(snapshot: Snapshot, document: StoredDocument, new: NewDocument, fields: Fields) -> Iterator[MirroredChunk]:
    ids = [stored.id for stored in snapshot.document_chunks(document.id)]
    vectors = snapshot.vectors(ids)
    for chunk_id, chunk, published in zip(ids, new.chunks, fields(new), strict=True):
        yield MirroredChunk(
            id=str(published["id"]),
            ordinal=chunk.ordinal,
            text=_encodable(chunk.text),
            vector=vectors.get(chunk_id),
            kind=chunk.kind,
            tags=chunk.tags,
            context=_encodable(chunk.context),
            fields={name: _encodable(value) for name, value in published.items()},
            place=encode_chunk(chunk),
        )


def _encodable(value: Any) -> Any:
    """Replace lone surrogates, which no engine takes."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Sequence):
        return [_encodable(item) for item in cast("Sequence[Any]", value)]
    return value

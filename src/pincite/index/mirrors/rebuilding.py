"""A library made again from a mirror: on another machine, or where the library's file was lost."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.errors import ConfigError, PinciteError
from pincite.model.call import Call
from pincite.model.store import DocumentRow, NewDocument
from pincite.sources.library import ELSEWHERE
from pincite.store.base import Store
from pincite.store.mirrors.base import Mirror, MirroredDocument
from pincite.store.mirrors.records import decode
from pincite.text.embed_text import embed_hash

if TYPE_CHECKING:
    from pincite.model.vector import Vector


@dataclass(slots=True)
class RebuildReport:
    """What was made again.

    Attributes:
        restored: Names of the documents that were written.
        unchanged: Names of those that the library has in the same revision.
        failed: Why a document could not be restored, by name; the library's own stays.
        surplus: Source keys of the library's documents that the mirror does not have, by name.
        chunks: The number of chunks of the documents of the mirror.
    """

    restored: list[str] = field(default_factory=list[str])
    unchanged: list[str] = field(default_factory=list[str])
    failed: dict[str, str] = field(default_factory=dict[str, str])
    surplus: dict[str, str] = field(default_factory=dict[str, str])
    chunks: int = 0


def rebuild(store: Store, mirror: Mirror, call: Call) -> RebuildReport:
    """Write every document of a mirror to a library, with its vectors; each in a transaction of its own.

    Args:
        store: The library; a document of the same name is replaced.
        mirror: The mirror.
        call: Checked between documents; receives progress.

    Raises:
        ConfigError: The mirror is empty, or was being written.
        PinciteError: See `Mirror` and `Store.replace`.
    """
    mirror.check()
    state = mirror.state()
    if state is None:
        raise ConfigError("The vector store is empty: there is nothing to make a library from.")
    if not state.is_complete:
        raise ConfigError("The vector store is being written, or that was interrupted. Finish it where it is written.")
    report = RebuildReport()
    names = mirror.documents()
    known = _known(store)
    for done, document in enumerate(mirror.read()):
        call.check()
        call.progress(done, len(names), f"{document.name} restored")
        try:
            new = decode(document, embed_hash)
        except PinciteError as error:
            report.failed[document.name] = error.message
            continue
        report.chunks += len(new.chunks)
        if known.get(document.name) == (new.row.revision, new.row.fingerprint):
            report.unchanged.append(document.name)
        else:
            store.replace([_elsewhere(new)], is_current=_is_current)
            report.restored.append(document.name)
        store.put_vectors(_vectors(new, document))
    with store.snapshot() as snapshot:
        documents = snapshot.documents()
    report.surplus = {stored.name: stored.source_key for stored in documents if stored.name not in names}
    return report


def _known(store: Store) -> Mapping[str, tuple[str, str]]:
    with store.snapshot() as snapshot:
        return {row.name: (row.revision, row.fingerprint) for row in snapshot.documents() if not row.failure}


def _elsewhere(new: NewDocument) -> NewDocument:
    """Mark a document's file as one of another machine, which is not compared."""
    row = new.row
    return replace(new, row=replace(row, source_key=f"{ELSEWHERE}{row.source_key or row.name}"))


def _vectors(new: NewDocument, document: MirroredDocument) -> "dict[bytes, Vector]":
    by_ordinal = {chunk.ordinal: chunk.vector for chunk in document.chunks}
    vectors = ((key, by_ordinal[chunk.ordinal]) for key, chunk in zip(new.embed_hashes, new.chunks, strict=True))
    return {key: vector for key, vector in vectors if vector is not None}


def _is_current(row: DocumentRow) -> bool:
    """Return True: the mirror is the source."""
    return bool(row.name)

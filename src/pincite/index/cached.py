"""Collections of single documents that were downloaded or uploaded, each in an index file of its own."""

import logging
import os
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from pincite.errors import ConfigError, ReadingFailed
from pincite.formats.base import Blob
from pincite.index.collection import Collection, Spec, name_hash
from pincite.index.collections import Shelf
from pincite.index.updating.ingestion import Addition
from pincite.model.call import Call
from pincite.model.store import UNTRUSTED
from pincite.runtime.private_files import make_folder
from pincite.sources.base import SourceDocument
from pincite.store.sqlite.opening import file_size
from pincite.store.sqlite.ownership import SIBLINGS, sibling

log = logging.getLogger("pincite.index")

SUFFIX = ".db"
_DEFAULT = "default"
_SEPARATORS = 3
"""Dots in the name of a cached index file."""


class CachedCollections:
    """The indexes of single documents, by content, name, policy and embedder. Thread-safe.

    The file of an index says in its name what it is of, so that its citations can be opened after a restart.

    Args:
        shelf: The collections of the server.
        folder: Where the index files are.
        max_bytes: Maximum size of all index files; beyond it those used least recently are deleted.
        visible: The names of the collections that a caller sees, to which each that it opens is added; None for all.
    """

    def __init__(self, shelf: Shelf, folder: Path, max_bytes: int, visible: set[str] | None = None) -> None:
        self._shelf = shelf
        self._folder = folder
        self._max_bytes = max_bytes
        self._visible = visible

    def restore(self) -> None:
        """Hold every index that an earlier run left."""
        for path in self._files():
            self._shelf.add(_spec(path))

    def of(self, blob: Blob, call: Call, policy: str, embedder: str = "") -> Collection:
        """Return the collection of a document, which another call may close or evict from now on; see `using`."""
        with self.using(blob, call, policy, embedder) as collection:
            return collection

    @contextmanager
    def using(
        self, blob: Blob, call: Call, policy: str, embedder: str = "", *, source_key: str = "", is_checked: bool = False
    ) -> Generator[Collection]:
        """Keep the collection of a document in use; a new document is read, chunked and indexed by keyword.

        Args:
            blob: The document, under the name that its citations have.
            call: The call.
            policy: The name of the policy that cuts it.
            embedder: The name of the embedder; empty for the one of the settings.
            source_key: A name whose extension decides a text file's format; the document's name if empty.
            is_checked: True if this process has checked the same document before, so that the collection is current.

        Raises:
            ReadingFailed: It cannot be read; the message says why.
            ConfigError: The folder of the indexes cannot be written.
            PinciteError: As `Collection.add`.
        """
        spec = _spec(self._folder / f"{self.name_of(blob, policy, embedder)}{SUFFIX}")
        try:
            make_folder(self._folder)
        except OSError as error:
            raise ConfigError("The folder for indexes in DATA_DIR cannot be made. Name one that can be.") from error
        with self._shelf.using(spec) as collection:
            if not (is_checked and _holds(collection, blob.name)):
                content = SourceDocument(blob.data, UNTRUSTED, time.time_ns(), fingerprint=blob.fingerprint)
                report = collection.add([Addition(blob.name, source_key or blob.name, lambda: content)], call)
                if blob.name in report.failed:
                    raise ReadingFailed(report.failed[blob.name])
                self._evict(spec)
            with suppress(OSError):  # another process evicted it
                os.utime(spec.location)
            if self._visible is not None:
                self._visible &= {spec.name for spec in self._shelf.specs()}
                self._visible.add(spec.name)
            yield collection

    def name_of(self, blob: Blob, policy: str, embedder: str = "") -> str:
        """Return the name of a document's collection, whether or not there is one; see `of`."""
        return f"{blob.fingerprint}.{policy}.{embedder or _DEFAULT}.{name_hash(blob.name)}"

    def delete(self, name: str) -> bool:
        """Delete the index of this name; return False if it is in use."""
        return self._delete(self._folder / f"{name}{SUFFIX}")

    def find(self, fingerprint: str) -> list[Spec]:
        """Return the specs of the indexes of a content that are held, whatever its name, policy and embedder."""
        return [spec for spec in self._specs() if spec.kind == "cached" and spec.identity.startswith(fingerprint)]

    def _specs(self) -> Sequence[Spec]:
        specs, visible = self._shelf.specs(), self._visible
        return specs if visible is None else [spec for spec in specs if spec.name in visible]

    def _evict(self, kept: Spec) -> None:
        sizes: dict[Path, tuple[float, int]] = {}
        for path in self._files():
            with suppress(FileNotFoundError):  # evicted by another call
                sizes[path] = path.stat().st_mtime, file_size(path)
        excess = sum(size for _, size in sizes.values()) - self._max_bytes
        for path in sorted(sizes, key=lambda path: sizes[path]):
            if excess > 0 and path != kept.location and self._delete(path):
                excess -= sizes[path][1]

    def _delete(self, path: Path) -> bool:
        if not self._shelf.drop(_spec(path).name, [sibling(path, end) for end in ("", *SIBLINGS)]):
            return False
        log.info("index.evicted", extra={"index": path.stem[:16]})
        return True

    def _files(self) -> Iterator[Path]:
        return (path for path in self._folder.glob(f"*{SUFFIX}") if path.stem.count(".") == _SEPARATORS)


def _spec(path: Path) -> Spec:
    fingerprint, policy, embedder, named = path.stem.split(".")
    return Spec(
        name=path.stem,
        kind="cached",
        source=path.parent,
        identity=path.stem,
        location=path,
        policy=policy,
        embedder="" if embedder == _DEFAULT else embedder,
        document_hash=named,
        content=f"{fingerprint}.{policy}.{named}",
    )


def _holds(collection: Collection, name: str) -> bool:
    """Return True if a document was not deleted from its collection."""
    with collection.store.snapshot() as snapshot:
        return snapshot.document(name) is not None

"""Open collections: the store, source, policy and embedder that each is made of."""

import hashlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pincite.app import plugins
from pincite.chunking.base import Policy
from pincite.embedding.base import Embedder
from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import ConfigError, InvalidInput
from pincite.formats.base import Blob
from pincite.formats.detect.sniff import sniff
from pincite.formats.worker.pool import ReaderPool
from pincite.index.collection import Collection, Spec
from pincite.index.stamps import NO_READER, Stamps
from pincite.index.updating.builder import Describe, DocumentBuilder, describe_by_title
from pincite.index.updating.bulk import BulkWork
from pincite.index.updating.indexer import Indexer
from pincite.index.updating.ingestion import Ingestion
from pincite.index.updating.refresher import Refresher
from pincite.index.updating.vectorizer import Vectorizer
from pincite.model.call import Progress
from pincite.model.document import Document
from pincite.model.locator import revision
from pincite.model.sizes import MEGABYTE
from pincite.model.store import State
from pincite.ranking.synonyms import Synonyms, parse
from pincite.registry import FORMATS, MIRRORS, POLICIES, SOURCES, STORES, find, load
from pincite.runtime.private_files import tighten
from pincite.settings import Settings
from pincite.sources.base import WatchedSource
from pincite.store.base import Store
from pincite.text.names.paths import shown

if TYPE_CHECKING:
    from pincite.index.mirrors.mirrored import MirroredLibrary
    from pincite.services.reading.reading import Reading

LIBRARY = "library"
"""The name of the library's collection."""

LIBRARY_POLICY = "clauses"
"""The policy that cuts the documents of the library."""

SHARED_KINDS = ("folder", "library")
"""What PostgreSQL holds if it is chosen; the index of a single document is a cache of its machine."""


@dataclass(frozen=True, slots=True)
class CollectionOpener:
    """Opens collections.

    Attributes:
        settings: The settings.
        embedder: Returns an embedder by its name in the registry; the one of the settings for an empty name.
        pool: Returns the pool of file readers.
        reading: Returns what reads the file of a collection of one document, by the name of its policy.
        progress: Returns what receives the progress of loading a model.
        synonyms: Synonyms of search.
        executor: Runs the keyword leg of each search in parallel with its vector scan.
    """

    settings: Settings
    embedder: Callable[[str], Embedder]
    pool: Callable[[], ReaderPool]
    reading: "Callable[[str], Reading]"
    progress: Callable[[], Progress]
    synonyms: Synonyms
    executor: Executor

    def open_collection(self, spec: Spec) -> Collection:
        """Open a collection.

        Raises:
            ConfigError: Its index cannot be opened.
        """
        freshness, is_single = self.settings.freshness, spec.kind == "cached"
        reading = self.reading(spec.policy) if is_single else None
        embedder, pool = self.embedder(spec.embedder), self.pool()
        rules = self._rules(spec.policy)
        store = self._store(spec, embedder)
        source = self.folder_source(spec.source) if spec.kind == "folder" else _added(spec, store)
        lazy = LazyEmbedder(embedder, progress=self.progress())
        stamps = self._stamps(rules, embedder, reading)
        read = reading.read_as if reading else pool.read
        builder = DocumentBuilder(read, rules, embedder.tokenizer, stamps, _described(spec))
        bulk = BulkWork(store.lease, freshness.bulk)
        indexer = Indexer(source, store, builder, stamps, bulk)
        refresher = Refresher(
            source,
            store,
            indexer,
            Vectorizer(store, bulk),
            lazy,
            # An answer from a single document waits for the whole of it: half of a report answers nothing.
            budget=math.inf if is_single else freshness.budget,
            grace=self.settings.embedding.grace,
            rescan=freshness.rescan,
            bulk=freshness.bulk,
            unused_vectors=self.settings.storage.unused_vectors,
            embeds_in_calls=not plugins.is_remote(spec.embedder or plugins.local_embedder(self.settings)),
        )
        ingestion = Ingestion(store, builder, stamps, source.wake)
        mirrored = self._mirrored(spec, store, embedder)
        return Collection(
            spec, source, store, indexer, refresher, ingestion, lazy, self.synonyms, self.executor, mirrored
        )

    def revision(self, blob: Blob, document: Document, policy: str) -> str:
        """Return the revision that a document as read has in the collection of it alone.

        Args:
            blob: Its name and bytes.
            document: The document.
            policy: The name of the policy that cuts it.
        """
        sniffed = sniff(blob.name, blob.data)
        stamps = self._stamps(self._rules(policy), self.embedder(""), self.reading(policy))
        reader = sniffed.format.identity if sniffed.format else NO_READER
        return revision(blob.fingerprint, stamps.of_document(reader, document.coverage))

    def _rules(self, policy: str) -> Policy:
        return cast("Policy", plugins.build(find(POLICIES, policy), self.settings))

    def _stamps(self, rules: Policy, embedder: Embedder, reading: "Reading | None") -> Stamps:
        pool, converter = self.pool(), reading.converter_identity if reading else ""
        return Stamps(
            frozenset(row.identity for row in FORMATS),
            f"{rules.identity}/{embedder.tokenizer.identity}{converter}",
            asdict(pool.options),
            pool.environment,
        )

    def folder_source(self, folder: Path) -> WatchedSource:
        """Return a source of the documents in a folder, by the rules and limits of every folder."""
        limits, freshness = self.settings.limits, self.settings.freshness
        text, binary = limits.max_file
        return cast(
            "WatchedSource",
            load(find(SOURCES, "folder"))(
                root=folder,
                extensions={extension: row.text for row in FORMATS for extension in row.extensions},
                max_text_bytes=int(text * MEGABYTE),
                max_other_bytes=int(binary * MEGABYTE),
                max_files=limits.max_files,
                watch=freshness.watch,
                rescan_seconds=freshness.rescan,
            ),
        )

    def _mirrored(self, spec: Spec, store: Store, embedder: Embedder) -> "MirroredLibrary | None":
        if spec.kind != "library" or all(row.name != self.settings.vectors.name for row in MIRRORS):
            return None
        from pincite.app.mirrors import build_mirrored  # noqa: PLC0415 - not where no mirror is

        return build_mirrored(self.settings, store, embedder, spec.location)

    def _store(self, spec: Spec, embedder: Embedder) -> Store:
        lease, storage = self.settings.freshness.lease, self.settings.storage
        if storage.store_url is not None and spec.kind in SHARED_KINDS:
            store = load(find(STORES, "postgres"))(
                schema_name(spec),
                dsn=storage.store_url.get_secret_value(),
                embedder=embedder.identity,
                source=spec.identity,
                connections=storage.store_connections,
                connect_seconds=storage.store_connect_timeout,
                statement_seconds=storage.store_timeout,
                lease_seconds=lease,
                copied_chunks=storage.store_copied_chunks,
            )
        else:
            owned = spec.kind == "cached" or is_cached(storage.cache, spec.location)
            if owned or spec.kind == "library":  # the owner of another file may have shared it
                tighten(spec.location)
            store = load(find(STORES, "sqlite"))(
                spec.location,
                embedder=embedder.identity,
                source=spec.identity,
                lease_seconds=lease,
                owned=owned,
            )
        return cast("Store", store)


def reach_database(settings: Settings) -> str:
    """Connect to the database of PINCITE_STORE_URL; return where it is, without user or password.

    Raises:
        Unsupported: Its extra is not installed.
        ConfigError: The DSN is malformed.
        ConnectionFailed: It does not answer, or refuses the role.
    """
    load(find(STORES, "postgres"))
    from pincite.store.postgres.connections import connect, place  # noqa: PLC0415 - needs an optional package

    storage = settings.storage
    dsn = storage.store_url.get_secret_value() if storage.store_url else ""
    connect(dsn, "public", timeout=storage.store_connect_timeout).close()
    return place(dsn, "public").removesuffix(", schema public")


def _added(spec: Spec, store: Store) -> WatchedSource:
    """Return the source of the documents that were added to a collection one by one."""

    def added(keys: Iterable[str] | None) -> Mapping[str, State]:
        return store.states(keys)[1]

    source = load(find(SOURCES, "library"))
    return cast("WatchedSource", source(root=spec.source, added=added, compared=spec.kind == "library"))


def read_synonyms(path: Path | None) -> Synonyms:
    """Read the synonyms file; return no synonyms without one.

    Raises:
        ConfigError: The file or a line of it cannot be read.
    """
    if path is None:
        return Synonyms()
    try:
        return parse(path.read_text("utf-8-sig"), path.name)
    except (OSError, UnicodeDecodeError) as fault:
        raise ConfigError(
            f"The synonyms file {path.name} cannot be read as UTF-8 text. Correct PINCITE_SYNONYMS or unset it."
        ) from fault


def folder_specs(settings: Settings, folders: Mapping[str, Path], database: Path | None) -> Sequence[Spec]:
    """Return the specs of the collections of several folders, by name.

    Raises:
        InvalidInput: They would have one index, or one name with the library.
        ConfigError: A folder does not exist.
    """
    if database is not None and len(folders) > 1:
        raise InvalidInput("--db is the index file of one folder. Leave it out: each folder has its own in the cache.")
    specs = [folder_spec(settings, root, database, name) for name, root in folders.items()]
    for first, second in combinations(specs, 2):
        if first.identity == second.identity:
            raise InvalidInput(f"{first.name} and {second.name} are the same folder. Name it once.")
    if any(spec.name == LIBRARY for spec in specs):
        raise InvalidInput(f"The name {LIBRARY} is that of the library in DATA_DIR. Choose another one.")
    return specs


def folder_spec(settings: Settings, root: Path, database: Path | None, name: str = "") -> Spec:
    """Return the spec of a folder's collection, named as the folder by default.

    Raises:
        ConfigError: The folder does not exist.
    """
    if not root.is_dir():
        raise ConfigError(f"There is no folder {root.name!r}. Name a folder of documents: pincite serve ./docs")
    # The index is keyed by the real path; the source keeps the given one, since a link may lead elsewhere later.
    real = root.resolve()
    return Spec(
        name or shown(real.name), "folder", root, str(real), database or index_path(settings.storage.cache, real)
    )


def has_library(settings: Settings) -> bool:
    """Return True if there is a library, or a database that may hold it."""
    return settings.storage.store_url is not None or library_spec(settings).location.exists()


def library_spec(settings: Settings) -> Spec:
    """Return the spec of the library in DATA_DIR: its documents' source keys are absolute paths."""
    location = settings.storage.data.absolute() / "library.db"
    embedder = settings.embedding.provider
    return Spec(LIBRARY, "library", Path(location.anchor), "library", location, LIBRARY_POLICY, embedder)


def schema_name(spec: Spec) -> str:
    """Return the schema of a collection in PostgreSQL: servers that serve the same folder or library share it."""
    key = hashlib.sha256(spec.identity.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    return f"pincite_{spec.kind}_{key}"


def index_path(cache: Path, root: Path) -> Path:
    """Return the path of a folder's index: keyed by a hash of its real path, with its name for readability."""
    key = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    label = "".join(c if c.isalnum() or c in "-_." else "_" for c in root.name)[:40] or "root"
    return cache / "folders" / f"{label}-{key}.db"


def is_cached(cache: Path, database: Path) -> bool:
    """Return True if an index file is in pincite's cache, where any file may be rebuilt."""
    try:
        return database.resolve().is_relative_to((cache / "folders").resolve())
    except (OSError, RuntimeError):  # RuntimeError: a loop of links
        return False


def _described(spec: Spec) -> Describe:
    """Return what says of a collection's documents what they are."""
    if spec.kind != "library":
        return describe_by_title
    from pincite.services.library.ingestion import describe  # noqa: PLC0415 - not where no library is served

    return describe

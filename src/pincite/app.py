"""The composition root: build an application from settings. Only this module chooses implementations."""

import hashlib
import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cached_property, partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pincite import registry
from pincite.chunking.base import Policy
from pincite.embedding.base import Embedder
from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import ConfigError, InvalidInput, Unsupported
from pincite.formats.base import ReadOptions, ZipLimits
from pincite.formats.worker.pool import ReaderLimits, ReaderPool
from pincite.index.builder import Describe, DocumentBuilder, describe_by_title
from pincite.index.cached import CachedCollections
from pincite.index.collection import Collection, Spec
from pincite.index.collections import Collections, Shelf
from pincite.index.indexer import Indexer
from pincite.index.ingestion import Ingestion
from pincite.index.refresher import Refresher
from pincite.index.stamps import Stamps
from pincite.model.call import Progress, silent
from pincite.model.store import State
from pincite.model.units import MEGABYTE
from pincite.ranking.synonyms import Synonyms, parse
from pincite.registry import AGENTS, FORMATS, POLICIES, SOURCES, STORES, TOOLSETS, Plugin, ToolsetRow, find, load
from pincite.services.resources import Information, Resources
from pincite.settings import Settings
from pincite.sources.base import WatchedSource
from pincite.store.base import Store
from pincite.text.paths import shown
from pincite.toolkit import Scope, Toolbox, Toolset
from pincite.tools.base import DocumentParts, ExtractionParts, Library, Parts

if TYPE_CHECKING:
    from pincite.agents.base import Engine
    from pincite.model.document import Document
    from pincite.ranking.base import Reranker
    from pincite.services.caches import Caches
    from pincite.services.downloads import Downloads
    from pincite.services.reading import Reading
    from pincite.services.retrieval_models import RetrievalModels
    from pincite.services.retrievers import Retrievers
    from pincite.services.tasks.service import TaskService
    from pincite.services.timed_cache import TimedCache

log = logging.getLogger("pincite.app")

GIT_SECONDS = 2.0

AUTO = "auto"
"""The engine that the settings choose."""

CLAUDE, RULES = "claude", "rules"
"""The engines of `auto`: the one that asks a model where there is a key for it, else the one without."""

CACHED_DOWNLOADS, CACHED_DOCUMENTS, CACHED_RETRIEVERS = 50, 50, 20
"""Entries of the caches of documents at URLs, of contract 4."""

LIBRARY_POLICY = "clauses"
"""The policy that cuts the documents of the library."""


class App:
    """An application that serves a folder, or what the toolsets hold that need none.

    Everything is opened at its first use: building an App loads no model, parser or index.
    """

    def __init__(
        self, settings: Settings, root: Path | None, database: Path | None = None, toolsets: Sequence[str] = ()
    ) -> None:
        """Set what is served, without opening anything.

        Args:
            settings: The settings.
            root: The folder, if one is served.
            database: The folder's index file; in the cache, keyed by the folder's real path, if None.
            toolsets: Names of the toolsets to serve: `all` for all that can be served, none for the default ones.

        Raises:
            Unsupported: A toolset does not exist.
            InvalidInput: A toolset needs a folder, and there is none.
            ConfigError: The folder does not exist, or the synonyms file cannot be read.
        """
        self.settings = settings
        self._toolsets = served_toolsets(toolsets, with_folder=root is not None)
        self.folder = None if root is None else folder_spec(settings, root, database)
        """The collection of the served folder; None if no folder is served."""
        self._synonyms = read_synonyms(settings.searching.synonyms)
        self.model_progress: Progress = silent
        """Receives the progress of fetching and loading the model; to be set before the first call."""
        # Runs the keyword leg of each search in parallel with its vector scan; starts no thread before.
        self._executor = ThreadPoolExecutor(thread_name_prefix="pincite-words")
        self._embedders: dict[str, Embedder] = {}
        has_library = any(row.has_library for row in self._toolsets)
        self.library = library_spec(settings) if has_library else None
        """The collection of the library; None if no toolset answers from it."""
        self._shelf = Shelf(self._open, [spec for spec in (self.folder, self.library) if spec is not None])

    @cached_property
    def toolbox(self) -> Toolbox:
        """The tools of the served toolsets."""
        return Toolbox([partial(self._toolset, row) for row in self._toolsets], self.settings.limits.tool_timeout)

    @cached_property
    def parts(self) -> Parts:
        """What toolsets are made of."""
        return Parts(
            lambda: self.collections,
            lambda: self.embedder.tokenizer,
            lambda: self.cached,
            extraction=self._extraction_parts,
            folder=None if self.folder is None else self.folder.name,
            git_seconds=GIT_SECONDS,
            documents=self._document_parts,
            library=self._served_library(),
        )

    def _document_parts(self) -> DocumentParts:
        from pincite.tools.documents import POLICY  # noqa: PLC0415 - not before the toolset is used

        http = self.settings.http
        policy = cast("Policy", _made(find(POLICIES, POLICY), self.settings))
        return DocumentParts(
            self.downloads,
            self.reading,
            self.retrievers,
            self.retrieval_models,
            self.caches,
            lambda document, call: policy.cut(document, self.embedder.tokenizer, call),
            auth_enabled=http.api_key is not None,
            rate_limit=http.rate_limit,
        )

    def _served_library(self) -> Library | None:
        knowledge = self.settings.knowledge
        return self.library and Library(self.library.name, knowledge.vector_store, knowledge.health_threshold_ms)

    @cached_property
    def resources(self) -> Resources:
        """The documents of the folder and of the library as resources."""
        specs = (self.folder, self.library)
        names = [spec.name for spec in specs if spec is not None]
        return Resources(names, self._shelf.collection, self._information())

    def _information(self) -> Sequence[Information]:
        """Return what describes the documents face, if it is served."""
        if all(row.name != "documents" for row in self._toolsets):
            return ()
        from pincite.tools.answers import information  # noqa: PLC0415 - not at start-up

        return (
            Information(information.FORMATS_URI, "Supported formats", information.supported_formats),
            Information(information.TOOLS_URI, "Tools", lambda: information.tool_descriptions(self.toolbox.tools)),
        )

    @cached_property
    def tasks(self) -> "TaskService | None":
        """The extraction tasks, whose database is opened at the first use; None if no toolset has tasks.

        Raises:
            ConfigError: The database cannot be opened.
        """
        if not any(row.has_tasks for row in self._toolsets):
            return None
        return build_tasks(self.settings, lambda: self.reading, self.engine)

    @cached_property
    def collections(self) -> Collections:
        """The served collections."""
        if any(row.has_cached for row in self._toolsets):
            self.cached.restore()
        return Collections(self._shelf)

    @cached_property
    def cached(self) -> CachedCollections:
        """The indexes of single documents."""
        storage = self.settings.storage
        return CachedCollections(self._shelf, storage.data / "cache", int(storage.index_cache * MEGABYTE))

    def collection(self) -> Collection:
        """Return the folder's collection, opened at the first call and reopened if its file is lost.

        Raises:
            ConfigError: No folder is served.
        """
        if self.folder is None:
            raise ConfigError("No folder is served. Name one: pincite serve ./docs")
        return self._shelf.collection(self.folder.name)

    def library_collection(self) -> Collection:
        """Return the library, opened at the first call and reopened if its file is lost.

        Raises:
            ConfigError: No served toolset has a library, or it cannot be opened.
        """
        if self.library is None:
            raise ConfigError("No library is served. Serve one: pincite serve --toolsets knowledge")
        return self._shelf.collection(self.library.name)

    def check(self) -> None:
        """Check that what is served can be opened, as far as that takes no time; the folder's index is opened later.

        Raises:
            ConfigError: The library cannot be opened.
        """
        if self.library is not None:
            self.library_collection()

    def begin(self) -> None:
        """Start working on tasks, if they are used, and indexing the folder, if one is served and not indexed yet."""
        if tasks := self.__dict__.get("tasks"):
            tasks.start()
        if self.folder is None:
            return
        collection = self.collection()
        if not collection.complete():
            collection.start()

    def close(self) -> None:
        """Stop all background work."""
        if tasks := self.__dict__.get("tasks"):
            tasks.close()
        try:
            self._shelf.close()
        finally:
            self._executor.shutdown()
            if "retrieval_models" in self.__dict__:
                self.retrieval_models.close()
            if "reader_pool" in self.__dict__:
                self.reader_pool.close()

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of the settings, not loaded."""
        return self.embedder_named("")

    def embedder_named(self, name: str) -> Embedder:
        """Return an embedder, not loaded: one a name, so that every collection of a model shares it.

        Args:
            name: Its name in the registry; empty for the one of the settings.
        """
        name = name or self.settings.embedding.provider
        if name not in self._embedders:
            self._embedders[name] = build_embedder(self.settings, name)
        return self._embedders[name]

    @cached_property
    def reader_pool(self) -> ReaderPool:
        """The pool of file readers; its first process starts with the first file that needs one."""
        return build_reader_pool(self.settings)

    @cached_property
    def reading(self) -> "Reading":
        """Reads files and renders pages; keeps the documents in the cache."""
        return build_reading(self.settings, self.reader_pool, self.caches.document)

    @cached_property
    def caches(self) -> "Caches":
        """What is kept of documents at URLs."""
        return build_caches(self.settings)

    @cached_property
    def downloads(self) -> "Downloads":
        """Downloads documents."""
        return build_downloads(self.settings, self.caches)

    @cached_property
    def retrieval_models(self) -> "RetrievalModels":
        """Chooses the models by which passages of documents at URLs are found."""
        return build_retrieval_models(self.settings, self.embedder, self.embedder_named)

    @cached_property
    def retrievers(self) -> "Retrievers":
        """Opens indexes of documents at URLs."""
        from pincite.services.retrievers import Retrievers  # noqa: PLC0415 - not at start-up

        return Retrievers(lambda: self.cached, self.caches.retriever)

    def engine(self, name: str, file: Path) -> "Engine":
        """Return an extraction engine for one local file.

        Args:
            name: Its name in the registry, or `auto`.
            file: The document, under the allowed roots; an agent's tools see no other one.

        Raises:
            Unsupported: There is no such engine, its extra is not installed, or no toolset of its tools is served.
            ConfigError: It needs a key, and none is set.
        """
        from pincite.services.extraction.desks import desks  # noqa: PLC0415 - not at start-up

        agent = self.settings.agent
        row = find(AGENTS, (CLAUDE if agent.has_credentials else RULES) if name == AUTO else name)
        if not row.section:
            return cast("Engine", _made(row, self.settings))
        open_desk = desks(file, self.toolbox, self.parts.extraction.files, self.cached)
        return cast("Engine", _made(row, self.settings, open_desk=open_desk))

    def _extraction_parts(self) -> ExtractionParts:
        from pincite.services.extraction.aliases import Aliases  # noqa: PLC0415 - not at start-up
        from pincite.services.local_files import LocalFiles  # noqa: PLC0415 - as above

        storage, extraction = self.settings.storage, self.settings.extraction
        roots = extraction.allowed_roots or [storage.data, *([] if self.folder is None else [self.folder.source])]
        return ExtractionParts(
            LocalFiles(roots, int(extraction.max_upload * MEGABYTE)),
            Aliases(storage.data / "cache" / "aliases"),
            extraction.relevance_floor,
        )

    def _toolset(self, row: Plugin, scope: Scope | None) -> Toolset:
        return cast("Toolset", load(row)(self.parts if scope is None else self.parts.within(scope)))

    def _open(self, spec: Spec) -> Collection:
        """Open a collection."""
        settings = self.settings
        rules = cast("Policy", _made(find(POLICIES, spec.policy), settings))
        embedder = self.embedder_named(spec.embedder)
        store = cast(
            "Store",
            load(find(STORES, "sqlite"))(
                spec.location,
                embedder=embedder.identity,
                source=spec.identity,
                lease_seconds=settings.freshness.lease,
                owned=spec.kind == "cached" or is_cached(settings.storage.cache, spec.location),
            ),
        )
        source = self.folder_source(spec.source) if spec.kind == "folder" else self._added(spec, store)
        lazy = LazyEmbedder(embedder, progress=self.model_progress)
        tokenizer, pool = embedder.tokenizer, self.reader_pool
        stamps = Stamps(
            frozenset(row.identity for row in FORMATS),
            f"{rules.identity}/{tokenizer.identity}",
            asdict(pool.options),
            pool.environment,
        )
        is_single = spec.kind == "cached"
        read = self.reading.read_as if is_single else pool.read
        builder = DocumentBuilder(read, rules, tokenizer, stamps, _described(spec))
        indexer = Indexer(source, store, builder, stamps, bulk=settings.freshness.bulk)
        refresher = Refresher(
            source,
            store,
            indexer,
            lazy,
            # An answer from a single document waits for the whole of it: half of a report answers nothing.
            budget=math.inf if is_single else settings.freshness.budget,
            grace=settings.embedding.grace,
            rescan=settings.freshness.rescan,
            bulk=settings.freshness.bulk,
        )
        ingestion = Ingestion(store, builder, stamps, source.wake)
        return Collection(spec, source, store, indexer, refresher, ingestion, lazy, self._synonyms, self._executor)

    def _added(self, spec: Spec, store: Store) -> WatchedSource:
        def added(keys: Iterable[str] | None) -> Mapping[str, State]:
            return store.states(keys)[1]

        source = load(find(SOURCES, "library"))
        return cast("WatchedSource", source(root=spec.source, added=added, compared=spec.kind == "library"))

    def folder_source(self, folder: Path) -> WatchedSource:
        """Return a source of the documents in a folder, by the rules and limits of every folder."""
        text, other = self.settings.limits.max_file
        return cast(
            "WatchedSource",
            load(find(SOURCES, "folder"))(
                root=folder,
                extensions=_extensions(),
                max_text_bytes=int(text * MEGABYTE),
                max_other_bytes=int(other * MEGABYTE),
                max_files=self.settings.limits.max_files,
                watch=self.settings.freshness.watch,
                rescan_seconds=self.settings.freshness.rescan,
            ),
        )


def served_toolsets(names: Sequence[str], *, with_folder: bool) -> Sequence[ToolsetRow]:
    """Return the toolsets to serve.

    Args:
        names: Their names: `all` for all that can be served, none for the default ones.
        with_folder: Whether a folder is served.

    Raises:
        Unsupported: A toolset does not exist.
        InvalidInput: One that is named needs a folder, or none is named and there is no folder.
    """
    possible = [row for row in TOOLSETS if with_folder or not row.needs_folder]
    if "all" in names:
        return possible
    if not names and not with_folder:
        raise InvalidInput("Name the folder to serve: pincite serve ./docs")
    rows = [find(TOOLSETS, name) for name in dict.fromkeys(names)] or [row for row in possible if row.is_default]
    if missing := next((row for row in rows if row not in possible), None):
        raise InvalidInput(f"The toolset {missing.name} serves a folder. Name it: pincite serve ./docs")
    return rows


def folder_spec(settings: Settings, root: Path, database: Path | None) -> Spec:
    """Return the spec of a folder's collection.

    Raises:
        ConfigError: The folder does not exist.
    """
    if not root.is_dir():
        raise ConfigError(f"There is no folder {root.name!r}. Name a folder of documents: pincite serve ./docs")
    # The index is keyed by the real path; the source keeps the given one, since a link may lead elsewhere later.
    real = root.resolve()
    return Spec(shown(real.name), "folder", root, str(real), database or index_path(settings.storage.cache, real))


def library_spec(settings: Settings) -> Spec:
    """Return the spec of the library in DATA_DIR: its documents' source keys are absolute paths."""
    location = settings.storage.data.absolute() / "library.db"
    return Spec("library", "library", Path(location.anchor), "library", location, LIBRARY_POLICY)


def build_embedder(settings: Settings, name: str = "") -> Embedder:
    """Return an embedder, not loaded.

    Args:
        settings: The settings.
        name: Its name in the registry; empty for the one of the settings.
    """
    row = find(registry.EMBEDDERS, name or settings.embedding.provider)
    return cast("Embedder", _made(row, settings, cache_dir=settings.storage.cache / "models"))


def build_retrieval_models(
    settings: Settings, fast: Embedder, embedder_named: Callable[[str], Embedder]
) -> "RetrievalModels":
    """Return the models of retrieval; those of an extra that is not installed are left out, with the reason.

    Args:
        settings: The settings.
        fast: The embedder of the settings.
        embedder_named: Returns an embedder by its name in the registry.
    """
    from pincite.embedding.lazy import LazyModel  # noqa: PLC0415 - not at start-up
    from pincite.services.retrieval_models import ACCURATE, Part, RetrievalModels  # noqa: PLC0415 - as above

    accurate, reranker = None, None
    accurate_part, reranker_part = Part(settings.retrieval.accurate), Part(settings.retrieval.reranker)
    try:
        accurate = LazyModel(embedder_named(ACCURATE), title="accurate embedding model")
    except Unsupported as error:
        accurate_part = Part(accurate_part.name, error.message)
    try:
        made = _made(registry.RERANKERS[0], settings, cache_dir=settings.storage.cache / "models")
        reranker = LazyModel(cast("Reranker", made), title="reranker")
    except Unsupported as error:
        reranker_part = Part(reranker_part.name, error.message)
    return RetrievalModels(
        LazyModel(fast, title="embedding model"),
        accurate,
        accurate_part,
        reranker,
        reranker_part,
        grace=settings.embedding.grace,
    )


def build_reader_pool(settings: Settings) -> ReaderPool:
    """Return the pool of file readers with the limits of the settings."""
    limits, readers = settings.limits, settings.readers
    zipped = ZipLimits(
        entries=limits.zip_entries,
        part_bytes=int(limits.zip_part * MEGABYTE),
        total_bytes=int(limits.zip_total * MEGABYTE),
        ratio=limits.zip_ratio,
    )
    allowed = ReaderLimits(
        processes=readers.processes,
        seconds=readers.timeout,
        seconds_per_mb=readers.timeout_per_mb,
        seconds_per_page=readers.timeout_per_page,
        memory_bytes=int(readers.memory * MEGABYTE),
        result_bytes=int(readers.result * MEGABYTE),
        idle_seconds=readers.idle,
        files=readers.files,
    )
    options = ReadOptions(readers.max_pages, readers.max_blocks, readers.max_pixels, zipped)
    return ReaderPool(options, allowed)


def build_reading(settings: Settings, pool: ReaderPool, memory: "TimedCache[str, Document] | None" = None) -> "Reading":
    """Return the service that reads with this pool and keeps documents in the cache of the settings, and in memory."""
    from pincite.services.document_cache import DocumentCache  # noqa: PLC0415 - not at start-up
    from pincite.services.reading import Reading  # noqa: PLC0415 - as above

    storage = settings.storage
    bound = int(storage.reading_cache * MEGABYTE)
    return Reading(pool, DocumentCache(storage.cache / "documents", bound) if bound else None, memory)


def build_caches(settings: Settings) -> "Caches":
    """Return the caches of documents at URLs."""
    from pincite.services.caches import Caches, document_bytes  # noqa: PLC0415 - not at start-up
    from pincite.services.timed_cache import CacheLimits, TimedCache  # noqa: PLC0415 - as above

    caches = settings.caches

    def limits(entries: int, megabytes: float) -> CacheLimits:
        return CacheLimits(entries, int(megabytes * MEGABYTE), caches.seconds)

    return Caches(
        TimedCache(limits(CACHED_DOWNLOADS, caches.download_size), lambda download: len(download.blob.data)),
        TimedCache(limits(CACHED_DOCUMENTS, caches.document_size), document_bytes),
        TimedCache(limits(CACHED_RETRIEVERS, settings.storage.index_cache), lambda retriever: retriever.size_bytes),
    )


def build_downloads(settings: Settings, caches: "Caches") -> "Downloads":
    """Return the service that downloads within the limits of the settings."""
    from pincite.services.downloads import DownloadOptions, Downloads  # noqa: PLC0415 - not at start-up
    from pincite.sources.url.transfer import TransferLimits  # noqa: PLC0415 - as above

    given = settings.downloads
    limits = TransferLimits(int(given.size * MEGABYTE), given.idle, given.allow_private)
    return Downloads(DownloadOptions(limits, given.timeout, given.delays), caches.download)


def build_tasks(
    settings: Settings, reading: "Callable[[], Reading]", engine: "Callable[[str, Path], Engine]"
) -> "TaskService":
    """Return the service of extraction tasks, which does not work on them yet.

    Args:
        settings: The settings.
        reading: Returns what reads documents.
        engine: Returns the engine of a name, which may be `auto`, for a stored file.

    Raises:
        ConfigError: The database cannot be opened.
    """
    from pincite.services.extraction.schemas import read_schema  # noqa: PLC0415 - not at start-up
    from pincite.services.extraction.work import ExtractionWork  # noqa: PLC0415 - as above
    from pincite.services.tasks.runner import TaskRunner  # noqa: PLC0415 - as above
    from pincite.services.tasks.service import TaskService  # noqa: PLC0415 - as above
    from pincite.services.tasks.sqlite import SqliteTasks  # noqa: PLC0415 - as above
    from pincite.services.tasks.uploads import Uploads  # noqa: PLC0415 - as above
    from pincite.services.tasks.webhooks import Webhook  # noqa: PLC0415 - as above

    given, data = settings.extraction, settings.storage.data
    url, secret = given.webhook_url, given.webhook_secret
    tasks = SqliteTasks(
        given.database or data / "tasks.db",
        lease=given.lease,
        max_attempts=1 + given.max_retries,
        announce=url is not None,
    )
    uploads = Uploads(data / "uploads")
    work = ExtractionWork(uploads, reading, engine, given.timeout)
    return TaskService(
        tasks,
        uploads,
        TaskRunner(tasks, work, concurrency=given.concurrent_tasks, lease=given.lease),
        max_bytes=int(given.max_upload * MEGABYTE),
        formats=[row for row in FORMATS if not given.formats or row.name in given.formats],
        engines=[row.name for row in AGENTS],
        webhook=Webhook(tasks, url, secret.get_secret_value()) if url and secret else None,
        check_schema=read_schema,
    )


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
    from pincite.services.library import describe  # noqa: PLC0415 - not where no library is served

    return describe


def _made(row: Plugin, settings: Settings, **shared: Any) -> object:
    """Make a plug-in from what its row takes of the settings, and what it shares with others."""
    options = [getattr(settings, row.section)] if row.section else []
    parameters = {name: attrgetter(setting)(settings) for name, setting in row.parameters}
    return load(row)(*options, **parameters, **shared)


def _extensions() -> Mapping[str, bool]:
    return {extension: row.text for row in FORMATS for extension in row.extensions}

"""The composition root: settings in, a running application out. The only place that picks implementations."""

import hashlib
import logging
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import cast

from pincite.chunking import policy
from pincite.embedding.base import Embedder
from pincite.embedding.lazy import LazyEmbedder
from pincite.errors import ConfigError
from pincite.formats.base import ReadOptions, ZipLimits
from pincite.formats.worker.pool import ReaderLimits, ReaderPool
from pincite.index.index import Index
from pincite.index.indexer import Indexer
from pincite.index.refresher import Refresher
from pincite.index.view import IndexView
from pincite.model.call import Call, Progress, silent
from pincite.ranking.synonyms import Synonyms, parse
from pincite.registry import EMBEDDERS, FORMATS, SOURCES, STORES, TOOLSETS, Plugin, find, load
from pincite.services.resources import Resources
from pincite.settings import MEGABYTE, Settings
from pincite.settings import Readers as ReaderSettings
from pincite.sources.base import Source
from pincite.store.base import Store
from pincite.text.paths import shown
from pincite.toolkit import Tool, Toolbox, Toolset

log = logging.getLogger("pincite.app")

GIT_SECONDS = 2.0


class App:
    """One folder, served.

    Nothing is opened before its first use: building an App costs no model, no parser, no index.
    """

    def __init__(
        self, settings: Settings, root: Path, database: Path | None = None, toolsets: Sequence[str] = ("all",)
    ) -> None:
        """Name what will be served.

        Args:
            settings: Every setting.
            root: The folder.
            database: Where its index lies; in the cache, keyed by the folder's real path, if None.
            toolsets: Names of those that are served; `all` for all of them.

        Raises:
            Unsupported: There is no such toolset.
            ConfigError: There is no such folder, or the file of synonyms cannot be read.
        """
        if not root.is_dir():
            raise ConfigError(f"There is no folder {root.name!r}. Name a folder of documents: pincite serve ./docs")
        self.settings = settings
        self.root = root.resolve()
        self._given = root
        self.database = database or index_path(settings.storage.cache, self.root)
        self._toolsets = TOOLSETS if "all" in toolsets else [find(TOOLSETS, name) for name in dict.fromkeys(toolsets)]
        self._synonyms = read_synonyms(settings.searching.synonyms)
        self.model_progress: Progress = silent
        """Where fetching and loading the model reports to; set it before the first call."""
        self._opening = threading.Lock()

    @cached_property
    def toolbox(self) -> Toolbox:
        """The tools, behind their one door."""
        toolsets = (self._toolset(row) for row in self._toolsets)
        return Toolbox(toolsets, self._view, self.settings.limits.tool_timeout)

    def _toolset(self, row: Plugin) -> Toolset:
        make, tokens = load(row), self.embedder.tokenizer
        if row.name == "citations":
            return cast("Toolset", make(tokens))
        return cast("Toolset", make(self.index, tokens, git_seconds=GIT_SECONDS))

    @cached_property
    def resources(self) -> Resources:
        """The folder's documents as resources."""
        return Resources(self.index, shown(self.root.name))

    def index(self) -> Index:
        """The folder's index, opened at the first call, and again where its file was deleted, replaced or damaged."""
        with self._opening:
            if "_index" in self.__dict__ and self._index.store.is_invalid():
                log.warning("index.reopened")
                self._index.close()
                del self.__dict__["_index"]
            return self._index

    def begin(self) -> None:
        """Index the folder in the background if an earlier run has not finished that."""
        index = self.index()
        if not index.complete():
            index.start()

    def close(self) -> None:
        """Stop all background work."""
        with self._opening:
            try:
                if "_index" in self.__dict__:
                    self._index.close()
            finally:
                if "reader_pool" in self.__dict__:
                    self.reader_pool.close()

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder that the settings choose, not loaded."""
        return build_embedder(self.settings)

    @cached_property
    def reader_pool(self) -> ReaderPool:
        """What reads files; no process is started before the first file that needs one."""
        return build_reader_pool(self.settings)

    @cached_property
    def _index(self) -> Index:
        settings = self.settings
        rules = policy.docs(settings.embedding.chunk_tokens)
        source = self._source()
        store = cast(
            "Store",
            load(find(STORES, "sqlite"))(
                self.database,
                embedder=self.embedder.identity,
                policy=_reading_identity(rules.identity(self.embedder.tokenizer.identity), settings.readers),
                source=str(self.root),
                lease_seconds=settings.freshness.lease,
                owned=is_cached(settings.storage.cache, self.database),
            ),
        )
        lazy = LazyEmbedder(self.embedder, progress=self.model_progress)
        indexer = Indexer(source, store, rules, self.embedder.tokenizer, self.reader_pool, bulk=settings.freshness.bulk)
        refresher = Refresher(
            source,
            store,
            indexer,
            lazy,
            budget=settings.freshness.budget,
            grace=settings.embedding.grace,
            rescan=settings.freshness.rescan,
            bulk=settings.freshness.bulk,
        )
        return Index(source, store, indexer, refresher, lazy, self._synonyms)

    def _source(self) -> Source:
        text, other = self.settings.limits.max_file
        return cast(
            "Source",
            load(find(SOURCES, "folder"))(
                root=self._given,
                extensions=_extensions(),
                max_text_bytes=int(text * MEGABYTE),
                max_other_bytes=int(other * MEGABYTE),
                max_files=self.settings.limits.max_files,
                watch=self.settings.freshness.watch,
                rescan_seconds=self.settings.freshness.rescan,
            ),
        )

    @contextmanager
    def _view(self, call: Call, tool: Tool) -> Generator[IndexView]:
        with self.index().view(call, semantic=tool.semantic) as view:
            yield view


def build_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings choose, not loaded."""
    chosen = settings.embedding
    make = load(find(EMBEDDERS, chosen.provider))
    if chosen.provider == "hash":
        return cast("Embedder", make())
    return cast(
        "Embedder",
        make(
            model_dir=chosen.model_dir,
            cache_dir=settings.storage.cache / "models",
            fetch=chosen.fetch,
            precision=chosen.precision,
            threads=chosen.threads,
        ),
    )


def build_reader_pool(settings: Settings) -> ReaderPool:
    """What reads files, within the limits that the settings name."""
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


def read_synonyms(path: Path | None) -> Synonyms:
    """A file of synonyms; none without one.

    Raises:
        ConfigError: It cannot be read, or a line of it.
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
    """Where the index of a folder lies: keyed by its real path, its name in front for a person to read."""
    key = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    label = "".join(c if c.isalnum() or c in "-_." else "_" for c in root.name)[:40] or "root"
    return cache / "folders" / f"{label}-{key}.db"


def is_cached(cache: Path, database: Path) -> bool:
    """Return True if an index lies where pincite keeps its own: any file there may be rebuilt."""
    try:
        return database.resolve().is_relative_to((cache / "folders").resolve())
    except (OSError, RuntimeError):  # RuntimeError: a loop of links
        return False


def _extensions() -> Mapping[str, bool]:
    return {extension: row.text for row in FORMATS for extension in row.extensions}


def _reading_identity(chunking: str, limits: ReaderSettings) -> str:
    """What decides how bytes become chunks: the readers' versions, the limits that cut what they give, the policy."""
    cuts = f"{limits.max_pages}/{limits.max_blocks}/{limits.max_pixels}"
    return " ".join([chunking, cuts, *(row.identity for row in FORMATS)])

"""The application: what is served, each part made at its first use."""

import os
import time
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from pincite.app import plugins
from pincite.app.collections import CollectionOpener, folder_spec, folder_specs, library_spec, read_synonyms
from pincite.app.readers import build_reader_pool, build_reading
from pincite.app.toolsets import served_toolsets, usable_toolsets
from pincite.embedding.base import Embedder
from pincite.errors import (
    ConfigError,
    ConnectionFailed,
    ErrorForm,
    InternalError,
    PinciteError,
    RateLimited,
    TimeoutExceeded,
)
from pincite.formats.base import Blob
from pincite.formats.worker.pool import ReaderPool
from pincite.index.cached import CachedCollections
from pincite.index.collection import Collection, Spec
from pincite.index.collections import Collections, Shelf
from pincite.model.call import Call, Progress, silent
from pincite.model.document import Document
from pincite.model.locator import Ref
from pincite.model.schema import Schema
from pincite.model.sizes import MEGABYTE
from pincite.registry import Need, Plugin, load, make
from pincite.runtime.abandonable import abandonable
from pincite.services.extraction.indexes import EXTRACTION_POLICY
from pincite.services.introduction import Introduced, introduction
from pincite.services.resources import Information, Resources
from pincite.settings import Settings
from pincite.sources.base import WatchedSource
from pincite.text.excerpt import excerpt, excerpts
from pincite.toolkit import Scope, Toolbox, Toolset
from pincite.tools.base import DocumentParts, ExtractionParts, Library, Parts

if TYPE_CHECKING:
    from pincite.agents.base import Engine
    from pincite.services.conversion.service import ConversionService
    from pincite.services.documents.caches import Caches
    from pincite.services.documents.downloads import Downloads
    from pincite.services.documents.retrieval_models import RetrievalModels
    from pincite.services.documents.retrievers import Retrievers
    from pincite.services.documents.uploads import DocumentUploads
    from pincite.services.extraction.extraction import Extraction
    from pincite.services.library.ingestion import Selection, SourceFiles
    from pincite.services.library.uploads import LibraryUploads
    from pincite.services.reading.reading import Reading
    from pincite.services.tasks.service import TaskService
    from pincite.services.viewer.viewer import Viewer

GIT_SECONDS = 2.0
"""Maximum time of a question to git: an answer does not wait longer for what it can do without."""

CHECK_SECONDS = 5.0
"""Time that a start waits for the service that embeds the library: it takes one to import its client, and a request."""


WORKING = ("tasks", "conversions")
"""Parts that work in the background once they are used."""

TASKS = "@tasks"
"""What a key names to see the extraction tasks, all of them; no folder of a command line has this name."""

SHARED = ("reader_pool", "_kept_uploads", "retrieval_models", "tasks")
"""Parts that every caller of a server uses; any other differs by what a caller sees, or counts what it has read."""


class App:
    """An application that serves a folder, or what the toolsets hold that need none.

    Everything is opened at its first use: building an App loads no model, parser or index.
    """

    def __init__(
        self,
        settings: Settings,
        root: Path | Mapping[str, Path] | None,
        database: Path | None = None,
        toolsets: Sequence[str] = (),
        about: str = "",
    ) -> None:
        """Set what is served, without opening anything.

        Args:
            settings: The settings.
            root: The folder, if one is served; several by the names of their collections.
            database: The folder's index file; in the cache, keyed by the folder's real path, if None.
            toolsets: Names of the toolsets to serve: `all` for all that can be served, none for the default ones.
            about: What the documents are about, for models.

        Raises:
            Unsupported: A toolset does not exist, or is of another package and cannot be used.
            InvalidInput: A toolset needs a folder, and there is none; see `folder_specs`.
            ConfigError: The folder does not exist, or the synonyms file cannot be read.
        """
        self.settings = settings
        self._about = about
        self._visible: set[str] | None = None
        self._sees_tasks = True
        self._toolsets = served_toolsets(toolsets, with_folder=root is not None)
        if root is None:
            self.folders: Sequence[Spec] = ()
        elif isinstance(root, Path):
            self.folders = (folder_spec(settings, root, database),)
        else:
            self.folders = folder_specs(settings, root, database)
        synonyms = read_synonyms(settings.searching.synonyms)
        self.model_progress: Progress = silent
        """Receives the progress of fetching and loading the model; to be set before the first call."""
        # Runs the keyword leg of each search in parallel with its vector scan; starts no thread before.
        self._executor = ThreadPoolExecutor(thread_name_prefix="pincite-words")
        self._embedders: dict[str, Embedder] = {}
        self.library = library_spec(settings) if self._needs("library") else None
        """The collection of the library; None if no toolset answers from it."""
        self._opener = CollectionOpener(
            settings,
            self.embedder_named,
            lambda: self.reader_pool,
            lambda policy: self.extraction_reading if policy == EXTRACTION_POLICY else self.reading,
            lambda: self.model_progress,
            synonyms,
            self._executor,
        )
        self._shelf = Shelf(self._opener.open_collection, self.served)
        self._toolsets = usable_toolsets(self._toolsets, lambda row: self._toolset(row, None), toolsets)

    def within(self, names: AbstractSet[str] | None, rate_limit: int) -> Self:
        """Return this application as the owner of a key sees it: as if it served no other collections.

        Both share what reads, embeds and works on tasks; this one begins and closes it.

        Args:
            names: The names of the collections, and `TASKS` if the owner sees the extraction tasks; None for all.
            rate_limit: Calls a minute of the owner; 0 for no limit.

        Raises:
            ConfigError: Nothing of a name is served.
        """
        for part in SHARED:
            getattr(self, part)
        seen = copy(self)
        for name, part in vars(type(self)).items():
            if isinstance(part, cached_property) and name not in SHARED:
                vars(seen).pop(name, None)
        http = self.settings.http.model_copy(update={"rate_limit": rate_limit})
        seen.settings = self.settings.model_copy(update={"http": http})
        if names is not None:
            seen._narrow(names)  # noqa: SLF001 - an App, too
        return seen

    def _narrow(self, names: AbstractSet[str]) -> None:
        known = [*(spec.name for spec in self.served), *([TASKS] if self._needs("tasks") else [])]
        if unknown := sorted(names - set(known)):
            raise ConfigError(f"A key may see {excerpt(unknown[0])}, which is not served. Served: {excerpts(known)}.")
        self.folders = [spec for spec in self.folders if spec.name in names]
        self.library = self.library if self.library is not None and self.library.name in names else None
        absent = {need for need, has in (("folder", self.folders), ("library", self.library)) if not has}
        self._toolsets = [row for row in self._toolsets if absent.isdisjoint(row.needs)]
        self._visible = {spec.name for spec in self.served}
        self._sees_tasks = TASKS in names
        self._about = ""  # may tell of the others
        if not self._sees_tasks:
            vars(self)["tasks"] = None

    @property
    def folder(self) -> Spec | None:
        """The collection of the first served folder; None if no folder is served."""
        return self.folders[0] if self.folders else None

    @property
    def served(self) -> Sequence[Spec]:
        """The collections of the served folders, and of the library if a toolset answers from it."""
        return [*self.folders, *([] if self.library is None else [self.library])]

    @property
    def toolset_names(self) -> Sequence[str]:
        """The names of the served toolsets."""
        return [row.name for row in self._toolsets]

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
            self._extraction_parts,
            self._document_parts,
            folders=tuple(spec.name for spec in self.folders),
            git_seconds=GIT_SECONDS,
            error_form=self._error_form(),
            answer_tokens=self.settings.limits.answer_tokens,
            library=self._served_library(),
        )

    def _error_form(self) -> ErrorForm:
        """Return the form of errors of the first toolset whose contract has one, which others beside it take over."""
        forms = (getattr(load(row), "error_form", None) for row in self._toolsets)
        return next(filter(None, forms), ErrorForm.MESSAGE)

    def _document_parts(self) -> DocumentParts:
        from pincite.app.documents import build_cut, build_fetcher  # noqa: PLC0415 - not before the toolset is used

        http = self.settings.http
        return DocumentParts(
            build_fetcher(self.settings, self._roots(), self.downloads, self._kept_uploads),
            self.reading,
            self.retrievers,
            self.retrieval_models,
            self.caches,
            build_cut(self.settings, self.embedder),
            auth_enabled=http.needs_key,
            rate_limit=http.rate_limit,
        )

    def _extraction_parts(self) -> ExtractionParts:
        from pincite.app.extraction import build_extraction_parts  # noqa: PLC0415 - not at start-up

        return build_extraction_parts(self.settings, self._roots(self.settings.storage.data))

    def _roots(self, *further: Path) -> Sequence[Path]:
        """Return the folders whose files tools may read; a caller that does not see everything reads its own alone."""
        folders = [spec.source for spec in self.folders]
        return folders if self._visible is not None else self.settings.extraction.allowed_roots or [*further, *folders]

    def _served_library(self) -> Library | None:
        knowledge = self.settings.knowledge
        return self.library and Library(
            self.library.name, self.settings.vectors.name, knowledge.health_threshold_ms, knowledge.compared_passages
        )

    @cached_property
    def resources(self) -> Resources:
        """The documents of the folders and of the library as resources."""
        return Resources([spec.name for spec in self.served], self._shelf.collection, self._information())

    def _information(self) -> Sequence[Information]:
        """Return what describes the documents face, if it is served."""
        if "documents" not in self.toolset_names:
            return ()
        from pincite.tools.answers import information  # noqa: PLC0415 - not at start-up

        return (
            Information(information.FORMATS_URI, "Supported formats", information.supported_formats),
            Information(information.TOOLS_URI, "Tools", lambda: information.tool_descriptions(self.toolbox.tools)),
        )

    def introduction(self) -> str:
        """Return what is served, in a sentence for models, by what the index files hold at present."""
        from pincite.store.sqlite.summary import summary  # noqa: PLC0415 - not at start-up

        read = {spec.name: summary(spec.location, spec.identity) or (None, ()) for spec in self.served}
        served = [Introduced(spec.name, spec.kind, *read[spec.name]) for spec in self.served]
        return introduction(served, self._about)

    @cached_property
    def tasks(self) -> "TaskService | None":
        """The extraction tasks, whose database is opened at the first use; None if no toolset has tasks.

        Raises:
            ConfigError: The database cannot be opened.
        """
        if not self._needs("tasks"):
            return None
        from pincite.app.tasks import build_tasks  # noqa: PLC0415 - not at start-up

        return build_tasks(
            self.settings, lambda: self.extraction_reading, self.engine, self.revision, lambda: self.cached
        )

    def revision(self, blob: Blob, document: Document) -> str:
        """Return the revision by which evidence cites a document as extraction reads it."""
        return self._opener.revision(blob, document, EXTRACTION_POLICY)

    @cached_property
    def conversions(self) -> "ConversionService":
        """The conversions of `pincite converter`, whose database is opened at the first use.

        Raises:
            ConfigError: The database cannot be opened.
        """
        from pincite.app.conversion import build_conversions  # noqa: PLC0415 - not at start-up

        return build_conversions(self.settings, lambda: self.reading)

    @cached_property
    def collections(self) -> Collections:
        """The served collections."""
        if self._visible is None and self._needs("document indexes"):
            self.cached.restore()
        scope = None if self._visible is None else Scope(self._visible)
        return Collections(self._shelf, scope, recall=self._recall if self._needs("tasks") else None)

    def _recall(self, ref: Ref, call: Call) -> Collection | None:
        """Return the collection of the document of a task whose evidence has a reference; None if there is none."""
        tasks = self.tasks
        cited = tasks and tasks.citing(ref)
        if tasks is None or cited is None:
            return None
        with tasks.document(cited.id) as (task, path):
            return self.cached.of(Blob(task.file_name, path.read_bytes()), call, EXTRACTION_POLICY)

    @cached_property
    def cached(self) -> CachedCollections:
        """The indexes of single documents."""
        storage = self.settings.storage
        limit = int(storage.index_cache * MEGABYTE)
        return CachedCollections(self._shelf, storage.data / "cache", limit, self._visible)

    def collection(self) -> Collection:
        """Return the first folder's collection, opened at the first call and reopened if its file is lost.

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

    def opened_library(self) -> Collection:
        """Return the library, opened at a start: a database that cannot be reached is a fault of the configuration.

        Raises:
            ConfigError: See `library_collection`; or its database cannot be reached.
        """
        with plugins.required():
            return self.library_collection()

    def check(self) -> None:
        """Check that what is served can be opened, as far as that takes no time; the folder's index is opened later.

        Raises:
            ConfigError: The library cannot be opened, its vector store cannot be reached or used, or the service that
                embeds it does not have the model; or several faults.
            AuthError: The vector store or that service refuses the key.
        """
        if self.library is None:
            return
        faults: list[PinciteError] = []
        try:
            mirrored = self.opened_library().mirrored
            if mirrored is not None:
                from pincite.app.mirrors import check_mirror  # noqa: PLC0415 - not where no mirror is

                check_mirror(mirrored)
        except PinciteError as error:
            faults.append(error)
        try:
            self.check_embedding(Call(deadline=time.monotonic() + CHECK_SECONDS))
        except (ConnectionFailed, InternalError, RateLimited, TimeoutExceeded):
            pass  # it may answer later
        except PinciteError as error:
            faults.append(error)
        if len(faults) == 1:
            raise faults[0]
        if faults:  # contract 2: every fault is reported at once
            raise ConfigError("The configuration is invalid:\n" + "\n".join(f"- {fault.message}" for fault in faults))

    def check_embedding(self, call: Call) -> None:
        """Check that the service that embeds the library accepts the settings, if one does; see `Embedder.embed_query`.

        Raises:
            PinciteError: It does not, or it failed.
        """
        if self.library is None or not plugins.is_remote(self.library.embedder):
            return
        embedder = self.embedder_named(self.library.embedder)
        abandonable(lambda: embedder.embed_query("pincite"), call, name="pincite-check")

    def begin(self) -> None:
        """Start working on tasks, if they are used, and indexing the folders that are not indexed yet."""
        for name in WORKING:
            if service := self.__dict__.get(name):
                service.start()
        if self.document_uploads is not None:
            self.document_uploads.sweep()  # what a server left that was killed
        for spec in self.folders:
            collection = self._shelf.collection(spec.name)
            if not collection.complete():
                collection.start()

    def close(self) -> None:
        """Stop all background work."""
        for name in WORKING:
            if service := self.__dict__.get(name):
                service.close()
        try:
            self._shelf.close()
        finally:
            self._executor.shutdown()
            if "retrieval_models" in self.__dict__:
                self.retrieval_models.close()
            if "reader_pool" in self.__dict__:
                self.reader_pool.close()
            if "_kept_uploads" in self.__dict__:
                self._kept_uploads.close()

    @cached_property
    def embedder(self) -> Embedder:
        """The embedder of folders, URLs and tasks, not loaded."""
        return self.embedder_named("")

    def embedder_named(self, name: str) -> Embedder:
        """Return an embedder, not loaded: one a name, so that every collection of a model shares it.

        Args:
            name: Its name in the registry; empty for the one of the settings that runs on this machine.
        """
        name = name or plugins.local_embedder(self.settings)
        if name not in self._embedders:
            self._embedders[name] = plugins.build_embedder(self.settings, name)
        return self._embedders[name]

    @cached_property
    def reader_pool(self) -> ReaderPool:
        """The pool of file readers; its first process starts with the first file that needs one."""
        return build_reader_pool(self.settings)

    @cached_property
    def viewer(self) -> "Viewer":
        """What the web page shows: the folders, the library and the tasks."""
        from pincite.services.viewer.viewer import Viewer  # noqa: PLC0415 - not at start-up

        names = [spec.name for spec in self.served]
        library = self.library and self.library.name
        uploads = self.library_uploads if library and self.settings.http.uploads else None
        return Viewer(
            names, library, lambda: self.collections, lambda: self.reading, lambda: self.tasks, self.revision, uploads,
            int(self.settings.http.picture_cache * MEGABYTE),
        )  # fmt: skip

    @cached_property
    def library_uploads(self) -> "LibraryUploads":
        """The files that were uploaded to the library."""
        from pincite.services.library.uploads import LibraryUploads  # noqa: PLC0415 - not at start-up

        folder = self.settings.storage.data.absolute() / "library"
        return LibraryUploads(folder, self.library_collection, int(max(self.settings.limits.max_file) * MEGABYTE))

    @cached_property
    def reading(self) -> "Reading":
        """Reads files and renders pages; keeps the documents in the cache."""
        return build_reading(self.settings, self.reader_pool, self.caches.document)

    @cached_property
    def extraction_reading(self) -> "Reading":
        """Reads the documents of extraction: as `reading`, or by the converter of the settings."""
        if not self.settings.extraction.converter_url:
            return self.reading
        from pincite.app.conversion import build_converter  # noqa: PLC0415 - not at start-up

        return build_reading(self.settings, self.reader_pool, converter=build_converter(self.settings))

    @cached_property
    def caches(self) -> "Caches":
        """What is kept of documents at URLs."""
        from pincite.app.caches import build_caches  # noqa: PLC0415 - not at start-up

        return build_caches(self.settings)

    @cached_property
    def downloads(self) -> "Downloads":
        """Downloads documents."""
        from pincite.app.documents import build_downloads  # noqa: PLC0415 - not at start-up

        return build_downloads(self.settings, self.caches)

    @property
    def document_uploads(self) -> "DocumentUploads | None":
        """The uploads of documents; None if no toolset reads them."""
        return self._kept_uploads if self._needs("uploads") else None

    @cached_property
    def _kept_uploads(self) -> "DocumentUploads":
        from pincite.app.documents import build_uploads  # noqa: PLC0415 - not at start-up

        return build_uploads(self.settings)

    @cached_property
    def retrieval_models(self) -> "RetrievalModels":
        """Chooses the models by which passages of documents at URLs are found."""
        from pincite.app.documents import build_retrieval_models  # noqa: PLC0415 - not at start-up

        return build_retrieval_models(self.settings, self.embedder, self.embedder_named)

    @cached_property
    def retrievers(self) -> "Retrievers":
        """Opens indexes of documents at URLs."""
        from pincite.services.documents.retrievers import Retrievers  # noqa: PLC0415 - not at start-up

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
        from pincite.app.extraction import build_engine  # noqa: PLC0415 - not at start-up

        return build_engine(self.settings, name, file, lambda: (self.toolbox, self.parts.extraction.files, self.cached))

    def extract(
        self, engine: str, file: Path, blob: Blob, schema: Schema, call: Call, **options: Any
    ) -> "tuple[Document, Extraction]":
        """Return a local file's document as it is read, and what an engine extracts from it; neither is kept.

        Args:
            engine: See `engine`.
            file: See `engine`.
            blob: Its bytes.
            schema: The fields.
            call: Checked for cancellation; receives progress.
            options: See `services.extraction.extraction.extract`.

        Raises:
            PinciteError: The document cannot be read, or the engine cannot run or failed.
        """
        from pincite.services.extraction.extraction import extract  # noqa: PLC0415 - not at start-up
        from pincite.services.reading.reading import Reading  # noqa: PLC0415 - as above

        chosen = self.engine(engine, file.resolve())
        document = Reading(self.reader_pool).read(blob, call)
        return document, extract(document, schema, chosen, call, revision=self.revision(blob, document), **options)

    def folder_source(self, folder: Path) -> WatchedSource:
        """Return a source of the documents in a folder, by the rules and limits of every folder."""
        return self._opener.folder_source(folder)

    def source_files(self, source: Path, selection: "Selection") -> "SourceFiles":
        """Return what of a file or a folder is ingested into the library.

        Raises:
            InvalidInput: It does not exist.
        """
        from pincite.services.library.ingestion import folder_files, single_file  # noqa: PLC0415 - not at start-up

        if os.path.isdir(source):  # noqa: PTH112 - False, not an error, where its folder cannot be read
            return folder_files(source, self.folder_source(source), selection, Call())
        return single_file(source, int(max(self.settings.limits.max_file) * MEGABYTE))

    def _needs(self, need: Need) -> bool:
        """Return True if a served toolset needs this."""
        return any(need in row.needs for row in self._toolsets) and (need != "tasks" or self._sees_tasks)

    def _toolset(self, row: Plugin, scope: Scope | None) -> Toolset:
        parts = self.parts if scope is None else self.parts.within(scope)
        return cast("Toolset", make(row, lambda toolset: toolset(parts)))

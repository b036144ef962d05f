"""Checks of an installation, each with a fix."""

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path

from pincite.embedding.base import Embedder
from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.model.sizes import GIGABYTE
from pincite.runtime.private_files import make_folder
from pincite.store.mirrors.base import Mirror
from pincite.store.sqlite.connections import connect, set_journal
from pincite.text.counts import counted

MIN_PYTHON = (3, 11)
MIN_SQLITE = (3, 38)
"""The version that `store/sqlite/sqlite.sql` needs."""

MIN_FREE_BYTES = 500_000_000
"""Free space below which a check warns: an index of 50,000 pages and the model fit into this."""

INOTIFY = Path("/proc/sys/fs/inotify")
# Bounds the time of the check; no default limit of watches is higher.
MAX_COUNTED_FOLDERS = 200_000

JOURNAL = "wal"


class State(StrEnum):
    """The result of a check: a warning affects speed or quality, a failure affects function."""

    OK = "ok"
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Check:
    """A finished check.

    Attributes:
        name: Its name.
        state: Its result.
        found: The observed facts.
        fix: What to do about it; empty if nothing.
    """

    name: str
    state: State
    found: str
    fix: str = ""


def python(version: tuple[int, int, int] = sys.version_info[:3]) -> Check:
    """Check the interpreter's version."""
    version_line = f"Python {'.'.join(map(str, version))} at {sys.executable}"
    if version[:2] < MIN_PYTHON:
        required = ".".join(map(str, MIN_PYTHON))
        return Check("python", State.FAILURE, version_line, f"Install Python {required} or later and pincite with it.")
    return Check("python", State.OK, version_line)


def sqlite(version: tuple[int, int, int] = sqlite3.sqlite_version_info, *, fts5: bool | None = None) -> Check:
    """Check SQLite's version, and that it has FTS5."""
    version_line = f"SQLite {'.'.join(map(str, version))}"
    if version[:2] < MIN_SQLITE:
        required = ".".join(map(str, MIN_SQLITE))
        return Check("sqlite", State.FAILURE, version_line, f"Use a Python built with SQLite {required} or later.")
    if not (_has_fts5() if fts5 is None else fts5):
        return Check("sqlite", State.FAILURE, f"{version_line} without FTS5", "Use a Python whose SQLite has FTS5.")
    return Check("sqlite", State.OK, f"{version_line} with FTS5")


def cache(folder: Path) -> Check:
    """Check that the folder for models and indexes is writable and has free space."""
    try:
        make_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            free = shutil.disk_usage(folder).free
    except OSError as error:
        fix = "Make it writable, or set PINCITE_CACHE to a folder that is."
        return Check("cache", State.FAILURE, f"{folder} cannot be written: {error.strerror}", fix)
    space = f"{folder}, {free / GIGABYTE:.1f} GB free"
    if free < MIN_FREE_BYTES:
        return Check("cache", State.WARNING, space, "Free some space, or set PINCITE_CACHE to another disk.")
    return Check("cache", State.OK, space)


def journal(folder: Path) -> Check:
    """Check that the cache's file system supports SQLite's write-ahead log, for reading during writing."""
    try:
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            connection = connect(Path(scratch) / "journal.db", busy_timeout=0, create=True)
            try:
                granted = set_journal(connection, JOURNAL, busy_timeout=0)
            finally:
                connection.close()
    except (OSError, sqlite3.Error) as error:
        return Check(
            "journal",
            State.FAILURE,
            f"No database can be created there: {error}",
            "Free some space, or set PINCITE_CACHE to another local disk.",
        )
    if granted != "wal":
        fix = "It works, but searches wait while the index is written. Set PINCITE_CACHE to a local disk."
        return Check("journal", State.WARNING, f"The journal falls back to {granted!r}: no write-ahead log", fix)
    return Check("journal", State.OK, "Write-ahead log granted")


def documents(folder: Path) -> Check:
    """Check that the folder to serve exists and is readable."""
    try:
        with os.scandir(folder) as entries:
            next(entries, None)
    except OSError as error:
        return Check("folder", State.FAILURE, f"{folder}: {error.strerror}", "Name a folder of documents with --docs.")
    return Check("folder", State.OK, str(folder.resolve()))


def watching(folder: Path, limits: Path = INOTIFY) -> Check:
    """Check that inotify can watch every folder."""
    try:
        watches = int((limits / "max_user_watches").read_text(encoding="ascii"))
        instances = int((limits / "max_user_instances").read_text(encoding="ascii"))
    except (OSError, ValueError):
        return Check("watching", State.OK, "No inotify here: the folder is compared at every call")
    folders = sum(1 for _ in islice(_folders(folder), MAX_COUNTED_FOLDERS))
    limits_line = f"inotify: {folders} folders, {watches} watches and {instances} instances allowed"
    if folders >= watches:
        raised = f"sysctl fs.inotify.max_user_watches={folders * 2}"
        fix = f"The folder is compared at every call instead. To raise the limit: {raised}"
        return Check("watching", State.WARNING, limits_line, fix)
    return Check("watching", State.OK, limits_line)


def model(embedder: Embedder, call: Call) -> Check:
    """Check that the embedding model is present, verified and runs; pass an embedder that fetches nothing."""
    try:
        embedder.load(call)
        embedder.embed_query("pincite")
    except PinciteError as error:
        fix = "Until it is installed, search uses keywords only: pincite models fetch"
        return Check("model", State.WARNING, f"{embedder.model}: {error.message}", fix)
    return Check("model", State.OK, f"{embedder.model} ({embedder.identity}), {embedder.dimensions} dimensions")


def vector_store(name: str, opening: Callable[[], Mirror]) -> Check:
    """Check that the engine that searches the library is installed, answers, and can hold its vectors."""
    try:
        with closing(opening()) as mirror:
            mirror.check()
            held = len(mirror.documents())
    except PinciteError as error:
        return Check("vector store", State.FAILURE, f"{name}: {error.message}", "The library is searched without it.")
    return Check("vector store", State.OK, f"{name}: {counted(held, 'document')}")


def service(embedder: Embedder) -> Check:
    """Check that the service that embeds a library accepts the key, and has the model."""
    try:
        embedder.embed_query("pincite")
    except PinciteError as error:
        fix = "Until it answers, a library is searched by word alone."
        return Check(embedder.provider, State.FAILURE, f"{embedder.model}: {error.message}", fix)
    return Check(embedder.provider, State.OK, f"{embedder.model}, {embedder.dimensions} dimensions")


def worst(checks: list[Check]) -> State:
    """Return the worst result."""
    order = list(State)
    return max((check.state for check in checks), key=order.index, default=State.OK)


def _has_fts5() -> bool:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
    except sqlite3.OperationalError:
        return False
    finally:
        connection.close()
    return True


def _folders(folder: Path) -> Iterator[str]:
    """Yield the folders that would be watched: all but hidden ones."""
    for path, names, _ in os.walk(folder):
        names[:] = [name for name in names if not name.startswith(".")]
        yield path

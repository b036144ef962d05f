"""Open an index file: create, check, rebuild, replace or refuse it."""

import errno
import logging
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import ConfigError
from pincite.runtime.private_files import make_folder
from pincite.store.rows import to_text
from pincite.store.sqlite.connections import connect, is_damage, result_code, translate
from pincite.store.sqlite.ownership import (
    APPLICATION,
    SIBLINGS,
    VECTORS,
    Header,
    claim,
    inode,
    move_aside,
    remove_damaged,
    sibling,
)
from pincite.store.sqlite.schema import Identity, header, prepare

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
"""SQLite's result codes for an intact index that is not writable, or whose folder is not."""

COPY_ATTEMPTS = 5
"""Attempts to copy an index that another server keeps writing."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Description:
    """An index file's own metadata.

    Attributes:
        source: The indexed folder.
        schema: The version of its tables.
        size_bytes: Size on disk, including the write-ahead log.
    """

    source: str
    schema: int
    size_bytes: int


@dataclass(slots=True)
class OpenedFile:
    """An opened index file.

    Attributes:
        path: The given path without symbolic links, or the path of a private copy.
        journal: The journal mode that was granted.
        embedder: The embedder's id in the file.
        header: Handle for checking pincite's mark.
        owned: True in pincite's cache and for a private copy, where any file may be written.
        copy: Temporary folder of the private copy, deleted by `close`; None if the file itself is open.
    """

    path: Path
    journal: str
    embedder: int
    header: Header
    owned: bool
    copy: "TemporaryDirectory[str] | None" = None

    def is_ours(self) -> bool:
        """Return True if the file may be written or moved."""
        return self.owned or self.header.is_marked()

    def close(self) -> None:
        """Release the file, once every connection to it is closed."""
        self.header.close()
        if self.copy is not None:
            self.copy.cleanup()


def open_file(
    path: Path, identity: Identity, sql: Mapping[str, str], *, journal: str, busy_timeout: float, owned: bool = False
) -> OpenedFile:
    """Open or create an index file; a damaged one is moved aside and replaced by an empty index.

    If the file is not writable, a private copy of it is opened.

    Args:
        path: The file.
        identity: What the index is made from.
        sql: The statements.
        journal: The journal mode to request.
        busy_timeout: Seconds to wait for another writer.
        owned: Whether it is in pincite's cache: any other file must bear pincite's mark.

    Raises:
        ConfigError: The file is not an index, is another folder's index or a newer pincite's, or cannot be
            opened. It was not changed.
    """
    path = _resolved(path)
    try:
        return _open(path, identity, sql, journal, busy_timeout, owned=owned)
    except sqlite3.Error as error:
        if result_code(error) not in READ_ONLY or not path.is_file():
            raise translate(error) from error
        try:
            return _open_copy(path, identity, sql, journal, busy_timeout)
        except (sqlite3.Error, OSError):
            raise translate(error) from error


def set_aside(path: Path, file: tuple[int, int] | None, *, owned: bool) -> None:
    """Move aside a file that was found damaged while open; do nothing if another file has replaced it.

    Args:
        path: The file.
        file: Its identity; see `inode`.
        owned: See `open_file`.

    Raises:
        ConfigError: The file cannot or must not be moved.
    """
    if file is None:
        return
    try:
        _warn_moved(move_aside(path, file, owned=owned), path, "found while it was open")
    except OSError as error:
        raise _immovable() from error


def describe(path: Path) -> Description | None:
    """Return an index file's metadata without changing it; None if it is not an index."""
    if not path.is_file():
        return None
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            schema, application, _tables = header(connection)
            if application != APPLICATION:
                return None
            row = connection.execute("SELECT value FROM meta WHERE key = 'source'").fetchone()
            return Description(to_text(row[0]) if row else "", schema, file_size(path))
        finally:
            connection.close()
    except sqlite3.Error:
        return None


def remove(path: Path) -> bool:
    """Delete an index file of the cache and its damaged predecessors; return False if it is open elsewhere.

    Open connections are detected by their lock on the write-ahead log: leaving WAL mode needs all of them
    closed. On a disk without WAL an idle connection is not detected.

    Raises:
        PinciteError: The file cannot be opened or written.
    """
    try:
        # No waiting for locks: a busy file is in use.
        with closing(connect(path, 0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        if result_code(error) == sqlite3.SQLITE_BUSY:
            return False
        raise translate(error) from error
    for end in ("", *SIBLINGS):
        sibling(path, end).unlink(missing_ok=True)
    remove_damaged(path)
    return True


def file_size(path: Path) -> int:
    """Return the size in bytes of the file, its write-ahead log and its vectors."""
    return sum(_size(sibling(path, end)) for end in ("", "-wal", VECTORS))


def is_empty(path: Path) -> bool:
    """Return True if the file exists and has no bytes; an index is never empty."""
    try:
        return path.stat().st_size == 0
    except OSError:
        return False


def _resolved(path: Path) -> Path:
    """Return the path without symbolic links: SQLite creates its log in the folder of the link's target."""
    try:
        path = path.absolute()
        make_folder(path.parent)
        return path.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        raise ConfigError("The folder of the index cannot be created. Put the index elsewhere: --db FILE") from error


def _open(
    path: Path, identity: Identity, sql: Mapping[str, str], journal: str, busy_timeout: float, *, owned: bool
) -> OpenedFile:
    header = _claim(path, owned=owned)
    try:
        before = inode(path)
        try:
            journal, embedder = prepare(path, identity, sql, journal, busy_timeout, owned=owned)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            if before is not None:
                try:
                    # `before` keeps a new, intact index of another server from being moved.
                    _warn_moved(move_aside(path, before, owned=owned), path, str(error))
                except OSError as fault:
                    raise _immovable() from fault
            if header is not None:
                header.close()
            header = _claim(path, owned=owned)
            journal, embedder = prepare(path, identity, sql, journal, busy_timeout, owned=owned)
        return OpenedFile(path, journal, embedder, header or Header(path), owned)
    except BaseException:
        if header is not None:
            header.close()
        raise


def _claim(path: Path, *, owned: bool) -> Header | None:
    try:
        return claim(path, owned=owned)
    except OSError as error:
        raise ConfigError(
            "The index file cannot be opened. Check that its folder exists and is writable, or place the index "
            "elsewhere (--db).",
            details=type(error).__name__,
        ) from error


def _open_copy(path: Path, identity: Identity, sql: Mapping[str, str], journal: str, busy_timeout: float) -> OpenedFile:
    """Open a private copy of an index that is not writable; changes in the folder are written to the copy."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # it takes milliseconds, and few servers need it

    folder = TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True)
    try:
        _copy(path, Path(folder.name) / path.name)
        opened = _open(Path(folder.name) / path.name, identity, sql, journal, busy_timeout, owned=True)
    except BaseException:
        folder.cleanup()
        raise
    opened.copy = folder
    _LOG.warning("the index %s cannot be written: this process works on a copy of its own", path.name)
    return opened


def _copy(path: Path, target: Path) -> None:
    """Copy an index and its log consistently, although a server on another machine may be writing them.

    Raises:
        OSError: They cannot be read, do not fit on the disk, or change during every attempt.
    """
    from shutil import copyfile  # noqa: PLC0415  # see above

    parts = [("", path), ("-wal", sibling(path, "-wal"))]
    # Equal stamps before and after mean that no server wrote in between.
    for _ in range(COPY_ATTEMPTS):
        before = [_stamp(part) for _, part in parts]
        for end, part in parts:
            sibling(target, end).unlink(missing_ok=True)
            if part.exists():
                copyfile(part, sibling(target, end))
        if before == [_stamp(part) for _, part in parts]:
            return
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _warn_moved(name: str, path: Path, reason: str) -> None:
    if name:
        _LOG.warning("the index file %s was damaged (%s): moved aside as %s, begun anew", path.name, reason, name)


def _immovable() -> ConfigError:
    return ConfigError(
        "The index file is damaged and cannot be moved aside. Stop the servers that use it, delete it and start again: "
        "it is rebuilt from the folder."
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0

"""Making an index file ready: created, checked, rebuilt, moved aside, or refused."""

import errno
import logging
import os
import sqlite3
import time
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import ConfigError
from pincite.store.connections import connect, is_damage, result_code, set_journal, translate
from pincite.store.ownership import (
    APPLICATION,
    PAGE,
    SIBLINGS,
    Header,
    claim,
    inode,
    move_aside,
    remove_damaged,
    sibling,
)
from pincite.store.rows import from_text, to_text
from pincite.store.statements import split_script

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

SCHEMA = 6
"""Rises with every change of the tables; an older file is rebuilt, a newer one refused."""

READ_ONLY = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
"""What SQLite says of a whole index that it may not write, or beside which it may not keep its log."""

COPY_TRIES = 5

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """What an index is of.

    Attributes:
        embedder: Whose vectors are used.
        policy: All that decides where documents are cut, reader versions included.
        source: The folder that it was made from.
    """

    embedder: str
    policy: str
    source: str


@dataclass(frozen=True, slots=True)
class Description:
    """What an index file says of itself.

    Attributes:
        source: The folder that it was made from.
        schema: The version of its tables.
        size_bytes: What it takes on disk, the write-ahead log included.
    """

    source: str
    schema: int
    size_bytes: int


@dataclass(slots=True)
class OpenedFile:
    """An index file that is ready.

    Attributes:
        path: Where it lies: as asked for, without symbolic links, or a private copy.
        journal: The journal mode that was granted.
        embedder: The embedder's id in the file.
        header: What tells whether the file is still pincite's.
        owned: Whether it lies where any file may be written: in pincite's cache, or in the copy's folder.
        copy: The folder of the copy, deleted by `close`; None if the file itself is open.
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
    """Make the file ready; a damaged one is moved aside and begun anew.

    An index that cannot be written where it lies is copied, and the copy is opened.

    Args:
        path: The file.
        identity: What it is the index of.
        sql: The statements.
        journal: The journal mode to ask for.
        busy_timeout: Seconds to wait for another writer.
        owned: Whether it lies in pincite's cache: any other file must bear pincite's mark to be opened.

    Raises:
        ConfigError: It is no index, another program's file, another folder's index, or a newer pincite's;
            or it cannot be opened. It was not touched.
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
    """Move a file aside that was found damaged while it was open; nothing is done where another lies there by now.

    Args:
        path: Where it lies.
        file: Which file it is; see `inode`.
        owned: See `open_file`.

    Raises:
        ConfigError: It cannot be moved, or may not be.
    """
    if file is None:
        return
    try:
        _warn_moved(move_aside(path, file, owned=owned), path, "found while it was open")
    except OSError as error:
        raise _immovable() from error


def describe(path: Path) -> Description | None:
    """What an index file says of itself, read without changing it; None if it is no index."""
    if not path.is_file():
        return None
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        try:
            schema, application, _tables = _header(connection)
            if application != APPLICATION:
                return None
            row = connection.execute("SELECT value FROM meta WHERE key = 'source'").fetchone()
            return Description(to_text(row[0]) if row else "", schema, file_size(path))
        finally:
            connection.close()
    except sqlite3.Error:
        return None


def remove(path: Path) -> bool:
    """Delete an index file of the cache, and the damaged ones beside it; False, and nothing is done, where it is open.

    Every connection to a file with a write-ahead log holds a lock on it while it is open, and the log can be given
    up only without them. Where a disk grants no such log a connection that does nothing cannot be seen.

    Raises:
        PinciteError: It cannot be opened or written.
    """
    try:
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
    """Bytes of the file and its write-ahead log."""
    return _size(path) + _size(sibling(path, "-wal"))


def is_empty(path: Path) -> bool:
    """Whether there is a file without a byte, which no index is."""
    try:
        return path.stat().st_size == 0
    except OSError:
        return False


@contextmanager
def immediate(connection: sqlite3.Connection) -> Generator[None]:
    """A transaction that holds the write lock from its first moment; an error undoes it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _resolved(path: Path) -> Path:
    """The path without symbolic links: SQLite keeps its log beside the file that a link leads to."""
    try:
        path = path.absolute()
        path.parent.mkdir(parents=True, exist_ok=True)
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
            journal, embedder = _prepare(path, identity, sql, journal, busy_timeout, owned=owned)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            if before is not None:
                try:
                    # Nothing is moved where another server has begun a good one meanwhile.
                    _warn_moved(move_aside(path, before, owned=owned), path, str(error))
                except OSError as fault:
                    raise _immovable() from fault
            if header is not None:
                header.close()
            header = _claim(path, owned=owned)
            journal, embedder = _prepare(path, identity, sql, journal, busy_timeout, owned=owned)
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
    """Open a private copy of an index that cannot be written; changes in the folder are written into that copy."""
    from tempfile import TemporaryDirectory  # noqa: PLC0415  # it takes milliseconds, and few servers need it

    folder = TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True)
    try:
        _copy(path, Path(folder.name) / path.name)
        found = _open(Path(folder.name) / path.name, identity, sql, journal, busy_timeout, owned=True)
    except BaseException:
        folder.cleanup()
        raise
    found.copy = folder
    _LOG.warning("the index %s cannot be written where it lies: this process works on a copy of its own", path.name)
    return found


def _copy(path: Path, target: Path) -> None:
    """Copy an index and its log as they were at one moment: a server elsewhere may be writing them.

    Raises:
        OSError: They cannot be read, do not fit, or change all the time.
    """
    from shutil import copyfile  # noqa: PLC0415  # see above

    parts = [("", path), ("-wal", sibling(path, "-wal"))]
    for _ in range(COPY_TRIES):
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
        seen = path.stat()
    except FileNotFoundError:
        return None
    return seen.st_ino, seen.st_size, seen.st_mtime_ns


def _prepare(
    path: Path, identity: Identity, sql: Mapping[str, str], journal: str, busy_timeout: float, *, owned: bool
) -> tuple[str, int]:
    connection = connect(path, busy_timeout, create=owned)
    try:
        # In one transaction: between two looks another process may make the file.
        connection.execute("BEGIN")
        _refuse(connection)
        connection.execute("COMMIT")
        connection.execute(f"PRAGMA page_size = {PAGE}")
        granted = set_journal(connection, journal, busy_timeout)
        with immediate(connection):
            schema, _application, tables = _refuse(connection)
            if schema < SCHEMA:
                _create(connection, identity, sql, rebuilt=tables > 0)
            _check_source(connection, identity, sql)
            _switch_policy(connection, identity, sql)
            embedder = _switch_embedder(connection, identity, sql)
        return granted, embedder
    finally:
        connection.close()


def _header(connection: sqlite3.Connection) -> tuple[int, int, int]:
    schema = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return schema, application, tables


def _refuse(connection: sqlite3.Connection) -> tuple[int, int, int]:
    schema, application, tables = _header(connection)
    if application != APPLICATION and (tables or application or schema):
        raise ConfigError(
            "The file given for the index is another program's database; it was not touched. Give --db another path."
        )
    if schema > SCHEMA:
        raise ConfigError(
            f"The index was made by a newer pincite (schema {schema}, this one knows {SCHEMA}); it was not touched. "
            "Upgrade pincite, or give --db another path."
        )
    return schema, application, tables


def _create(connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str], *, rebuilt: bool) -> None:
    if rebuilt:
        _LOG.info("index of an older schema: it is rebuilt from the folder")
        for (table,) in connection.execute(sql["tables"]).fetchall():
            connection.execute(f'DROP TABLE IF EXISTS "{table}"')
    for statement in split_script(sql["schema"]):
        connection.execute(statement)
    start = {"generation": 0, "log_floor": 0, "tokens": 0, "last_indexed_ns": None, "embedder": identity.embedder}
    for item in (start | {"policy": identity.policy, "source": from_text(identity.source)}).items():
        connection.execute(sql["meta_put"], item)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _check_source(connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str]) -> None:
    source = dict(connection.execute(sql["meta"]).fetchall())["source"]
    if to_text(source) != identity.source:
        raise ConfigError(
            "The file given for the index holds the index of another folder; it was not touched. Give --db another "
            "path, or delete the file if that folder has moved here."
        )


def _switch_policy(connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str]) -> None:
    """Drop every document that was cut by another policy.

    To mark them unread would let them be quoted until they are read again, in answers beside
    chunks of the new policy. The vectors stay: where a text is cut the same it is not embedded again.
    """
    meta = dict(connection.execute(sql["meta"]).fetchall())
    if meta["policy"] == identity.policy:
        return
    _LOG.info("the chunking policy changed: documents are read again")
    generation = meta["generation"] + 1
    connection.execute(sql["past_all"], (time.time_ns(),))
    for name in (
        "words_clear",
        "term_clear",
        "forward_clear",
        "word_clear",
        "chunk_clear",
        "document_clear",
        "waiting_clear",
        "change_clear",
    ):
        connection.execute(sql[name])
    for item in (("policy", identity.policy), ("tokens", 0), ("generation", generation), ("log_floor", generation)):
        connection.execute(sql["meta_put"], item)


def _switch_embedder(connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str]) -> int:
    known = connection.execute(sql["embedder"], (identity.embedder,)).fetchone()
    if known is None:
        connection.execute(sql["embedder_add"], (identity.embedder,))
        known = connection.execute(sql["embedder"], (identity.embedder,)).fetchone()
        connection.execute(sql["waiting_all"], (known[0],))
    connection.execute(sql["meta_put"], ("embedder", identity.embedder))
    return known[0]


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

"""Making an index file ready: created, checked, rebuilt, moved aside, or refused."""

import logging
import sqlite3
import time
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import ConfigError
from pincite.store.connections import connect, is_damage, result_code, set_journal, translate
from pincite.store.statements import split_script

SCHEMA = 5
"""Rises with every change of the tables; an older file is rebuilt, a newer one refused."""

APPLICATION = int.from_bytes(b"pinc", "big")
"""Written into the file's header: only a file that bears it is ever rebuilt."""

PAGE = 8192
"""Bytes a page of a new file: five vectors of 384 numbers fill one, where two would fill one of 4096."""

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


def open_file(
    path: Path, identity: Identity, sql: Mapping[str, str], *, journal: str, busy_timeout: float
) -> tuple[str, int]:
    """Make the file ready; a damaged one is moved aside and begun anew.

    Returns:
        The journal mode that was granted, and the embedder's id in the file.

    Raises:
        ConfigError: It is another program's file, another folder's index, or a newer pincite's;
            or it cannot be opened. It was not touched.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError("The folder of the index cannot be made. Place the index elsewhere (--db).") from error
    before = inode(path)
    try:
        try:
            return _prepare(path, identity, sql, journal, busy_timeout)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            # Another server may have moved it aside and begun a good one meanwhile.
            if inode(path) == before:
                _move_aside(path, str(error))
            return _prepare(path, identity, sql, journal, busy_timeout)
    except sqlite3.Error as error:
        raise translate(error) from error
    except OSError as error:
        raise _immovable() from error


def set_aside(path: Path, file: tuple[int, int] | None) -> None:
    """Move a file aside that was found damaged while it was open; nothing is done where another lies there by now.

    Args:
        path: Where it lies.
        file: Which file it is; see `inode`.

    Raises:
        ConfigError: It cannot be moved.
    """
    if inode(path) != file:
        return
    try:
        _move_aside(path, "found while it was open")
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
            return Description(row[0] if row else "", schema, file_size(path))
        finally:
            connection.close()
    except sqlite3.Error:
        return None


def remove(path: Path) -> bool:
    """Delete an index file; False, and nothing is done, where a process has it open.

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
    for end in ("", "-wal", "-shm"):
        _beside(path, end).unlink(missing_ok=True)
    return True


def file_size(path: Path) -> int:
    """Bytes of the file and its write-ahead log."""
    return _size(path) + _size(_beside(path, "-wal"))


def is_empty(path: Path) -> bool:
    """Whether there is a file without a byte, which no index is."""
    try:
        return path.stat().st_size == 0
    except OSError:
        return False


def inode(path: Path) -> tuple[int, int] | None:
    """Which file lies at a path; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


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


def _prepare(
    path: Path, identity: Identity, sql: Mapping[str, str], journal: str, busy_timeout: float
) -> tuple[str, int]:
    connection = connect(path, busy_timeout)
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
    for item in (start | {"policy": identity.policy, "source": identity.source}).items():
        connection.execute(sql["meta_put"], item)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _check_source(connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str]) -> None:
    source = dict(connection.execute(sql["meta"]).fetchall())["source"]
    if source != identity.source:
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


def _move_aside(path: Path, reason: str) -> None:
    for end in ("", "-wal", "-shm"):
        part = _beside(path, end)
        if part.exists():
            part.replace(_beside(path, f".damaged{end}"))
    _LOG.warning("the index file was damaged (%s): moved aside as %s.damaged, begun anew", reason, path.name)


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


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)

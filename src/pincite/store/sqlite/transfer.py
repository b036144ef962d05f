"""A collection in a SQLite file as the origin or the target of a copy; see `transfer`."""

import sqlite3
import uuid
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

from pincite.errors import ConfigError
from pincite.runtime.private_files import make_folder
from pincite.store.forward import index_stored
from pincite.store.process_lock import ProcessLock
from pincite.store.rows import (
    Malformed,
    from_integer,
    from_text,
    read,
    state_column,
    to_state,
    to_text,
)
from pincite.store.sqlite.connections import connect, immediate, set_journal, translate
from pincite.store.sqlite.opening import describe, remove
from pincite.store.sqlite.ownership import sibling
from pincite.store.sqlite.schema import SCHEMA
from pincite.store.sqlite.store import SqliteStore
from pincite.store.statements import SQLITE, read_statements
from pincite.store.transfer import CHUNK, NUMBERED, PAST, PIECE, WORD, Row, Summary, Table

PARTIAL = ".migrating"
"""What the name of a file ends with until it is whole."""

_BUSY_SECONDS = 10.0
"""Maximum time to wait for another writer of the file."""
_OTHER_NAMES = {PIECE.name: "text"}
_OTHER_COLUMNS = {PAST.name: {"places": "chunks"}}


class SqliteOrigin:
    """A collection in a file, read in one transaction. Not thread-safe.

    Args:
        path: The file.

    Raises:
        ConfigError: There is no index of this version at the path.
    """

    def __init__(self, path: Path) -> None:
        description = describe(path)
        if description is None or description.schema != SCHEMA:
            state = "no index yet" if description is None else "an index of another version of pincite"
            raise ConfigError(f"There is {state} in a file. Let pincite status bring it up to date, then migrate it.")
        sql = read_statements(SQLITE)
        with _translated():
            self._connection = connect(path, _BUSY_SECONDS)
            # A file of an earlier version has none until it is read (`SqliteStore.identity`).
            if self._connection.execute(sql["identity"]).fetchone() is None:
                with immediate(self._connection):
                    self._connection.execute(sql["identity_put"], (uuid.uuid4().hex,))
            self._connection.execute("BEGIN")

    def summary(self) -> Summary:
        """See `Origin.summary`."""
        meta: dict[str, Any] = dict(self._rows("SELECT key, value FROM meta"))
        last_ids: dict[str, int] = dict(self._rows("SELECT name, seq FROM sqlite_sequence"))
        numbered = {name: last_ids.get(name, 0) for name in NUMBERED}
        return Summary(str(meta.get("identity", "")), meta["generation"], meta["last_indexed_ns"], numbered)

    def rows(self, table: Table, after: Row | None, n: int) -> list[Row]:
        """See `Origin.rows`."""
        key = ", ".join(table.key)
        above = f"WHERE ({key}) > ({', '.join('?' * len(table.key))})" if after else ""
        statement = f"SELECT {_columns(table)} FROM {_name(table)} {above} ORDER BY {key} LIMIT ?"  # noqa: S608 - names
        return [read(_from_stored, table, row) for row in self._rows(statement, (*(after or ()), n))]

    def count(self, table: Table) -> int:
        """See `Origin.count`."""
        return int(self._rows(f"SELECT count(*) FROM {_name(table)}")[0][0])  # noqa: S608 - a name

    def frequencies(self) -> Iterator[tuple[str, int]]:
        """See `Origin.frequencies`."""
        yield from self._rows("SELECT term, holding FROM term WHERE holding > 0 ORDER BY term")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, statement: str, arguments: Sequence[Any] = ()) -> list[Any]:
        with _translated():
            return self._connection.execute(statement, arguments).fetchall()


class SqliteTarget(SqliteOrigin):
    """A collection in a new file, which has its name once it is whole. Not thread-safe.

    Args:
        path: The file that it becomes.
        summary: That of the origin: what was copied of another state is not used.
        source: What the collection is made from.
        replace: Whether a file of this name is replaced.

    Raises:
        ConfigError: There is a file of this name, or another process migrates to it.
    """

    def __init__(self, path: Path, summary: Summary, *, source: str, replace: bool) -> None:
        self._path, self._partial, self._replace = path, sibling(path, PARTIAL), replace
        if path.exists() and not replace:
            raise ConfigError("There is an index in the file already. Replace it with --replace.")
        make_folder(path.parent)
        self._process_lock = ProcessLock(sibling(path, f"{PARTIAL}-lock"))
        if not self._process_lock.acquire():
            raise ConfigError("Another process migrates to this file. Wait for its end.")
        self._sql: Mapping[str, str] = read_statements(SQLITE)
        try:
            with _translated():
                if not _is_begun(self._partial, summary):
                    self._begin(summary, source)
                self._connection = connect(self._partial, _BUSY_SECONDS)
                set_journal(self._connection, "wal", _BUSY_SECONDS)
        except BaseException:
            self._process_lock.release()
            raise

    def last_key(self, table: Table) -> Row | None:
        """See `Target.last_key`."""
        order = ", ".join(f"{column} DESC" for column in table.key)
        statement = f"SELECT {', '.join(table.key)} FROM {_name(table)} ORDER BY {order} LIMIT 1"  # noqa: S608 - names
        rows = self._rows(statement)
        return rows[0] if rows else None

    def write(self, table: Table, rows: list[Row]) -> None:
        """See `Target.write`."""
        stored = [_to_stored(table, row) for row in rows]
        verb = "INSERT OR IGNORE" if table is WORD else "INSERT"
        places = ", ".join("?" * len(table.columns))
        statement = f"{verb} INTO {_name(table)} ({_columns(table)}) VALUES ({places})"
        with _translated(), immediate(self._connection):
            self._connection.executemany(statement, stored)
            if table is CHUNK:
                self._index(stored)

    def finish(self, summary: Summary) -> None:
        """See `Target.finish`."""
        with _translated(), immediate(self._connection):
            for name, last in summary.last_ids.items():
                self._connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (name,))
                self._connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (name, last))

    def publish(self) -> None:
        """See `Target.publish`.

        Raises:
            ConfigError: A server has the file open that would be replaced.
        """
        with _translated():
            # The log becomes a part of the file, so that one name is all there is to change.
            self._connection.execute("PRAGMA journal_mode = DELETE")
            self._connection.close()
            if self._path.exists() and not (self._replace and remove(self._path)):
                raise ConfigError("A server has the index open that is to be replaced. Stop it, then migrate again.")
            self._partial.replace(self._path)

    def close(self) -> None:
        """Close the file."""
        super().close()
        self._process_lock.release()
        sibling(self._path, f"{PARTIAL}-lock").unlink(missing_ok=True)

    def _begin(self, summary: Summary, source: str) -> None:
        if self._partial.exists():
            remove(self._partial)
        SqliteStore(self._partial, embedder="", source=source, owned=True).close()
        connection = connect(self._partial, _BUSY_SECONDS)
        try:
            with immediate(connection):
                connection.execute("DELETE FROM embedder")
                meta = {
                    "generation": summary.generation,
                    "log_floor": summary.generation,  # the change log is not copied: readers begin anew
                    "last_indexed_ns": summary.last_indexed_ns,
                    "identity": summary.identity,
                }
                for item in meta.items():
                    connection.execute(self._sql["meta_put"], item)
        finally:
            connection.close()

    def _index(self, stored: Sequence[Row]) -> None:
        columns = [CHUNK.columns.index(name) for name in ("id", "span_start", "span_end", "context")]
        index_stored(self._connection, self._sql, [itemgetter(*columns)(row) for row in stored])


def _is_begun(partial: Path, summary: Summary) -> bool:
    """Return True if a file has a part of the same state of the same collection."""
    if describe(partial) is None:
        return False
    connection = connect(partial, _BUSY_SECONDS)
    try:
        meta: dict[str, Any] = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    finally:
        connection.close()
    return bool(summary.identity) and (meta.get("identity"), meta.get("generation")) == (
        summary.identity,
        summary.generation,
    )


def _name(table: Table) -> str:
    return _OTHER_NAMES.get(table.name, table.name)


def _columns(table: Table) -> str:
    others = _OTHER_COLUMNS.get(table.name, {})
    return ", ".join(others.get(column, column) for column in table.columns)


def _from_stored(table: Table, row: Sequence[Any]) -> Row:
    return tuple(_value_from(table, column, value) for column, value in zip(table.columns, row, strict=True))


def _value_from(table: Table, column: str, value: Any) -> Any:
    if value is None:
        return None
    if column in table.texts:
        return to_text(value).encode("utf-8", "surrogatepass")
    if column == "state":
        return to_state(value)
    return int(value) if column == "modified_ns" else value


def _to_stored(table: Table, row: Row) -> Row:
    return tuple(_value_to(table, column, value) for column, value in zip(table.columns, row, strict=True))


def _value_to(table: Table, column: str, value: Any) -> Any:
    if value is None:
        return None
    if column in table.texts:
        return from_text(to_text(value))
    if column == "state":
        return state_column(value)
    return from_integer(value) if column == "modified_ns" else value


@contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except Malformed as error:
        raise ConfigError("The index is damaged. Let pincite status rebuild it first.", details=str(error)) from error
    except sqlite3.Error as error:
        raise translate(error) from error

"""A pool of connections to one SQLite file, and SQLite's errors as pincite's."""

import sqlite3
import threading
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from pincite.errors import ConfigError, IndexLost, InternalError, PinciteError, TimeoutExceeded, WritingFailed
from pincite.runtime import private_files
from pincite.store.rows import ROW_ERRORS, Malformed

_PAGE_CACHE_KIB = 16_384
"""Pages that a connection keeps in memory."""
WAL_LIMIT_BYTES = 8 << 20
"""A long read lets the log grow; with the next write after it, it is cut to what SQLite lets it grow to otherwise."""
_RETRY_SECONDS = 0.01

_CODES: dict[int, type[PinciteError]] = {
    sqlite3.SQLITE_BUSY: TimeoutExceeded,
    sqlite3.SQLITE_LOCKED: TimeoutExceeded,
    sqlite3.SQLITE_INTERRUPT: TimeoutExceeded,
    sqlite3.SQLITE_FULL: WritingFailed,
    sqlite3.SQLITE_IOERR: ConfigError,
    sqlite3.SQLITE_READONLY: WritingFailed,
    sqlite3.SQLITE_CANTOPEN: ConfigError,
    sqlite3.SQLITE_PERM: ConfigError,
}
_MESSAGES = {
    sqlite3.SQLITE_BUSY: "The index is being written by another process. Try again.",
    sqlite3.SQLITE_LOCKED: "The index is being written by another process. Try again.",
    sqlite3.SQLITE_INTERRUPT: "Writing to the index took longer than the call has. Try again.",
    sqlite3.SQLITE_FULL: "The disk that holds the index is full. Free some space, or place the index elsewhere (--db).",
    sqlite3.SQLITE_IOERR: "The index file cannot be read or written. Check its disk, or place the index "
    "elsewhere (--db).",
    sqlite3.SQLITE_READONLY: "The index file is read-only. Give write permission, or place the index elsewhere (--db).",
    sqlite3.SQLITE_CANTOPEN: "The index file cannot be opened. Check that its folder exists and is writable, or place "
    "the index elsewhere (--db).",
    sqlite3.SQLITE_PERM: "The index file may not be opened. Give permission, or place the index elsewhere (--db).",
}

DAMAGED = "The index file is damaged. It is rebuilt from the folder at the next call: ask again."


def result_code(error: sqlite3.Error) -> int:
    """Return SQLite's primary result code of an error; 0 for an error that Python raised itself."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def is_damage(error: sqlite3.Error) -> bool:
    """Return True if an error means that the file is corrupt or not a database."""
    if isinstance(error, Malformed) or result_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return True
    if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHORT_READ:
        return True
    # Python raises this one itself, without a code. Every text was written as UTF-8, so bytes were damaged.
    return isinstance(error, sqlite3.OperationalError) and str(error).startswith("Could not decode to UTF-8")


def translate(error: sqlite3.Error) -> PinciteError:
    """Return the pincite error for a SQLite error; its message names the next action."""
    if is_damage(error):
        return IndexLost(DAMAGED, details=f"{type(error).__name__}: {error}")
    code = result_code(error)
    kind = _CODES.get(code, InternalError)
    return kind(
        _MESSAGES.get(code, "The index could not be read or written."), details=f"{type(error).__name__}: {error}"
    )


def connect(path: Path, busy_timeout: float, *, create: bool = False) -> sqlite3.Connection:
    """Open a connection without reading or changing the file yet.

    Args:
        path: The file.
        busy_timeout: Seconds to wait for another writer.
        create: Whether a missing file is created.
    """
    if create:
        private_files.create(path)
    uri = f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}"
    connection = sqlite3.connect(uri, uri=True, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA cache_size = -{_PAGE_CACHE_KIB}")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def set_journal(connection: sqlite3.Connection, mode: str, busy_timeout: float) -> str:
    """Set the journal mode; return the one that was granted (a network disk may refuse WAL)."""
    deadline = time.monotonic() + busy_timeout
    while True:
        try:
            granted: str = connection.execute("PRAGMA journal_mode").fetchone()[0]
            if granted != mode:
                granted = connection.execute(f"PRAGMA journal_mode = {mode}").fetchone()[0]
            break
        except sqlite3.OperationalError as error:
            # The switch takes an exclusive lock, and SQLite's busy timeout does not apply to it.
            if result_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
    _set_writing(connection, granted)
    return granted


def _set_writing(connection: sqlite3.Connection, journal: str) -> None:
    """Set the log's limit, and `synchronous` to the cheapest mode that a power loss cannot corrupt."""
    connection.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT_BYTES}")
    connection.execute(f"PRAGMA synchronous = {'NORMAL' if journal == 'wal' else 'FULL'}")


@contextmanager
def immediate(connection: sqlite3.Connection) -> Generator[None]:
    """Run the with-block in a transaction that holds the write lock from its start; an error rolls it back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


class Connections:
    """A connection pool. Thread-safe.

    Args:
        path: The file.
        journal: The journal mode that was granted.
        busy_timeout: Seconds to wait for another writer.
        idle: Maximum number of idle connections kept open.
        prepare: A statement that each new connection executes outside any transaction; none if empty.
    """

    def __init__(self, path: Path, *, journal: str, busy_timeout: float, idle: int, prepare: str = "") -> None:
        self._path = path
        self._prepare = prepare
        self._journal = journal
        self._busy_timeout = busy_timeout
        self._idle = idle
        self._free: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False
        self._damaged = False

    @property
    def damaged(self) -> bool:
        """True once a connection has reported the file as damaged."""
        return self._damaged

    @contextmanager
    def lend(self) -> Generator[sqlite3.Connection]:
        """Lend a connection, outside any transaction, for the with-block.

        Raises:
            PinciteError: SQLite failed; see `translate`.
        """
        try:
            connection = self._acquire()
            try:
                yield connection
            finally:
                self._return(connection)
        except sqlite3.Error as error:
            self._damaged = self._damaged or is_damage(error)
            raise translate(error) from error
        except ROW_ERRORS as error:
            # A row that cannot be converted is a bug of pincite only if the file passes SQLite's check.
            if self._is_intact():
                raise
            self._damaged = True
            raise IndexLost(DAMAGED, details=f"{type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Close the idle connections now, a lent one when it is returned."""
        with self._lock:
            self._closed = True
            free, self._free = self._free, []
        for connection in free:
            connection.close()

    def _is_intact(self) -> bool:
        try:
            with closing(connect(self._path, self._busy_timeout)) as connection:
                return connection.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
        except sqlite3.Error as error:
            return not is_damage(error)

    def _acquire(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise IndexLost("The index was closed during the call. Ask again.")
            if self._free:
                return self._free.pop()
        # Outside the lock: opening a file may wait for its disk.
        try:
            connection = connect(self._path, self._busy_timeout)
        except sqlite3.OperationalError:
            if self._path.exists():
                raise
            raise IndexLost("The index was deleted during the call. Ask again.") from None
        try:
            _set_writing(connection, self._journal)
            connection.execute(self._prepare)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _return(self, connection: sqlite3.Connection) -> None:
        # A snapshot's read transaction would pin the write-ahead log.
        if connection.in_transaction:
            connection.rollback()
        with self._lock:
            if not self._closed and len(self._free) < self._idle:
                self._free.append(connection)
                return
        connection.close()

"""Connections to PostgreSQL: a pool, its search path, and its errors as ours."""

import contextlib
import threading
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from pincite.errors import (
    ConfigError,
    ConnectionFailed,
    IndexLost,
    InternalError,
    PinciteError,
    TimeoutExceeded,
    WritingFailed,
)
from pincite.model.call import Call
from pincite.store.postgres.sizes import PROBED_LISTS
from pincite.store.postgres.watched import WatchedConnection
from pincite.store.rows import Malformed

Connection = psycopg.Connection[tuple[Any, ...]]

CLOSED = "The index was closed during the call. Ask again."
LOST = "The collection's tables are not those of this version any more. Ask again."

DAMAGED = "A row of the collection in the database is damaged. It is made again at the next call: ask again."

CROWDED = "The database has no connection left. Raise its max_connections, or lower PINCITE_STORE_CONNECTIONS."

UNREACHABLE = "The database of PINCITE_STORE_URL cannot be reached. Start it or correct the variable, then ask again."

SEARCH_SESSION = (
    # The settings of `vector` exist once its library is loaded.
    "SELECT '[1]'::halfvec(1)",
    # Reused statements would be planned for any filter; a custom plan takes 0.1 ms and may be 20 times as fast.
    "SET plan_cache_mode = force_custom_plan",
    "SET jit = off",
    # `halfvec` scans walk on beyond the first candidates while a filter lets too few of them pass.
    "SET hnsw.iterative_scan = relaxed_order",
    "SET ivfflat.iterative_scan = relaxed_order",
    f"SET ivfflat.probes = {PROBED_LISTS}",
)

BEGIN = b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
"""Begins a transaction that sees one state of the database."""

# Only what is said to be prepared is, and that has one plan.
_PLAN_ONCE = b"SET LOCAL plan_cache_mode = auto"

INT32_MAX = (1 << 31) - 1

IDLE_SECONDS = 60.0
"""Time after which a connection that is not needed is closed: each costs the server a process."""

RETRY_SECONDS = 1.0
"""Time after a failed attempt in which calls fail at once instead of trying again."""


_Failure = tuple[tuple[type[psycopg.Error], ...], type[PinciteError], str]

_FAILURES: tuple[_Failure, ...] = (
    (
        (errors.QueryCanceled, errors.LockNotAvailable),
        TimeoutExceeded,
        "The database did not answer in time. Ask again.",
    ),
    ((errors.DataCorrupted, errors.IndexCorrupted), IndexLost, DAMAGED),
    ((errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName), IndexLost, LOST),
    (
        (errors.InsufficientPrivilege,),
        WritingFailed,
        "The database role may not do this. Grant what the guide lists.",
    ),
    ((errors.DiskFull,), WritingFailed, "The disk of the database is full. Free some space."),
    ((errors.ReadOnlySqlTransaction,), WritingFailed, "The database is read-only: it takes no changes."),
    ((errors.TooManyConnections,), ConnectionFailed, CROWDED),
    ((psycopg.OperationalError,), ConnectionFailed, UNREACHABLE),
)
"""What each failure of PostgreSQL is to a caller; the first row that fits counts."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """The limits of the connections of one collection.

    Attributes:
        connections: Maximum number of connections.
        timeout: Seconds to wait for one that is free, or while another server writes.
        connect_seconds: Seconds to wait for the server when a connection is opened.
        statement_seconds: Seconds after which the server ends a statement.
    """

    connections: int
    timeout: float
    connect_seconds: float
    statement_seconds: float


def translate(error: psycopg.Error) -> PinciteError:
    """Return a failure of PostgreSQL as ours; what it says goes to the log alone, since it may quote texts."""
    details = f"{type(error).__name__}: {error}"
    for kinds, failure, message in _FAILURES:
        if isinstance(error, kinds):
            return failure(message, details=details)
    return InternalError("The database refused a statement. The server's log says why.", details=details)


def place(dsn: str, schema: str) -> str:
    """Return where a collection is kept, without user or password."""
    parts = conninfo_to_dict(dsn)
    host, name = parts.get("host") or parts.get("hostaddr") or "localhost", parts.get("dbname") or "postgres"
    return f"PostgreSQL at {host}, database {name}, schema {schema}"


def network_options(dsn: str, connect_seconds: float) -> dict[str, Any]:
    """Return the options by which a server that is cut off is noticed, except for those that a DSN sets itself."""
    options = {
        "connect_timeout": max(2, round(connect_seconds)),  # libpq takes whole seconds, at least two
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 25_000,
        "application_name": "pincite",
    }
    return {name: value for name, value in options.items() if name not in conninfo_to_dict(dsn)}


def connect(dsn: str, schema: str, *, timeout: float) -> Connection:
    """Open a connection of its own, outside the pool, in autocommit mode; vectors may not be there yet.

    Raises:
        ConfigError: The DSN is malformed.
        ConnectionFailed: The server does not answer.
    """
    try:
        connection = psycopg.connect(dsn, autocommit=True, **network_options(dsn, timeout))
        _enter(connection, schema)
    except psycopg.ProgrammingError as error:
        # What the library says quotes the DSN, which may have a password.
        raise ConfigError(
            "PINCITE_STORE_URL is no DSN of PostgreSQL, as postgresql://pincite@host/pincite.",
            details=type(error).__name__,
        ) from None
    except psycopg.Error as error:
        raise translate(error) from error
    return connection


class Connections:
    """Connections whose search path is one collection's schema. Thread-safe.

    A connection is opened by the call that needs it, so that the call learns at once why there is none, and the first
    call after an outage has one again.

    Args:
        dsn: Where the database is.
        schema: The collection's schema.
        limits: How many, and for how long.
        session: The statements that each begins with.
    """

    def __init__(
        self, dsn: str, schema: str, limits: ConnectionLimits, session: Sequence[str] = SEARCH_SESSION
    ) -> None:
        self._dsn = dsn
        self._schema = schema
        self._limits = limits
        self._session = session
        self._slots = threading.BoundedSemaphore(limits.connections)
        # A call that reads may need a second connection: half are kept for that, or all would wait for each other.
        self._call_slots = threading.BoundedSemaphore(max(1, limits.connections // 2))
        self._lock = threading.Lock()
        self._idle: list[tuple[WatchedConnection, float]] = []
        self._closed = False
        self._failed_at = float("-inf")
        self._lost = False
        self.damaged = False
        """True once a row had values that pincite never writes."""

    @property
    def lost(self) -> bool:
        """True once a statement met tables that are not there, or are of another version."""
        return self._lost

    def mark_lost(self) -> None:
        """Let `lost` be True: what was read is not what was there before."""
        self._lost = True

    @contextlib.contextmanager
    def lend(self) -> Generator[WatchedConnection]:
        """Lend a connection in autocommit mode.

        Raises:
            PinciteError: PostgreSQL failed; see `translate`.
        """
        with self._slot(self._slots):
            try:
                connection = self._acquire()
                try:
                    yield connection
                finally:
                    self._return(connection)
            except psycopg.Error as error:
                raise self.failure(error) from error
            except Malformed as error:
                self._lost = self.damaged = True
                raise IndexLost(DAMAGED, details=str(error)) from error

    @contextlib.contextmanager
    def reading(self) -> Generator[WatchedConnection]:
        """Lend a connection in a read-only transaction that sees one state of the database, for a few statements."""
        with self.lend() as connection:
            connection.only_reads = True
            connection.execute(BEGIN)
            yield connection

    @contextlib.contextmanager
    def answering(
        self, call: Call | None, first: bytes, *, is_second: bool = False
    ) -> Generator[tuple[WatchedConnection, tuple[Any, ...]]]:
        """Lend a connection as `reading` does, for all that a call reads: its statements end with the call.

        Args:
            call: The call.
            first: A statement without arguments that is run in the same round trip; it returns one row.
            is_second: Whether the call has a connection already.
        """
        with contextlib.nullcontext() if is_second else self._slot(self._call_slots), self.lend() as connection:
            connection.only_reads = True
            statements = [BEGIN, _PLAN_ONCE, first]
            if call is not None:
                call.check()
                connection.call = call
                connection.statement_seconds = min(connection.statement_seconds, call.remaining())
                timeout = f"SET LOCAL statement_timeout = {_milliseconds(connection.statement_seconds)}"
                statements.insert(1, timeout.encode())
            # Not prepared, which several statements cannot be.
            cursor = connection.execute(b"; ".join(statements), prepare=False)
            cursor.set_result(-1)
            yield connection, cursor.fetchall()[0]

    def failure(self, error: psycopg.Error) -> PinciteError:
        """Return a failure of a lent connection as ours."""
        translated = translate(error)
        self._lost = self._lost or isinstance(translated, IndexLost)
        self.damaged = self.damaged or translated.message == DAMAGED
        return translated

    def close(self) -> None:
        """Close the idle connections now, a lent one when it is returned."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def _acquire(self) -> WatchedConnection:
        while True:
            with self._lock:
                if self._closed:
                    raise IndexLost(CLOSED)
                if not self._idle:
                    break
                connection, _ = self._idle.pop()
            if _is_alive(connection):
                return connection
            connection.close()
        # While a server does not answer, each attempt takes as long as is waited for it: one call a second tries.
        if time.monotonic() < self._failed_at + RETRY_SECONDS:
            raise ConnectionFailed(UNREACHABLE)
        try:
            return self._opened()
        except psycopg.OperationalError:
            self._failed_at = time.monotonic()
            raise

    def _opened(self) -> WatchedConnection:
        connection = WatchedConnection.connect(
            self._dsn, autocommit=True, **network_options(self._dsn, self._limits.connect_seconds)
        )
        try:
            connection.statement_seconds = self._limits.statement_seconds
            _enter(connection, self._schema)
            timeout = f"SET statement_timeout = {_milliseconds(self._limits.statement_seconds)}"
            connection.execute("; ".join((*self._session, timeout)).encode(), prepare=False)
        except BaseException:
            connection.close()
            raise
        return connection

    def _return(self, connection: WatchedConnection) -> None:
        connection.call = None
        connection.statement_seconds = self._limits.statement_seconds
        is_idle = _is_idle(connection)
        connection.only_reads = False
        if not is_idle:
            connection.close()
            return
        now = time.monotonic()
        surplus: list[WatchedConnection] = []
        with self._lock:
            if self._closed:
                surplus.append(connection)
            else:
                # The last one returned is lent next, so that those in front have been idle for longest.
                while self._idle and now > self._idle[0][1] + IDLE_SECONDS:
                    surplus.append(self._idle.pop(0)[0])
                self._idle.append((connection, now))
        for idle in surplus:
            idle.close()

    @contextlib.contextmanager
    def _slot(self, slots: threading.Semaphore) -> Generator[None]:
        if not slots.acquire(timeout=self._limits.timeout):
            raise TimeoutExceeded("Every connection to the database is in use. Ask again.")
        try:
            yield
        finally:
            slots.release()


def _is_alive(connection: WatchedConnection) -> bool:
    """Return False if the server has ended a connection; one on which nothing arrived costs no round trip."""
    if not connection.end_commit():
        return False
    if not connection.is_readable(0):
        return True
    try:
        connection.execute("")
    except psycopg.Error:
        return False
    return True


def _is_idle(connection: WatchedConnection) -> bool:
    """Return True if a connection can be lent again, after a rollback of what it left open.

    What only read is committed: with a rollback, psycopg drops every prepared statement, and the next search has each
    of its statements parsed and planned again. Nobody waits for its answer: who is lent the connection next reads that.
    """
    try:
        status = connection.info.transaction_status
        if status == TransactionStatus.INTRANS and connection.only_reads:
            connection.begin_commit()
            return True
        if status in (TransactionStatus.INTRANS, TransactionStatus.INERROR):
            connection.rollback()
    except psycopg.Error:
        return False
    return not connection.closed and connection.info.transaction_status == TransactionStatus.IDLE


def rows(connection: Connection, statement: bytes, arguments: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return every row of a statement."""
    return connection.execute(statement, arguments).fetchall()


def _enter(connection: Connection, schema: str) -> None:
    connection.execute(sql.SQL("SET search_path TO {}, public").format(sql.Identifier(schema)))


def _milliseconds(seconds: float) -> int:
    """Return a statement time-out in milliseconds: 0 would be none."""
    return min(max(1, int(seconds * 1000)), INT32_MAX)

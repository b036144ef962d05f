"""Connections to PostgreSQL: a pool, its search path, and its errors as ours."""

import contextlib
import logging
from collections.abc import Generator, Sequence
from typing import Any

import psycopg
from psycopg import errors, sql
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from pincite.errors import ConfigError, ConnectionFailed, IndexLost, InternalError, PinciteError, TimeoutExceeded

Connection = psycopg.Connection[tuple[Any, ...]]

CLOSED = "The index was closed during the call. Ask again."
LOST = "The collection's tables are not those of this version any more. Ask again."

UNREACHABLE = "The database of PINCITE_STORE_URL cannot be reached. Start it or correct the variable, then ask again."

_SESSION = (
    # Reused statements would be planned for any filter; a custom plan takes 0.1 ms and may be 20 times as fast.
    "SET plan_cache_mode = force_custom_plan",
    "SET jit = off",
    # `halfvec` scans walk on beyond the first 200 candidates while a filter lets too few of them pass.
    "SET hnsw.iterative_scan = relaxed_order",
    "SET hnsw.ef_search = 200",
)

log = logging.getLogger(__name__)


def translate(error: psycopg.Error) -> PinciteError:
    """Return a failure of PostgreSQL as ours; what it says goes to the log alone, since it may quote texts."""
    details = f"{type(error).__name__}: {error}"
    if isinstance(error, (errors.QueryCanceled, errors.LockNotAvailable)):
        return TimeoutExceeded("The database did not answer in time. Ask again.", details=details)
    if isinstance(error, (errors.UndefinedTable, errors.UndefinedColumn, errors.InvalidSchemaName)):
        return IndexLost(LOST, details=details)
    if isinstance(error, errors.InsufficientPrivilege):
        return ConfigError("The database role may not do this. Grant what the guide lists.", details=details)
    if isinstance(error, (errors.DiskFull, errors.ReadOnlySqlTransaction)):
        return ConfigError("The database takes no changes: its disk is full, or it is read-only.", details=details)
    if isinstance(error, psycopg.OperationalError):
        return ConnectionFailed(UNREACHABLE, details=details)
    return InternalError("The database refused a statement. The server's log says why.", details=details)


def place(dsn: str, schema: str) -> str:
    """Return where a collection is kept, without user or password."""
    parts = conninfo_to_dict(dsn)
    host, name = parts.get("host") or parts.get("hostaddr") or "localhost", parts.get("dbname") or "postgres"
    return f"PostgreSQL at {host}, database {name}, schema {schema}"


def connect(dsn: str, schema: str, *, timeout: float) -> Connection:
    """Open a connection of its own, outside the pool, in autocommit mode; vectors may not be there yet.

    Raises:
        ConfigError: The DSN is malformed.
        ConnectionFailed: The server does not answer.
    """
    try:
        connection = psycopg.connect(dsn, autocommit=True, connect_timeout=max(1, int(timeout)))
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
    """A pool of connections whose search path is one collection's schema. Thread-safe.

    Args:
        dsn: Where the database is.
        schema: The collection's schema.
        limit: Maximum number of connections.
        timeout: Seconds to wait for one.
    """

    def __init__(self, dsn: str, schema: str, *, limit: int, timeout: float) -> None:
        def prepare(connection: Connection) -> None:
            _prepare(connection, schema)

        self._pool = ConnectionPool(
            dsn,
            min_size=1,
            max_size=limit,
            timeout=timeout,
            max_idle=60,
            kwargs={"autocommit": True, "connect_timeout": max(1, int(timeout))},
            configure=prepare,
            check=ConnectionPool.check_connection,
            open=True,
        )

    @contextlib.contextmanager
    def lend(self) -> Generator[Connection]:
        """Lend a connection in autocommit mode.

        Raises:
            PinciteError: PostgreSQL failed; see `translate`.
        """
        try:
            with self._pool.connection() as connection:
                yield connection
        except PoolClosed:
            raise IndexLost(CLOSED) from None
        except PoolTimeout as error:
            raise ConnectionFailed(UNREACHABLE, details=str(error)) from None
        except psycopg.Error as error:
            raise translate(error) from error

    @contextlib.contextmanager
    def reading(self) -> Generator[Connection]:
        """Lend a connection in a read-only transaction that sees one state of the database."""
        with self.lend() as connection:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            try:
                yield connection
            finally:
                if not connection.broken:
                    connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the idle connections now, a lent one when it is returned."""
        self._pool.close()


def rows(connection: Connection, statement: bytes, arguments: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Return every row of a statement."""
    return connection.execute(statement, arguments).fetchall()


def _enter(connection: Connection, schema: str) -> None:
    connection.execute(sql.SQL("SET search_path TO {}, public").format(sql.Identifier(schema)))


def _prepare(connection: Connection, schema: str) -> None:
    _enter(connection, schema)
    # The settings of `vector` exist once its library is loaded.
    connection.execute("SELECT '[1]'::halfvec(1)")
    for statement in _SESSION:
        connection.execute(statement)

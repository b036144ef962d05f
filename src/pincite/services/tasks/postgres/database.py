"""The database of tasks: its tables, connections and statements."""

import contextlib
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from pincite.errors import ConfigError, IndexLost
from pincite.store.postgres.connections import Connection, ConnectionLimits, Connections, connect, translate
from pincite.store.statements import read_statements, split_script

SCHEMA = "pincite_tasks"
"""The schema: the servers of one database share their tasks."""

VERSION, UPGRADED_VERSION = 2, 1
"""Versions of the tables: the one in force, and that which gets its new columns; a schema with another one is refused,
for its tasks cannot be made again."""

TIMEOUT_SECONDS = 10.0
"""Wait for a connection that is free."""

_SESSION = (
    # An acknowledged task must outlast a power loss, whatever the database does by default.
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
)

_LOST = "The tables of the tasks are not those of this version any more. Restart the server."


class TaskDatabase:
    """Tasks and uploads in one schema of a database. Thread-safe.

    Args:
        dsn: Where the database is.
        schema: The schema; it is created.
        connections: Maximum number of connections of this process.
        connect_seconds: Seconds to wait for the server when a connection is opened.
        statement_seconds: Seconds after which the server ends a statement.

    Raises:
        ConfigError: The DSN is malformed, or the schema is of another version.
        ConnectionFailed: The database does not answer.
    """

    def __init__(
        self,
        dsn: str,
        *,
        schema: str = SCHEMA,
        connections: int = 16,
        connect_seconds: float = 5.0,
        statement_seconds: float = 30.0,
    ) -> None:
        statements = read_statements(Path(__file__).with_name("postgres.sql"))
        self._sql: Mapping[str, bytes] = {name: statement.encode() for name, statement in statements.items()}
        self._dsn = dsn
        self.schema = schema
        self._connect_seconds = connect_seconds
        self._create()
        limits = ConnectionLimits(connections, TIMEOUT_SECONDS, connect_seconds, statement_seconds)
        self._connections = Connections(dsn, schema, limits, _SESSION)

    @contextlib.contextmanager
    def lend(self) -> Generator[Connection]:
        """Lend a connection in autocommit mode.

        Raises:
            PinciteError: PostgreSQL failed.
        """
        try:
            with self._connections.lend() as connection:
                yield connection
        except IndexLost as error:
            raise ConfigError(_LOST, details=error.details) from error

    def run_statement(self, name: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a statement in a transaction of its own, which is durable then; return its rows.

        Raises:
            PinciteError: PostgreSQL failed.
        """
        with self.lend() as connection:
            cursor = connection.execute(self._sql[name], values, binary=True)
            return cursor.fetchall() if cursor.description else []

    def changed(self, name: str, **values: Any) -> bool:
        """Run a statement as `run` does; return True if it changed a row."""
        with self.lend() as connection:
            return connection.execute(self._sql[name], values).rowcount > 0

    def connect(self) -> Connection:
        """Open a connection of its own, in autocommit mode.

        Raises:
            ConnectionFailed: The database does not answer.
        """
        return connect(self._dsn, self.schema, timeout=self._connect_seconds)

    def close(self) -> None:
        """Close every connection; later calls fail."""
        self._connections.close()

    def _create(self) -> None:
        """Create the tables if there are none, or bring them to this version."""
        with self.connect() as connection:
            try:
                with connection.transaction():
                    connection.execute(self._sql["lock"], (self.schema,))
                    if connection.execute("SELECT to_regclass(%s)", (f'"{self.schema}".meta',)).fetchall() == [(None,)]:
                        name = sql.Identifier(self.schema)
                        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(name))
                        self._make(connection, "schema")
                    elif connection.execute(self._sql["meta"]).fetchall() == [(UPGRADED_VERSION,)]:
                        self._make(connection, "upgrade")
                    versions = connection.execute(self._sql["meta"]).fetchall()
            except psycopg.Error as error:
                raise translate(error) from error
        if versions != [(VERSION,)]:
            raise ConfigError(
                f"The schema {self.schema} is of version {versions[0][0] if versions else None}; this pincite needs "
                f"{VERSION}. Use the pincite that made it: its tasks exist nowhere else."
            )

    def _make(self, connection: Connection, script: str) -> None:
        for statement in split_script(self._sql[script].decode()):
            connection.execute(statement.encode())
        connection.execute(self._sql["meta_put"], (VERSION,))

"""Open a collection's schema: create it, check it, or refuse it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
from psycopg import sql as composed

from pincite.errors import ConfigError
from pincite.store.postgres.columns import to_bytes
from pincite.store.postgres.connections import Connection
from pincite.store.statements import split_script

log = logging.getLogger("pincite.store")

VERSION = 5
"""Version of the tables: a schema with another one is refused."""

_KEPT_CHARS = 40
"""Of a schema's name where it is set aside; PostgreSQL allows 63."""

COPIED_SINCE = 1
"""The oldest version that `pincite migrate --upgrade` reads: its tables of `transfer.TABLES` are the same."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A collection's schema.

    Attributes:
        schema: The number that PostgreSQL gave it: another one of the same name has another.
        embedder: The embedder's id in it.
        dimensions: Those of its vectors; 0 before the first.
    """

    schema: int
    embedder: int
    dimensions: int


def open_schema(connection: Connection, schema: str, sql: Mapping[str, bytes], *, embedder: str, source: str) -> Opened:
    """Create a collection's tables if there are none, and register the embedder.

    Raises:
        ConfigError: The schema is another program's or of another version, or pgvector is missing.
        psycopg.Error: Anything else.
    """
    with connection.transaction():
        connection.execute(sql["lock"])
        if not schema_exists(connection, schema):
            create_schema(connection, schema, sql, source)
        meta = connection.execute(sql["meta"]).fetchone()
        check_version(None if meta is None else meta[0], schema)
        number = _number(connection, schema)
        known = connection.execute(sql["embedder"], (embedder,)).fetchone()
        if known is not None:
            return Opened(number, *known)
        (added,) = connection.execute(sql["embedder_add"], (embedder,)).fetchall()
        connection.execute(sql["waiting_all"], added)
        return Opened(number, added[0], 0)


def set_aside(connection: Connection, schema: str, number: int, sql: Mapping[str, bytes]) -> None:
    """Rename a damaged collection's schema, so that the next one to open it makes it again; nothing is deleted.

    Args:
        connection: Of an owner of the schema.
        schema: Its name.
        number: Its number when it was opened; another server may have set it aside since, and made it again.
        sql: The statements.

    Raises:
        psycopg.Error: The role may not do that, or the database does not answer.
    """
    with connection.transaction():
        connection.execute(sql["lock"])
        if _number(connection, schema) == number:
            aside = f"{schema[:_KEPT_CHARS]}_damaged_{number}"
            names = composed.Identifier(schema), composed.Identifier(aside)
            connection.execute(composed.SQL("ALTER SCHEMA {} RENAME TO {}").format(*names))
            log.warning("index.damaged", extra={"problem": f"A row was damaged. The schema is kept as {aside}."})


def _number(connection: Connection, schema: str) -> int:
    """Return the number of a schema; 0 if there is none."""
    row = connection.execute("SELECT oid::bigint FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone()
    return 0 if row is None else row[0]


def check_version(version: int | None, schema: str) -> None:
    """Raise ConfigError, with what to do, if the tables of a schema are not of this version; None: not ours."""
    if version == VERSION:
        return
    upgrade = version is not None and COPIED_SINCE <= version < VERSION
    raise ConfigError(
        f"The schema {schema} is of version {version}; this pincite needs {VERSION}. Serve it with the pincite that "
        + ("made it, or stop its servers and run pincite migrate --upgrade." if upgrade else "made it, or drop it.")
    )


def schema_exists(connection: Connection, schema: str) -> bool:
    """Return True if a schema has the tables of a collection."""
    return connection.execute("SELECT to_regclass(%s)", (f'"{schema}".meta',)).fetchall() != [(None,)]


def create_schema(connection: Connection, schema: str, sql: Mapping[str, bytes], source: str) -> None:
    """Create the tables of an empty collection."""
    connection.execute(composed.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(composed.Identifier(schema)))
    for statement in split_script(sql["schema"].decode()):
        connection.execute(statement.encode())
    connection.execute(sql["meta_put"], (VERSION, to_bytes(source)))


def check_extension(connection: Connection) -> None:
    """Make pgvector available.

    Raises:
        ConfigError: The server does not have it, or the role may not create it.
    """
    # Looked up first: a standby refuses the command also if there is nothing to create.
    if _has_extension(connection):
        return
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    except psycopg.Error as error:
        # Of servers that create it at the same moment all but one fail, once it is there.
        if _has_extension(connection):
            return
        raise ConfigError(
            "PostgreSQL has no extension `vector`. Install pgvector 0.7 or later and run CREATE EXTENSION vector.",
            details=str(error),
        ) from None


def _has_extension(connection: Connection) -> bool:
    return bool(connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchall())

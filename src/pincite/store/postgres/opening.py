"""Open a collection's schema: create it, check it, or refuse it."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
from psycopg import sql as composed

from pincite.errors import ConfigError
from pincite.store.postgres.columns import to_bytes
from pincite.store.postgres.connections import Connection
from pincite.store.postgres.sizes import EXACT_ROWS
from pincite.store.statements import split_script

_OWNED = (
    b"SELECT pg_has_role(relowner, 'USAGE') AND NOT current_setting('transaction_read_only')::boolean"
    b" FROM pg_class WHERE oid = 'near'::regclass"
)

_INDEX_MEMORY = (
    # Beyond this memory each vector is inserted on disk, ten times as slowly. Parallel workers would share it, and
    # containers have 64 MB of shared memory: without what an administrator has set there are none.
    b"SELECT set_config('max_parallel_maintenance_workers', '0', false),"
    b" set_config('maintenance_work_mem', '256MB', false)"
    b" WHERE pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('256MB')"
)

log = logging.getLogger(__name__)

VERSION = 2
"""Version of the tables: a schema with another one is refused."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A collection's schema.

    Attributes:
        embedder: The embedder's id in it.
        dimensions: Those of its vectors; 0 before the first.
    """

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
        found = connection.execute(sql["meta"]).fetchone()
        if found is None or found[0] != VERSION:
            raise ConfigError(
                f"The schema {schema} is of version {found and found[0]}; this pincite needs {VERSION}. Serve it with "
                "the pincite that made it, or drop the schema: it is rebuilt from its documents."
            )
        known = connection.execute(sql["embedder"], (embedder,)).fetchone()
        if known is not None:
            return Opened(*known)
        (added,) = connection.execute(sql["embedder_add"], (embedder,)).fetchall()
        connection.execute(sql["waiting_all"], added)
        return Opened(added[0], 0)


def create_near_indexes(connection: Connection, sql: Mapping[str, bytes]) -> None:
    """Create the index of every embedder's vectors that has none, in a collection that is too large to compare all.

    Writers do not wait for it. A role that does not own the tables may not create it: the search compares every vector
    then, until a role that owns them opens the collection. m and ef_construction are those of the study
    (docs/measurements.md): recall@10 .999 at 100,000 chunks.

    Args:
        connection: In no transaction.
        sql: The statements.
    """
    due = connection.execute(sql["near_indexes_due"], (EXACT_ROWS,)).fetchall()
    if not due:
        return
    ((is_owner,),) = connection.execute(_OWNED).fetchall()
    if not is_owner:
        log.warning("store.no_vector_index", extra={"embedder": due[0][0]})
        return
    # One process creates it; one that was interrupted left an index that no search uses.
    if not connection.execute(sql["near_index_lock"]).fetchall()[0][0]:
        return
    try:
        connection.execute(_INDEX_MEMORY)
        for embedder, dimensions in connection.execute(sql["near_indexes_due"], (EXACT_ROWS,)).fetchall():
            name = composed.Identifier(f"near_{embedder}")
            connection.execute(composed.SQL("DROP INDEX IF EXISTS {}").format(name))
            connection.execute(
                composed.SQL(
                    "CREATE INDEX CONCURRENTLY {name} ON near USING hnsw ((half::halfvec({n})) halfvec_ip_ops) "
                    "WITH (m = 16, ef_construction = 64) WHERE embedder = {embedder}"
                ).format(name=name, n=composed.Literal(dimensions), embedder=composed.Literal(embedder))
            )
    finally:
        connection.execute(sql["near_index_unlock"])


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
    # Asked first: a standby refuses the command also if there is nothing to create.
    if connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchall():
        return
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    except psycopg.Error as error:
        raise ConfigError(
            "PostgreSQL has no extension `vector`. Install pgvector 0.7 or later and run CREATE EXTENSION vector.",
            details=str(error),
        ) from None

"""The tables of an index file: made, rebuilt from an older version, or refused."""

import logging
import re
import sqlite3
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import ConfigError
from pincite.store.forward import index_stored
from pincite.store.rows import from_text, to_text
from pincite.store.sqlite.connections import connect, immediate, set_journal
from pincite.store.sqlite.ownership import APPLICATION, PAGE_BYTES
from pincite.store.statements import split_script

SCHEMA = 11
"""Version of the tables: a file with an older one is rebuilt, with a newer one refused."""

SAME_TEXTS_SINCE = 8
"""The oldest schema that differs from this one in its terms alone: they are made anew from the texts."""

SAME_VECTORS_SINCE = 6
"""The oldest schema whose embedders, vectors and embed hashes are still valid: a rebuild keeps them."""

VECTOR_TABLES = ("embedder", "vector")
TERM_TABLES = ("words", "forward", "term")

_CHUNKS_PER_BATCH = 1000

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Identity:
    """Identifies what an index was made from.

    Attributes:
        embedder: Identity of the embedder whose vectors are searched.
        source: The indexed folder.
    """

    embedder: str
    source: str


def prepare(
    path: Path, identity: Identity, sql: Mapping[str, str], journal: str, busy_timeout: float, *, owned: bool
) -> tuple[str, int]:
    """Make the tables of an index file, or check that they are this version's and of this folder.

    Args:
        path: The file.
        identity: What the index is made from.
        sql: The statements.
        journal: The journal mode to request.
        busy_timeout: Seconds to wait for another writer.
        owned: Whether the file may be created.

    Returns:
        The journal mode that was granted, and the embedder's id in the file.

    Raises:
        ConfigError: The file is another program's, another folder's index or a newer pincite's. It was not changed.
        sqlite3.Error: It cannot be read or written.
    """
    connection = connect(path, busy_timeout, create=owned)
    try:
        # Check before changing the journal mode, which would write to another program's database. One transaction
        # reads all of the header: another process may create the index between two statements.
        connection.execute("BEGIN")
        _refuse(connection)
        connection.execute("COMMIT")
        # Only a file without pages takes a page size.
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        granted = set_journal(connection, journal, busy_timeout)
        with immediate(connection):
            # Again under the write lock: another process may have created or rebuilt the index since.
            schema, _application, tables = _refuse(connection)
            if tables and SAME_TEXTS_SINCE <= schema < SCHEMA:
                _index_again(connection, sql)
            elif schema < SCHEMA:
                _create(connection, identity, sql, rebuilt_from=schema if tables else None)
            _check_source(connection, identity, sql)
            embedder = _switch_embedder(connection, identity, sql)
        return granted, embedder
    finally:
        connection.close()


def header(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Return the schema version, the application id and the number of tables of a file."""
    schema = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return schema, application, tables


def _refuse(connection: sqlite3.Connection) -> tuple[int, int, int]:
    schema, application, tables = header(connection)
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


def _create(
    connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str], *, rebuilt_from: int | None
) -> None:
    """Create the tables and drop an older schema's, if there are any; vectors are kept if they can be."""
    kept: Sequence[str] = ()
    if rebuilt_from is not None:
        _LOG.info("index of an older schema: it is rebuilt from the folder")
        kept = VECTOR_TABLES if rebuilt_from >= SAME_VECTORS_SINCE else ()
        for (table,) in connection.execute(sql["tables"]).fetchall():
            if table not in kept:
                connection.execute(f'DROP TABLE IF EXISTS "{table}"')
    for statement in split_script(sql["schema"]):
        if not any(statement.lstrip().startswith(f"CREATE TABLE {table} ") for table in kept):
            connection.execute(statement)
    start = {"generation": 0, "log_floor": 0, "tokens": 0, "last_indexed_ns": None, "embedder": identity.embedder}
    start["identity"] = uuid.uuid4().hex
    for item in (start | {"source": from_text(identity.source)}).items():
        connection.execute(sql["meta_put"], item)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _index_again(connection: sqlite3.Connection, sql: Mapping[str, str]) -> None:
    """Make the terms anew from the texts, whose source may be gone."""
    _LOG.info("index of an older schema: its words are indexed again")
    for table in TERM_TABLES:
        connection.execute(f"DROP TABLE {table}")
    for statement in split_script(sql["schema"]):
        if re.match(rf"\s*CREATE (VIRTUAL )?TABLE ({'|'.join(TERM_TABLES)}) ", statement):
            connection.execute(statement)
    connection.execute(sql["meta_put"], ("tokens", 0))
    chunks = connection.execute("SELECT id, span_start, span_end, context FROM chunk ORDER BY id")
    while rows := chunks.fetchmany(_CHUNKS_PER_BATCH):
        index_stored(connection, sql, rows)
    connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _check_source(connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str]) -> None:
    source = dict(connection.execute(sql["meta"]).fetchall())["source"]
    if to_text(source) != identity.source:
        raise ConfigError(
            "The file given for the index holds the index of another folder; it was not touched. Give --db another "
            "path, or delete the file if that folder has moved here."
        )


def _switch_embedder(connection: sqlite3.Connection, identity: Identity, sql: Mapping[str, str]) -> int:
    row = connection.execute(sql["embedder"], (identity.embedder,)).fetchone()
    if row is None:
        connection.execute(sql["embedder_add"], (identity.embedder,))
        row = connection.execute(sql["embedder"], (identity.embedder,)).fetchone()
        connection.execute(sql["waiting_all"], (row[0],))
    connection.execute(sql["meta_put"], ("embedder", identity.embedder))
    return row[0]

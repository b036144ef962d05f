"""A collection in PostgreSQL as the origin or the target of a copy; see `pincite.store.transfer`."""

import json
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from pincite.errors import ConfigError
from pincite.runtime.imports import import_once
from pincite.store.bm25 import Tokens
from pincite.store.postgres.columns import encoded_state
from pincite.store.postgres.connections import connect, translate
from pincite.store.postgres.near_indexes import create_near_indexes
from pincite.store.postgres.opening import (
    COPIED_SINCE,
    VERSION,
    check_extension,
    check_version,
    create_schema,
    schema_exists,
)
from pincite.store.postgres.writing import Writing
from pincite.store.rows import read
from pincite.store.statements import SQLITE, read_statements
from pincite.store.texts import PIECE_CHARS, chunk_texts
from pincite.store.transfer import CHUNK, NUMBERED, WORD, Row, Summary, Table
from pincite.store.writing import Limits

PARTIAL = "_migrating"
"""What the name of a schema ends with until it is whole."""

_FOLDER = Path(__file__).parent

_ANALYSED = ("document", "piece", "chunk", "vector", "near", "forward", "posting", "term", "word")

_FORWARD = "SELECT chunk_id, length, terms FROM forward WHERE chunk_id > %s ORDER BY chunk_id LIMIT %s"
_FORWARD_ROWS = 2_000

_NO_HISTORY = Limits(0, 0)


class PostgresOrigin:
    """A collection in a schema, read in one transaction. Not thread-safe.

    Args:
        dsn: Where the database is.
        schema: The collection's schema.
        timeout: Seconds to wait for the database.
        older: Whether the collection is one of an older version, or of this one.

    Raises:
        ConfigError: There is no such collection in the schema.
    """

    _version = VERSION

    def __init__(self, dsn: str, schema: str, *, timeout: float, older: bool = False) -> None:
        self._connect(dsn, schema, timeout)
        with self._closed_on_failure():
            if not schema_exists(self._connection, schema):
                raise ConfigError("The database does not have this collection. Check the folder, or --library.")
            self._check_version(schema, older=older)
            self._connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def summary(self) -> Summary:
        """See `Origin.summary`."""
        identity, generation, last_indexed = self._execute("SELECT identity, generation, last_indexed_ns FROM meta")[0]
        last_ids = {name: self._last_id(name) for name in NUMBERED}
        return Summary(identity, generation, last_indexed, last_ids)

    def rows(self, table: Table, after: Row | None, n: int) -> list[Row]:
        """See `Origin.rows`."""
        key = ", ".join(table.key)
        above = f"WHERE ({key}) > ({', '.join(['%s'] * len(table.key))})" if after else ""
        statement = f"SELECT {', '.join(table.columns)} FROM {table.name} {above} ORDER BY {key} LIMIT %s"  # noqa: S608
        return [_from_stored(table, row) for row in self._execute(statement, (*(after or ()), n))]

    def count(self, table: Table) -> int:
        """See `Origin.count`."""
        return int(self._execute(f"SELECT count(*) FROM {table.name}")[0][0])  # noqa: S608 - a name

    def frequencies(self) -> Iterator[tuple[str, int]] | None:
        """See `Origin.frequencies`."""
        return self._frequencies() if self._version == VERSION else None

    def _frequencies(self) -> Iterator[tuple[str, int]]:
        import_once("pincite.store.postgres.packed")
        from pincite.store.postgres.packed import to_sequences  # noqa: PLC0415 - imports numpy

        counts: Counter[int] = Counter()
        after = 0
        while rows := self._execute(_FORWARD, (after, _FORWARD_ROWS)):
            counts.update(to_sequences(rows).document_frequencies())  # type: ignore[arg-type]  # rows of three columns
            after = rows[-1][0]
        for number, term in self._execute("SELECT id, term FROM term ORDER BY term"):
            if counts[number]:
                yield term, counts[number]

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _connect(self, dsn: str, schema: str, timeout: float) -> None:
        self._connection = connect(dsn, schema, timeout=timeout)
        with _translated():
            # A copy has statements that take minutes: all of its terms are counted in one.
            self._connection.execute("SET statement_timeout = 0")
            self._connection.execute("SET idle_in_transaction_session_timeout = 0")

    @contextmanager
    def _closed_on_failure(self) -> Generator[None]:
        try:
            with _translated():
                yield
        except BaseException:
            self._connection.close()
            raise

    def _check_version(self, schema: str, *, older: bool) -> None:
        self._version = self._execute("SELECT version FROM meta")[0][0]
        if older and self._version == VERSION:
            raise ConfigError("The collection has the tables of this pincite already: serve it.")
        if not older or self._version not in range(COPIED_SINCE, VERSION):
            check_version(self._version, schema)

    def _last_id(self, table: str) -> int:
        ((sequence,),) = self._execute("SELECT pg_get_serial_sequence(%s, 'id')", (table,))
        last, is_called = self._execute(f"SELECT last_value, is_called FROM {sequence}")[0]  # noqa: S608 - a name
        return int(last) if is_called else 0

    def _execute(self, statement: str, arguments: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with _translated():
            cursor = self._connection.execute(statement.encode(), arguments)
            return cursor.fetchall() if cursor.description else []


class PostgresTarget(PostgresOrigin):
    """A collection in a new schema, which has its name once it is whole. Not thread-safe.

    Args:
        dsn: Where the database is.
        schema: The schema that it becomes.
        summary: That of the origin: what was copied of another state is not used.
        source: What the collection is made from.
        replace: Whether a schema of this name is replaced.
        timeout: Seconds to wait for the database.

    Raises:
        ConfigError: There is a schema of this name, or another process migrates to it.
    """

    def __init__(self, dsn: str, schema: str, summary: Summary, *, source: str, replace: bool, timeout: float) -> None:
        self._schema, self._partial, self._replace = schema, schema + PARTIAL, replace
        self._sql = {name: text.encode() for name, text in read_statements(_FOLDER / "postgres.sql").items()}
        self._tokens = Tokens(read_statements(SQLITE))
        self._connect(dsn, self._partial, timeout)
        with self._closed_on_failure():
            lock = "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))"
            if not self._execute(lock, (self._partial,))[0][0]:
                raise ConfigError("Another process migrates to this database. Wait for its end.")
            if schema_exists(self._connection, schema) and not replace:
                raise ConfigError("The database has this collection already. Replace it with --replace.")
            check_extension(self._connection)
            if not self._is_begun(summary):
                self._begin(summary, source)

    def last_key(self, table: Table) -> Row | None:
        """See `Target.last_key`."""
        order = ", ".join(f"{column} DESC" for column in table.key)
        statement = f"SELECT {', '.join(table.key)} FROM {table.name} ORDER BY {order} LIMIT 1"  # noqa: S608 - names
        rows = self._execute(statement)
        return rows[0] if rows else None

    def write(self, table: Table, rows: list[Row]) -> None:
        """See `Target.write`."""
        columns = ", ".join(table.columns)
        with _translated(), self._connection.transaction(), self._connection.cursor() as cursor:
            if table is WORD:
                cursor.execute(self._sql["word_put"], ([row[0] for row in rows],))
                return
            with cursor.copy(f"COPY {table.name} ({columns}) FROM STDIN".encode()) as copying:
                for row in rows:
                    copying.write_row(_to_stored(table, row))
            if table is CHUNK:
                self._index(rows)

    def finish(self, summary: Summary) -> None:
        """See `Target.finish`; the vectors' index is built here, in half the time of one that grows."""
        with _translated():
            for name, last in summary.last_ids.items():
                if last:
                    self._execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", (name, last))
            self._execute(
                "SELECT setval(pg_get_serial_sequence('vector', 'id'), max(id)) FROM vector HAVING max(id) > 0"
            )
            self._connection.execute(self._sql["count_terms"])
            create_near_indexes(self._connection, self._sql)
            for table in _ANALYSED:
                self._connection.execute(f"VACUUM (ANALYZE) {table}".encode())

    def publish(self) -> None:
        """See `Target.publish`."""
        names = sql.Identifier(self._schema), sql.Identifier(self._partial)
        with _translated(), self._connection.transaction():
            if self._replace:
                self._connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(names[0]))
            self._connection.execute(sql.SQL("ALTER SCHEMA {} RENAME TO {}").format(names[1], names[0]))

    def _is_begun(self, summary: Summary) -> bool:
        if not schema_exists(self._connection, self._partial):
            return False
        begun = self._execute("SELECT identity, generation, version FROM meta")
        return begun == [(summary.identity, summary.generation, VERSION)]

    def _begin(self, summary: Summary, source: str) -> None:
        with self._connection.transaction():
            partial = sql.Identifier(self._partial)
            self._connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(partial))
            create_schema(self._connection, self._partial, self._sql, source)
            # The change log is not copied: who is behind reads everything again.
            self._connection.execute(
                "UPDATE meta SET identity = %s, generation = %s, log_floor = %s, last_indexed_ns = %s",
                (summary.identity, summary.generation, summary.generation, summary.last_indexed_ns),
            )

    def _index(self, rows: Sequence[Row]) -> None:
        start, end, context = (CHUNK.columns.index(name) for name in ("span_start", "span_end", "context"))
        borders = {row[0]: (row[start], row[end]) for row in rows}
        pieces = self._connection.execute(self._sql["chunk_texts"], {"ids": list(borders), "size": PIECE_CHARS})
        texts = read(chunk_texts, pieces.fetchall(), borders)
        ((_, *state),) = self._connection.execute(self._sql["written_state"]).fetchall()
        writing = Writing(self._connection, self._sql, state, self._tokens, _NO_HISTORY)
        contexts = [row[context].decode("utf-8", "surrogatepass") for row in rows]
        tokens = writing.index(list(borders), contexts, [texts[chunk_id] for chunk_id in borders])
        self._connection.execute("UPDATE meta SET chunks = chunks + %s, tokens = tokens + %s", (len(rows), tokens))


def _from_stored(table: Table, row: Row) -> Row:
    return tuple(_value_from(column, value) for column, value in zip(table.columns, row, strict=True))


def _value_from(column: str, value: Any) -> Any:
    if column == "state":
        return tuple(map(int, json.loads(value)))
    return int(value) if column == "modified_ns" else value


def _to_stored(table: Table, row: Row) -> Row:
    pairs = zip(table.columns, row, strict=True)
    return tuple(encoded_state(value) if column == "state" else value for column, value in pairs)


@contextmanager
def _translated() -> Generator[None]:
    try:
        yield
    except psycopg.Error as error:
        raise translate(error) from error

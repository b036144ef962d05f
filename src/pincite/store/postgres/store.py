"""A store in PostgreSQL: BM25 from postings, HNSW or IVFFlat over half precision, one schema a collection."""

import math
import time
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql

from pincite.errors import IndexLost, TimeoutExceeded
from pincite.model.call import Call, seconds_until
from pincite.model.store import NewDocument, State, Unembedded
from pincite.store.base import KEPT_REVISIONS, Generation, IsCurrent, IsDeleted
from pincite.store.bm25 import Tokens
from pincite.store.lease import Lease
from pincite.store.matching import KeywordLimits
from pincite.store.postgres.columns import stored_name
from pincite.store.postgres.connections import (
    BEGIN,
    INT32_MAX,
    LOST,
    Connection,
    ConnectionLimits,
    Connections,
    connect,
    place,
    rows,
    translate,
)
from pincite.store.postgres.copy_keeper import CopyKeeper
from pincite.store.postgres.lease import PostgresLeaseRow
from pincite.store.postgres.near_indexes import NearIndexes, due_indexes
from pincite.store.postgres.opening import VERSION, Opened, check_extension, open_schema, set_aside
from pincite.store.postgres.reads import CopyReads, Row
from pincite.store.postgres.shared import Shared
from pincite.store.postgres.sizes import COPIED_CHUNKS, COPIED_ROWS, COUNTED_FROM, EXACT_ROWS
from pincite.store.postgres.snapshot import PostgresSnapshot
from pincite.store.postgres.writing import Writing
from pincite.store.rows import read, to_states, to_text, to_unembedded
from pincite.store.statements import SQLITE, read_statements
from pincite.store.texts import PIECE_CHARS, chunk_texts
from pincite.store.writing import Limits, remove_deleted, replace_current

if TYPE_CHECKING:
    from pincite.model.vector import Vector

_FOLDER = Path(__file__).parent

RECOUNT_SHARE = 0.05
"""Share of the chunks written since, from which the terms are counted anew: 1.1 s for 10 million postings."""


class PostgresStore:
    """One collection in one schema of a PostgreSQL database. Safe to use from many processes on many machines at once.

    Args:
        schema: The collection's schema; it is created.
        dsn: Where the database is.
        embedder: The embedder's identity.
        source: What the collection is made from, for a person who looks into the database.
        connections: Maximum number of connections of this process.
        busy_timeout: Seconds to wait for a connection that is free, or while another server writes.
        connect_seconds: Seconds to wait for the database when a connection is opened.
        statement_seconds: Seconds after which the database ends a statement.
        revisions: Number of replaced revisions kept per document.
        log_rows: Number of change log rows kept.
        keyword_limits: Limits of a keyword search.
        lease_seconds: Time without renewal after which the lease expires.
        copied_chunks: Maximum number of chunks of a collection that is copied into memory, to be searched there.

    Attributes:
        lease: The lease on bulk work.
        copies: Keeps the copy.
        near_indexes: Creates the index of the vectors of a large collection.

    Raises:
        ConfigError: The DSN is malformed, pgvector is missing, or the schema is of another version.
        ConnectionFailed: The database does not answer.
    """

    def __init__(
        self,
        schema: str,
        *,
        dsn: str,
        embedder: str,
        source: str,
        connections: int = 16,
        busy_timeout: float = 10.0,
        connect_seconds: float = 5.0,
        statement_seconds: float = 30.0,
        revisions: int = KEPT_REVISIONS,
        log_rows: int = 50_000,
        keyword_limits: KeywordLimits | None = None,
        lease_seconds: float = 5.0,
        copied_chunks: int = COPIED_CHUNKS,
    ) -> None:
        self._sql: Mapping[str, bytes] = {
            name: statement.encode() for name, statement in read_statements(_FOLDER / "postgres.sql").items()
        }
        self._dsn, self._schema = dsn, schema
        self._connection_limits = ConnectionLimits(connections, busy_timeout, connect_seconds, statement_seconds)
        self._limits = Limits(revisions, log_rows)
        self.near_indexes = NearIndexes(self._connect, self._sql)
        opened = self._open(embedder, source)
        self._number, self._embedder = opened.schema, opened.embedder
        self._connections = Connections(dsn, schema, self._connection_limits)
        self._tokens = Tokens(read_statements(SQLITE))
        self.copies = CopyKeeper(copied_chunks, self._copy_reads)
        self._shared = Shared(
            self._sql,
            self._embedder,
            self._tokens,
            keyword_limits or KeywordLimits(),
            self._connections.failure,
            partial(self._connections.answering, first=self._sql["numbers"], is_second=True),
            copies=self.copies,
        )
        self.lease = Lease(PostgresLeaseRow(self._connections, self._sql), lease_seconds)
        self._latest: Generation = 0

    def is_invalid(self) -> bool:
        """Return True if a statement met other tables than those that were opened, or an earlier generation.

        A database that was restored, or whose standby took over without the last transactions, goes back.
        """
        return self._connections.lost

    @contextmanager
    def snapshot(self, call: Call | None = None) -> Generator[PostgresSnapshot]:
        """Open a read view at the present generation; it does not block writers. Its statements end with the call."""
        latest = self._latest
        with self._connections.answering(call, self._sql["numbers"]) as (connection, (version, *numbers)):
            self._check_version(version)
            snapshot = PostgresSnapshot(connection, self._shared, numbers, call)
            self._follow(snapshot.generation, latest)
            try:
                yield snapshot
            finally:
                snapshot.end()

    def states(self, keys: Iterable[str] | None = None) -> tuple[Generation, dict[str, State]]:
        """See `Store.states`."""
        with self._connections.reading() as connection:
            generation: int = self._rows(connection, "generation")[0][0]
            if keys is None:
                return generation, read(to_states, self._rows(connection, "states"))
            parameters = {"keys": [stored_name(key) for key in keys]}
            return generation, read(to_states, self._rows(connection, "states_of", parameters))

    def stamps(self) -> Sequence[str]:
        """See `Store.stamps`."""
        with self._connections.lend() as connection:
            return [row[0] for row in self._rows(connection, "stamps")]

    def stamped(self, stamps: Collection[str]) -> Mapping[str, str]:
        """See `Store.stamped`."""
        with self._connections.lend() as connection:
            rows = self._rows(connection, "stamped", (list(stamps),))
            return {read(to_text, key): read(to_text, name) for key, name in rows}

    def waiting_documents(self) -> int:
        """See `Store.waiting_documents`."""
        with self._connections.lend() as connection:
            return self._rows(connection, "waiting_documents", (self._embedder,))[0][0]

    def generation(self) -> Generation:
        """See `Store.generation`; a round trip to the database, of about 0.1 ms on one machine."""
        latest = self._latest
        with self._connections.lend() as connection:
            generation: Generation = self._rows(connection, "generation")[0][0]
        self._follow(generation, latest)
        return generation

    def wait(self, generation: Generation, seconds: float) -> bool:
        """See `Store.wait`: the database notifies every server that waits."""
        deadline = time.monotonic() + seconds
        with self._connect() as listener:
            try:
                channel = self._rows(listener, "channel")[0][0]
                listener.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                # Compared after the subscription began, so that no change falls between the two.
                while self._rows(listener, "generation")[0][0] <= generation:
                    remaining = deadline - time.monotonic()
                    if remaining <= 0:
                        return False
                    for _ in listener.notifies(timeout=remaining, stop_after=1):
                        pass
            except psycopg.Error as error:
                raise translate(error) from error
        return True

    def replace(
        self, documents: Sequence[NewDocument], *, is_current: IsCurrent, deadline: float = math.inf
    ) -> list[str]:
        """See `Store.replace`."""
        with self._writing(deadline) as writing:
            return replace_current(writing, documents, is_current)

    def remove(self, keys: Sequence[str], *, is_deleted: IsDeleted, deadline: float = math.inf) -> None:
        """See `Store.remove`."""
        with self._writing(deadline) as writing:
            remove_deleted(writing, keys, is_deleted)

    def missing_vectors(self, n: int) -> list[Unembedded]:
        """See `Store.missing_vectors`."""
        with self._connections.reading() as connection:
            rows = self._rows(connection, "missing", (self._embedder, max(0, n)))
            borders = {row[0]: row[1:3] for row in rows}
            pieces = self._rows(connection, "chunk_texts", {"ids": list(borders), "size": PIECE_CHARS})
            texts = read(chunk_texts, pieces, borders)
        return [read(to_unembedded, *row[3:], texts[row[0]]) for row in rows]

    def put_vectors(self, rows: Mapping[bytes, "Vector"], *, deadline: float = math.inf) -> None:
        """See `Store.put_vectors`.

        Raises:
            InternalError: A vector has a non-finite number, or other dimensions than this embedder's.
        """
        blobs = {embed_hash: vector.astype("<f4").tobytes() for embed_hash, vector in rows.items()}
        with self._writing(deadline) as writing:
            writing.put_vectors(self._embedder, blobs)
            is_large = writing.total > EXACT_ROWS
        if is_large and not self.near_indexes.is_complete and not self._is_waiting():
            self.near_indexes.begin()

    def tidy(self, *, spare: int, most: int = 2_000, revisions: int = 20_000) -> int:
        """Delete unused vectors and the oldest revisions; count the terms anew if many chunks changed.

        Args:
            spare: Number of unused vectors to keep, newest first.
            most: Maximum number of vectors to delete.
            revisions: Number of replaced revisions to keep over all documents.

        Returns:
            Number of deleted vectors; 0 once nothing is left to delete.
        """
        with self._writing(math.inf) as writing:
            deleted = writing.tidy(self._embedder, spare=spare, most=most, revisions=revisions)
        # Each in a transaction of its own, so that other writers wait for one at a time.
        while self._tidy_segments():
            pass
        with self._writing(math.inf) as writing:
            writing.count_terms(RECOUNT_SHARE, COUNTED_FROM)
        self.near_indexes.create()
        return deleted

    def identity(self) -> str:
        """See `Store.identity`."""
        with self._connections.lend() as connection:
            return self._rows(connection, "identity")[0][0]

    def place(self) -> str:
        """Return the host, the database and the schema."""
        return place(self._dsn, self._schema)

    def size(self) -> int:
        """Return the bytes of the collection's tables and indices."""
        with self._connections.lend() as connection:
            return self._rows(connection, "size")[0][0]

    def close(self) -> None:
        """Close every connection; those in use when their snapshot ends."""
        self.copies.close()
        self._connections.close()

    def discard(self) -> None:
        """Close the store; the schema of a collection with a damaged row is renamed to `…_damaged_…`."""
        self.close()
        if self._connections.damaged:
            try:
                with self._connect() as connection:
                    set_aside(connection, self._schema, self._number, self._sql)
            except psycopg.Error as error:
                raise translate(error) from error

    @contextmanager
    def _copy_reads(self) -> Generator[CopyReads]:
        """Open a snapshot that is read in batches, on a connection beyond those that answer calls."""
        with self._connect() as connection:
            try:
                connection.execute(BEGIN)
                version, generation, floor, _, total, *_ = self._rows(connection, "numbers")[0]
                self._check_version(version)

                def every(name: str, arguments: Any) -> list[Row]:
                    return self._rows(connection, name, arguments)

                def batches(name: str, arguments: Any) -> Iterator[list[Row]]:
                    with connection.cursor("pincite_copy", binary=True) as cursor:
                        cursor.execute(self._sql[name], arguments)
                        while batch := cursor.fetchmany(COPIED_ROWS):
                            yield batch

                yield CopyReads(generation, floor, total, self._embedder, every, batches)
                connection.rollback()
            except psycopg.Error as error:
                raise translate(error) from error

    def _tidy_segments(self) -> bool:
        with self._writing(math.inf) as writing:
            return writing.tidy_segments()

    def _is_waiting(self) -> bool:
        with self._connections.lend() as connection:
            return self._rows(connection, "is_waiting", (self._embedder,))[0][0]

    def _connect(self) -> Connection:
        """Open a connection beyond those that answer calls."""
        return connect(self._dsn, self._schema, timeout=self._connection_limits.connect_seconds)

    def _open(self, embedder: str, source: str) -> Opened:
        with self._connect() as connection:
            try:
                check_extension(connection)
                opened = open_schema(connection, self._schema, self._sql, embedder=embedder, source=source)
                is_due = bool(due_indexes(connection, self._sql))
            except psycopg.Error as error:
                raise translate(error) from error
        if is_due:
            self.near_indexes.begin()
        return opened

    def _check_version(self, version: int) -> None:
        """Raise IndexLost if the tables were upgraded since they were opened."""
        if version != VERSION:
            self._connections.mark_lost()
            raise IndexLost(LOST, details=f"tables of version {version}")

    def _follow(self, generation: Generation, latest: Generation) -> None:
        """Note a generation; `latest` was noted before it was read.

        Raises:
            IndexLost: It is an earlier one: what is known of the generations since is not true any more.
        """
        if generation < latest:
            self._connections.mark_lost()
            raise IndexLost(LOST, details=f"generation {generation} after {latest}")
        self._latest = max(self._latest, generation)

    @contextmanager
    def _writing(self, deadline: float) -> Generator[Writing]:
        """Run the with-block in a write transaction; an error or the deadline rolls it back."""
        seconds = min(self._connection_limits.timeout, seconds_until(deadline))
        if seconds <= 0:
            raise TimeoutExceeded("The document could not be written in time. Ask again.")
        timeout = f"SET LOCAL lock_timeout = {min(max(1, int(seconds * 1000)), INT32_MAX)}".encode()
        begin = b"; ".join((b"BEGIN", timeout, self._sql["lock"], self._sql["written_state"]))
        # A connection that is returned in a transaction is rolled back.
        with self._connections.lend() as connection:
            cursor = connection.execute(begin, prepare=False)  # which several statements cannot be
            cursor.set_result(-1)
            version, generation, fresh, chunks = cursor.fetchall()[0]
            self._check_version(version)
            state = generation, fresh, chunks
            writing = Writing(connection, self._sql, state, self._tokens, self._limits, deadline)
            yield writing
            writing.finish()
            connection.commit()

    def _rows(self, connection: Connection, name: str, arguments: Any = ()) -> list[tuple[Any, ...]]:
        return rows(connection, self._sql[name], arguments)

"""A store in one SQLite file: FTS5 for keyword search, an exact scan in memory for vectors."""

import contextlib
import math
import os
import sqlite3
import threading
import time
import uuid
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import ConfigError, TimeoutExceeded
from pincite.model.call import Call, seconds_until
from pincite.model.search import Counts
from pincite.model.store import NewDocument, State, Unembedded
from pincite.store.base import KEPT_REVISIONS, Generation, IsCurrent, IsDeleted
from pincite.store.bm25 import Tokens
from pincite.store.lease import Lease
from pincite.store.matching import KeywordLimits
from pincite.store.rows import Malformed, from_text, read, to_states, to_text, to_unembedded
from pincite.store.sqlite.connections import DAMAGED, Connections, immediate
from pincite.store.sqlite.lease import SqliteLeaseRow
from pincite.store.sqlite.opening import file_size, is_empty, open_file, set_aside
from pincite.store.sqlite.ownership import VECTORS, inode, sibling
from pincite.store.sqlite.schema import SCHEMA, Identity
from pincite.store.sqlite.snapshot import Shared, SqliteSnapshot
from pincite.store.sqlite.writing import Writing
from pincite.store.statements import SQLITE, array_of, read_statements
from pincite.store.texts import PIECE_CHARS, chunk_texts
from pincite.store.writing import Limits, remove_deleted, replace_current

if TYPE_CHECKING:
    from pincite.model.vector import Vector


_BUSY = "The index is being written. Try again."

POLL_SECONDS = 0.05
"""Interval at which `wait` polls for writes of other processes; a poll takes microseconds."""

_PROGRESS_OPCODES = 10_000
"""SQLite opcodes between two deadline checks: about a millisecond."""


class SqliteStore:
    """One collection in one file. Safe to use from several threads and processes at once.

    The file can be derived from its source at any time: with an older schema it is rebuilt, if damaged it
    is moved aside (`.damaged`) and replaced. Vectors of other embedders are kept but not searched.

    Args:
        path: The file; its folder is created if missing.
        embedder: The embedder's identity.
        source: The indexed folder.
        journal: The journal mode to request.
        busy_timeout: Seconds to wait while another process writes.
        revisions: Number of replaced revisions kept per document.
        log_rows: Number of change log rows kept; a reader that is further behind reads everything again.
        keyword_limits: Limits of a keyword search.
        idle_connections: Maximum number of idle connections kept open.
        lease_seconds: Time without renewal after which the lease expires.
        owned: Whether the file is in pincite's cache; elsewhere a file without pincite's mark is refused.

    Attributes:
        path: The file, without symbolic links; a private copy if the file is not writable.
        journal_mode: The journal mode that was granted: `wal`, or what the disk allows.
        lease: The lease on bulk work.

    Raises:
        ConfigError: The file is another program's, another folder's or a newer pincite's (it
            was not changed), or it cannot be opened.
    """

    def __init__(
        self,
        path: Path,
        *,
        embedder: str,
        source: str,
        journal: str = "wal",
        busy_timeout: float = 10.0,
        revisions: int = KEPT_REVISIONS,
        log_rows: int = 50_000,
        keyword_limits: KeywordLimits | None = None,
        idle_connections: int = 8,
        lease_seconds: float = 5.0,
        owned: bool = False,
    ) -> None:
        self._sql = read_statements(SQLITE)
        self._limits = Limits(revisions, log_rows)
        identity = Identity(embedder, source)
        self._opened = open_file(path, identity, self._sql, journal=journal, busy_timeout=busy_timeout, owned=owned)
        self.path = self._opened.path
        self.journal_mode = self._opened.journal
        self._file = inode(self.path)
        self._busy_timeout = busy_timeout
        self._connections = Connections(
            self.path,
            journal=self.journal_mode,
            busy_timeout=busy_timeout,
            idle=idle_connections,
            prepare=self._sql["words_by_instance"],
        )
        self._shared = Shared(self._sql, self._opened.embedder, keyword_limits or KeywordLimits(), Tokens(self._sql))
        # On a disk that may vanish, as a network's, a mapped file ends the process. With WAL, SQLite maps one itself.
        if self.journal_mode == "wal" and self._opened.copy is None:
            self._shared.vectors_path = sibling(self.path, VECTORS)
        self.lease = Lease(SqliteLeaseRow(self._connections, self._sql), lease_seconds)
        self._write_lock = threading.Lock()
        self._written = threading.Condition()
        self._states_lock = threading.Lock()
        self._states: tuple[Generation, dict[str, State]] | None = None

    def is_invalid(self) -> bool:
        """Return True if the file was deleted, replaced (the open one has no name then) or found damaged."""
        return inode(self.path) != self._file or self._is_damaged()

    @contextmanager
    def snapshot(self, call: Call | None = None) -> Generator[SqliteSnapshot]:
        """Open a read view at the present generation; it does not block writers (in WAL mode)."""
        del call  # a file's statements take milliseconds
        with self._connections.lend() as connection:
            # A deferred transaction fixes its state with its first read, which is of the generation.
            connection.execute("BEGIN")
            snapshot = SqliteSnapshot(connection, self._shared)
            try:
                yield snapshot
            finally:
                snapshot.end()

    def states(self, keys: Iterable[str] | None = None) -> tuple[Generation, dict[str, State]]:
        """See `Store.states`."""
        with self._connections.lend() as connection:
            connection.execute("BEGIN")
            generation = connection.execute(self._sql["generation"]).fetchone()[0]
            if keys is None:
                with self._states_lock:
                    cached = self._states
                    if cached is None or cached[0] != generation:
                        rows = connection.execute(self._sql["states"]).fetchall()
                        cached = self._states = generation, read(to_states, rows)
                    return cached[0], dict(cached[1])
            return generation, read(to_states, self._states_of(connection, [from_text(key) for key in keys]))

    def _states_of(self, connection: sqlite3.Connection, keys: Sequence[str | bytes]) -> list[tuple[Any, Any]]:
        """Return the rows of `to_states` of some documents."""
        texts = [key for key in keys if isinstance(key, str)]
        if len(texts) == len(keys) > 1:
            return connection.execute(self._sql["states_of"], (array_of(texts),)).fetchall()
        rows = (connection.execute(self._sql["state"], (key,)).fetchone() for key in keys)
        return [row for row in rows if row]

    def identity(self) -> str:
        """See `Store.identity`; a file of an earlier version gets its id with the first question for it."""
        with self._connections.lend() as connection:
            row = connection.execute(self._sql["identity"]).fetchone()
            if row is None:
                with immediate(connection):
                    connection.execute(self._sql["identity_put"], (uuid.uuid4().hex,))
                row = connection.execute(self._sql["identity"]).fetchone()
            return str(row[0])

    def stamps(self) -> Sequence[str]:
        """See `Store.stamps`."""
        with self._connections.lend() as connection:
            return [row[0] for row in connection.execute(self._sql["stamps"])]

    def stamped(self, stamps: Collection[str]) -> Mapping[str, str]:
        """See `Store.stamped`."""
        with self._connections.lend() as connection:
            rows = connection.execute(self._sql["stamped"], (array_of(stamps),))
            return {read(to_text, key): read(to_text, name) for key, name in rows}

    def waiting_documents(self) -> int:
        """See `Store.waiting_documents`."""
        with self._connections.lend() as connection:
            return connection.execute(self._sql["waiting_documents"], (self._shared.embedder,)).fetchone()[0]

    def generation(self) -> Generation:
        """See `Store.generation`."""
        with self._connections.lend() as connection:
            return connection.execute(self._sql["generation"]).fetchone()[0]

    def wait(self, generation: Generation, seconds: float) -> bool:
        """See `Store.wait`; writes of other processes are noticed within `POLL_SECONDS`."""
        deadline = time.monotonic() + seconds
        while self.generation() <= generation:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                return False
            with self._written:
                self._written.wait(min(remaining, POLL_SECONDS))
        return True

    def replace(
        self,
        documents: Sequence[NewDocument],
        *,
        is_current: IsCurrent,
        deadline: float = math.inf,
    ) -> list[str]:
        """See `Store.replace`.

        A document that is stored with the same fingerprint and revision keeps its chunks; only
        its file state is updated.
        """
        with self._writing(deadline) as writing:
            return replace_current(writing, documents, is_current)

    def remove(self, keys: Sequence[str], *, is_deleted: IsDeleted, deadline: float = math.inf) -> None:
        """See `Store.remove`."""
        with self._writing(deadline) as writing:
            remove_deleted(writing, keys, is_deleted)

    def missing_vectors(self, n: int) -> list[Unembedded]:
        """See `Store.missing_vectors`."""
        rows: dict[bytes, tuple[Any, ...]] = {}
        with self._connections.lend() as connection:
            connection.execute("BEGIN")
            cursor = connection.execute(self._sql["missing"], (self._shared.embedder,))
            for row in cursor:
                if len(rows) >= n:
                    break
                rows.setdefault(row[3], row)
            cursor.close()
            borders = {row[0]: row[1:3] for row in rows.values()}
            pieces = connection.execute(self._sql["chunk_texts"], (array_of(borders), PIECE_CHARS))
            texts = read(chunk_texts, pieces, borders)
        return [read(to_unembedded, *row[3:], texts[row[0]]) for row in rows.values()]

    def put_vectors(self, rows: Mapping[bytes, "Vector"], *, deadline: float = math.inf) -> None:
        """See `Store.put_vectors`.

        Raises:
            InternalError: A vector has a non-finite number, or other dimensions than this embedder's.
        """
        blobs = {embed_hash: vector.astype("<f4").tobytes() for embed_hash, vector in rows.items()}
        with self._writing(deadline) as writing:
            writing.put_vectors(self._shared.embedder, blobs)

    def tidy(self, *, spare: int, most: int = 2_000, revisions: int = 20_000) -> int:
        """Delete unused vectors and the oldest revisions, in one short transaction.

        Args:
            spare: Number of unused vectors to keep, newest first, so that a rename, an undo or a switch
                back to another embedder embeds nothing again.
            most: Maximum number of vectors to delete.
            revisions: Number of replaced revisions to keep over all documents.

        Returns:
            Number of deleted vectors; 0 once nothing is left to delete.
        """
        rows: list[tuple[int]] = []
        with self._connections.lend() as connection:
            if connection.execute(self._sql["has_spare_vectors"], (spare,)).fetchone():
                arguments = (self._shared.embedder, spare, most)
                rows = connection.execute(self._sql["spare_vectors"], arguments).fetchall()
        with self._writing() as writing:
            deleted = writing.tidy(self._shared.embedder, [row[0] for row in rows], revisions)
        if not deleted:
            with self.snapshot() as snapshot:
                snapshot.keep_vectors()
        return deleted

    def place(self) -> str:
        """Return the path of the file."""
        return str(self.path)

    def size(self) -> int:
        """Return the bytes on disk, including the write-ahead log."""
        return file_size(self.path)

    def close(self) -> None:
        """Close every connection; those in use when their snapshot ends."""
        self._connections.close()
        self._opened.close()

    def discard(self) -> None:
        """See `Store.discard`; a damaged file is renamed to `.damaged`."""
        # Both before closing, which releases the header's handle.
        damaged, ours = self._is_damaged(), self._opened.is_ours()
        if not ours:
            self._drop_log()
        self.close()
        if damaged and ours and self._opened.copy is None:
            set_aside(self.path, self._file, owned=self._opened.owned)

    def _is_damaged(self) -> bool:
        # SQLite treats a truncated file as a new database and reports no error.
        return self._connections.damaged or is_empty(self.path)

    def _drop_log(self) -> None:
        """Empty SQLite's log, which it would checkpoint into a file that another program has overwritten in place."""
        with contextlib.suppress(OSError):
            if inode(self.path) == self._file:
                os.truncate(sibling(self.path, "-wal"), 0)

    @contextmanager
    def _writing(self, deadline: float = math.inf) -> Generator[Writing]:
        """Run the with-block in a write transaction; an error or the deadline rolls it back."""
        # Threads of this process queue here rather than in SQLite, whose busy handler sleeps between attempts.
        if not self._write_lock.acquire(timeout=seconds_until(deadline)):
            raise TimeoutExceeded(_BUSY)
        try:
            with self._connections.lend() as connection, self._bounded(connection, deadline), immediate(connection):
                self._check_owner(connection)
                generation = connection.execute(self._sql["generation"]).fetchone()[0] + 1
                writing = Writing(connection, self._sql, generation, time.time_ns(), self._limits, deadline)
                yield writing
                writing.finish()
            if writing.changed:
                self._update_states(generation, writing.states)
                self._update_counts(generation, writing.count_changes)
                with self._written:
                    self._written.notify_all()
        finally:
            self._write_lock.release()

    @contextmanager
    def _bounded(self, connection: sqlite3.Connection, deadline: float) -> Generator[None]:
        """Limit lock waits and statements in the with-block to a deadline; SQLite raises an error when it passes."""
        if deadline == math.inf:
            yield
            return
        seconds = min(self._busy_timeout, seconds_until(deadline))
        connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _PROGRESS_OPCODES)
        try:
            yield
        finally:
            connection.set_progress_handler(None, _PROGRESS_OPCODES)
            connection.execute(f"PRAGMA busy_timeout = {int(self._busy_timeout * 1000)}")

    def _update_states(self, generation: Generation, states: Mapping[str, State | None]) -> None:
        """Apply the states just written to the cached ones."""
        with self._states_lock:
            cached = self._states
            if cached is None or cached[0] != generation - 1:  # another process wrote in between
                return
            for key, state in states.items():
                if state is None:
                    cached[1].pop(key, None)
                else:
                    cached[1][key] = state
            self._states = generation, cached[1]

    def _update_counts(self, generation: Generation, changes: Counts) -> None:
        """Apply the change just written to the cached numbers: to count them anew is a scan of all documents."""
        counted, counts = self._shared.total
        if counted == generation - 1:
            self._shared.total = generation, Counts(*map(sum, zip(counts, changes, strict=True)))

    def _check_owner(self, connection: sqlite3.Connection) -> None:
        if not self._opened.is_ours():
            raise Malformed(DAMAGED)
        # Another version of pincite may have rebuilt the file while this process had it open.
        schema = connection.execute("PRAGMA user_version").fetchone()[0]
        if schema != SCHEMA:
            raise ConfigError(
                "Another server rebuilt this index with another version of pincite. "
                "Restart this server, or give each its own index (--db)."
            )

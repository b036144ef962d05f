"""The store of one machine: a SQLite file, FTS5 for words, the vectors scanned in memory."""

import contextlib
import math
import os
import sqlite3
import threading
import time
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import ConfigError, TimeoutExceeded
from pincite.model.call import seconds_until
from pincite.model.chunk import Chunk
from pincite.model.store import DocumentRow, FileState
from pincite.store.base import Generation, IsCurrent, IsDeleted
from pincite.store.connections import DAMAGED, Connections
from pincite.store.lease import Lease
from pincite.store.lexicon import Tokens
from pincite.store.matching import KeywordLimits
from pincite.store.opening import SCHEMA, Identity, file_size, immediate, is_empty, open_file, set_aside
from pincite.store.ownership import inode, sibling
from pincite.store.rows import Malformed, from_text, read, to_states, to_text
from pincite.store.snapshot import Shared, SqliteSnapshot
from pincite.store.statements import read_statements
from pincite.store.writing import Limits, Writing
from pincite.text.embed_text import embed_text

if TYPE_CHECKING:
    from pincite.model.vector import Vector

_STATEMENTS = Path(__file__).with_name("sqlite.sql")

_BUSY = "The index is being written. Try again."

_STEPS = 10_000
"""Instructions of SQLite's machine between two looks at the clock: about a millisecond."""


class SqliteStore:
    """Keeps one collection in one file. Safe to use from several threads and processes at once.

    The file is derived from its source: one of an older schema is rebuilt, a damaged one is moved
    aside (`.damaged`) and begun anew, and one that was cut by another policy loses its documents
    when it is opened, so that they are read again. Another embedder's vectors are kept, never used.

    Args:
        path: The file; its folder is made if need be.
        embedder: The embedder's identity.
        policy: All that decides where documents are cut, reader versions included.
        source: The folder that the index is made from.
        journal: The journal mode to ask for.
        busy_timeout: Seconds to wait while another process writes.
        revisions: How many old revisions of a document are remembered.
        log_rows: How many rows of the change log are kept; a reader that is further behind
            reads everything again.
        keyword_limits: What a word search is held to.
        idle_connections: How many connections are kept open unused.
        lease_seconds: After so long without a sign of life the holder of the lease counts as dead.
        owned: Whether the file lies in pincite's cache; anywhere else a file that does not bear pincite's
            mark is refused.

    Attributes:
        path: The file, without symbolic links; a private copy of one that cannot be written.
        journal_mode: The journal mode that was granted: `wal`, or what the disk allows.
        lease: The right to bulk work.

    Raises:
        ConfigError: The file is another program's, another folder's or a newer pincite's (it
            was not touched), or it cannot be opened.
    """

    def __init__(
        self,
        path: Path,
        *,
        embedder: str,
        policy: str,
        source: str,
        journal: str = "wal",
        busy_timeout: float = 10.0,
        revisions: int = 20,
        log_rows: int = 50_000,
        keyword_limits: KeywordLimits | None = None,
        idle_connections: int = 8,
        lease_seconds: float = 5.0,
        owned: bool = False,
    ) -> None:
        self._sql = read_statements(_STATEMENTS)
        self._policy = policy
        self._limits = Limits(revisions, log_rows)
        identity = Identity(embedder, policy, source)
        self._opened = open_file(path, identity, self._sql, journal=journal, busy_timeout=busy_timeout, owned=owned)
        self.path = self._opened.path
        self.journal_mode = self._opened.journal
        self._file = inode(self.path)
        self._connections = Connections(
            self.path,
            journal=self.journal_mode,
            busy_timeout=busy_timeout,
            idle=idle_connections,
            prepare=self._sql["words_by_instance"],
        )
        self._shared = Shared(self._sql, self._opened.embedder, keyword_limits or KeywordLimits(), Tokens(self._sql))
        self.lease = Lease(self._connections, self._sql, lease_seconds)
        self._write_lock = threading.Lock()
        self._keeping = threading.Lock()
        self._states: tuple[Generation, dict[str, FileState]] | None = None

    def is_invalid(self) -> bool:
        """Whether the file was deleted, replaced (what is open then is a file without a name) or found damaged."""
        return inode(self.path) != self._file or self._is_damaged()

    @contextmanager
    def snapshot(self) -> Generator[SqliteSnapshot]:
        """Open a consistent state for reading; writers are not held up by it (in WAL mode)."""
        with self._connections.lend() as connection:
            # A deferred transaction takes its state with the first read: the snapshot's generation.
            connection.execute("BEGIN")
            snapshot = SqliteSnapshot(connection, self._shared)
            try:
                yield snapshot
            finally:
                snapshot.end()

    def states(self, names: Iterable[str] | None = None) -> tuple[Generation, dict[str, FileState]]:
        """The generation, and file states by document name: of every document, or of these."""
        with self._connections.lend() as connection:
            connection.execute("BEGIN")
            generation = connection.execute(self._sql["generation"]).fetchone()[0]
            if names is None:
                with self._keeping:
                    kept = self._states
                    if kept is None or kept[0] != generation:
                        rows = connection.execute(self._sql["states"]).fetchall()
                        kept = self._states = generation, read(to_states, rows)
                    return kept[0], dict(kept[1])
            found = (connection.execute(self._sql["state"], (from_text(name),)).fetchone() for name in names)
            return generation, read(to_states, [row for row in found if row])

    def waiting_documents(self) -> int:
        """How many documents have a chunk without vector (microseconds where there is none)."""
        with self._connections.lend() as connection:
            return connection.execute(self._sql["waiting_documents"], (self._shared.embedder,)).fetchone()[0]

    def generation(self) -> Generation:
        """The present generation (microseconds)."""
        with self._connections.lend() as connection:
            return connection.execute(self._sql["generation"]).fetchone()[0]

    def replace(
        self,
        documents: Sequence[tuple[DocumentRow, Sequence[Chunk]]],
        *,
        is_current: IsCurrent,
        deadline: float = math.inf,
    ) -> list[str]:
        """Write documents and their chunks in one transaction; see `store.base.Store.replace`.

        A document that is stored with the same fingerprint and revision keeps its chunks; only
        its file state is refreshed.

        Returns:
            Names of the documents for which `is_current` said no.
        """
        left_out: list[str] = []
        with self._writing(deadline) as writing:
            for row, chunks in documents:
                if is_current(row):
                    writing.replace(row, chunks)
                else:
                    left_out.append(row.name)
        return left_out

    def remove(self, names: Sequence[str], *, is_deleted: IsDeleted, deadline: float = math.inf) -> None:
        """Remove documents in one transaction; each is asked `is_deleted(name)` with the write lock held."""
        with self._writing(deadline) as writing:
            for name in names:
                if is_deleted(name):
                    writing.remove(name)

    def missing_vectors(self, n: int) -> list[tuple[bytes, str]]:
        """Up to n (embed hash, text to embed) that have no vector yet, oldest chunk first, each hash once."""
        texts: dict[bytes, str] = {}
        with self._connections.lend() as connection:
            rows = connection.execute(self._sql["missing"], (self._shared.embedder,))
            for embed_hash, context, text, start in rows:
                if len(texts) >= n:
                    break
                if embed_hash not in texts:
                    texts[embed_hash] = embed_text(read(to_text, context), read(to_text, text), start)
            rows.close()
        return list(texts.items())

    def put_vectors(self, rows: Mapping[bytes, "Vector"], *, deadline: float = math.inf) -> None:
        """Write vectors by embed hash, in one transaction; a hash that is there already is skipped.

        Raises:
            InternalError: A vector is not finite, or not as long as the ones of this embedder.
        """
        blobs = {embed_hash: vector.astype("<f4").tobytes() for embed_hash, vector in rows.items()}
        with self._writing(deadline) as writing:
            writing.put_vectors(self._shared.embedder, blobs)

    def tidy(self, *, spare: int = 20_000, most: int = 2_000, revisions: int = 20_000) -> int:
        """Forget what nothing needs any more, in one short transaction.

        Args:
            spare: How many vectors that no chunk needs are kept, newest first (a rename, an undo or
                a switch back of the embedder embeds nothing).
            most: How many are deleted at most.
            revisions: How many old revisions are kept, of all documents together.

        Returns:
            How many vectors were deleted; 0 once nothing is left.
        """
        with self._connections.lend() as connection:
            arguments = (self._shared.embedder, spare, most)
            rows = connection.execute(self._sql["spare_vectors"], arguments).fetchall()
        with self._writing() as writing:
            return writing.tidy(self._shared.embedder, [row[0] for row in rows], revisions)

    def size(self) -> int:
        """What the index takes on disk, the write-ahead log included."""
        return file_size(self.path)

    def close(self) -> None:
        """Close every connection; one that is in use, when its snapshot ends."""
        self._connections.close()
        self._opened.close()

    def discard(self) -> None:
        """Close every connection and move a file that was found damaged aside, as `.damaged`.

        Raises:
            ConfigError: It cannot be moved.
        """
        damaged, ours = self._is_damaged(), self._opened.is_ours()
        if not ours:
            self._drop_log()
        self.close()
        if damaged and ours and self._opened.copy is None:
            set_aside(self.path, self._file, owned=self._opened.owned)

    def _is_damaged(self) -> bool:
        # SQLite takes an emptied file for a new database, and finds nothing wrong with it.
        return self._connections.damaged or is_empty(self.path)

    def _drop_log(self) -> None:
        """Keep SQLite from copying its log over a file that was overwritten in place and is no index any more."""
        with contextlib.suppress(OSError):
            if inode(self.path) == self._file:
                os.truncate(sibling(self.path, "-wal"), 0)

    @contextmanager
    def _writing(self, deadline: float = math.inf) -> Generator[Writing]:
        """One transaction. It is undone by an error, where it changed nothing, and where it is not over in time."""
        if not self._write_lock.acquire(timeout=seconds_until(deadline)):
            raise TimeoutExceeded(_BUSY)
        try:
            with self._connections.lend() as connection, _bounded(connection, deadline), immediate(connection):
                self._check_owner(connection)
                generation = connection.execute(self._sql["generation"]).fetchone()[0] + 1
                writing = Writing(connection, self._sql, generation, time.time_ns(), self._limits, deadline)
                yield writing
                writing.finish()
            if writing.changed:
                self._keep(generation, writing.states)
        finally:
            self._write_lock.release()

    def _keep(self, generation: Generation, states: Mapping[str, FileState | None]) -> None:
        """Bring the states in memory up to what was just written."""
        with self._keeping:
            kept = self._states
            if kept is None or kept[0] != generation - 1:  # another process wrote in between
                return
            for name, state in states.items():
                if state is None:
                    kept[1].pop(name, None)
                else:
                    kept[1][name] = state
            self._states = generation, kept[1]

    def _check_owner(self, connection: sqlite3.Connection) -> None:
        if not self._opened.is_ours():
            raise Malformed(DAMAGED)
        schema = connection.execute("PRAGMA user_version").fetchone()[0]
        if schema != SCHEMA or connection.execute(self._sql["policy"]).fetchone()[0] != self._policy:
            raise ConfigError(
                "Another server rebuilt this index with other settings or another version of pincite. "
                "Restart this server, or give each its own index (--db)."
            )


@contextmanager
def _bounded(connection: sqlite3.Connection, deadline: float) -> Generator[None]:
    """Statements wait for the file no longer than until then, and end with an error where they take longer."""
    if deadline == math.inf:
        yield
        return
    busy_ms = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    connection.execute(f"PRAGMA busy_timeout = {min(busy_ms, int(seconds_until(deadline) * 1000))}")
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS)
    try:
        yield
    finally:
        connection.set_progress_handler(None, _STEPS)
        connection.execute(f"PRAGMA busy_timeout = {busy_ms}")

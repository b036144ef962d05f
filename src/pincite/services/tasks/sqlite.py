"""The task table in SQLite, which is the queue."""

import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.errors import ConfigError, InternalError, TimeoutExceeded, WritingFailed
from pincite.model.task import NewTask, Task, TaskProgress, TaskStatus
from pincite.runtime.private_files import create, make_folder, tighten
from pincite.services.tasks.base import Claim, Outcome
from pincite.services.tasks.rows import from_error, from_new, from_progress, spent, to_task
from pincite.store.sqlite.connections import result_code, set_journal
from pincite.store.statements import read_statements, split_script

APPLICATION = 0x50435451
"""`PCTQ`: marks a file as a task database of pincite's."""

SCHEMA, UPGRADED_SCHEMA = 2, 1
"""Versions of the table: the one in force, and that which gets its new columns; a file with another one is refused, for
its tasks cannot be made again."""

BUSY_SECONDS = 10.0
"""Wait for another process's transaction, which takes milliseconds."""

_UNAVAILABLE = (
    "The task database cannot be {doing}. Check its disk and its permissions, or place it elsewhere (DB_PATH)."
)


class SqliteTasks:
    """Implements `TaskQueue` and `TaskRecords` in one file. Thread-safe, and shared by processes.

    Every change is one transaction that is on the disk when the method returns.
    """

    def __init__(self, path: Path, *, lease: float, max_attempts: int, announce: bool = False) -> None:
        """Open the database; create it if it is missing.

        Args:
            path: The file.
            lease: Seconds without a beat after which another worker may take a task up.
            max_attempts: How often a task is taken up, when its worker did not finish it.
            announce: Whether finished tasks are to be announced, see `announcement`.

        Raises:
            ConfigError: It cannot be opened, or is another program's, or another version's.
        """
        self._lease = lease
        self._max_attempts = max_attempts
        self._announce = announce
        self._lock = threading.Lock()
        self._sql = read_statements(Path(__file__).with_name("sqlite.sql"))
        try:
            make_folder(path.parent)
            create(path)
            tighten(path)
            self._connection = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(_UNAVAILABLE.format(doing="opened"), details=str(error)) from error

    def close(self) -> None:
        """Close the database; later calls fail."""
        with self._lock:
            self._connection.close()

    def enqueue(self, task: NewTask) -> Task:
        """See `TaskQueue.enqueue`."""
        values = from_new(task)
        with self._writing() as now:
            self._run("insert", **values, now=now)
            return self._existing(task.id)

    def claim(self) -> Claim | None:
        """See `TaskQueue.claim`."""
        # Read without the write lock first: idle workers ask often.
        with self._reading():
            if self._run("waiting", now=time.time(), lease=self._lease).fetchone() is None:
                return None
        with self._writing() as now:
            while row := self._run("waiting", now=now, lease=self._lease).fetchone():
                task_id, attempts = row
                if attempts >= self._max_attempts:
                    error = from_error(spent(attempts))
                    self._run("fail_unclaimed", id=task_id, error=error, announce_at=self._due(now), now=now)
                    continue
                self._run("claim", id=task_id, now=now, lease=self._lease)
                fence: int = self._run("fence", id=task_id).fetchone()[0]
                return Claim(self._existing(task_id), fence)
        return None

    def beat(self, claim: Claim, progress: TaskProgress | None) -> bool:
        """See `TaskQueue.beat`."""
        shown = from_progress(progress)
        with self._writing() as now:
            values = {"id": claim.task.id, "fence": claim.fence, "now": now, "lease": self._lease}
            if shown is None:
                return self._run("beat", **values).rowcount == 1
            return self._run("progress", **values, progress=shown).rowcount == 1

    def finish(self, claim: Claim, outcome: Outcome) -> bool:
        """See `TaskQueue.finish`."""
        with self._writing() as now:
            values = {"id": claim.task.id, "fence": claim.fence, "now": now}
            if not outcome.status.final:
                return self._run("give_back", **values).rowcount == 1
            changed = self._run(
                "finish",
                **values,
                status=outcome.status,
                result=outcome.result or None,
                error=None if outcome.error is None else from_error(outcome.error),
                announce_at=self._due(now),
            )
            return changed.rowcount == 1

    def cancel(self, task_id: str) -> Task | None:
        """See `TaskQueue.cancel`."""
        with self._writing() as now:
            self._run("cancel", id=task_id, announce_at=self._due(now), now=now)
            return self._task(task_id)

    def subscribe(self, wake: Callable[[], None]) -> None:
        """See `TaskQueue.subscribe`: SQLite tells nobody of changes."""

    def task(self, task_id: str) -> Task | None:
        """See `TaskRecords.task`."""
        with self._reading():
            return self._task(task_id)

    def result(self, task_id: str) -> str | None:
        """See `TaskRecords.result`."""
        with self._reading():
            row = self._run("result", id=task_id).fetchone()
            return None if row is None else row[0]

    def amend(self, task_id: str, before: str, result: str) -> bool:
        """See `TaskRecords.amend`."""
        with self._writing() as now:
            return self._run("amend", id=task_id, before=before, result=result, now=now).rowcount == 1

    def task_page(self, limit: int, before: str | None = None, status: TaskStatus | None = None) -> Sequence[Task]:
        """See `TaskRecords.task_page`."""
        with self._reading():
            rows = self._run("page", before=before, status=status, limit=limit).fetchall()
            return [to_task(row) for row in rows]

    def alike(self, task_id: str, limit: int) -> Sequence[Task]:
        """See `TaskRecords.alike`."""
        with self._reading():
            return [to_task(row) for row in self._run("alike", id=task_id, limit=limit)]

    def count(self, status: TaskStatus | None = None) -> int:
        """See `TaskRecords.count`."""
        with self._reading():
            return self._run("count", status=status).fetchone()[0]

    def erase(self, task_id: str) -> bool:
        """See `TaskRecords.erase`."""
        with self._writing():
            return self._run("erase", id=task_id).rowcount == 1

    def announcement(self) -> tuple[Task, int] | None:
        """See `Announcements.announcement`."""
        with self._reading():
            row = self._run("announcement", now=time.time()).fetchone()
            return None if row is None else (self._existing(row[0]), row[1])

    def announced(self, task_id: str, again_after: float | None) -> None:
        """See `Announcements.announced`."""
        with self._writing() as now:
            self._run("announce_later", id=task_id, at=None if again_after is None else now + again_after)

    def _prepare(self) -> None:
        connection = self._connection
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        schema: int = connection.execute("PRAGMA user_version").fetchone()[0]
        tables: int = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if tables and (application != APPLICATION or schema not in (SCHEMA, UPGRADED_SCHEMA)):
            owner = "another version" if application == APPLICATION else "another program"
            raise ConfigError(f"The task database is of {owner}. Place pincite's elsewhere (DB_PATH).")
        set_journal(connection, "wal", BUSY_SECONDS)
        # An acknowledged task must outlast a power loss, too: wait for the disk with each commit.
        connection.execute("PRAGMA synchronous = FULL")
        with self._writing():
            # Again, under the lock: another process may have been first.
            schema = connection.execute("PRAGMA user_version").fetchone()[0]
            if schema != SCHEMA:
                for statement in split_script(self._sql["upgrade" if schema else "schema"]):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {SCHEMA}")

    @contextmanager
    def _writing(self) -> Generator[float]:
        """Hold a write transaction, committed at the end of the block; the value is the time."""
        with self._reading():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield time.time()
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _reading(self) -> Generator[None]:
        """Hold the connection; SQLite's errors become pincite's."""
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            if result_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise TimeoutExceeded("The task database is busy. Try again.", details=str(error)) from error
            kind = ConfigError if isinstance(error, sqlite3.OperationalError) else InternalError
            kind = WritingFailed if result_code(error) == sqlite3.SQLITE_FULL else kind
            raise kind(_UNAVAILABLE.format(doing="read or written"), details=str(error)) from error

    def _run(self, name: str, **values: Any) -> sqlite3.Cursor:
        return self._connection.execute(self._sql[name], values)

    def _task(self, task_id: str) -> Task | None:
        row = self._run("get", id=task_id).fetchone()
        return None if row is None else to_task(row)

    def _existing(self, task_id: str) -> Task:
        return to_task(self._run("get", id=task_id).fetchone())

    def _due(self, now: float) -> float | None:
        return now if self._announce else None

"""The task table in PostgreSQL, which is the queue."""

import threading
from collections.abc import Callable, Sequence
from functools import partial

import psycopg
from psycopg import sql

from pincite.model.task import NewTask, Task, TaskProgress, TaskStatus
from pincite.services.tasks.base import Claim, Outcome
from pincite.services.tasks.loops import Loop
from pincite.services.tasks.postgres.database import TaskDatabase
from pincite.services.tasks.rows import from_error, from_new, from_progress, spent, to_task
from pincite.services.tasks.webhooks import TIMEOUT_SECONDS
from pincite.store.postgres.connections import translate

ANNOUNCING_SECONDS = 4 * TIMEOUT_SECONDS
"""Time after which another server announces a task whose server died while it did."""

LISTEN_SECONDS = 0.5
"""Interval at which a listener checks whether the queue was closed."""

RECONNECT_SECONDS = 1.0
"""Wait between two attempts to subscribe; until then, workers poll."""


class PostgresTasks:
    """Implements `Tasks` in a database. Thread-safe, and shared by servers and workers on many machines.

    Each method is one statement, which is durable when the method returns.

    Args:
        database: The database; it is closed with the queue.
        lease: Seconds without a beat after which another worker may take a task up.
        max_attempts: How often a task is taken up, when its worker did not finish it.
        announce: Whether finished tasks are to be announced, see `announcement`.
    """

    def __init__(self, database: TaskDatabase, *, lease: float, max_attempts: int, announce: bool = False) -> None:
        self._database = database
        self._lease = _interval(lease)
        self._max_attempts = max_attempts
        self._announce = announce
        self._closing = threading.Event()
        self._listeners: list[threading.Thread] = []

    def close(self) -> None:
        """See `Tasks.close`."""
        self._closing.set()
        self._database.close()
        for listener in self._listeners:
            listener.join(2 * LISTEN_SECONDS)

    def enqueue(self, task: NewTask) -> Task:
        """See `TaskQueue.enqueue`."""
        values = from_new(task)
        [(created, updated, _)] = self._database.run_statement("insert", **values, channel=self._database.schema)
        return Task(**values, status=TaskStatus.QUEUED, created_at=created, updated_at=updated, version=1, attempts=0)

    def claim(self) -> Claim | None:
        """See `TaskQueue.claim`."""
        values = {
            "lease": self._lease,
            "max_attempts": self._max_attempts,
            "spent": from_error(spent("{attempts}")),
            "announce": self._announce,
        }
        while rows := self._database.run_statement("claim", **values):
            [(fence, *columns)] = rows
            task = to_task(columns)
            if task.status is TaskStatus.RUNNING:
                return Claim(task, fence)
        return None

    def beat(self, claim: Claim, progress: TaskProgress | None) -> bool:
        """See `TaskQueue.beat`."""
        shown = from_progress(progress)
        return self._database.changed("beat", id=claim.task.id, fence=claim.fence, lease=self._lease, progress=shown)

    def finish(self, claim: Claim, outcome: Outcome) -> bool:
        """See `TaskQueue.finish`."""
        names = {"id": claim.task.id, "fence": claim.fence}
        if not outcome.status.final:
            return bool(self._database.run_statement("give_back", **names, channel=self._database.schema))
        return self._database.changed(
            "finish",
            **names,
            status=outcome.status.value,
            result=_bytes(outcome.result) or None,
            error=None if outcome.error is None else from_error(outcome.error),
            announce=self._announce,
        )

    def cancel(self, task_id: str) -> Task | None:
        """See `TaskQueue.cancel`."""
        self._database.changed("cancel", id=task_id, announce=self._announce)
        return self.task(task_id)

    def subscribe(self, wake: Callable[[], None]) -> None:
        """See `TaskQueue.subscribe`: the database notifies a thread of its own."""
        listen = partial(self._listen, wake)
        loop = Loop("pincite-task-queue", "task.not_subscribed", listen, self._closing, RECONNECT_SECONDS)
        self._listeners.append(loop.start())

    def task(self, task_id: str) -> Task | None:
        """See `TaskRecords.task`."""
        rows = self._database.run_statement("get", id=task_id)
        return to_task(rows[0]) if rows else None

    def result(self, task_id: str) -> str | None:
        """See `TaskRecords.result`."""
        rows = self._database.run_statement("result", id=task_id)
        return rows[0][0].decode("utf-8", "surrogatepass") if rows else None

    def amend(self, task_id: str, before: str, result: str) -> bool:
        """See `TaskRecords.amend`."""
        texts = {"before": _bytes(before), "result": _bytes(result)}
        return self._database.changed("amend", id=task_id, **texts)

    def task_page(self, limit: int, before: str | None = None, status: TaskStatus | None = None) -> Sequence[Task]:
        """See `TaskRecords.task_page`."""
        return [
            to_task(row)
            for row in self._database.run_statement("page", limit=limit, before=before, status=_name(status))
        ]

    def alike(self, task_id: str, limit: int) -> Sequence[Task]:
        """See `TaskRecords.alike`."""
        return [to_task(row) for row in self._database.run_statement("alike", id=task_id, limit=limit)]

    def count(self, status: TaskStatus | None = None) -> int:
        """See `TaskRecords.count`."""
        return self._database.run_statement("count", status=_name(status))[0][0]

    def erase(self, task_id: str) -> bool:
        """See `TaskRecords.erase`."""
        return self._database.changed("erase", id=task_id)

    def announcement(self) -> tuple[Task, int] | None:
        """See `Announcements.announcement`; for `ANNOUNCING_SECONDS` no other server gets the same task."""
        rows = self._database.run_statement("announcement", hold=_interval(ANNOUNCING_SECONDS))
        return (to_task(rows[0][1:]), rows[0][0]) if rows else None

    def announced(self, task_id: str, again_after: float | None) -> None:
        """See `Announcements.announced`."""
        after = None if again_after is None else _interval(again_after)
        self._database.changed("announce_later", id=task_id, after=after)

    def _listen(self, wake: Callable[[], None]) -> None:
        """Call `wake` for each notification, until the queue is closed or the connection is lost."""
        try:
            with self._database.connect() as connection:
                connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._database.schema)))
                wake()  # for what came before the subscription
                while not self._closing.is_set():
                    for _ in connection.notifies(timeout=LISTEN_SECONDS, stop_after=1):
                        wake()
        except psycopg.Error as error:
            raise translate(error) from error


def _interval(seconds: float) -> str:
    return f"{seconds:f} seconds"


def _name(status: TaskStatus | None) -> str | None:
    return None if status is None else status.value


def _bytes(result: str) -> bytes:
    return result.encode("utf-8", "surrogatepass")

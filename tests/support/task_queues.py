"""Task databases, tasks and waits for the tests of the queue."""

from pathlib import Path

from pincite.model.task import NewTask
from pincite.services.tasks.base import Tasks
from pincite.services.tasks.sqlite import SqliteTasks
from pincite.services.tasks.ulid import new_ulid

LEASE = 60.0


def tasks_in(folder: Path, lease: float = LEASE, max_attempts: int = 2, *, announce: bool = False) -> SqliteTasks:
    return SqliteTasks(folder / "tasks.db", lease=lease, max_attempts=max_attempts, announce=announce)


def shared_tasks(dsn: str, lease: float = LEASE, max_attempts: int = 2, *, announce: bool = False) -> Tasks:
    from pincite.services.tasks.postgres.database import TaskDatabase  # noqa: PLC0415 - needs an optional package
    from pincite.services.tasks.postgres.queue import PostgresTasks  # noqa: PLC0415 - as above

    return PostgresTasks(TaskDatabase(dsn), lease=lease, max_attempts=max_attempts, announce=announce)


def new_task(file_name: str = "a.pdf") -> NewTask:
    return NewTask(new_ulid(), file_name, ".pdf", '{"a": "string"}', "auto")

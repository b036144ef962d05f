"""The interfaces of the task queue."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite.model.task import NewTask, Task, TaskError, TaskProgress, TaskStatus


@dataclass(frozen=True, slots=True)
class Claim:
    """A worker's right to finish a task, until another worker gets one for the same task.

    Attributes:
        task: The task.
        fence: Rises with every claim of the task: a change under an older one is refused.
    """

    task: Task
    fence: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a claimed task.

    Attributes:
        status: `SUCCEEDED`, `FAILED`, or `QUEUED` if the worker gives it back unfinished.
        result: JSON text of a success.
        error: Why it failed.
    """

    status: TaskStatus
    result: str = ""
    error: TaskError | None = None


GIVEN_BACK = Outcome(TaskStatus.QUEUED)


class TaskQueue(Protocol):
    """Hands tasks to workers. Thread-safe, and shared by processes. Each change is durable when its method returns."""

    def enqueue(self, task: NewTask) -> Task:
        """Store a task, to be worked on after those before it."""
        ...

    def claim(self) -> Claim | None:
        """Take the oldest task that waits, or whose worker has not beaten for the length of a lease; None if none is.

        A task that was taken up too often fails here: whatever ends its workers would end the next one, too.
        """
        ...

    def beat(self, claim: Claim, progress: TaskProgress | None) -> bool:
        """Renew a claim and store its progress; return False if it holds no more: stop the work."""
        ...

    def finish(self, claim: Claim, outcome: Outcome) -> bool:
        """Store the outcome; return False, and change nothing, if the claim holds no more."""
        ...

    def cancel(self, task_id: str) -> Task | None:
        """Cancel a task that is not finished; return it as it is then, None if there is none."""
        ...


class TaskRecords(Protocol):
    """The stored tasks. Thread-safe."""

    def get(self, task_id: str) -> Task | None:
        """Return a task, None if there is none."""
        ...

    def result(self, task_id: str) -> str | None:
        """Return the JSON text of a result, None if there is none."""
        ...

    def page(self, limit: int, before: str | None = None, status: TaskStatus | None = None) -> Sequence[Task]:
        """Return the newest tasks, newest first.

        Args:
            limit: Maximum number of tasks.
            before: Only tasks older than this id.
            status: Only tasks of this status.
        """
        ...

    def count(self, status: TaskStatus | None = None) -> int:
        """Return the number of tasks, or of those with a status."""
        ...

    def erase(self, task_id: str) -> bool:
        """Delete a task and its result; return False if there is none. A worker's claim of it ends."""
        ...

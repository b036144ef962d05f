"""The interfaces of the task queue and of the uploads."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pincite.errors import ConnectionFailed
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


class UploadUnreachable(ConnectionFailed):
    """The database of uploads does not answer; an upload can be read once it does."""


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

    def subscribe(self, wake: Callable[[], None]) -> None:
        """Call `wake`, in any thread, when another process enqueues a task, until the queue is closed.

        A queue that hears nothing of other processes does nothing: its workers poll.
        """
        ...


class TaskRecords(Protocol):
    """The stored tasks. Thread-safe."""

    def task(self, task_id: str) -> Task | None:
        """Return a task, None if there is none."""
        ...

    def result(self, task_id: str) -> str | None:
        """Return the JSON text of a result, None if there is none."""
        ...

    def amend(self, task_id: str, before: str, result: str) -> bool:
        """Replace the JSON text of a result; return False, and change nothing, if it is not `before` any more."""
        ...

    def task_page(self, limit: int, before: str | None = None, status: TaskStatus | None = None) -> Sequence[Task]:
        """Return the newest tasks, newest first.

        Args:
            limit: Maximum number of tasks.
            before: Only tasks older than this id.
            status: Only tasks of this status.
        """
        ...

    def alike(self, task_id: str, limit: int) -> Sequence[Task]:
        """Return the newest tasks with the schema of a task, newest first; none of them has the schema itself."""
        ...

    def count(self, status: TaskStatus | None = None) -> int:
        """Return the number of tasks, or of those with a status."""
        ...

    def erase(self, task_id: str) -> bool:
        """Delete a task and its result; return False if there is none. A worker's claim of it ends."""
        ...


class Announcements(Protocol):
    """The finished tasks that are still to be announced. Thread-safe."""

    def announcement(self) -> tuple[Task, int] | None:
        """Return the finished task that is to be announced next, and how often that was tried; None if none is due."""
        ...

    def announced(self, task_id: str, again_after: float | None) -> None:
        """Store that a task was announced.

        Args:
            task_id: The task.
            again_after: Seconds after which to try again, None if it needs no more.
        """
        ...


class Tasks(TaskQueue, TaskRecords, Announcements, Protocol):
    """A store of tasks."""

    def close(self) -> None:
        """Close the store; later calls fail."""
        ...


class Upload(Protocol):
    """A file that is being uploaded.

    Attributes:
        task_id: The id that its task will have.
        extension: The extension of the file, with its dot.
    """

    task_id: str
    extension: str

    def write(self, data: bytes | bytearray) -> None:
        """Append bytes.

        Raises:
            WritingFailed: The disk is full, or cannot be written.
        """
        ...

    def complete(self) -> None:
        """Wait until every byte is durable: the task that is acknowledged next must find them.

        Raises:
            WritingFailed: The disk is full, or cannot be written.
        """
        ...

    def discard(self) -> None:
        """Delete the file, unless its task was stored: nothing of a refused upload stays."""
        ...


class Uploads(Protocol):
    """The uploads of tasks. Thread-safe."""

    def begin(self, task_id: str, extension: str) -> Upload:
        """Begin an upload.

        Raises:
            WritingFailed: The disk cannot be written.
        """
        ...

    def file(self, task: NewTask) -> AbstractContextManager[Path]:
        """Return the path of a task's file on this machine, which may be read while the `with` block runs.

        Raises:
            NotFound: The file is gone.
            UploadUnreachable: It cannot be fetched now.
            WritingFailed: There is no room for a copy of it.
        """
        ...

    def erase(self, task_id: str) -> None:
        """Delete a task's file, if there is one."""
        ...

    def sweep(self, is_task: Callable[[str], bool]) -> None:
        """Delete the abandoned uploads: they belong to no task, and nobody has written to them for some time."""
        ...

"""Conversions of documents to Markdown: tasks without a schema, whose files are forgotten after some time."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pincite.errors import NotFound
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.task import Task, TaskStatus
from pincite.services.conversion.page_marks import marked
from pincite.services.reading.reading import Reading
from pincite.services.tasks.base import Upload, Uploads
from pincite.services.tasks.service import TaskService

OUTPUT = "document.md"
"""The name of the one file of a conversion: what was sent as a name may be anything."""

KEPT_SECONDS = 3600.0
"""Time for which a finished conversion is kept: a client fetches it within seconds."""

MARKDOWN = "markdown"
_BATCH = 200
"""Batch size of the search for expired conversions."""

_REQUEST = json.dumps({MARKDOWN: "string"})
"""What the task table stores as the schema of a conversion."""


COMPLETED, FAILED = "completed", "failed"

_STATUSES = {TaskStatus.SUCCEEDED: COMPLETED, TaskStatus.CANCELLED: FAILED}
"""The words of contract 3 where they differ from the states of tasks."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """The state of a conversion.

    Attributes:
        status: `queued`, `running`, `completed` or `failed`.
        outputs: The names of its files, once it is complete.
        error_message: Why it failed; None else.
    """

    status: str
    outputs: tuple[str, ...]
    error_message: str | None


class ConversionWork:
    """Converts a task's document. Thread-safe.

    Args:
        uploads: Where documents are.
        reading: Returns what reads them.
    """

    def __init__(self, uploads: Uploads, reading: Callable[[], Reading]) -> None:
        self._uploads = uploads
        self._reading = reading

    def __call__(self, task: Task, call: Call) -> str:
        """Return the Markdown as JSON text.

        Raises:
            PinciteError: The document cannot be read.
        """
        with self._uploads.file(task) as file:
            data = file.read_bytes()
        document = self._reading().read(Blob(task.file_name, data), call)
        return json.dumps({MARKDOWN: marked(document)}, ensure_ascii=False)


class ConversionService:
    """Takes documents, has them converted, and hands out the Markdown. Thread-safe.

    Args:
        tasks: Stores and works on them.
    """

    def __init__(self, tasks: TaskService) -> None:
        self._tasks = tasks
        self.max_bytes = tasks.max_bytes
        """Maximum size of a file."""

    def start(self) -> None:
        """Begin to convert."""
        self.forget()
        self._tasks.start()

    def stop(self, grace: float) -> None:
        """Stop; what runs is finished within `grace` seconds, or given back to the queue."""
        self._tasks.stop(grace)

    def close(self) -> None:
        """Stop and close the database."""
        self._tasks.close()

    def begin(self, file_name: str, head: bytes) -> Upload:
        """Begin an upload; see `TaskService.begin`."""
        return self._tasks.begin(file_name, head)

    def submit(self, upload: Upload, file_name: str, fields: Mapping[str, str]) -> Task:
        """Store the conversion of an upload, durably, and have it worked on."""
        del fields  # there are none
        self.forget()
        return self._tasks.submit(upload, file_name, _REQUEST)

    def conversion(self, task_id: str) -> Conversion:
        """Return a conversion.

        Raises:
            NotFound: There is none.
        """
        task = self._tasks.task(task_id)
        status = _STATUSES.get(task.status, task.status.value)
        message = task.error.message if task.error else "It was cancelled." if status == FAILED else None
        return Conversion(status, (OUTPUT,) if status == COMPLETED else (), message)

    def output(self, task_id: str, name: str) -> str:
        """Return a file of a complete conversion.

        Raises:
            NotFound: There is no such conversion or file.
        """
        if name not in self.conversion(task_id).outputs:
            raise NotFound("File not found")
        return self._tasks.result(task_id)[MARKDOWN]

    def forget(self) -> None:
        """Erase finished conversions that are older than `KEPT_SECONDS`."""
        oldest = time.time() - KEPT_SECONDS
        for status in (TaskStatus.SUCCEEDED, TaskStatus.FAILED):
            before = None
            while page := self._tasks.task_page(_BATCH, before, status):
                before = page[-1].id
                for task in page:
                    if task.updated_at < oldest:
                        self._tasks.erase(task.id)

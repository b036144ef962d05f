"""Tasks as callers see them: upload, ask, list, erase."""

import json
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, cast

from pincite.errors import InvalidInput, NotFound, Unsupported, WritingFailed
from pincite.formats.detect.decode import HEAD_BYTES
from pincite.formats.detect.signature import Kind, leading
from pincite.model.locator import Ref
from pincite.model.task import ID, NewTask, Task, TaskStatus
from pincite.registry import Format
from pincite.services.tasks.base import Tasks, Upload, Uploads, UploadUnreachable
from pincite.services.tasks.runner import TaskRunner
from pincite.services.tasks.ulid import new_ulid
from pincite.services.tasks.webhooks import Webhook
from pincite.text.excerpt import excerpt, well_formed
from pincite.text.json_values import read_json

AUTO = "auto"
"""The engine that the server chooses."""

MAX_NAME_CHARS = 255
"""Of a file's name, as file systems have it; of a longer one the end is kept, with its extension."""

LOOKED_UP = 200
"""Batch size of the search for the task that a reference cites."""

SIGNATURE_BYTES = HEAD_BYTES
"""Bytes of a file's start that tell its signature."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class TaskService:
    """Stores tasks and their files, and has them worked on. Thread-safe.

    Args:
        tasks: The queue.
        uploads: The files.
        runner: Works on them; None if only other processes do.
        webhook: Notified of finished tasks; None for no notification.
        max_bytes: Maximum size of a file.
        formats: The formats that are accepted.
        engines: The names of the engines that a caller may ask for.
        check_schema: Raises `InvalidInput` for a schema that no engine could fill.
        forget: Deletes what was derived from a file, of any of these names.
    """

    def __init__(
        self,
        tasks: Tasks,
        uploads: Uploads,
        runner: TaskRunner | None,
        *,
        max_bytes: int,
        formats: Sequence[Format],
        engines: Sequence[str],
        webhook: Webhook | None = None,
        check_schema: Callable[[Mapping[str, Any]], object],
        forget: Callable[[Path, Sequence[str]], None] | None = None,
    ) -> None:
        self._tasks = tasks
        self._uploads = uploads
        self._runner = runner
        self._webhook = webhook
        self.max_bytes = max_bytes
        self._formats = formats
        self._engines = (AUTO, *(name for name in engines if name != AUTO))
        self._check_schema = check_schema
        self._forget = forget
        self.is_closing = False
        """True once the server stops: who follows a task should not wait for its end."""

    @property
    def extensions(self) -> Sequence[str]:
        """The extensions that are accepted."""
        return [extension for row in self._formats for extension in row.extensions]

    @property
    def engines(self) -> Sequence[str]:
        """The names of the engines that are accepted."""
        return self._engines

    def start(self) -> None:
        """Delete abandoned uploads, and begin to work on tasks."""
        self._uploads.sweep(lambda task_id: self._tasks.task(task_id) is not None)
        if self._runner is not None:
            self._runner.start()
        if self._webhook is not None:
            self._webhook.start()

    def stop(self, grace: float) -> None:
        """Stop working: what runs is finished within `grace` seconds, or given back to the queue."""
        self.is_closing = True
        if self._runner is not None:
            self._runner.close(grace)

    def close(self) -> None:
        """Stop working and close the database."""
        self.stop(0.0)
        if self._webhook is not None:
            self._webhook.close()
        self._tasks.close()

    def begin(self, file_name: str, head: bytes) -> Upload:
        """Begin an upload.

        Args:
            file_name: As it was sent.
            head: The first bytes of the file, `SIGNATURE_BYTES` if it has as many.

        Raises:
            Unsupported: The extension is not accepted, or the file begins like one that is not.
            WritingFailed: The disk cannot be written.
        """
        extension = PurePosixPath(base_name(file_name)).suffix.lower()
        if extension not in self.extensions:
            self._refuse(extension)
        kind = leading(head)
        if kind is not None and not set(kind.extensions) & set(self.extensions):
            self._refuse(extension, kind)
        return self._uploads.begin(new_ulid(), extension)

    def submit(
        self,
        upload: Upload,
        file_name: str,
        schema: str,
        engine: str = AUTO,
        *,
        strict: bool = True,
        min_confidence: float = 0.0,
    ) -> Task:
        """Store the task of an upload, durably, and have it worked on.

        Args:
            upload: A complete file; the caller discards it if this fails.
            file_name: As it was sent.
            schema: JSON text.
            engine: `auto`, or an engine's name.
            strict: See `NewTask`.
            min_confidence: See `NewTask`.

        Raises:
            InvalidInput: The schema or the engine cannot be used.
        """
        self._check(schema, engine)
        upload.complete()
        request = upload.task_id, base_name(file_name), upload.extension, schema, engine or AUTO
        task = self._tasks.enqueue(NewTask(*request, strict=strict, min_confidence=min_confidence))
        if self._runner is not None:
            self._runner.wake()
        return task

    def task(self, task_id: str) -> Task:
        """Return a task.

        Raises:
            NotFound: There is none.
        """
        task = self._tasks.task(task_id) if ID.fullmatch(task_id) else None
        if task is None:
            raise NotFound("Task not found")
        return task

    def result(self, task_id: str) -> Mapping[str, Any]:
        """Return the result of a succeeded task, or the status and error of a failed one.

        Raises:
            NotFound: There is no such task.
            InvalidInput: It is not finished, or was cancelled.
        """
        task = self.task(task_id)
        if task.status is TaskStatus.FAILED and task.error is not None:
            error = {"message": task.error.message, "details": list(task.error.details)}
            return {"task_id": task.id, "status": task.status.value, "error": error}
        text = self._tasks.result(task.id)
        if text is None:
            raise InvalidInput(f"Task not complete (status: {task.status.value})")
        # Earlier versions stored numbers and texts that no JSON has.
        stored = well_formed(json.loads(text, parse_constant=str))
        return {"task_id": task.id, **cast("dict[str, Any]", stored)}

    def review(self, task_id: str, field: str, verdict: Mapping[str, Any] | None) -> Mapping[str, Any]:
        """Keep what a person says of a value beside it, in the result's `corrections`; return all of them.

        Args:
            task_id: The task.
            field: The value's path, as in warnings.
            verdict: What is kept; None removes the former verdict.

        Raises:
            NotFound: There is no such task, or it has no result.
        """
        self.task(task_id)
        while (before := self._tasks.result(task_id)) is not None:
            stored = cast("dict[str, Any]", json.loads(before))
            corrections = {**stored.get("corrections", {}), field: verdict}
            # Removing the verdict on an added item removes the verdicts on its values, too.
            gone = () if verdict else (f"{field}.", f"{field}[")
            stored["corrections"] = {
                name: given for name, given in corrections.items() if given is not None and not name.startswith(gone)
            }
            if self._tasks.amend(task_id, before, json.dumps(well_formed(stored), ensure_ascii=False)):
                return stored["corrections"]
        raise NotFound("The task has no result that could be corrected")

    def citing(self, ref: Ref) -> Task | None:
        """Return the newest task whose evidence cites this revision of a document of this name; None without one."""
        cited, before = f"@{ref.revision}#", None
        while tasks := self._tasks.task_page(LOOKED_UP, before, TaskStatus.SUCCEEDED):
            for task in tasks:
                if task.file_name == ref.document and cited in (self._tasks.result(task.id) or ""):
                    return task
            before = tasks[-1].id
        return None

    def alike(self, task_id: str, limit: int) -> Sequence[Task]:
        """Return the newest tasks with the same schema as a task, newest first, at most `limit`."""
        return self._tasks.alike(task_id, limit)

    def task_page(self, limit: int, before: str | None = None, status: TaskStatus | None = None) -> Sequence[Task]:
        """Return the newest tasks, newest first.

        Args:
            limit: Maximum number of tasks.
            before: Only tasks older than this id.
            status: Only tasks of this status.
        """
        return self._tasks.task_page(limit, before, status)

    def count(self, status: TaskStatus | None = None) -> int:
        """Return the number of tasks, or of those with a status."""
        return self._tasks.count(status)

    def erase(self, task_id: str) -> None:
        """Cancel a task and delete everything of it.

        Raises:
            NotFound: There is no such task.
        """
        task = self.task(task_id)
        if self._runner is not None:
            self._runner.stop(task_id)
        with suppress(NotFound, UploadUnreachable, WritingFailed), self._uploads.file(task) as path:
            if self._forget and path.is_file():
                self._forget(path, (task.file_name, path.name))
        self._uploads.erase(task_id)  # first: on a full disk, this is the room that the database needs
        if not self._tasks.erase(task_id):
            raise NotFound("Task not found")

    @contextmanager
    def document(self, task_id: str) -> Generator[tuple[Task, Path]]:
        """Return a task and the path of its file, which may be read while the `with` block runs.

        Raises:
            NotFound: There is no such task, or its file is gone.
        """
        task = self.task(task_id)
        with self._uploads.file(task) as path:
            yield task, path

    def _check(self, schema: str, engine: str) -> None:
        if engine and engine not in self._engines:
            raise InvalidInput(f"Unknown engine: {excerpt(engine)}. Known: {', '.join(self._engines)}")
        try:
            read: object = read_json(schema)
        except ValueError:
            raise InvalidInput("Invalid JSON in schema field") from None
        if not isinstance(read, dict):
            raise InvalidInput("The schema must be a JSON object")
        if not read:
            raise InvalidInput("The schema is empty: name at least one field")
        self._check_schema(cast("dict[str, Any]", read))

    def _refuse(self, extension: str, kind: Kind | None = None) -> None:
        but = "" if kind is None else f" (the file is {kind.name})"
        raise Unsupported(
            f"Unsupported file format: {excerpt(extension) or 'no extension'}{but}. "
            f"Supported: {', '.join(self.extensions)}"
        )


def base_name(file_name: str) -> str:
    """Return the last part of a name as it was sent, without control characters: some clients send a whole path."""
    name = _CONTROL.sub("", well_formed(file_name.replace("\\", "/").rpartition("/")[2]))
    return name[-MAX_NAME_CHARS:]

"""Tasks as rows of a table, in one form for every database."""

import json
from collections.abc import Sequence
from typing import Any

from pincite.model.task import Task, TaskError, TaskProgress, TaskStatus


def spent(attempts: int | str) -> TaskError:
    """Return the error of a task whose workers ended too often."""
    return TaskError(f"Not finished: the server stopped while it worked on this task, {attempts} times.")


def from_error(error: TaskError) -> str:
    """Return an error as a column."""
    return json.dumps([error.message, list(error.details)])


def from_progress(progress: TaskProgress | None) -> str | None:
    """Return the progress of a task as a column."""
    return None if progress is None else json.dumps([progress.done, progress.total, progress.message])


def to_task(row: Sequence[Any]) -> Task:
    """Return the task of a row, whose columns are in the order of the statement `get`."""
    task_id, file_name, extension, schema, engine, status, created_at, updated_at, version, attempts, *shown = row
    progress, error = (None if text is None else json.loads(text) for text in shown)
    return Task(
        task_id,
        file_name,
        extension,
        schema,
        engine,
        TaskStatus(status),
        created_at=created_at,
        updated_at=updated_at,
        version=version,
        attempts=attempts,
        progress=None if progress is None else TaskProgress(*progress),
        error=None if error is None else TaskError(error[0], tuple(error[1])),
    )

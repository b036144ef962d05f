"""Tasks as rows of a table, in one form for every database."""

import json
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from pincite.model.task import NewTask, Task, TaskError, TaskProgress, TaskStatus
from pincite.text.excerpt import well_formed

_PROGRESS_VALUES, _ERROR_VALUES = 3, 2
"""Values in the columns of a progress and of an error."""


def spent(attempts: int | str) -> TaskError:
    """Return the error of a task whose workers ended too often."""
    return TaskError(f"Not finished: the server stopped while it worked on this task, {attempts} times.")


def from_error(error: TaskError) -> str:
    """Return an error as a column."""
    return json.dumps([error.message, list(error.details)])


def from_progress(progress: TaskProgress | None) -> str | None:
    """Return the progress of a task as a column."""
    return None if progress is None else json.dumps([progress.done, progress.total, progress.message])


def from_new(task: NewTask) -> dict[str, Any]:
    """Return what a caller asks for as the values of its columns."""
    return {column.name: getattr(task, column.name) for column in fields(NewTask)}


def to_task(row: Sequence[Any]) -> Task:
    """Return the task of a row, whose columns are in the order of the statement `get`."""
    task_id, file_name, extension, schema, engine, strict, min_confidence, status, *changing = row
    created_at, updated_at, version, attempts, *shown = changing
    progress, error = map(_values, shown)
    return Task(
        task_id,
        file_name,
        extension,
        schema,
        engine,
        TaskStatus(status) if status in set(TaskStatus) else TaskStatus.FAILED,
        strict=bool(strict),
        min_confidence=min_confidence,
        created_at=created_at,
        updated_at=updated_at,
        version=version,
        attempts=attempts,
        progress=TaskProgress(*progress) if len(progress) == _PROGRESS_VALUES else None,
        error=TaskError(error[0], tuple(error[1])) if len(error) == _ERROR_VALUES else None,
    )


def _values(text: str | None) -> Sequence[Any]:
    """Return what a column holds; nothing of a damaged one, whose task can still be listed and erased."""
    try:
        values: object = json.loads(text or "null")
    except ValueError:
        values = None
    return well_formed(values) if isinstance(values, list) else ()

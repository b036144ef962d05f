import pytest

from pincite.model.task import Task, TaskError, TaskProgress, TaskStatus
from pincite.services.tasks.rows import from_error, from_progress, spent, to_task

ASKED = ("01", "a.pdf", ".pdf", "{}", "auto")
FIXED = (*ASKED, False, 0.5, "running", 1.5, 2.5, 3, 1)


@pytest.mark.parametrize("progress", [None, TaskProgress(1, None, "Reading \ud800\0"), TaskProgress(0.5, 2.0, "")])
@pytest.mark.parametrize("error", [None, TaskError("No."), TaskError("No.\0", ("a", "\ud800"))])
def test_a_row_becomes_the_task_that_it_was(progress: TaskProgress | None, error: TaskError | None) -> None:
    columns = (from_progress(progress), None if error is None else from_error(error))
    assert all(column is None or column.isascii() for column in columns), "any database takes them"
    task = to_task((*FIXED, *columns))
    changing = (TaskStatus.RUNNING, 1.5, 2.5, 3, 1, task.progress, task.error)
    expected = Task(*ASKED, *changing, strict=False, min_confidence=0.5)
    assert task == expected
    assert shown(task.progress) == shown(progress) and shown(task.error) == shown(error)


def shown(value: object) -> str | None:
    """What is read of it over HTTP, which has no lone surrogates."""
    return None if value is None else repr(value).replace("\\ud800", "\ufffd")


@pytest.mark.parametrize("column", ["{", "[]", "[1]", "7", '{"a": 1}'])
def test_a_damaged_row_is_still_a_task_that_can_be_listed_and_erased(column: str) -> None:
    task = to_task((*FIXED[:7], "unknown", *FIXED[8:], column, column))
    assert (task.id, task.status, task.progress, task.error) == ("01", TaskStatus.FAILED, None, None)


def test_the_error_of_a_spent_task_says_how_often_it_was_tried() -> None:
    assert "stopped while it worked on this task, 2 times" in spent(2).message

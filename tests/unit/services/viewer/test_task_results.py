"""The results of tasks as the page shows and exports them."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from pincite.errors import InvalidInput, NotFound
from pincite.model.task import NewTask, TaskError, TaskStatus
from pincite.services.tasks.base import Outcome
from pincite.services.tasks.service import TaskService
from pincite.services.tasks.ulid import new_ulid
from pincite.services.tasks.uploads import FolderUploads
from pincite.services.viewer.task_results import counts, exported, question, table
from support.task_queues import tasks_in

SCHEMA = '{"total": "number", "lines": [{"item": "string"}]}'
VERIFIED = {"locator": "h1-c1", "snippet": "Total: 7", "status": "verified", "verified": True}
RESULT = {
    "data": {"total": 7, "lines": [{"item": "Screw"}, {"item": "Page 2"}]},
    "evidence": {"total": VERIFIED, "lines": [{"item": VERIFIED}, {"item": VERIFIED}]},
    "corrections": {"lines[1]": {"verdict": "removed"}, "total": {"verdict": "rejected"}},
}


class Tasks:
    """Tasks with results, without a worker."""

    def __init__(self, folder: Path) -> None:
        self.queue = tasks_in(folder)
        self.service = TaskService(
            self.queue, FolderUploads(folder / "uploads"), None, max_bytes=1, formats=(), engines=(),
            check_schema=lambda _: None,
        )  # fmt: skip

    def add(self, name: str, result: dict[str, Any] | None, schema: str = SCHEMA) -> str:
        task = self.queue.enqueue(NewTask(new_ulid(), name, ".md", schema, "rules"))
        claim = self.queue.claim()
        assert claim
        failed = Outcome(TaskStatus.FAILED, error=TaskError("damaged"))
        self.queue.finish(claim, failed if result is None else Outcome(TaskStatus.SUCCEEDED, json.dumps(result)))
        return task.id


@pytest.fixture
def tasks(tmp_path: Path) -> Iterator[Tasks]:
    made = Tasks(tmp_path)
    yield made
    made.service.close()


def test_a_task_says_what_it_was_asked_and_which_fields_are_tables(tasks: Tasks) -> None:
    asked = question(tasks.service, tasks.add("a.md", RESULT))
    assert (asked.name, asked.schema, asked.engine, asked.tables) == ("a.md", SCHEMA, "rules", ["lines"])
    failed, done = tasks.add("b.md", None), tasks.add("c.md", RESULT)
    assert counts(tasks.service, [failed, done]) == {done: (1, 2)}, "without what was rejected or removed"
    with pytest.raises(NotFound):
        question(tasks.service, "none")


def test_tasks_with_the_same_fields_are_the_rows_of_a_table_as_people_corrected_them(tasks: Tasks) -> None:
    first = tasks.add("a.md", RESULT)
    tasks.add("other.md", RESULT, '{"a": "string"}')
    second = tasks.add("b.md", None)
    shown = table(tasks.service, first)
    assert shown == table(tasks.service, second) and shown.fields == ["total", "lines"]
    assert [(row.task, row.name, row.status) for row in shown.rows] == [
        (first, "a.md", "succeeded"), (second, "b.md", "failed"),
    ]  # fmt: skip
    assert [list(cell) for cell in shown.rows[0].cells] == [[None, "absent"], ['[{"item": "Screw"}]', "verified"]]
    unproved = {"locator": None, "snippet": None, "status": "ungrounded", "verified": False}
    corrections = {"total": {"verdict": "corrected", "value": 8, "evidence": unproved}}
    tasks.add("c.md", {**RESULT, "corrections": corrections})
    assert list(table(tasks.service, first).rows[-1].cells[0]) == [8, "corrected"]
    with pytest.raises(NotFound):
        table(tasks.service, "none")


def test_values_go_on_as_people_have_them(tasks: Tasks) -> None:
    task = tasks.add("a.md", RESULT)
    tasks.add("b.md", {**RESULT, "corrections": {}})
    tasks.add("c.md", None)
    expected = exported(tasks.service, task, "expected", alike=False)
    assert json.loads(expected.data) == {"total": None, "lines": [{"item": "Screw"}]}
    csv = exported(tasks.service, task, ".csv", alike=False).data.decode("utf-8-sig")
    assert csv.split("\r\n") == ["file,total,lines.item", "a.md,,Screw", ""]
    book = openpyxl.load_workbook(BytesIO(exported(tasks.service, task, ".xlsx", alike=True).data)).active
    assert list(book.values)[1:] == [("a.md", None, "Screw"), ("b.md", 7, "Screw"), ("b.md", 7, "Page 2")]  # type: ignore[union-attr]
    with pytest.raises(InvalidInput, match="exported as one of"):
        exported(tasks.service, task, ".pdf", alike=False)

"""The results of tasks, as people have corrected them: one table of all tasks with the same fields, and files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from pincite.errors import InvalidInput
from pincite.model.extraction import EvidenceStatus
from pincite.model.schema import ListNode, ObjectNode, Path, Schema, dotted, fields_of
from pincite.model.task import Task, TaskStatus
from pincite.services.extraction.corrections import ACCEPTED, CORRECTED, corrected
from pincite.services.extraction.schemas import read_schema
from pincite.services.extraction.spreadsheets import CSV, XLSX, field_cells, item_rows, leaves, written
from pincite.services.tasks.service import TaskService

MAX_DOCUMENTS = 500
"""Documents of one table: the newest."""

NONE = "none"
"""The status of a value that was not found, which a person accepted."""

EXPECTED = "expected"
"""The values in the form that `pincite eval` takes."""

_MEDIA_TYPES = {
    EXPECTED: "application/json",
    CSV: "text/csv",
    XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True, slots=True)
class Question:
    """What a task was asked.

    Attributes:
        name: The name of its file.
        schema: As it was sent.
        engine: As it was sent.
        tables: The fields that are lists of objects.
    """

    name: str
    schema: str
    engine: str
    tables: Sequence[str]


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A document of a table.

    Attributes:
        task: Its task.
        name: Its file name.
        engine: The engine that was asked for.
        status: The status of the task.
        cells: Its values, in the order of the fields, each with its status of evidence, `corrected` if a person put it
            in and the document does not prove it, or `NONE`; empty without a result.
    """

    task: str
    name: str
    engine: str
    status: TaskStatus
    cells: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class ResultTable:
    """The results of all tasks with the same fields."""

    fields: Sequence[str]
    rows: Sequence[ResultRow]


@dataclass(frozen=True, slots=True)
class File:
    """A file to send."""

    data: bytes
    media_type: str


def question(service: TaskService, task_id: str) -> Question:
    """Return what a task was asked.

    Raises:
        NotFound: There is no such task.
    """
    task = service.task(task_id)
    fields = fields_of(read_schema(task.schema).root)
    tables = [dotted(path) for path, node in fields if isinstance(node, ListNode) and isinstance(node.item, ObjectNode)]
    return Question(task.file_name, task.schema, task.engine, tables)


def counts(service: TaskService, task_ids: Sequence[str]) -> Mapping[str, tuple[int, int]]:
    """Return the number of values that were found, as people have corrected them, and of all; by task with a result.

    Raises:
        NotFound: There is no such task.
    """
    found = dict[str, tuple[int, int]]()
    for task, record in _records(service, [service.task(task_id) for task_id in task_ids]):
        if record:
            values = [value for _, value, _ in leaves(record["data"], record["evidence"])]
            found[task.id] = sum(value not in (None, []) for value in values), len(values)
    return found


def table(service: TaskService, task_id: str) -> ResultTable:
    """Return the results of the tasks with the fields of this one, at most `MAX_DOCUMENTS`, oldest first.

    Raises:
        NotFound: There is no such task.
    """
    fields = [path for path, _ in fields_of(read_schema(service.task(task_id).schema).root)]
    tasks = service.alike(task_id, MAX_DOCUMENTS)[::-1]
    rows = [
        ResultRow(task.id, task.file_name, task.engine, task.status, _cells(fields, record))
        for task, record in _records(service, tasks)
    ]
    return ResultTable([dotted(path) for path in fields], rows)


def exported(service: TaskService, task_id: str, form: str, *, alike: bool) -> File:
    """Return the values of a task as a file.

    Args:
        service: The tasks.
        task_id: The task.
        form: `EXPECTED`, `CSV` or `XLSX`.
        alike: With the values of all tasks of its table.

    Raises:
        NotFound, InvalidInput: There is no such task, result or form.
    """
    if form not in _MEDIA_TYPES:
        raise InvalidInput(f"Values are exported as one of {', '.join(_MEDIA_TYPES)}.")
    task = service.task(task_id)
    if form == EXPECTED:
        data = to_json(corrected(service.result(task_id), known_only=True)[0], indent=2)
    else:
        schema: Schema = read_schema(task.schema)
        tasks = service.alike(task_id, MAX_DOCUMENTS)[::-1] if alike else [task]
        records = ({"file": owner.file_name, **record} for owner, record in _records(service, tasks) if record)
        data = written(item_rows(schema, records), form)
    return File(data, _MEDIA_TYPES[form])


def _records(service: TaskService, tasks: Sequence[Task]) -> Iterator[tuple[Task, Mapping[str, Any]]]:
    """Yield tasks with data, evidence and corrections; without where there is no result."""
    for task in tasks:
        if task.status is not TaskStatus.SUCCEEDED:
            yield task, {}
            continue
        result = service.result(task.id)
        data, evidence = corrected(result)
        yield task, {"data": data, "evidence": evidence, "corrections": result.get("corrections", {})}


def _cells(fields: Sequence[Path], record: Mapping[str, Any]) -> list[list[Any]]:
    verdicts = {path: given["verdict"] for path, given in record.get("corrections", {}).items()}
    said: Mapping[tuple[Any, Any], str] = {
        (EvidenceStatus.UNGROUNDED, CORRECTED): CORRECTED,
        (EvidenceStatus.ABSENT, ACCEPTED): NONE,
    }
    cells = zip(map(dotted, fields), field_cells(fields, record), strict=True)
    return [[value, said.get((status, verdicts.get(path)), status)] for path, (value, status, *_) in cells]

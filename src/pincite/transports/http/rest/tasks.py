"""REST over tasks: upload, status, result, list, events, erase."""

import asyncio
import math
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import ExitStack, asynccontextmanager
from typing import Any, BinaryIO, TypeVar

import anyio
import anyio.to_thread
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from pincite.errors import InvalidInput, NotFound
from pincite.model.status import iso
from pincite.model.task import ID, Task, TaskStatus
from pincite.registry import FORMATS
from pincite.services.tasks.base import Upload
from pincite.services.tasks.service import TaskService
from pincite.text.excerpt import excerpt
from pincite.toolkit.validation import nearest
from pincite.transports.http.exchange import exchange_of
from pincite.transports.http.receiving.uploads import FILE, Reception
from pincite.transports.http.rest.routes import ApiRoute, form, in_path

PATH, TAG = "/tasks", "tasks"

SCHEMA, ENGINE, STRICT, MIN_CONFIDENCE = "schema", "engine", "strict", "min_confidence"
"""Fields of an upload."""

DEFAULT_LISTED, MAX_LISTED = 50, 200
"""Tasks in one answer if no number is given, and at most."""

MAX_DIGITS = 9
"""Of a limit: Python refuses to read some thousand."""

POLL_SECONDS = 0.25
"""Interval between two polls of a task whose events have a listener: another process may work on it."""

MAX_WAIT_SECONDS = 60
"""Time that an upload may wait for its result: proxies close connections that take longer."""

PING_SECONDS = 15.0
"""Interval between two signs of life on a stream without events: proxies close silent connections."""

T = TypeVar("T")

_FORM = form(
    {FILE: "The document.", SCHEMA: "JSON text: a skeleton whose leaves describe the values, or a JSON Schema."},
    {
        ENGINE: "`auto` (default), or an engine's name.",
        STRICT: "`true` (default) to leave out what is not verified; `false` keeps it, marked as `ungrounded`.",
        MIN_CONFIDENCE: "Confidence from 0 (default) to 1 below which a value is left out, too.",
    },
)
_IN_PATH = in_path("task_id")


class TaskCreated(BaseModel):
    """A task that was stored."""

    task_id: str


class TaskErrorModel(BaseModel):
    """Why a task failed."""

    message: str
    details: list[str]


class TaskProgressModel(BaseModel):
    """How far a task is."""

    done: float
    total: float | None
    message: str


class TaskState(BaseModel):
    """The status of a task."""

    task_id: str
    status: TaskStatus
    created_at: str
    updated_at: str
    error: TaskErrorModel | None
    progress: TaskProgressModel | None = Field(None, description="While it runs.")


class ListedTask(TaskState):
    """A task in a list."""

    file_name: str
    engine: str


class TaskPage(BaseModel):
    """Tasks, newest first."""

    tasks: list[ListedTask]
    total: int = Field(description="Number of all tasks, or of those of the status.")
    next_cursor: str | None = Field(description="Send it as `cursor` for the next page; null on the last one.")


class TaskRoutes:
    """The routes over tasks.

    Args:
        service: The tasks.
        seconds: Maximum wait for the next bytes of an upload.
    """

    def __init__(self, service: TaskService, seconds: float) -> None:
        self._service = service
        self._seconds = seconds

    def routes(self) -> list[ApiRoute]:
        """Return the routes."""
        task, query = f"{PATH}/{{task_id}}", _query("cursor", "limit", "status")
        return [
            ApiRoute("POST", PATH, self.create, TaskCreated, 202, (400, 422, 429), TAG, {**_FORM, **_query("wait")}),
            ApiRoute("GET", PATH, self.listed, TaskPage, 200, (400, 429), TAG, query),
            ApiRoute("GET", task, self.state, TaskState, 200, (404,), TAG, _IN_PATH),
            ApiRoute("DELETE", task, self.erase, None, 204, (404,), TAG, _IN_PATH),
            ApiRoute("GET", f"{task}/result", self.result, None, 200, (400, 404), TAG, _IN_PATH),
            ApiRoute("GET", f"{task}/events", self.events, None, 200, (404,), TAG, _IN_PATH),
            ApiRoute("GET", f"{task}/document", self.document, None, 200, (404,), TAG, _IN_PATH),
        ]

    async def create(self, request: Request) -> Response:
        """Upload a document and a schema; the answer names the task that extracts one into the other.

        With `wait`, in seconds, it is the result if that comes in time.
        """
        _check_known(request.query_params, "wait")
        service, seconds = self._service, _seconds(request.query_params.get("wait"))
        reception: Reception[Task] = Reception(
            service.begin, request, max_bytes=service.max_bytes, seconds=self._seconds
        )
        task = await reception.receive(self._submit, SCHEMA)
        if seconds and await self._is_done(task.id, seconds, request):
            return JSONResponse(await _in_thread(lambda: service.result(task.id)))
        return JSONResponse({"task_id": task.id}, 202, {"location": f"{PATH}/{task.id}"})

    async def _is_done(self, task_id: str, seconds: float, request: Request) -> bool:
        """Return True once a task has a result or has failed; False if its time is over."""
        stop, deadline = exchange_of(request.scope).stop, time.monotonic() + seconds
        while time.monotonic() < deadline and not stop.is_set() and not self._service.is_closing:
            task = await _in_thread(lambda: self._service.task(task_id))
            if task.status.final:
                return task.status is not TaskStatus.CANCELLED
            await asyncio.sleep(POLL_SECONDS)
        return False

    def _submit(self, upload: Upload, file_name: str, fields: Mapping[str, str]) -> Task:
        _check_known(fields, SCHEMA, ENGINE, STRICT, MIN_CONFIDENCE)
        strict, least = _flag(fields.get(STRICT)), _confidence(fields.get(MIN_CONFIDENCE))
        engine = fields.get(ENGINE, "")
        return self._service.submit(upload, file_name, fields[SCHEMA], engine, strict=strict, min_confidence=least)

    async def listed(self, request: Request) -> Response:
        """List the tasks, newest first."""
        query = request.query_params
        _check_known(query, "cursor", "limit", "status")
        limit, cursor, status = _limit(query.get("limit")), query.get("cursor") or None, _status(query.get("status"))
        if cursor is not None and not ID.fullmatch(cursor):
            raise InvalidInput("Unknown cursor: send next_cursor of the page before")
        # One more than shown tells whether there is a next page.
        tasks = await _in_thread(lambda: self._service.task_page(limit + 1, cursor, status))
        total = await _in_thread(lambda: self._service.count(status))
        shown = tasks[:limit]
        page = TaskPage(
            tasks=[_listed(task) for task in shown],
            total=total,
            next_cursor=shown[-1].id if len(tasks) > limit else None,
        )
        return _json(page)

    async def state(self, request: Request) -> Response:
        """Return the status of a task."""
        return _json(_state(await _in_thread(lambda: self._service.task(_id(request)))))

    async def result(self, request: Request) -> Response:
        """Return the result of a finished task, or why it failed."""
        return JSONResponse(await _in_thread(lambda: self._service.result(_id(request))))

    async def erase(self, request: Request) -> Response:
        """Cancel a task and erase everything of it."""
        await _in_thread(lambda: self._service.erase(_id(request)))
        return Response(status_code=204)

    async def document(self, request: Request) -> Response:
        """Return the document of a task, as it was uploaded."""
        task, file, held = await _in_thread(lambda: self._opened(_id(request)))
        media_type = next((row.media_types[0] for row in FORMATS if task.extension in row.extensions), None)
        # An attachment in a sandbox: an uploaded page must not run on this origin.
        headers = {"content-security-policy": "sandbox"}
        return _HeldFile(file, held, filename=task.file_name, media_type=media_type, headers=headers)

    def _opened(self, task_id: str) -> tuple[Task, BinaryIO, ExitStack]:
        """Open the document of a task, which may be erased while it is sent."""
        with ExitStack() as held:
            task, path = held.enter_context(self._service.document(task_id))
            return task, held.enter_context(path.open("rb")), held.pop_all()

    async def events(self, request: Request) -> Response:
        """Follow a task: an event `status` for each change, until it is finished."""
        task = await _in_thread(lambda: self._service.task(_id(request)))
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._events(task, request), media_type="text/event-stream", headers=headers)

    async def _events(self, task: Task, request: Request) -> AsyncGenerator[str]:
        stop, task_id = exchange_of(request.scope).stop, task.id
        yield _event(task)
        silent = 0.0
        while not task.status.final and not stop.is_set() and not self._service.is_closing:
            await asyncio.sleep(POLL_SECONDS)
            silent += POLL_SECONDS
            try:
                latest = await _in_thread(lambda: self._service.task(task_id))
            except NotFound:
                yield "event: erased\ndata: {}\n\n"
                return
            if latest.version != task.version:
                task, silent = latest, 0.0
                yield _event(task)
            elif silent >= PING_SECONDS:
                silent = 0.0
                yield ": still here\n\n"


class _HeldFile(FileResponse):
    """An open file, which is closed once it was sent, or its client has gone."""

    def __init__(self, file: BinaryIO, held: ExitStack, **options: Any) -> None:
        super().__init__(file.name, stat_result=os.fstat(file.fileno()), **options)
        self._file = anyio.wrap_file(file)
        self._held = held

    @asynccontextmanager
    async def _open_file(self) -> AsyncGenerator[anyio.AsyncFile[bytes]]:
        yield self._file  # the base class would open it anew, by its path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            with anyio.CancelScope(shield=True):
                await _in_thread(self._held.close)


async def _in_thread(work: Callable[[], T]) -> T:
    """Query the database in a thread: another transaction may block the query for some milliseconds."""
    return await anyio.to_thread.run_sync(work)


def _id(request: Request) -> str:
    return request.path_params["task_id"]


def _check_known(given: Iterable[str], *known: str) -> None:
    if unknown := [name for name in given if name not in known]:
        raise InvalidInput(f"Unknown argument: {excerpt(unknown[0])}.{nearest(unknown[0], known)}")


def _limit(value: str | None) -> int:
    if not value:
        return DEFAULT_LISTED
    limit = int(value) if value.isdecimal() and len(value) <= MAX_DIGITS else 0
    if not 1 <= limit <= MAX_LISTED:
        raise InvalidInput(f"limit should be a number from 1 to {MAX_LISTED}")
    return limit


def _seconds(value: str | None) -> float:
    return _number("wait", value, MAX_WAIT_SECONDS, "seconds ")


def _confidence(value: str | None) -> float:
    return _number(MIN_CONFIDENCE, value, 1)


def _number(name: str, value: str | None, most: int, unit: str = "") -> float:
    try:
        number = float(value or 0)
    except ValueError:
        number = math.nan
    if not 0 <= number <= most:
        raise InvalidInput(f"{name} should be a number {unit and f'of {unit}'}from 0 to {most}")
    return number


def _flag(value: str | None) -> bool:
    if value not in (None, "", "true", "false"):
        raise InvalidInput(f"{STRICT} should be true or false")
    return value != "false"


def _status(value: str | None) -> TaskStatus | None:
    if not value:
        return None
    if value not in set(TaskStatus):
        raise InvalidInput(f"Unknown status: {excerpt(value)}. Known: {', '.join(TaskStatus)}")
    return TaskStatus(value)


def _fields(task: Task) -> dict[str, Any]:
    error, progress = task.error, None if task.status.final else task.progress
    return {
        "task_id": task.id,
        "status": task.status,
        "created_at": iso(task.created_at),
        "updated_at": iso(task.updated_at),
        "error": error and TaskErrorModel(message=error.message, details=list(error.details)),
        "progress": progress and TaskProgressModel(done=progress.done, total=progress.total, message=progress.message),
    }


def _state(task: Task) -> TaskState:
    return TaskState(**_fields(task))


def _listed(task: Task) -> ListedTask:
    return ListedTask(**_fields(task), file_name=task.file_name, engine=task.engine)


def _event(task: Task) -> str:
    return f"id: {task.version}\nevent: status\ndata: {_state(task).model_dump_json()}\n\n"


def _json(model: BaseModel) -> Response:
    return Response(model.model_dump_json(), media_type="application/json")


def _query(*names: str) -> Mapping[str, Any]:
    return {"parameters": [{"name": name, "in": "query", "schema": {"type": "string"}} for name in names]}

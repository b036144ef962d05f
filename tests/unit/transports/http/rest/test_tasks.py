"""REST over tasks, on a real socket."""

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from pincite.model.task import ID, TaskStatus
from pincite.services.tasks.base import Outcome
from support.task_queues import new_task, tasks_in
from support.task_server import TaskApp, serving_tasks
from support.waiting import pause, wait_for

SCHEMA = '{"a": "integer"}'
PDF = b"%PDF-1.4 fake content"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TaskApp]:
    with serving_tasks(tmp_path_factory.mktemp("data")) as served:
        yield served


@pytest.fixture
def client(app: TaskApp) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=app.url, timeout=30, trust_env=False) as made:
        yield made


def upload(
    client: httpx2.Client, data: bytes = b"go", name: str = "a.txt", schema: str = SCHEMA, **fields: str
) -> httpx2.Response:
    return client.post("/tasks", files={"file": (name, data)}, data={"schema": schema, **fields})


def created(client: httpx2.Client, data: bytes = b"go", name: str = "a.txt") -> str:
    answer = upload(client, data, name)
    assert answer.status_code == 202, answer.text
    return answer.json()["task_id"]


def state(client: httpx2.Client, task_id: str) -> dict[str, Any]:
    return client.get(f"/tasks/{task_id}").json()


def ended(client: httpx2.Client, task_id: str) -> dict[str, Any]:
    assert wait_for(lambda: state(client, task_id)["status"] not in ("queued", "running"))
    return state(client, task_id)


def test_an_upload_becomes_a_task_that_is_worked_on(client: httpx2.Client) -> None:
    answer = upload(client)
    task_id = answer.json()["task_id"]
    assert answer.status_code == 202 and set(answer.json()) == {"task_id"} and ID.fullmatch(task_id)
    done = ended(client, task_id)
    assert (done["task_id"], done["status"], done["error"]) == (task_id, "succeeded", None)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", done[field]) for field in ("created_at", "updated_at"))
    result = client.get(f"/tasks/{task_id}/result")
    assert result.status_code == 200
    assert (result.json()["task_id"], result.json()["data"], result.json()["engine"]) == (task_id, {"a": 1}, "scripted")


def test_an_upload_that_waits_is_answered_with_the_result(client: httpx2.Client) -> None:
    files, data = {"file": ("a.txt", b"go")}, {"schema": SCHEMA}
    answer = client.post("/tasks?wait=20", files=files, data=data)
    assert (answer.status_code, answer.json()["data"]) == (200, {"a": 1})
    failed = client.post("/tasks?wait=20", files={"file": ("a.txt", b"fail")}, data=data)
    assert (failed.status_code, failed.json()["status"]) == (200, "failed")
    at_once = client.post("/tasks?wait=0", files=files, data=data)
    assert (at_once.status_code, set(at_once.json())) == (202, {"task_id"})


@pytest.mark.parametrize("wait", ["61", "-1", "soon", "nan"])
def test_a_wait_that_is_no_number_of_seconds_is_refused_and_nothing_stored(client: httpx2.Client, wait: str) -> None:
    before = client.get("/tasks").json()["total"]
    answer = client.post(f"/tasks?wait={wait}", files={"file": ("a.txt", b"go")}, data={"schema": SCHEMA})
    assert (answer.status_code, client.get("/tasks").json()["total"]) == (400, before)
    assert "from 0 to 60" in answer.json()["detail"]


def test_a_task_has_what_the_upload_asked_for(app: TaskApp, client: httpx2.Client) -> None:
    task_id = upload(client, name="a.txt", strict="false", min_confidence="0.9").json()["task_id"]
    task = app.tasks.task(task_id)
    assert (task.strict, task.min_confidence) == (False, 0.9)


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"strict": "maybe"}, "strict should be true or false"),
        ({"min_confidence": "1.5"}, "min_confidence should be a number from 0 to 1"),
        ({"min_confidence": "nan"}, "min_confidence should be a number from 0 to 1"),
        ({"min_confidance": "0.9"}, "Unknown argument: min_confidance. Did you mean 'min_confidence'?"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(client: httpx2.Client, fields: dict[str, str], problem: str) -> None:
    answer = upload(client, b"go", "a.txt", SCHEMA, **fields)
    assert (answer.status_code, answer.json()["detail"]) == (400, problem)


def test_an_unknown_argument_is_refused_with_the_nearest(client: httpx2.Client) -> None:
    created = client.post("/tasks?wiat=3", files={"file": ("a.txt", b"go")}, data={"schema": SCHEMA})
    for answer, name in ((created, "wait"), (client.get("/tasks?limt=1"), "limit")):
        assert (answer.status_code, f"Did you mean '{name}'?" in answer.json()["detail"]) == (400, True)


def test_a_failed_task_says_why_in_its_status_and_its_result(client: httpx2.Client) -> None:
    task_id = created(client, b"fail")
    error: dict[str, Any] = {"message": "The document has no text.", "details": []}
    assert ended(client, task_id)["error"] == error
    result = client.get(f"/tasks/{task_id}/result")
    assert (result.status_code, result.json()) == (200, {"task_id": task_id, "status": "failed", "error": error})


def test_a_result_that_is_not_there_yet_says_the_status(app: TaskApp, client: httpx2.Client) -> None:
    app.released.clear()
    task_id = created(client, b"wait")
    assert wait_for(lambda: state(client, task_id)["status"] == "running")
    result = client.get(f"/tasks/{task_id}/result")
    assert (result.status_code, result.json()["detail"]) == (400, "Task not complete (status: running)")
    assert wait_for(lambda: state(client, task_id)["progress"] is not None)
    assert state(client, task_id)["progress"] == {"done": 1.0, "total": 2.0, "message": "Waiting"}
    app.released.set()
    ended(client, task_id)


@pytest.mark.parametrize("path", ["", "/result", "/events", "/document"])
@pytest.mark.parametrize("task_id", ["01ARYZ6S410000000000000000", "nonsense", "..%2f..%2fetc", "%00"])
def test_an_unknown_task_is_not_found(client: httpx2.Client, task_id: str, path: str) -> None:
    answer = client.get(f"/tasks/{task_id}{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")
    if "%" not in task_id:
        assert answer.json() == {"detail": "Task not found", "code": "NOT_FOUND"}
        assert client.delete(f"/tasks/{task_id}").status_code == 404


@pytest.mark.parametrize(
    ("schema", "detail"),
    [
        ("{", "Invalid JSON in schema field"),
        ("", "Invalid JSON in schema field"),
        ("[" * 200_000, "Invalid JSON in schema field"),
        ("[1]", "The schema must be a JSON object"),
        ('"a"', "The schema must be a JSON object"),
        ("{}", "The schema is empty: name at least one field"),
        ('{"bad": ""}', "Field 'bad' cannot be read"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_and_nothing_stays(
    app: TaskApp, client: httpx2.Client, schema: str, detail: str
) -> None:
    before = app.stored(), app.tasks.count()
    answer = upload(client, b"x" * 600_000, schema=schema)
    assert (answer.status_code, answer.json()) == (400, {"detail": detail, "code": "VALIDATION_ERROR"})
    assert (app.stored(), app.tasks.count()) == before


@pytest.mark.parametrize(
    ("name", "data", "detail"),
    [
        ("a.exe", b"x", r"Unsupported file format: \.exe\. Supported: .*\.pdf, .*\.docx"),
        ("a", b"x", "Unsupported file format: no extension"),
        ("a.pdf.zip", b"x", r"Unsupported file format: \.zip"),
        ("a.pdf", b"\x7fELF\x02\x01\x01" + bytes(100), r"Unsupported file format: \.pdf \(the file is a program\)"),
    ],
)
def test_a_file_of_no_supported_format_is_refused_and_nothing_stays(
    app: TaskApp, client: httpx2.Client, name: str, data: bytes, detail: str
) -> None:
    before = app.stored(), app.tasks.count()
    answer = upload(client, data, name)
    assert answer.status_code == 400 and re.match(detail, answer.json()["detail"])
    assert (app.stored(), app.tasks.count()) == before


def test_only_the_signature_is_checked_at_once(client: httpx2.Client) -> None:
    assert upload(client, PDF, "A.PDF").status_code == 202
    assert upload(client, b"", "a.docx").status_code == 202


@pytest.mark.parametrize("size", [1_000_001, 6_000_000])
def test_a_file_over_the_limit_is_refused_while_it_is_sent(app: TaskApp, client: httpx2.Client, size: int) -> None:
    before = app.stored(), app.tasks.count()
    answer = upload(client, b"x" * size)
    assert (answer.status_code, answer.json()["detail"]) == (413, "File too large")
    assert (app.stored(), app.tasks.count()) == before
    assert upload(client, b"x" * 1_000_000).status_code == 202


def test_a_missing_field_is_named(app: TaskApp, client: httpx2.Client) -> None:
    before = app.stored()
    no_file = client.post("/tasks", files={"schema": (None, SCHEMA)})
    no_schema = client.post("/tasks", files={"file": ("a.txt", b"x")})
    plain = client.post("/tasks", files={"file": (None, "x"), "schema": (None, SCHEMA)})
    assert [answer.status_code for answer in (no_file, no_schema, plain)] == [422, 422, 422]
    assert no_file.json()["detail"] == plain.json()["detail"] == "The field file is missing."
    assert no_schema.json()["detail"] == "The field schema is missing."
    no_form = client.post("/tasks", json={"schema": {}})
    assert no_form.status_code == 422 and no_form.json()["detail"].endswith("with the fields file and schema.")
    assert client.post("/tasks").status_code == 422
    assert app.stored() == before


def test_the_engine_is_chosen_by_name(client: httpx2.Client) -> None:
    assert upload(client, engine="rules").status_code == 202
    answer = upload(client, engine="magic")
    assert (answer.status_code, answer.json()["detail"]) == (400, "Unknown engine: magic. Known: auto, rules")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("../../../etc/passwd.txt", "passwd.txt"),
        ("C:\\temp\\Überblick.txt", "Überblick.txt"),
        ("@/etc/hosts.txt", "hosts.txt"),
        ("x" * 300 + ".txt", "x" * 251 + ".txt"),
    ],
)
def test_the_sent_name_is_no_path(app: TaskApp, client: httpx2.Client, sent: str, kept: str) -> None:
    task_id = created(client, b"go", sent)
    assert (app.folder / "uploads" / task_id / "original.txt").read_bytes() == b"go"
    assert app.tasks.task(task_id).file_name == kept
    assert app.stored() == sorted(app.stored()) and all(ID.fullmatch(name) for name in app.stored())


def test_the_schema_may_come_before_the_file(client: httpx2.Client) -> None:
    answer = client.post("/tasks", files=[("schema", (None, SCHEMA)), ("file", ("a.txt", b"go"))])
    assert answer.status_code == 202


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        b"--b\r\n",
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf',
        b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n' * 21 + b"--b--\r\n",
        b"--b\r\n" + b"x: y\r\n" * 100 + b"\r\n",
    ],
)
def test_a_malformed_body_is_refused_and_nothing_stays(app: TaskApp, client: httpx2.Client, body: bytes) -> None:
    before = app.stored()
    headers = {"content-type": "multipart/form-data; boundary=b"}
    answer = client.post("/tasks", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert app.stored() == before


def test_two_files_or_a_large_field_are_refused(app: TaskApp, client: httpx2.Client) -> None:
    before = app.stored()
    two = client.post(
        "/tasks", files=[("file", ("a.txt", b"1")), ("file", ("b.txt", b"2")), ("schema", (None, SCHEMA))]
    )
    assert (two.status_code, two.json()["detail"]) == (400, "Send one file a task.")
    assert upload(client, schema='{"a": "' + "x" * 1_100_000 + '"}').status_code == 413
    assert app.stored() == before


def test_a_client_that_goes_in_the_middle_leaves_nothing(app: TaskApp, client: httpx2.Client) -> None:
    before = app.stored()

    def half() -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n' + b"x" * 400_000
        assert wait_for(lambda: app.stored() != before)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.post("/tasks", content=half(), headers={"content-type": "multipart/form-data; boundary=b"})
    assert wait_for(lambda: app.stored() == before)


def test_tasks_are_listed_newest_first_in_pages(client: httpx2.Client) -> None:
    ids = [created(client, name=f"{number}.txt") for number in range(3)]
    ended(client, ids[-1])
    first = client.get("/tasks", params={"limit": 2}).json()
    assert [task["task_id"] for task in first["tasks"]] == [ids[2], ids[1]]
    assert (first["tasks"][0]["file_name"], first["tasks"][0]["engine"]) == ("2.txt", "auto")
    second = client.get("/tasks", params={"limit": 2, "cursor": first["next_cursor"]}).json()
    assert second["tasks"][0]["task_id"] == ids[0] and first["total"] == second["total"] >= 3
    every = client.get("/tasks", params={"limit": 200, "status": "succeeded"}).json()
    assert every["next_cursor"] is None and {task["status"] for task in every["tasks"]} == {"succeeded"}


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "status=lost", "cursor=x"])
def test_a_list_that_cannot_be_made_is_refused(client: httpx2.Client, query: str) -> None:
    answer = client.get(f"/tasks?{query}")
    assert answer.status_code == 400 and isinstance(answer.json()["detail"], str)


def test_an_erased_task_stops_and_leaves_nothing(app: TaskApp, client: httpx2.Client) -> None:
    app.released.clear()
    task_id = created(client, b"wait")
    assert wait_for(lambda: state(client, task_id)["status"] == "running")
    assert client.delete(f"/tasks/{task_id}").status_code == 204
    assert client.get(f"/tasks/{task_id}").status_code == 404
    assert task_id not in app.stored()
    assert ended(client, created(client))["status"] == "succeeded", "the worker is free again"


def test_events_follow_a_task_to_its_end(app: TaskApp, client: httpx2.Client) -> None:
    app.released.clear()
    task_id = created(client, b"wait")
    seen: list[dict[str, Any]] = []
    with client.stream("GET", f"/tasks/{task_id}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("data: "):
                seen.append(json.loads(line.removeprefix("data: ")))
                if seen[-1]["progress"]:
                    app.released.set()
    assert [event["status"] for event in seen][-2:] == ["running", "succeeded"]
    assert seen[-1] == state(client, task_id)


def test_the_events_of_an_erased_task_end(app: TaskApp, client: httpx2.Client) -> None:
    app.released.clear()
    task_id = created(client, b"wait")
    with client.stream("GET", f"/tasks/{task_id}/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        with httpx2.Client(base_url=app.url, trust_env=False) as other:
            other.delete(f"/tasks/{task_id}")
        assert "event: erased" in list(lines)


def test_the_document_comes_back_as_an_attachment(app: TaskApp, client: httpx2.Client) -> None:
    task_id = created(client, b"<script>alert(1)</script>", "Seite ü.html")
    answer = client.get(f"/tasks/{task_id}/document")
    assert answer.content == b"<script>alert(1)</script>"
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-security-policy"] == "sandbox"
    part = client.get(f"/tasks/{task_id}/document", headers={"range": "bytes=1-6"})
    assert (part.status_code, part.content) == (206, b"script")
    app.uploads.erase(task_id)
    assert client.get(f"/tasks/{task_id}/document").status_code == 404


def test_a_document_is_whole_or_not_found_while_its_task_is_erased(client: httpx2.Client) -> None:
    document = b"wait" + b"x" * 300_000
    with ThreadPoolExecutor(2) as both:
        for _ in range(40):
            path = f"/tasks/{created(client, document)}"
            sent, erased = both.submit(client.get, f"{path}/document"), both.submit(client.delete, path)
            assert erased.result().status_code == 204
            assert sent.result().status_code == 404 or sent.result().content == document


def test_a_document_that_is_erased_just_before_it_is_opened_is_not_found(
    app: TaskApp, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    task_id = created(client)
    exists = Path.exists

    def vanishing(path: Path) -> bool:
        found = exists(path)
        app.uploads.erase(task_id)
        return found

    monkeypatch.setattr(Path, "exists", vanishing)
    answer = client.get(f"/tasks/{task_id}/document")
    assert (answer.status_code, answer.json()["code"]) == (404, "NOT_FOUND")


def test_the_routes_are_described(client: httpx2.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert "multipart/form-data" in paths["/tasks"]["post"]["requestBody"]["content"]
    assert {"get", "delete"} <= set(paths["/tasks/{task_id}"])
    assert client.put("/tasks").json() == {
        "detail": "Method Not Allowed. GET / lists what is served.",
        "code": "VALIDATION_ERROR",
    }


def test_every_answer_of_the_routes_is_declared(client: httpx2.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    task, boundary = created(client), "x" * 300
    answers = [
        ("/tasks", upload(client)),
        ("/tasks", upload(client, name="a.zzz")),
        ("/tasks", upload(client, schema="[")),
        ("/tasks", client.post("/tasks", json={})),
        (
            "/tasks",
            client.post("/tasks", content=b"x", headers={"content-type": f"multipart/form-data; boundary={boundary}"}),
        ),
        ("/tasks", upload(client, b"x" * 6_000_000)),
        ("/tasks", client.get("/tasks", params={"limit": "many"})),
        ("/tasks/{task_id}", client.get(f"/tasks/{task}")),
        *(
            (f"/tasks/{{task_id}}{rest}", client.get(f"/tasks/none{rest}"))
            for rest in ("", "/result", "/events", "/document")
        ),
        ("/tasks/{task_id}", client.delete("/tasks/none")),
    ]
    seen = {answer.status_code for _, answer in answers}
    assert {202, 400, 404, 413, 422} <= seen
    for path, answer in answers:
        declared = paths[path][answer.request.method.lower()]["responses"][str(answer.status_code)]
        if answer.is_error:
            assert declared["content"]["application/json"]["schema"]["$ref"].endswith("/Detail")
            assert answer.json().keys() == {"detail", "code"}
    assert {"400", "422", "429", "413"} <= set(paths["/tasks"]["post"]["responses"])


def test_a_page_of_another_origin_may_not_upload(client: httpx2.Client) -> None:
    answer = client.post("/tasks", files={"file": ("a.txt", b"x")}, headers={"origin": "https://evil.example"})
    assert answer.status_code == 403 and "detail" in answer.json()


def test_a_slow_upload_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def dribbled(seconds: float) -> Iterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
        for _ in range(3):
            pause(seconds, "a slow upload")
            yield b"x"

    def sent(app: TaskApp, seconds: float) -> httpx2.Response:
        headers = {"content-type": "multipart/form-data; boundary=b"}
        return httpx2.post(f"{app.url}/tasks", content=dribbled(seconds), headers=headers, trust_env=False, timeout=30)

    with serving_tasks(tmp_path, working=False, PINCITE_REQUEST_SECONDS="0.3") as app:
        assert "Nothing was sent for 0.3 seconds" in sent(app, 1.0).json()["detail"]
        monkeypatch.setattr("pincite.transports.http.receiving.uploads.SLOW_SECONDS", 0.0)
        assert "slower than 1000 bytes a second" in sent(app, 0.15).json()["detail"]
        assert app.stored() == []


def test_a_stop_gives_back_what_runs_and_ends_streams(tmp_path: Path) -> None:
    with (
        serving_tasks(tmp_path, PINCITE_STOP_SECONDS="0") as app,
        httpx2.Client(base_url=app.url, timeout=30, trust_env=False) as client,
    ):
        task_id = created(client, b"wait")
        assert wait_for(lambda: state(client, task_id)["status"] == "running")
    with serving_tasks(tmp_path, working=False) as app:
        assert app.tasks.task(task_id).status == "queued"


def test_a_disk_that_cannot_be_written_is_said(
    app: TaskApp, client: httpx2.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> Callable[..., None]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pincite.services.tasks.uploads.os.fsync", full)
    before = app.stored()
    answer = upload(client)
    assert answer.status_code == 507 and "Free space on the disk of DATA_DIR" in answer.json()["detail"]
    assert app.stored() == before


@pytest.mark.parametrize(
    "schema", ['{"a": NaN}', '{"a": [1e999]}', r'{"a\ud800": "string"}', r'{"a": "\udfff"}', '{"a": -Infinity}']
)
def test_a_schema_that_other_programs_cannot_read_is_refused(client: httpx2.Client, schema: str) -> None:
    answer = upload(client, schema=schema)
    assert (answer.status_code, answer.json()["detail"]) == (400, "Invalid JSON in schema field")


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_schema_that_is_not_utf_8_is_refused(client: httpx2.Client, encoding: str) -> None:
    files = {"file": ("a.txt", b"go"), "schema": (None, '{"Größe": "number"}'.encode(encoding))}
    answer = client.post("/tasks", files=files)
    assert answer.status_code == 400 and answer.json()["detail"].startswith("The field schema is not UTF-8")


def test_a_schema_may_begin_with_a_byte_order_mark(client: httpx2.Client) -> None:
    files = {"file": ("a.txt", b"go"), "schema": (None, b"\xef\xbb\xbf" + SCHEMA.encode())}
    assert client.post("/tasks", files=files).status_code == 202


def test_a_result_with_numbers_and_texts_that_no_json_has_can_still_be_read(tmp_path: Path) -> None:
    stored = r'{"data": {"a": Infinity, "b": NaN, "c": "\ud800"}}'
    with serving_tasks(tmp_path, working=False) as app, httpx2.Client(base_url=app.url, timeout=30) as client:
        task_id = created(client)
        with contextlib.closing(tasks_in(tmp_path)) as queue:
            claim = queue.claim()
            assert claim is not None and queue.finish(claim, Outcome(TaskStatus.SUCCEEDED, stored))
        answer = client.get(f"/tasks/{task_id}/result")
        assert (answer.status_code, answer.json()["data"]) == (200, {"a": "Infinity", "b": "NaN", "c": "\ufffd"})


@pytest.mark.parametrize("limit", [200, 7])
def test_pages_of_any_limit_list_every_task_once(tmp_path: Path, limit: int) -> None:
    with serving_tasks(tmp_path, working=False) as app, httpx2.Client(base_url=app.url, timeout=30) as client:
        with contextlib.closing(tasks_in(tmp_path)) as queue:
            ids = [queue.enqueue(new_task()).id for _ in range(205)]
        listed: list[str] = []
        cursor = ""
        while True:
            page = client.get("/tasks", params={"limit": limit, "cursor": cursor}).json()
            listed += [task["task_id"] for task in page["tasks"]]
            if (cursor := page["next_cursor"]) is None:
                break
    assert listed == ids[::-1]


@pytest.mark.parametrize("limit", ["201", "0", "-1", "0000000000201", "9" * 5000])
def test_a_limit_out_of_its_range_is_refused(client: httpx2.Client, limit: str) -> None:
    answer = client.get("/tasks", params={"limit": limit})
    assert (answer.status_code, answer.json()["detail"]) == (400, "limit should be a number from 1 to 200")

"""Extraction as a service that somebody wants to break: each input is one that once did."""

import contextlib
import json
import os
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from support.http_wire import HttpServer
from support.mounts import mounted
from support.scripted_model import Said, Text, following
from support.waiting import wait_for
from support.wire import pincite

COMMAND = pincite("serve", "--toolsets", "extraction", "--transport", "http")
DOCUMENT = b"# Pump\n\nWeight: 25 kg\n"

pytestmark = pytest.mark.slow


@pytest.fixture
def env(tmp_path: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "DATA_DIR": str(tmp_path / "data"),
        "PINCITE_CACHE": str(tmp_path / "cache"),
        "EMBEDDING_PROVIDER": "hash",
        "MCP_RATE_LIMIT_RPM": "0",
        "PINCITE_TASK_LEASE": "1",
    }


@pytest.fixture
def server(env: Mapping[str, str]) -> Iterator[HttpServer]:
    with HttpServer(COMMAND, env) as made:
        yield made


def posted(client: httpx2.Client, schema: str = '{"weight": "string"}') -> httpx2.Response:
    return client.post("/tasks", files={"file": ("pump.md", DOCUMENT)}, data={"schema": schema})


def ended(client: httpx2.Client, task_id: str) -> dict[str, Any]:
    assert wait_for(lambda: client.get(f"/tasks/{task_id}").json()["status"] not in ("queued", "running"), 60)
    return client.get(f"/tasks/{task_id}/result").json()


def test_a_schema_with_half_a_character_is_refused_and_the_next_task_succeeds(server: HttpServer, data: Path) -> None:
    hostile = (data / "found" / "hostile" / "surrogate_schema.json").read_text("utf-8")
    with server.client() as client:
        assert posted(client, hostile).status_code == 400
        assert ended(client, posted(client).json()["task_id"])["data"] == {"weight": "25kg"}


@pytest.mark.parametrize("value", [r'"\ud800"', "1e999", "NaN"])
def test_no_answer_of_a_model_ends_the_worker(env: Mapping[str, str], value: str) -> None:
    answers = iter(range(2))

    def saying(_: object) -> Said:
        quoted = {"locator": "h1-c1", "snippet": "Weight: 25 kg"}
        said = value if next(answers, None) is not None else '"25 kg"'
        return Text(f'{{"data": {{"weight": {said}}}, "evidence": {json.dumps({"weight": quoted})}}}')

    with following([saying]) as model:
        own = {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": "a-key", "PINCITE_AGENT_RUNNER": "api"}
        with HttpServer(COMMAND, {**env, **own, "AGENT_MAX_RETRIES": "0"}) as server, server.client() as client:
            first = ended(client, posted(client).json()["task_id"])
            assert first.get("status") == "failed" or first["data"] == {"weight": None}
            while next(answers, None) is not None:  # what was not asked for of the hostile answers
                pass
            assert ended(client, posted(client).json()["task_id"])["data"] == {"weight": "25kg"}


def test_schemas_that_double_with_each_reference_stop_nobody(server: HttpServer, data: Path) -> None:
    bomb = (data / "found" / "hostile" / "schema_bomb.json").read_text("utf-8")
    with server.client() as client:

        def send(number: int) -> int:
            if number % 3 == 0:
                return posted(client, bomb).status_code
            if number % 3 == 1:
                return client.post("/ui/api/schema", content=bomb).status_code
            answer = client.post("/api/tools/json_validate_and_normalize", json={"schema": bomb, "data": {"x": "a"}})
            assert answer.json()["ok"] is False
            return answer.status_code

        with ThreadPoolExecutor(45) as senders:
            assert set(senders.map(send, range(45))) == {200, 400, 422}
        assert client.get("/health").json()["status"] == "ok"
        assert ended(client, posted(client).json()["task_id"])["data"] == {"weight": "25kg"}


def test_a_validation_ends_with_its_client_and_a_signal_ends_the_server_meanwhile(server: HttpServer) -> None:
    """References below `not` are no fields: what they stand for is met while data are checked."""
    levels = {f"a{level}": {"allOf": [{"$ref": f"#/$defs/a{level + 1}"}] * 2} for level in range(40)}
    properties = {"x": {"type": "string", "not": {"$ref": "#/$defs/a0"}}}
    schema = {"type": "object", "properties": properties, "$defs": {**levels, "a40": {}}}
    call = {"schema": schema, "data": {"x": "a"}}

    def leave(_: int) -> None:
        with pytest.raises(httpx2.TimeoutException):
            httpx2.post(f"{server.url}/api/tools/json_validate_and_normalize", json=call, timeout=1, trust_env=False)

    with ThreadPoolExecutor(12) as senders:
        list(senders.map(leave, range(12)))
        with server.client() as client:
            checked = {"schema": {"a": "string"}, "data": {"a": "x"}}
            answer = client.post("/api/tools/json_validate_and_normalize", json=checked, timeout=30)
            assert answer.json()["ok"] is True
        staying = [senders.submit(leave, number) for number in range(12)]
        server.process.send_signal(signal.SIGTERM)
        server.wait()
        for each in staying:
            each.cancel()


DEAF = """
import sys, threading
from pathlib import Path
from support.task_server import TaskApp
from pincite.transports import logging
from pincite.transports.http.server import serve_http

class Deaf(TaskApp):
    def begin(self):
        self.tasks._check_schema = lambda _: threading.Event().wait()

logging.configure("INFO", "json")
serve_http(Deaf(Path(sys.argv[1]), 1_000_000, {"PINCITE_STOP_SECONDS": "0.1"}, working=False))
"""


def test_a_signal_ends_a_server_whose_threads_listen_to_nothing(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    with HttpServer([sys.executable, "-c", DEAF, str(tmp_path)], env) as server:
        with server.client() as client, pytest.raises(httpx2.TimeoutException):
            client.post("/tasks", files={"file": ("a.txt", b"x")}, data={"schema": '{"a": ""}'}, timeout=1)
        assert server.end() == 0


def test_a_task_is_erased_on_a_full_disk(tmp_path: Path, env: Mapping[str, str]) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    command = mounted(f"mount -t tmpfs -o size=8m tmpfs {shlex.quote(str(folder))}", COMMAND)
    own = {**env, "MAX_CONCURRENT_TASKS": "0", "PINCITE_CACHE": str(folder / "cache")}
    with HttpServer(command, own) as server, server.client() as client:
        file, form = {"file": ("pump.md", DOCUMENT * 10_000)}, {"schema": '{"weight": "string"}'}
        tasks = [client.post("/tasks", files=file, data=form).json()["task_id"] for _ in range(3)]
        filler = Path(f"/proc/{server.process.pid}/root{folder}/filler")
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        refused = posted(client)
        assert refused.status_code == 507 and "Free space on the disk" in refused.json()["detail"]
        assert [client.delete(f"/tasks/{task_id}").status_code for task_id in tasks] == [204] * 3
        assert client.get("/tasks").json()["total"] == 0

"""Extraction as three services: the commands and variables of `compose.yaml`, started without Docker.

What is not tried: that the image builds from its base image, and Docker's own part (network, volumes, restarts).
"""

import json
import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx2
import pytest
import yaml

from support import datasheet, dockerfile
from support.http_wire import HttpServer
from support.scripted_model import following
from support.waiting import wait_for
from support.wire import pincite

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
API, TOOLS, CONVERTER = "document-retriever", "mcp-tools", "markitdown"
PORTS = {API: "8000", TOOLS: "8001", CONVERTER: "8002"}
BUILD, RUN = dockerfile.stages(ROOT / "deploy" / "extraction.Dockerfile")
SECONDS = 120.0
KEY = "a-key-of-this-test"


def interpolated(value: str, variables: Mapping[str, str]) -> str:
    """A value of the compose file, as these variables make it."""
    return re.sub(r"\$\{(\w+)(?::([-?])([^}]*))?\}", lambda m: variables.get(m[1]) or (m[3] or ""), value)


# The files


def test_the_services_have_the_names_ports_and_order_of_the_contract() -> None:
    assert set(SERVICES) == set(PORTS)
    for name, service in SERVICES.items():
        assert service["environment"]["PORT"] == PORTS[name]
        assert service["restart"] == "unless-stopped" and "./data:/data" in service["volumes"]
        assert "/health" in service["healthcheck"]["test"][-1]
        assert service["build"] == {"context": ".", "dockerfile": "deploy/extraction.Dockerfile"}
        assert name in service["environment"]["PINCITE_ALLOWED_HOSTS"].split(",")
    healthy = {"condition": "service_healthy"}
    assert SERVICES[TOOLS]["depends_on"] == {CONVERTER: healthy}
    assert SERVICES[API]["depends_on"] == {TOOLS: healthy}


def test_the_variables_of_the_contract_are_set_or_passed_through() -> None:
    api = SERVICES[API]["environment"]
    assert {name: api[name] for name in ("HOST", "PORT", "DATA_DIR", "DB_PATH")} == {
        "HOST": "0.0.0.0",  # noqa: S104 - of a container
        "PORT": "8000",
        "DATA_DIR": "/data",
        "DB_PATH": "/data/tasks.db",
    }
    models = [f"ANTHROPIC_DEFAULT_{size}_MODEL" for size in ("HAIKU", "SONNET", "OPUS")]
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", *models, "API_TIMEOUT_MS"):
        assert interpolated(api[name], {name: "given"}) == "given"
    for name in SERVICES:
        assert interpolated(SERVICES[name]["environment"]["OPENAI_API_TOKEN"], {"OPENAI_API_TOKEN": "t"}) == "t"
    documented = (ROOT / ".env.example").read_text(encoding="utf-8")
    own = {"PINCITE_PORT", "PINCITE_UID", "PINCITE_GID"}  # of compose.yaml itself
    used = set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text(encoding="utf-8"))) - own
    assert [name for name in used if f"{name}=" not in documented] == []


def test_only_the_api_is_published_and_only_on_this_machine() -> None:
    assert SERVICES[API]["ports"] == ["127.0.0.1:${PINCITE_PORT:-8000}:8000"]
    assert [name for name in SERVICES if name != API and "ports" in SERVICES[name]] == []
    for service in SERVICES.values():
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
    assert "MCP_API_KEY" not in SERVICES[CONVERTER]["environment"]


def test_the_image_is_made_of_what_is_there_by_hashes_and_without_rights() -> None:
    allowed = (ROOT / "deploy" / "extraction.Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for source in dockerfile.copied(BUILD):
        assert (ROOT / source).exists() and f"!{source}" in allowed
    installs = [line for line in BUILD if "pip install" in line.rest]
    assert all("--require-hashes" in line.rest or "--no-deps --no-build-isolation ." in line.rest for line in installs)
    assert dockerfile.one(RUN, "USER").rest == "10001:10001"
    assert dockerfile.one(RUN, "ENTRYPOINT").command == ["pincite"]


# What they start


class Composed:
    """The three services as processes: ports of loopback in place of the network's names, a folder in place of /data.

    Attributes:
        api: The one that is published.
        logs: Returns what all of them have written.
    """

    def __init__(self, folder: Path, stack: ExitStack, runner: str, **variables: str) -> None:
        self.folder = folder
        self._addresses = {f"http://{name}:{port}": f"http://127.0.0.1:{free_port()}" for name, port in PORTS.items()}
        self._variables = variables
        self._runner = runner
        self.servers = {name: self._started(name, stack) for name in (CONVERTER, TOOLS, API)}
        self.api = self.servers[API]

    def _started(self, name: str, stack: ExitStack) -> HttpServer:
        service = SERVICES[name]
        given = {key: self._here(interpolated(value, self._variables)) for key, value in service["environment"].items()}
        port = self._addresses[f"http://{name}:{PORTS[name]}"].rpartition(":")[2]
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ANTHROPIC_", "CLAUDE"))}
        # Loopback for the network of the services; vectors of a model are no part of what is tried.
        env = {**kept, **given, "HOST": "127.0.0.1", "PORT": port, "EMBEDDING_PROVIDER": "hash"}
        env["PINCITE_AGENT_RUNNER"] = self._runner  # the image has one alone
        env["PINCITE_READER_TIMEOUT"] = "100"  # of a machine that runs all the tests
        return stack.enter_context(HttpServer(pincite(*service["command"]), env))

    def _here(self, value: str) -> str:
        for inside, outside in self._addresses.items():
            value = value.replace(inside, outside)
        return re.sub(r"^/data\b", str(self.folder), value)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Composed]]:
    with ExitStack() as stack:
        yield partial(Composed, tmp_path, stack)


def extracted(client: httpx2.Client, engine: str) -> dict[str, Any]:
    """The result of the reference datasheet by an engine."""
    file = {"file": (datasheet.SHEET.name, datasheet.SHEET.read_bytes())}
    fields = {"schema": datasheet.SCHEMA.read_text(encoding="utf-8"), "engine": engine}
    task_id = client.post("/tasks", files=file, data=fields).json()["task_id"]
    task = f"/tasks/{task_id}"
    assert wait_for(lambda: client.get(task).json()["status"] not in ("queued", "running"), SECONDS)
    state = client.get(task).json()
    assert state["status"] == "succeeded", json.dumps(state["error"])
    return client.get(f"/tasks/{task_id}/result").json()


@pytest.mark.slow
@pytest.mark.timeout(360)
@pytest.mark.parametrize("runner", ["api", "sdk"])
def test_the_datasheet_by_both_engines_over_the_three_services(start: Callable[..., Composed], runner: str) -> None:
    if runner == "sdk" and find_spec("claude_agent_sdk") is None:
        pytest.skip("the Claude Agent SDK is not installed: `make clients`")
    known: dict[str, Any] = {}

    with following(datasheet.agent(known, runner)) as model:
        services = start(runner, ANTHROPIC_API_KEY="a-key", ANTHROPIC_BASE_URL=model.url, MCP_API_KEY=KEY)
        with services.api.client() as stranger:
            assert stranger.get("/health").json() == {"status": "ok", "converter": "external", "tools": "external"}
            assert stranger.get("/tasks").status_code == 401
        with services.api.client(**{"x-api-key": KEY}) as client:
            known |= extracted(client, "rules")
            result = extracted(client, "auto")
    print(datasheet.check(known), datasheet.check(result))  # noqa: T201 - the contract wants the counts printed
    assert (result["engine"], result["usage"]["tool_calls"]) == ("claude", datasheet.TOOL_CALLS)
    assert result["data"] == known["data"]
    protection = result["evidence"]["environment_and_installation"]["protection_class"]
    assert protection["page"] == 2, "a page mark of the converter"
    assert "1000 V" in "".join(model.results) and not model.failed
    assert "uploads" not in json.dumps(model.asked)
    # Each part was done by its own service, and no token outlived its attempt or was logged.
    assert services.servers[TOOLS].logged("tool.success", tool="doc_read")
    assert [line for line in services.api.log if line["msg"].startswith("tool.")] == []
    assert services.servers[CONVERTER].logged("task.end")
    assert list((services.folder / "capabilities").iterdir()) == []
    assert not any("pincite-task-" in str((server.log, server.lines)) for server in services.servers.values())

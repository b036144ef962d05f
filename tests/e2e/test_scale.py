"""`deploy/compose.scale.yaml` without Docker: its commands and variables, behind a real HAProxy with its configuration.

What is not tried: that the images build, and Docker's own part (network, volumes, restarts). HAProxy is found on the
PATH; without it, the tests that need it are skipped.
"""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
import yaml

from behaviour import faces
from support import fork_server
from support.http_wire import HttpServer, StreamableHttp, call
from support.ports import free_port
from support.replicas import document, post
from support.waiting import wait_for
from support.wire import HANDSHAKE, STATELESS, pincite

ROOT = Path(__file__).resolve().parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.scale.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SERVERS, WORKERS = ("server1", "server2"), ("worker1", "worker2")
PROXY = "proxy"
SECONDS = 60.0


def interpolated(value: str, variables: Mapping[str, str]) -> str:
    """A value of the compose file, as these variables make it."""
    return re.sub(r"\$\{(\w+)(?::([-?])([^}]*))?\}", lambda m: variables.get(m[1]) or (m[3] or ""), value)


# The files


def test_servers_are_alike_and_so_are_workers() -> None:
    assert set(SERVICES) == {"postgres", *SERVERS, *WORKERS, PROXY}
    for one, other in (SERVERS, WORKERS):
        assert SERVICES[one] == SERVICES[other]
    for name in (*SERVERS, *WORKERS):
        service = SERVICES[name]
        assert service["build"] == {"context": "..", "dockerfile": "deploy/extraction.Dockerfile"}
        assert service["depends_on"] == {"postgres": {"condition": "service_healthy"}}
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
        assert service["restart"] == "unless-stopped"
    assert SERVICES[SERVERS[0]]["environment"]["MAX_CONCURRENT_TASKS"] == "0"


def test_only_the_proxy_is_published_and_only_on_this_machine() -> None:
    assert SERVICES[PROXY]["ports"] == ["127.0.0.1:${PINCITE_PORT:-8000}:8000"]
    assert [name for name in SERVICES if name != PROXY and "ports" in SERVICES[name]] == []
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    assert SERVICES[SERVERS[0]]["environment"]["PINCITE_TRUSTED_PROXIES"] == network["subnet"]


def test_every_variable_is_documented() -> None:
    documented = (ROOT / ".env.example").read_text(encoding="utf-8")
    own = {"PINCITE_PORT", "PINCITE_DOCS", "PINCITE_DB_PASSWORD"}  # of the compose file itself
    used = set(re.findall(r"\$\{(\w+)", (ROOT / "deploy" / "compose.scale.yaml").read_text(encoding="utf-8"))) - own
    assert [name for name in used if f"{name}=" not in documented] == []
    environment: dict[str, str] = {**SERVICES[SERVERS[0]]["environment"], **SERVICES[WORKERS[0]]["environment"]}
    assert [name for name in environment if f"{name}=" not in documented] == []


def test_the_proxy_has_the_addresses_that_its_configuration_names() -> None:
    configuration = (ROOT / "deploy" / "haproxy.cfg").read_text(encoding="utf-8")
    environment: dict[str, str] = SERVICES[PROXY]["environment"]
    assert set(re.findall(r"\"\$\{(\w+)\}\"", configuration)) == set(environment)
    assert [environment[name.upper()] for name in SERVERS] == [f"{name}:8000" for name in SERVERS]


# What they start


class Scaled:
    """The services as processes; ports of loopback in place of the network's names.

    Attributes:
        servers: By name.
        workers: By name.
        url: Of the proxy.
    """

    def __init__(self, folder: Path, dsn: str, haproxy: str, stack: ExitStack) -> None:
        self._folder, self._dsn, self._stack = folder, dsn, stack
        self.ports = {name: free_port() for name in (*SERVERS, PROXY)}
        self.servers = {name: self._served(name, stack) for name in SERVERS}
        self.workers = {name: self._working(name, stack) for name in WORKERS}
        self.url = f"http://127.0.0.1:{self.ports[PROXY]}"
        addresses = {"PROXY_BIND": self._at(PROXY), **{name.upper(): self._at(name) for name in SERVERS}}
        command = [haproxy, "-f", str(ROOT / "deploy" / "haproxy.cfg")]
        with (folder / "proxy.log").open("wb") as log:
            proxy = stack.enter_context(subprocess.Popen(command, env={**os.environ, **addresses}, stderr=log))
        stack.callback(proxy.kill)
        assert wait_for(self._is_up, SECONDS), (folder / "proxy.log").read_text()

    def client(self, **headers: str) -> httpx2.Client:
        """A client of the proxy."""
        return httpx2.Client(base_url=self.url, timeout=SECONDS, headers=headers, trust_env=False)

    def session(self, era: str) -> StreamableHttp:
        """A client of MCP that speaks to the proxy."""
        client = StreamableHttp(cast("HttpServer", self), era)
        self._stack.callback(client.close)
        return client.open()

    def kill(self, name: str) -> None:
        """End a server at once."""
        self.servers[name].process.send_signal(signal.SIGKILL)
        self.servers[name].wait()

    def env(self, name: str) -> dict[str, str]:
        """The environment of a service."""
        given: dict[str, str] = SERVICES[name]["environment"]
        variables = {key: interpolated(str(value), {"MCP_RATE_LIMIT_RPM": "0"}) for key, value in given.items()}
        variables = {key: re.sub(r"^/data\b", str(self._folder / name), value) for key, value in variables.items()}
        here = {"HOST": "127.0.0.1", "PINCITE_STORE_URL": self._dsn, "EMBEDDING_PROVIDER": "hash"}
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("ANTHROPIC_", "CLAUDE"))}
        return {**kept, **variables, **here}

    def _served(self, name: str, stack: ExitStack) -> HttpServer:
        command = [str(self._folder / "docs") if part == "/docs" else part for part in SERVICES[name]["command"]]
        env = {**self.env(name), **faces.EXACT, "LOG_LEVEL": "INFO", "PORT": str(self.ports[name])}
        server = HttpServer(pincite(*command), env)
        stack.callback(server.wait)
        stack.callback(server.process.kill)
        return server

    def _working(self, name: str, stack: ExitStack) -> "subprocess.Popen[bytes]":
        with (self._folder / f"{name}.log").open("wb") as log:
            worker = fork_server.start(pincite(*SERVICES[name]["command"]), env=self.env(name), stderr=log.fileno())
        stack.callback(worker.wait, SECONDS)
        stack.callback(worker.kill)
        return worker

    def _at(self, name: str) -> str:
        return f"127.0.0.1:{self.ports[name]}"

    def _is_up(self) -> bool:
        try:
            with self.client() as client:
                return client.get("/health").status_code == 200
        except httpx2.HTTPError:
            return False


@pytest.fixture
def scaled(tmp_path: Path, postgres_database: str) -> Iterator[Scaled]:
    haproxy = shutil.which("haproxy")
    if haproxy is None:
        pytest.skip("HAProxy is not installed")
    faces.write(tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nA zebra crossing number{n}x.\n" for n in range(5)})
    for name in (*SERVERS, *WORKERS):
        (tmp_path / name).mkdir()
    with ExitStack() as stack:
        yield Scaled(tmp_path, postgres_database, haproxy, stack)


def found(client: StreamableHttp, word: str) -> list[str]:
    """The files that a session finds."""
    answer = call(client, "search_docs", {"query": word, "top_k": 20})["structuredContent"]
    return sorted(hit["metadata"]["file_path"] for hit in answer["results"] if word in hit["content"])


@pytest.mark.slow
def test_sessions_stay_on_their_server_and_outlive_it_as_new_ones(scaled: Scaled) -> None:
    sessions = [scaled.session(HANDSHAKE) for _ in range(4)]
    for _ in range(3):
        assert [found(session, "number3x") for session in sessions] == [["3.md"]] * 4
    scaled.kill(SERVERS[0])
    assert wait_for(lambda: found(scaled.session(STATELESS), "zebra") == [f"{n}.md" for n in range(5)])

    def answers() -> list[int]:
        message: dict[str, Any] = {"id": 99, "method": "tools/list", "params": {}}
        return sorted({session.post(message).status_code for session in sessions})

    # Sessions of the server that is gone are answered as the protocol has it, so that clients begin a new one: once the
    # proxy knows.
    assert wait_for(lambda: answers() == [200, 404], every=0.5)
    assert found(scaled.session(HANDSHAKE), "number3x") == ["3.md"]


@pytest.mark.slow
def test_tasks_are_finished_by_workers_while_a_server_and_a_worker_are_killed(scaled: Scaled) -> None:
    with scaled.client() as client:
        posted = {post(client, number): number for number in range(1, 7)}
        scaled.kill(SERVERS[1])
        scaled.workers[WORKERS[0]].kill()

        def is_done(task_id: str) -> bool:
            try:
                return client.get(f"/tasks/{task_id}").json()["status"] == "succeeded"
            except (httpx2.HTTPError, ValueError):  # sent to the server that is gone, just before the proxy knew
                return False

        for task_id, number in posted.items():
            assert wait_for(lambda: is_done(task_id), 2 * SECONDS)  # noqa: B023 - called here
            result = client.get(f"/tasks/{task_id}/result").json()
            assert result["data"]["weight"] == f"{number}kg"
            assert client.get(f"/tasks/{task_id}/document").content == document(number)

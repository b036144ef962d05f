"""Servers and workers of one database, of tasks and a folder's index, each with its own cache; their clients."""

import contextlib
import json
import os
import random
import signal
import subprocess
import threading
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Self

import httpx2

from support import fork_server
from support.http_wire import HttpServer
from support.waiting import wait_for
from support.wire import pincite

TOOLSETS = ("--toolsets", "docs,extraction", "--transport", "rest")
SCHEMA = {"weight": "number with unit", "vendor": "string"}
IN_FLIGHT = 20
"""Tasks that are posted and not finished, at most: the workers set the pace."""

FILLER = "".join(f"Paragraph {n} of the manual says how the part with number {n} is mounted.\n\n" for n in range(200))
SECONDS = 60.0


def document(number: int) -> bytes:
    """A document whose weight is a number that no other has."""
    return f"# Pump {number}\n\nWeight: {number} kg\n\n{FILLER}".encode()


class Replica:
    """A server or a worker, started again after each kill."""

    def __init__(self, name: str, env: Mapping[str, str], folder: Path) -> None:
        self.name = name
        self._command = pincite("serve", str(folder / "docs"), *TOOLSETS)
        self._env = {**env, "DATA_DIR": str(folder / name / "data"), "PINCITE_CACHE": str(folder / name / "cache")}
        self._log = folder / f"{name}.log"
        self._server: HttpServer | None = None
        self._worker: subprocess.Popen[bytes] | None = None

    @property
    def is_server(self) -> bool:
        """Whether it answers requests."""
        return self.name.startswith("server")

    @property
    def log(self) -> str:
        """What a worker wrote to standard error."""
        return self._log.read_text("utf-8") if self._log.exists() else ""

    def start(self) -> None:
        """Start it; a server is ready then."""
        if self.is_server:
            self._server = HttpServer(self._command, {**self._env, "MAX_CONCURRENT_TASKS": "0"})
            return
        with self._log.open("ab") as log:
            self._worker = fork_server.start(pincite("worker"), env=self._env, stderr=log.fileno())

    def client(self) -> httpx2.Client:
        """A client of the server."""
        assert self._server is not None
        return self._server.client()

    def kill(self) -> None:
        """End it at once."""
        if self._server is not None:
            self._server.process.send_signal(signal.SIGKILL)
            self._server.wait()
        elif self._worker is not None:
            self._worker.send_signal(signal.SIGKILL)
            self._worker.wait(SECONDS)


@contextlib.contextmanager
def replicas(folder: Path, dsn: str, *, servers: int, workers: int, **settings: str) -> Generator[list[Replica]]:
    """Servers of the folder `docs`, then workers, all running."""
    given = {
        **os.environ,
        "PINCITE_STORE_URL": dsn,
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_TASK_LEASE": "1",
        "AGENT_MAX_RETRIES": "100",
        "MCP_RATE_LIMIT_RPM": "0",
        **settings,
    }
    names = [*(f"server{n}" for n in range(servers)), *(f"worker{n}" for n in range(workers))]
    started: list[Replica] = []
    for name in ("docs", *names):
        (folder / name).mkdir(parents=True, exist_ok=True)
    try:
        for name in names:
            started.append(Replica(name, given, folder))
            started[-1].start()
        yield started
    finally:
        for replica in started:
            replica.kill()


def post(client: httpx2.Client, number: int) -> str:
    """Post a document; the id of its task, which is acknowledged then.

    Raises:
        httpx2.HTTPError: It is not.
    """
    files, data = {"file": (f"pump{number}.md", document(number))}, {"schema": json.dumps(SCHEMA)}
    answer = client.post("/tasks", files=files, data=data)
    answer.raise_for_status()
    return answer.json()["task_id"]


@dataclass
class Report:
    """What clients saw.

    Attributes:
        acknowledged: Number of each task that was acknowledged.
        finished: The state of each task when it was first seen finished.
        refused: Requests about tasks that failed.
        searches: Searches that were answered.
        stale: Those of them whose answer said that it may miss a change.
        unanswered: Searches whose server was killed.
        kills: Replicas that were killed, by name.
        wrong: What must never be.
    """

    acknowledged: dict[str, int] = field(default_factory=dict[str, int])
    finished: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    refused: int = 0
    searches: int = 0
    stale: int = 0
    unanswered: int = 0
    kills: list[str] = field(default_factory=list[str])
    wrong: list[str] = field(default_factory=list[str])


class Clients:
    """One client that posts and one that reads, each to a server at random, until they are stopped."""

    def __init__(self, servers: list[Replica], report: Report, seed: int) -> None:
        self._servers = servers
        self._report = report
        self._random = random.Random(seed)  # noqa: S311 - repeatable
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=body, daemon=True) for body in (self._posts, self._reads)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * SECONDS)

    def _posts(self) -> None:
        number, report = 0, self._report
        while not self._stop.is_set():
            if len(report.acknowledged) - len(report.finished) >= IN_FLIGHT:
                self._stop.wait(0.01)
                continue
            number += 1
            with self._asking() as client:
                report.acknowledged[post(client, number)] = number

    def _reads(self) -> None:
        while not self._stop.is_set():
            known = list(self._report.acknowledged)
            recent = known[-2 * IN_FLIGHT :] if self._random.random() < 0.9 else known
            if not recent:
                self._stop.wait(0.01)
                continue
            with self._asking() as client:
                self.look(client, self._random.choice(recent))

    def look(self, client: httpx2.Client, task_id: str) -> bool:
        """Ask for the state of a task; return whether it is finished."""
        answer, report = client.get(f"/tasks/{task_id}"), self._report
        if answer.status_code == 404:
            report.wrong.append(f"{task_id} is lost")
            return True
        answer.raise_for_status()
        state = answer.json()
        if state["status"] in ("queued", "running"):
            if task_id in report.finished:
                report.wrong.append(f"{task_id} was finished and is not any more")
            return False
        if state["status"] != "succeeded":
            report.wrong.append(f"{task_id}: {state}")
        if report.finished.setdefault(task_id, state) != state:
            report.wrong.append(f"{task_id} was finished twice")
        return True

    @contextlib.contextmanager
    def _asking(self) -> Generator[httpx2.Client]:
        try:
            with self._random.choice(self._servers).client() as client:
                yield client
        except (httpx2.HTTPError, ValueError):  # the server was killed
            self._report.refused += 1
            self._stop.wait(0.05)


def check_all(servers: list[Replica], report: Report, clients: Clients) -> None:
    """Wait until every acknowledged task is finished; each server then has the same result and document of each."""
    deadline = time.monotonic() + 2 * SECONDS
    with contextlib.ExitStack() as stack:
        asked = [stack.enter_context(server.client()) for server in servers]
        for place, (task_id, number) in enumerate(report.acknowledged.items()):
            client = asked[place % len(asked)]
            is_finished = wait_for(partial(clients.look, client, task_id), deadline - time.monotonic(), every=0.02)
            assert is_finished, client.get(f"/tasks/{task_id}").json()
            assert report.wrong == []
            result = client.get(f"/tasks/{task_id}/result").json()
            assert result["data"] == {"weight": f"{number}kg", "vendor": None}, result
            assert client.get(f"/tasks/{task_id}/document").content == document(number)
    assert report.wrong == []
    assert report.finished.keys() == report.acknowledged.keys()

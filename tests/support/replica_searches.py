"""Searches of a folder on servers that are killed, while a document of it changes: what an answer may leave out."""

import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import httpx2

from support.replicas import Replica, Report

FILES = 12
"""Documents that never change; each is in every answer that is not stale."""

SEARCH = {"query": "zebra", "top_k": 20}


class Searches:
    """One thread that changes a document and one that searches the folder, until they are stopped.

    Args:
        servers: Servers of the folder.
        docs: The folder; it is filled.
        report: What was seen.
        seed: Of the order of servers, and of pauses.
    """

    def __init__(self, servers: Sequence[Replica], docs: Path, report: Report, seed: int) -> None:
        self._servers = servers
        self._docs = docs
        self._report = report
        self._random = random.Random(seed)  # noqa: S311 - repeatable
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=body, daemon=True) for body in (self._changes, self._searches)]
        self._written = self._begun = 0
        for number in range(FILES):
            (docs / f"{number}.md").write_text(f"# Page {number}\n\nA zebra crosses number{number}x.\n")
        self._write(0)

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(120)
            assert not thread.is_alive()

    def search(self, server: Replica) -> bool:
        """Search on a server and note what is wrong with its answer; return True if the answer is not stale."""
        written, report = self._written, self._report
        with server.client() as client:
            answer = client.post("/api/tools/search_docs", json=SEARCH)
        begun = self._begun
        if not answer.is_success:
            report.wrong.append(f"a search failed: {answer.status_code} {answer.text}")
            return False
        content: dict[str, Any] = answer.json()
        report.searches += 1
        if content["index"]["stale"]:
            report.stale += 1
            if not content["index"].get("reason"):
                report.wrong.append(f"stale without a reason: {content['index']}")
            return False
        texts = {hit["metadata"]["file_path"]: hit["content"] for hit in content["results"]}
        missing = {f"{number}.md" for number in range(FILES)} - texts.keys()
        if missing:
            report.wrong.append(f"missing: {missing} in {content['index']}")
        if not any(f"version{version}x" in texts.get("changing.md", "") for version in range(written, begun + 1)):
            report.wrong.append(f"{texts.get('changing.md')} is not of {written} to {begun}: {content['index']}")
        return True

    def _write(self, version: int) -> None:
        self._begun = version
        new = self._docs.parent / "new.md"
        new.write_text(f"# Page\n\nA zebra of version{version}x runs.\n")
        new.replace(self._docs / "changing.md")
        self._written = version

    def _changes(self) -> None:
        while not self._stop.wait(self._random.uniform(0.05, 1)):
            self._write(self._written + 1)

    def _searches(self) -> None:
        seed = random.Random(self._random.random())  # noqa: S311 - repeatable
        while not self._stop.wait(0.02):
            try:
                self.search(seed.choice(self._servers))
            except (httpx2.TransportError, OSError):  # the server was killed
                self._report.unanswered += 1
                time.sleep(0.05)

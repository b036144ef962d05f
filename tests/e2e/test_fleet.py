"""Several servers on one folder without a daemon: real processes that know of each other by the index file alone."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from support.waiting import pause, wait_for
from support.wire import SECONDS, STATELESS, Wire, pincite

PAGES = {"a.md": "# Alpha\n\nA zebra crossing.\n", "b.md": "# Beta\n\nA quokka smiles.\n"}
SETTINGS = {
    "EMBEDDING_PROVIDER": "hash",
    "PINCITE_MODEL_GRACE": "inf",
    "PINCITE_FRESH_BUDGET": "inf",
    "LOG_LEVEL": "WARNING",
    "PINCITE_BULK_LEASE": "1",
}
MANY = 400
EIGHT = 8
QUESTIONS = 15
EDITOR_SECONDS = 0.05
MEGABYTES_WITH_MODEL = 200
IDLE_MEGABYTES = 120
linux = pytest.mark.skipif(sys.platform != "linux", reason="the memory of another process is read from /proc")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in PAGES.items():
        (docs / name).write_text(text)
    return docs


@pytest.fixture
def fleet(folder: Path, tmp_path: Path) -> Iterator[list[Wire]]:
    """Three servers of one folder, started at once."""
    servers = [Wire(_serve(folder), _env(tmp_path), era=STATELESS) for _ in range(3)]
    yield [server.open() for server in servers]
    for server in servers:
        server.end()


def test_three_share_one_index_and_each_answers(fleet: list[Wire], tmp_path: Path) -> None:
    for server in fleet:
        assert found(server, "zebra") == "a.md"
        assert found(server, "quokka") == "b.md"
    assert len({status(server)["index"]["db_path"] for server in fleet}) == 1
    assert len([path for path in (tmp_path / "cache").rglob("*.db") if path.is_file()]) == 1


def test_an_edit_is_seen_by_all(fleet: list[Wire], folder: Path) -> None:
    for turn, writer in enumerate(fleet):
        (folder / "a.md").write_text(f"# Alpha\n\nThe word is turn{turn}x.\n")
        assert found(writer, f"turn{turn}x") == "a.md"
        assert [found(server, f"turn{turn}x") for server in fleet] == ["a.md"] * 3
    assert {status(server)["index"]["total_pages"] for server in fleet} == {2}


def test_a_killed_one_does_not_disturb_the_others(fleet: list[Wire], folder: Path) -> None:
    killed, *others = fleet
    assert found(killed, "zebra") == "a.md"
    for n in range(80):
        (folder / f"new{n}.md").write_text(f"# New {n}\n\nThe word is fresh{n}x.\n")
    # It dies while it reads the new pages, perhaps with the lease of the writer in its hand.
    killed.ask("tools/call", {"name": "search_docs", "arguments": {"query": "fresh79x"}})
    os.kill(killed.process.pid, signal.SIGKILL)
    assert killed.process.wait(30) == -signal.SIGKILL
    for server in others:
        assert found(server, "fresh79x") == "new79.md"
        assert status(server)["index"]["total_pages"] == 82
    (folder / "a.md").write_text("# Alpha\n\nThe word is afterwards.\n")
    assert [found(server, "afterwards") for server in others] == ["a.md"] * 2


def test_many_changes_are_the_work_of_one_and_another_says_that_it_waits(folder: Path, tmp_path: Path) -> None:
    env = {**_env(tmp_path), "PINCITE_FRESH_BUDGET": "0.3", "PINCITE_BULK_LEASE": "600"}
    with Wire(_serve(folder), env, era=STATELESS) as server:
        assert files(fresh(server.open(), "zebra"))[0] == "a.md"
        with closing(sqlite3.connect(status(server)["index"]["db_path"], isolation_level=None)) as index:
            index.execute("INSERT INTO lease VALUES (1, 'another', ?)", (time.time_ns(),))
            # All at once: of files that come one by one the first few are read without a lease.
            written = folder.with_name("written")
            written.mkdir()
            write_many(written)
            written.rename(folder / "many")
            answer = server.call("search_docs", {"query": "fresh7x zebra"})["structuredContent"]
            assert (answer["index"]["stale"], answer["index"]["pending"]) == (True, MANY)
            assert "Another server of this folder is reading them." in answer["index"]["reason"]
            assert answer["results"][0]["metadata"]["file_path"] == "a.md"
            (folder / "b.md").unlink()
            assert "b.md" not in files(server.call("search_docs", {"query": "quokka"})["structuredContent"])
            index.execute("DELETE FROM lease")
        assert files(fresh(server, "fresh7x"))[0] == "many/new007.md"


def test_the_work_of_one_that_was_killed_is_taken_over(folder: Path, tmp_path: Path) -> None:
    with Wire(_serve(folder), _env(tmp_path), era=STATELESS) as killed:
        assert found(killed.open(), "zebra") == "a.md"
        with Wire(_serve(folder), _env(tmp_path), era=STATELESS) as heir:
            assert found(heir.open(), "zebra") == "a.md"
            with closing(sqlite3.connect(status(killed)["index"]["db_path"])) as index:
                write_many(folder)
                killed.ask("tools/call", {"name": "search_docs", "arguments": {"query": "fresh7x"}})
                assert wait_for(lambda: index.execute("SELECT 1 FROM lease").fetchall(), every=0.001)
                os.kill(killed.process.pid, signal.SIGKILL)
                killed.process.wait(30)
            assert found(heir, f"fresh{MANY - 1}x") == f"new{MANY - 1:03}.md"
            assert status(heir)["index"]["total_pages"] == len(PAGES) + MANY


def test_an_index_whose_folder_is_gone_is_kept_while_a_server_uses_it(folder: Path, tmp_path: Path) -> None:
    env = _env(tmp_path)
    with Wire(_serve(folder), env, era=STATELESS) as server:
        assert found(server.open(), "zebra") == "a.md"
        away = folder.with_name("away")
        folder.rename(away)
        listed = indexes(env, "--all")
        assert [(row["folder"], row["gone"], row["removed"], row["in_use"]) for row in listed] == [
            (str(folder), True, False, False)
        ]
        (kept,) = indexes(env, "--all", "--prune")
        assert (kept["removed"], kept["in_use"]) == (False, True)
        away.rename(folder)
        (folder / "c.md").write_text("# Gamma\n\nA walrus swims.\n")
        assert found(server, "walrus") == "c.md"
        assert status(server)["index"]["total_pages"] == 3
        folder.rename(away)
    (removed,) = indexes(env, "--all", "--prune")
    assert (removed["removed"], removed["in_use"]) == (True, False)
    assert not list((tmp_path / "cache").rglob("*.db*"))
    assert indexes(env, "--all") == []


@linux
def test_an_idle_one_never_loads_the_model(folder: Path, tmp_path: Path, model_cache: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "models").symlink_to(model_cache)
    env = {**_env(tmp_path), "EMBEDDING_PROVIDER": "local", "PINCITE_FETCH_MODEL": "false"}
    with Wire(_serve(folder), env, era=STATELESS) as worker:
        assert found(worker.open(), "zebra") == "a.md"
        # One that starts beside an unfinished index would help to finish it.
        with Wire(_serve(folder), env, era=STATELESS, start=subprocess.Popen) as idle:
            assert idle.open().request("tools/list")["tools"]
            (folder / "a.md").write_text("# Alpha\n\nThe word is afterwards.\n")
            assert found(worker, "afterwards") == "a.md"
            assert idle.request("tools/list")["tools"]
            assert _has_engine(worker) and not _has_engine(idle)
            assert _megabytes(idle) < IDLE_MEGABYTES


@linux
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("provider", ["hash", "local"])
def test_eight_answer_beside_an_editor(
    folder: Path, tmp_path: Path, provider: str, request: pytest.FixtureRequest
) -> None:
    env = {
        **_env(tmp_path),
        "EMBEDDING_PROVIDER": provider,
        "PINCITE_FETCH_MODEL": "false",
        "PINCITE_FRESH_BUDGET": "2",
    }
    if provider == "local":
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / "models").symlink_to(request.getfixturevalue("model_cache"))
    with ExitStack() as stack, ThreadPoolExecutor(EIGHT) as pool:
        wires = [Wire(_serve(folder), env, era=STATELESS, start=subprocess.Popen) for _ in range(EIGHT)]
        servers = [stack.enter_context(wire) for wire in wires]
        list(pool.map(Wire.open, servers))
        edits = Edits(folder)
        asked = [pool.submit(ask_beside, server, edits) for server in servers]
        while not all(done.done() for done in asked):
            edits.turn()
            pause(EDITOR_SECONDS, "an editor saves now and then")
        assert sum(done.result() for done in asked) > 0
        assert all(f"turn {edits.done} " in server_text(server) for server in servers)
        assert {status(server)["index"]["total_pages"] for server in servers} == {len(list(folder.iterdir()))}
        if provider == "local":
            assert all(_has_engine(server) for server in servers)
            assert sum(map(_megabytes, servers)) <= EIGHT * MEGABYTES_WITH_MODEL


class Edits:
    """Turns of an editor: each writes some pages, makes one and deletes one; `done` is the last that was finished."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.done = 0
        self.turn()

    def turn(self) -> None:
        turn = self.done + 1
        for name in ("a.md", "b.md", f"new{turn % 9}.md"):
            beside = self.folder / f".{name}.tmp"
            beside.write_text(f"# Page {name}\n\nA zebra of turn {turn} here.\n")
            beside.replace(self.folder / name)
        (self.folder / f"new{(turn + 4) % 9}.md").unlink(missing_ok=True)
        self.done = turn


def ask_beside(server: Wire, edits: Edits) -> int:
    """Ask while pages change; how many answers stated that they miss nothing, and did not."""
    fresh = 0
    for _ in range(QUESTIONS):
        before = edits.done
        answer = server.call("search_docs", {"query": "zebra turn", "top_k": 20})
        assert not answer["isError"], answer
        found = answer["structuredContent"]
        turns = {hit["metadata"]["file_path"]: int(hit["content"].split()[-2]) for hit in found["results"]}
        assert all(turns[name] >= before for name in ("a.md", "b.md") if name in turns)
        if not found["index"]["stale"]:
            assert {"a.md", "b.md"} <= turns.keys()
            fresh += 1
    return fresh


def server_text(server: Wire) -> str:
    return str(server.call("get_page", {"file_path": "a.md"})["structuredContent"])


def write_many(folder: Path) -> None:
    for n in range(MANY):
        (folder / f"new{n:03}.md").write_text(f"# New {n}\n\nThe word is fresh{n}x.\n")


def files(answer: dict[str, Any]) -> list[str]:
    return [hit["metadata"]["file_path"] for hit in answer["results"]]


def fresh(server: Wire, query: str) -> dict[str, Any]:
    """The first answer that misses nothing."""
    deadline = time.monotonic() + SECONDS
    while True:
        answer = server.call("search_docs", {"query": query})["structuredContent"]
        if not answer["index"]["stale"]:
            return answer
        assert time.monotonic() < deadline, answer["index"]


def found(server: Wire, query: str) -> str:
    """The file of the best hit."""
    answer = server.call("search_docs", {"query": query, "top_k": 1})
    assert not answer["isError"], answer
    assert not answer["structuredContent"]["index"]["stale"], answer["structuredContent"]["index"].get("reason")
    return answer["structuredContent"]["results"][0]["metadata"]["file_path"]


def status(server: Wire) -> dict[str, Any]:
    return server.call("get_status")["structuredContent"]


def indexes(env: dict[str, str], *flags: str) -> list[dict[str, Any]]:
    """What `pincite status` says of all indexes."""
    command = pincite("status", *flags, "--json")
    return json.loads(subprocess.run(command, env=env, check=True, capture_output=True).stdout)["indexes"]


def _serve(folder: Path) -> list[str]:
    return pincite("serve", str(folder))


def _env(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, **SETTINGS, "PINCITE_CACHE": str(tmp_path / "cache")}


def _megabytes(server: Wire) -> float:
    """Resident memory."""
    lines = Path(f"/proc/{server.process.pid}/status").read_text().splitlines()
    (resident,) = (line for line in lines if line.startswith("VmRSS:"))
    return int(resident.split()[1]) / 1024


def _has_engine(server: Wire) -> bool:
    """Whether ONNX Runtime is in the process."""
    return "onnxruntime" in Path(f"/proc/{server.process.pid}/maps").read_text()

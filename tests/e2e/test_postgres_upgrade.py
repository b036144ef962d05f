"""An older and a newer version of pincite on one database at once, as while servers are replaced one by one."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from behaviour import faces
from pincite.store.postgres.opening import VERSION
from support.older_tables import to_version_1
from support.waiting import wait_for
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow

NEWER = """
import dataclasses, runpy, sys
from pincite import registry
registry.FORMATS = tuple(dataclasses.replace(row, version=row.version + 1) for row in registry.FORMATS)
sys.argv = ["pincite", *sys.argv[1:]]
runpy.run_module("pincite", run_name="__main__")
"""
"""A version whose readers are all newer: what it reads has other revisions."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nA zebra crossing.\n" for n in range(5)})


@contextmanager
def server(command: list[str], cache: Path, dsn: str) -> Generator[Wire]:
    variables = {**faces.EXACT, "PINCITE_CACHE": str(cache), "PINCITE_STORE_URL": dsn}
    with Wire(command, {**os.environ, **variables}) as wire:
        wire.open()
        yield wire


def hits(wire: Wire, word: str) -> list[dict[str, Any]]:
    """The hits that hold a word, of a current answer."""

    def answer() -> dict[str, Any]:
        result = wire.call("search_docs", {"query": word, "top_k": 20})
        assert not result["isError"], result
        return result["structuredContent"]

    # While the newer version reads all documents again, an answer may say that it misses some.
    assert wait_for(lambda: not answer()["index"]["stale"], 60)
    return [hit for hit in answer()["results"] if word in hit["content"]]


def rows(dsn: str, query: str, *arguments: object) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn, autocommit=True) as connection:
        ((schema,),) = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pincite%%'").fetchall()
        connection.execute(f'SET search_path TO "{schema}"'.encode())
        cursor = connection.execute(query.encode(), arguments)
        return cursor.fetchall() if cursor.description else []


def test_servers_of_two_versions_that_have_the_same_tables_answer_alike(
    folder: Path, tmp_path: Path, postgres_database: str
) -> None:
    with server(pincite("serve", str(folder)), tmp_path / "one", postgres_database) as older:
        cited = hits(older, "zebra")[0]["ref"]
        read_by_older = rows(postgres_database, "SELECT DISTINCT stamp FROM document")
        newer_command = [sys.executable, "-c", NEWER, "serve", str(folder)]
        with server(newer_command, tmp_path / "two", postgres_database) as newer:
            assert len(hits(newer, "zebra")) == len(hits(older, "zebra")) == 5
            read_by_newer = rows(postgres_database, "SELECT DISTINCT stamp FROM document")
            assert len(read_by_newer) == 1 and read_by_newer != read_by_older
            # From now on neither undoes what the other did.
            before = rows(postgres_database, "SELECT generation FROM meta")
            for wire in (older, newer, older, newer):
                assert {hit["metadata"]["file_path"] for hit in hits(wire, "zebra")} == {f"{n}.md" for n in range(5)}
                opened = wire.call("open_citation", {"ref": cited})
                assert not opened["isError"] and "zebra" in opened["structuredContent"]["content"]
            assert rows(postgres_database, "SELECT generation FROM meta") == before
            for number, word in enumerate(("narwhal", "axolotl")):
                (folder / f"{number}.md").write_text(f"# Page\n\nA {word} sings.\n")
                for wire in (older, newer):
                    assert [hit["metadata"]["file_path"] for hit in hits(wire, word)] == [f"{number}.md"]


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_tables_of_another_version_are_refused_with_what_to_do(
    folder: Path, tmp_path: Path, postgres_database: str, version: int
) -> None:
    with server(pincite("serve", str(folder)), tmp_path / "one", postgres_database) as ours:
        assert len(hits(ours, "zebra")) == 5
    rows(postgres_database, "UPDATE meta SET version = %s", version)
    with server(pincite("serve", str(folder)), tmp_path / "one", postgres_database) as refused:
        answer = refused.call("search_docs", {"query": "zebra"})
        assert answer["isError"]
        message = answer["content"][0]["text"]
        assert f"version {version}" in message and f"needs {VERSION}" in message and "Serve it with" in message
        assert rows(postgres_database, "SELECT version FROM meta") == [(version,)], "nothing was changed"
        rows(postgres_database, "UPDATE meta SET version = %s", VERSION)
        assert len(hits(refused, "zebra")) == 5, "no restart is needed"


def test_tables_of_an_older_version_are_upgraded_by_a_command(
    folder: Path, tmp_path: Path, postgres_database: str
) -> None:
    with server(pincite("serve", str(folder)), tmp_path / "one", postgres_database) as ours:
        cited = hits(ours, "zebra")[0]["ref"]
    before = rows(postgres_database, "SELECT id, revision FROM document ORDER BY id")
    ((schema,),) = rows(postgres_database, "SELECT current_schema()")
    to_version_1(postgres_database, schema)
    for code, text in ((0, "Every row is the same"), (3, "serve it")):
        ran = subprocess.run(
            pincite("migrate", str(folder), "--upgrade", postgres_database),
            env={**os.environ, **faces.EXACT, "PINCITE_CACHE": str(tmp_path / "one")},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert ran.returncode == code and text in ran.stdout + ran.stderr, ran
    assert rows(postgres_database, "SELECT id, revision FROM document ORDER BY id") == before
    with server(pincite("serve", str(folder)), tmp_path / "one", postgres_database) as ours:
        assert len(hits(ours, "zebra")) == 5
        opened = ours.call("open_citation", {"ref": cited})
        assert not opened["isError"] and "zebra" in opened["structuredContent"]["content"]

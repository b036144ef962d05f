"""Roles of the guide (docs/guide/postgresql.md): what each may, and that a server needs no more."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from behaviour import faces
from support.postgres_server import PostgresServer, postgres_server
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "postgresql.md"


@pytest.fixture(scope="module")
def database() -> Iterator[PostgresServer]:
    """A server with the roles as the guide makes them."""
    with postgres_server() as running:
        running.run("CREATE DATABASE pincite")
        running.dsn = running.dsn.replace("/postgres?", "/pincite?")
        (block,) = re.findall(r"```sql\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
        running.run(*(statement for statement in re.sub(r"--.*", "", block).split(";") if statement.strip()))
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(
        tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nA zebra crossing number{n}x.\n" for n in range(5)}
    )


def dsn(database: PostgresServer, role: str) -> str:
    return database.dsn.replace("postgresql://postgres:@", f"postgresql://{role}@")


def variables(database: PostgresServer, role: str, cache: Path) -> dict[str, str]:
    return {**os.environ, **faces.EXACT, "PINCITE_CACHE": str(cache), "PINCITE_STORE_URL": dsn(database, role)}


def prepare(database: PostgresServer, folder: Path, cache: Path) -> subprocess.CompletedProcess[str]:
    """Index a folder as its owner, vectors included."""
    command = pincite("search", "zebra", "--docs", str(folder))
    env = variables(database, "pincite_owner", cache)
    return subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False)


def search(server: Wire, word: str) -> dict[str, Any]:
    answer = server.call("search_docs", {"query": word, "top_k": 20})
    assert not answer["isError"], answer
    return answer["structuredContent"]


def files(answer: dict[str, Any], word: str) -> list[str]:
    return sorted(hit["metadata"]["file_path"] for hit in answer["results"] if word in hit["content"])


def test_a_server_needs_no_more_than_the_guide_grants(database: PostgresServer, folder: Path, tmp_path: Path) -> None:
    assert prepare(database, folder, tmp_path / "one").returncode == 0
    with Wire(pincite("serve", str(folder)), variables(database, "pincite_server", tmp_path / "two")) as server:
        server.open()
        assert len(files(search(server, "zebra"), "zebra")) == 5
        (folder / "1.md").write_text("# Page\n\nA walrus dives.\n")
        (folder / "2.md").unlink()
        (folder / "new.md").write_text("# New\n\nA walrus sings.\n")
        answer = search(server, "walrus")
        assert files(answer, "walrus") == ["1.md", "new.md"] and not answer["index"]["stale"]
        assert len(answer["results"]) == 5


def test_a_server_may_neither_create_nor_drop(database: PostgresServer, folder: Path, tmp_path: Path) -> None:
    prepare(database, folder, tmp_path / "one")
    ((schema,), *_) = database.run("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pincite\\_folder%'")
    with psycopg.connect(dsn(database, "pincite_server"), autocommit=True) as connection:
        for statement in (
            "CREATE SCHEMA other",
            f'DROP TABLE "{schema}".meta',
            f'CREATE TABLE "{schema}".more (n int)',
        ):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())


def test_a_server_of_a_folder_that_nobody_prepared_says_what_it_may_not(
    database: PostgresServer, folder: Path, tmp_path: Path
) -> None:
    command = pincite("status", "--docs", str(folder))
    env = variables(database, "pincite_server", tmp_path / "one")
    ended = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 3 and "Grant what the guide lists" in ended.stderr


def test_a_role_that_only_reads_answers_and_says_why_it_is_stale(
    database: PostgresServer, folder: Path, tmp_path: Path
) -> None:
    assert prepare(database, folder, tmp_path / "one").returncode == 0
    with Wire(pincite("serve", str(folder)), variables(database, "pincite_reader", tmp_path / "two")) as server:
        server.open()
        answer = search(server, "zebra")
        assert len(files(answer, "zebra")) == 5 and not answer["index"]["stale"]
        (folder / "1.md").write_text("# Page\n\nA walrus dives.\n")
        answer = search(server, "zebra")
        assert files(answer, "zebra") == ["0.md", "2.md", "3.md", "4.md"]
        assert answer["index"]["stale"] and "role may not" in answer["index"]["reason"]

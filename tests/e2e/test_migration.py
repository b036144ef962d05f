"""`pincite migrate`, killed at random points and run again, on a server of its own."""

import json
import os
import random
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psycopg
import pytest

from behaviour import faces
from support.waiting import pause, wait_for
from support.wire import Wire, pincite

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

DOCUMENTS = 150
KILLS = 4
SECONDS = 120


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    chance = random.Random(3)  # noqa: S311 - no secret
    words = [f"word{n}" for n in range(400)]
    pages = {
        f"{n}.md": "".join(f"# Part {part}\n\n{' '.join(chance.choices(words, k=60))}\n\n" for part in range(8))
        for n in range(DOCUMENTS)
    }
    return faces.write(tmp_path / "docs", pages)


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, **faces.EXACT, "PINCITE_CACHE": str(tmp_path / "cache")}


def run(variables: Mapping[str, str], *arguments: str) -> dict[str, Any]:
    command = [*pincite(*arguments), "--json"]
    ended = subprocess.run(command, env=variables, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def answers(folder: Path, variables: Mapping[str, str]) -> list[Any]:
    """What a server of the folder answers; it indexes nothing."""
    with Wire(pincite("serve", str(folder)), variables) as wire:
        wire.open()
        found: list[Any] = []
        for query in ("word7 word9", "word123", '"word5"', "part 3"):
            answer = wire.call("search_docs", {"query": query, "top_k": 20})["structuredContent"]
            assert not answer["index"]["stale"], answer["index"]
            found.append(answer["index"]["generation"])
            found += [(hit["ref"], hit["content"], round(hit["score"], 6)) for hit in answer["results"]]
        return found


def test_a_migration_that_is_killed_again_and_again_ends_with_the_same_answers(
    folder: Path, variables: dict[str, str], postgres_dsn: str
) -> None:
    run(variables, "search", "word7", "--docs", str(folder))
    expected = answers(folder, variables)
    chance, killed, longest = random.Random(11), 0, 0.3  # noqa: S311 - no secret
    for _ in range(20):
        again = ["--replace"] if finished(postgres_dsn) else []
        process = subprocess.Popen(
            [*pincite("migrate", str(folder), "--to", postgres_dsn), *again, "--json"],
            env=variables,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        begun = rows_begun(postgres_dsn)
        assert wait_for(lambda: process.poll() is not None or rows_begun(postgres_dsn) > begun, SECONDS)  # noqa: B023 - called here
        pause(chance.uniform(0, longest), "it is killed at some moment")
        if process.poll() is None:
            process.kill()
            killed += 1
        else:  # How long a copy takes depends on the machine.
            longest /= 2
        process.wait()
        if killed == KILLS:
            break
    assert killed == KILLS
    moved = run(
        variables, "migrate", str(folder), "--to", postgres_dsn, *(["--replace"] if finished(postgres_dsn) else [])
    )
    assert moved["rows"]["document"] == DOCUMENTS
    in_database = {**variables, "PINCITE_STORE_URL": postgres_dsn, "PINCITE_CACHE": variables["PINCITE_CACHE"] + "-2"}
    for one, other in zip(answers(folder, in_database), expected, strict=True):
        assert one == other
    back = {**variables, "PINCITE_CACHE": variables["PINCITE_CACHE"] + "-3"}
    assert run(back, "migrate", str(folder), "--from", postgres_dsn)["rows"] == moved["rows"]
    assert answers(folder, back) == expected


def schemas(dsn: str) -> list[str]:
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pincite\\_folder\\_%'")
        return [row[0] for row in rows]


def finished(dsn: str) -> bool:
    """Whether a migration ended before it was killed."""
    return any(not name.endswith("_migrating") for name in schemas(dsn))


def rows_begun(dsn: str) -> int:
    """The number of rows of a copy that is not whole."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        for name in schemas(dsn):
            if name.endswith("_migrating"):
                try:
                    tables = ("document", "piece", "vector", "word", "chunk")
                    counts = " + ".join(f'(SELECT count(*) FROM "{name}".{table})' for table in tables)  # noqa: S608
                    rows = connection.execute(f"SELECT {counts}".encode()).fetchall()
                except psycopg.errors.UndefinedTable:  # it got its name just now
                    return 0
                return int(rows[0][0])
    return 0

"""Servers of a folder whose database goes away: what they say meanwhile, and that they heal by themselves."""

import os
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from support.postgres_server import PostgresServer, postgres_server
from support.waiting import wait_for
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow

UNREACHABLE = "The database of PINCITE_STORE_URL cannot be reached"


@pytest.fixture
def database() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(
        tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nA zebra crossing number{n}x.\n" for n in range(5)}
    )


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def serve(stack: ExitStack, folder: Path, cache: Path, dsn: str) -> Wire:
    variables = {**faces.EXACT, "PINCITE_CACHE": str(cache), "PINCITE_STORE_URL": dsn}
    wire = stack.enter_context(Wire(pincite("serve", str(folder)), {**os.environ, **variables}))
    wire.open()
    return wire


def search(server: Wire, word: str) -> dict[str, Any]:
    return server.call("search_docs", {"query": word, "top_k": 20})


def files(answer: dict[str, Any], word: str) -> list[str]:
    """The files that hold a word; nothing is missing."""
    assert not answer["isError"], answer
    content = answer["structuredContent"]
    assert not content["index"]["stale"], content["index"]
    return sorted(hit["metadata"]["file_path"] for hit in content["results"] if word in hit["content"])


def test_a_server_without_its_database_says_so_and_heals(
    database: PostgresServer, folder: Path, tmp_path: Path, stack: ExitStack
) -> None:
    database.stop()
    server = serve(stack, folder, tmp_path / "one", database.dsn)
    answer = search(server, "zebra")
    assert answer["isError"] and UNREACHABLE in answer["content"][0]["text"]
    database.start()
    assert wait_for(lambda: not search(server, "zebra")["isError"])
    assert len(files(search(server, "zebra"), "zebra")) == 5


def test_what_changed_while_the_database_was_away_is_found_once_it_is_back(
    database: PostgresServer, folder: Path, tmp_path: Path, stack: ExitStack
) -> None:
    server = serve(stack, folder, tmp_path / "one", database.dsn)
    assert files(search(server, "number3x"), "number3x") == ["3.md"]
    for leave in (database.stop, database.kill):
        leave()
        (folder / "3.md").write_text(f"# Page\n\nA narwhal{leave.__name__} sings.\n")
        for _ in range(3):
            answer = search(server, "zebra")
            assert answer["isError"] and UNREACHABLE in answer["content"][0]["text"]
        database.start()
        assert wait_for(lambda: not search(server, "zebra")["isError"])
        assert files(search(server, f"narwhal{leave.__name__}"), f"narwhal{leave.__name__}") == ["3.md"]


def test_restarts_under_calls_leave_only_right_answers_and_one_error(
    database: PostgresServer, folder: Path, tmp_path: Path, stack: ExitStack
) -> None:
    servers = [serve(stack, folder, tmp_path / name, database.dsn) for name in ("one", "two")]
    assert [len(files(search(server, "zebra"), "zebra")) for server in servers] == [5, 5]
    ended, answers = threading.Event(), list[dict[str, Any]]()

    def ask(server: Wire) -> None:
        while not ended.is_set():
            answers.append(search(server, "zebra"))

    threads = [threading.Thread(target=ask, args=(server,)) for server in servers for _ in range(2)]

    def wait_for_answer(*, is_error: bool) -> None:
        begun = len(answers) + len(threads)  # calls that had begun before
        assert wait_for(lambda: any(answer["isError"] == is_error for answer in answers[begun:]))

    for thread in threads:
        thread.start()
    try:
        for leave in (database.kill, database.stop, database.kill):
            wait_for_answer(is_error=False)
            leave()
            wait_for_answer(is_error=True)
            database.start()
        wait_for_answer(is_error=False)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    failed = [answer["content"][0]["text"] for answer in answers if answer["isError"]]
    assert failed and all(UNREACHABLE in text for text in failed), set(failed)
    for answer in answers:
        if not answer["isError"]:
            content = answer["structuredContent"]
            assert len(content["results"]) == 5 or content["index"]["stale"], content["index"]
    for server in servers:
        assert wait_for(lambda: not search(server, "zebra")["isError"])  # noqa: B023 - called in its turn
        assert len(files(search(server, "zebra"), "zebra")) == 5


def test_a_database_that_takes_no_changes_is_read_and_the_answer_says_why_it_is_stale(
    database: PostgresServer, folder: Path, tmp_path: Path, stack: ExitStack
) -> None:
    server = serve(stack, folder, tmp_path / "one", database.dsn)
    assert len(files(search(server, "zebra"), "zebra")) == 5
    database.run("ALTER SYSTEM SET default_transaction_read_only = on")
    database.stop()
    database.start()
    (folder / "3.md").write_text("# Page\n\nA narwhal sings.\n")
    assert wait_for(lambda: not search(server, "zebra")["isError"])
    content = search(server, "zebra")["structuredContent"]
    assert not any("number3x" in hit["content"] or "narwhal" in hit["content"] for hit in content["results"]), content
    assert content["index"]["stale"] and content["index"]["pending"] == 1
    assert "read-only" in content["index"]["reason"]
    database.run("SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only")
    database.stop()
    database.start()
    assert files(search(server, "narwhal"), "narwhal") == ["3.md"]


def test_a_schema_that_was_dropped_is_made_again(
    database: PostgresServer, folder: Path, tmp_path: Path, stack: ExitStack
) -> None:
    server = serve(stack, folder, tmp_path / "one", database.dsn)
    assert len(files(search(server, "zebra"), "zebra")) == 5
    ((schema,),) = database.run("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pincite\\_folder\\_%'")
    database.run(f'DROP SCHEMA "{schema}" CASCADE')
    assert len(files(search(server, "zebra"), "zebra")) == 5

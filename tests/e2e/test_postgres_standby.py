"""A server of a standby that follows its primary by streaming replication."""

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from support.postgres_server import PostgresServer, postgres_server
from support.waiting import wait_for
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow


def serve(stack: ExitStack, folder: Path, cache: Path, dsn: str) -> Wire:
    variables = {**faces.EXACT, "PINCITE_CACHE": str(cache), "PINCITE_STORE_URL": dsn}
    wire = stack.enter_context(Wire(pincite("serve", str(folder)), {**os.environ, **variables}))
    wire.open()
    return wire


def search(server: Wire, word: str) -> tuple[list[str], dict[str, Any]]:
    """The files that hold a word, and the state of the index."""
    answer = server.call("search_docs", {"query": word, "top_k": 20})
    assert not answer["isError"], answer
    content = answer["structuredContent"]
    return sorted(hit["metadata"]["file_path"] for hit in content["results"] if word in hit["content"]), content[
        "index"
    ]


def caught_up(primary: PostgresServer, standby: PostgresServer) -> None:
    """Wait until the standby has what the primary has."""
    ((position,),) = primary.run("SELECT pg_current_wal_lsn()::text")
    replayed = f"SELECT pg_last_wal_replay_lsn() >= '{position}'::pg_lsn"
    assert wait_for(lambda: standby.run(replayed) == [(True,)])


def follows(server: Wire, word: str, files: list[str]) -> bool:
    """Whether an answer has the files that hold a word, and is complete, before long."""

    def is_complete() -> bool:
        found, state = search(server, word)
        return found == files and not state["stale"]

    return wait_for(is_complete)


def test_a_standby_answers_declares_what_it_misses_and_follows(tmp_path: Path) -> None:
    folder = faces.write(tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nA zebra number{n}x.\n" for n in range(5)})
    with ExitStack() as stack:
        primary = stack.enter_context(postgres_server())
        writer = serve(stack, folder, tmp_path / "one", primary.dsn)
        assert len(search(writer, "zebra")[0]) == 5
        standby = stack.enter_context(primary.standby())
        reader = serve(stack, folder, tmp_path / "two", standby.dsn)
        caught_up(primary, standby)
        assert standby.run("SELECT pg_is_in_recovery()") == [(True,)]
        assert follows(reader, "zebra", [f"{n}.md" for n in range(5)])

        # It cannot write: what changed is left out, and the answer says so, until the primary has it.
        (folder / "3.md").write_text("# Page\n\nA narwhal sings.\n")
        found, state = search(reader, "number3x")
        assert found == [] and state["stale"] and state["pending"] == 1 and "read-only" in state["reason"], state
        assert search(writer, "narwhal")[0] == ["3.md"]
        caught_up(primary, standby)
        assert follows(reader, "narwhal", ["3.md"])

        # The primary is lost: the standby takes over, and writes once what the lost one held is free.
        primary.kill()
        (folder / "4.md").write_text("# Page\n\nA walrus dives.\n")
        assert search(reader, "walrus")[1]["stale"]
        standby.run("SELECT pg_promote()")
        assert follows(reader, "walrus", ["4.md"])

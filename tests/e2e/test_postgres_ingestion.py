"""Servers that index the same folder at once, while their database is killed."""

import os
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from support.postgres_server import postgres_server
from support.waiting import pause, wait_for
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow

PAGES = 300


def first_hit(server: Wire, word: str) -> str:
    """The best document once the server declares an answer to be current, which it does within a minute."""
    answer: dict[str, Any] = {}

    def is_fresh() -> bool:
        answer.update(server.call("search_docs", {"query": word}))
        return not answer["isError"] and not answer["structuredContent"]["index"]["stale"]

    assert wait_for(is_fresh, every=0.5), answer
    return answer["structuredContent"]["results"][0]["metadata"]["file_path"]


def test_two_servers_index_one_folder_once_while_the_database_is_killed(tmp_path: Path) -> None:
    pages = {f"{n}.md": f"# Page {n}\n\nA zebra number{n}x.\n\n## Part\n\nA walrus.\n" for n in range(PAGES)}
    folder = faces.write(tmp_path / "docs", pages)
    with ExitStack() as stack:
        database = stack.enter_context(postgres_server())
        servers: list[Wire] = []
        for name in ("one", "two"):
            variables = {**faces.EXACT, "PINCITE_CACHE": str(tmp_path / name), "PINCITE_STORE_URL": database.dsn}
            servers.append(stack.enter_context(Wire(pincite("serve", str(folder)), {**os.environ, **variables})))
            servers[-1].open()
        threads = [threading.Thread(target=server.call, args=("search_docs", {"query": "zebra"})) for server in servers]
        for thread in threads:
            thread.start()
        for _ in range(2):
            pause(1.5, "they index")
            database.kill()
            pause(0.3, "the database is away")
            database.start()
        for thread in threads:
            thread.join()
        for number, server in enumerate(servers):
            assert first_hit(server, f"number{17 + number}x") == f"{17 + number}.md"
        ((schema,),) = database.run("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pincite\\_folder\\_%'")
        counts = database.run(
            f'SET search_path TO "{schema}", public',
            "SELECT (SELECT count(*) FROM document), (SELECT count(DISTINCT name) FROM document),"
            " (SELECT count(*) FROM chunk), (SELECT chunks FROM meta), (SELECT count(*) FROM forward),"
            " (SELECT count(*) FROM (SELECT document_id, ordinal FROM chunk GROUP BY 1, 2) AS place),"
            " (SELECT sum(length) FROM forward) = (SELECT tokens FROM meta)",
        )[0]
        documents, names, chunks, counted, forward, places, is_summed = counts
        assert documents == names == PAGES
        assert chunks == counted == forward == places >= PAGES
        assert is_summed

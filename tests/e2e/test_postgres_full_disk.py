"""A server of a folder whose database has no space left."""

import os
from pathlib import Path
from typing import Any

import psycopg
import pytest

from behaviour import faces
from support.postgres_server import postgres_server, small_disk
from support.wire import Wire, pincite

pytestmark = pytest.mark.slow


def search(server: Wire, word: str) -> tuple[list[str], dict[str, Any]]:
    """The files that hold a word, and the state of the index."""
    answer = server.call("search_docs", {"query": word, "top_k": 20})
    assert not answer["isError"], answer
    content = answer["structuredContent"]
    return sorted(hit["metadata"]["file_path"] for hit in content["results"] if word in hit["content"]), content[
        "index"
    ]


def test_a_full_disk_is_named_reads_go_on_and_it_heals(tmp_path: Path) -> None:
    folder = faces.write(tmp_path / "docs", {f"{n}.md": f"# Page {n}\n\nA zebra number{n}x.\n" for n in range(5)})
    with small_disk(24) as disk, postgres_server() as database:
        database.run(
            f"CREATE TABLESPACE small LOCATION '{disk}'", "ALTER DATABASE postgres SET default_tablespace = small"
        )
        variables = {**faces.EXACT, "PINCITE_CACHE": str(tmp_path / "one"), "PINCITE_STORE_URL": database.dsn}
        with Wire(pincite("serve", str(folder)), {**os.environ, **variables}) as server:
            server.open()
            assert len(search(server, "zebra")[0]) == 5
            database.run("CREATE TABLE ballast (bytes bytea STORAGE PLAIN)")
            rows = "INSERT INTO ballast SELECT convert_to(repeat('x', 8000), 'UTF8') FROM generate_series(1, 4)"
            with pytest.raises(psycopg.errors.DiskFull):
                database.run(*[rows] * 1000)
            words = " ".join(f"narwhal{number}x" for number in range(20_000))
            (folder / "3.md").write_text(f"# Page\n\n{words}\n")
            found, state = search(server, "zebra")
            assert found == ["0.md", "1.md", "2.md", "4.md"]
            assert state["stale"] and state["pending"] == 1 and "disk of the database is full" in state["reason"], state
            database.run("DROP TABLE ballast", "CHECKPOINT")
            found, state = search(server, "narwhal7x")
            assert found == ["3.md"] and not state["stale"], state
            assert len(search(server, "zebra")[0]) == 4

"""`kill -9` at any moment of indexing and re-indexing: the index opens, heals, and holds nothing by half."""

import os
import random
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from behaviour.faces import Stdio
from support.waiting import pause
from support.wire import STATELESS

PAGES = 150
KILLS = 5
"""Of one index; then it has to heal."""
CHANGES = 40
LONGEST = 1.0
"""Seconds from the first call to a kill: about as long as it takes to index all pages."""
PATIENT = {"PINCITE_FRESH_BUDGET": "inf", "PINCITE_ANSWER_TOKENS": "0", "PINCITE_BULK_LEASE": "0.5"}
QUERIES = ["zebra", "word7", "page 3 and section 2", "version 2"]


def test_three_times(tmp_path: Path) -> None:
    survives(tmp_path, seed=0, kills=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 5))
def test_twenty_times(tmp_path: Path, seed: int) -> None:
    survives(tmp_path, seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5, 25))
def test_a_hundred_times(tmp_path: Path, seed: int) -> None:
    survives(tmp_path, seed)


def survives(tmp_path: Path, seed: int, kills: int = KILLS) -> None:
    """Kill servers that index a folder which changes, then ask one that is left alone."""
    chance = random.Random(seed)  # noqa: S311 - it is to repeat
    folder = tmp_path / "docs"
    for n in range(PAGES):
        write(folder, n, version=0)
    for version in range(1, kills + 1):
        face = faces.serve(f"stdio {STATELESS}", folder, tmp_path / "cache", PINCITE_FRESH_BUDGET="0.1")
        assert isinstance(face, Stdio)
        with face.wire as server:
            server.ask("tools/call", {"name": "search_docs", "arguments": {"query": "zebra"}})
            until_dead = chance.uniform(0, LONGEST)
            for n in chance.sample(range(PAGES), CHANGES):
                pause(until_dead / CHANGES, "it reads what changed")
                change(folder, n, version, chance)
            os.kill(server.process.pid, signal.SIGKILL)
            assert server.process.wait(30) == -signal.SIGKILL
        nothing_is_there_by_half(tmp_path)
    healed = asked(f"stdio {STATELESS}", folder, tmp_path / "cache")
    assert healed == asked("toolbox", folder, tmp_path / "another cache")
    nothing_is_there_by_half(tmp_path)


def write(folder: Path, n: int, version: int) -> None:
    page = folder / f"part{n % 7}" / f"page{n}.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    sections = (f"## Section {i}\n\nPage {n}, word{n}, a zebra of version {version}.\n\n" for i in range(4))
    page.write_text(f"# Page {n}\n\n" + "".join(sections))


def change(folder: Path, n: int, version: int, chance: random.Random) -> None:
    """An edit, a deletion or its undoing, a rename."""
    page = folder / f"part{n % 7}" / f"page{n}.md"
    kind = chance.choice(["edit", "edit", "delete", "rename"])
    if kind == "edit" or not page.exists():
        write(folder, n, version)
    elif kind == "delete":
        page.unlink()
    else:
        page.rename(page.with_name(f"moved{n}.md"))


def nothing_is_there_by_half(tmp_path: Path) -> None:
    """Look into a copy of the file and its log, as the dead left them."""
    found = list((tmp_path / "cache" / "folders").glob("*.db"))
    if not found:  # the first one died before it had begun an index
        return
    (path,) = found
    copy = tmp_path / "copy.db"
    for end in ("", "-wal"):
        copy.with_name(copy.name + end).unlink(missing_ok=True)
        if path.with_name(path.name + end).exists():
            shutil.copy(path.with_name(path.name + end), copy.with_name(copy.name + end))
    with closing(sqlite3.connect(copy)) as index:
        if not index.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchall():
            return
        assert rows(index, "PRAGMA integrity_check") == [("ok",)]
        index.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
        assert not rows(
            index,
            "SELECT name FROM document AS d WHERE (chunk_count, total_chars) <> "
            "((SELECT count(*) FROM chunk WHERE document_id = d.id), "
            "(SELECT coalesce(sum(length(text)), 0) FROM text WHERE document_id = d.id))",
        )
        assert not rows(index, "SELECT document_id FROM text WHERE document_id NOT IN (SELECT id FROM document)")
        assert not rows(index, "SELECT id FROM chunk WHERE document_id NOT IN (SELECT id FROM document)")
        assert rows(index, "SELECT chunk_id FROM forward ORDER BY 1") == rows(index, "SELECT id FROM chunk ORDER BY 1")
        assert rows(index, "SELECT value FROM meta WHERE key = 'tokens'") == rows(
            index, "SELECT coalesce(sum(length), 0) FROM forward"
        )
        assert rows(index, "SELECT coalesce(sum(holding), 0) FROM term") == rows(
            index, "SELECT coalesce(sum(length(terms)), 0) / 6 FROM forward"
        )
        assert rows(index, "SELECT chunk_id FROM waiting ORDER BY 1") == rows(
            index, "SELECT id FROM chunk WHERE embed_hash NOT IN (SELECT embed_hash FROM vector) ORDER BY 1"
        )


def rows(index: sqlite3.Connection, statement: str) -> list[Any]:
    return index.execute(statement).fetchall()


def asked(face: str, folder: Path, cache: Path) -> dict[str, Any]:
    """All that is said of the folder, times and places left out."""
    server = faces.serve(face, folder, cache, **PATIENT)
    searches = [server.call("search_docs", query=query, top_k=20) for query in QUERIES]
    pages = server.call("list_pages")["pages"]
    index = server.call("get_status")["index"]
    server.close()
    assert not any(found["index"]["stale"] for found in searches)
    assert index["total_pages"] == len(pages) == len(list(folder.rglob("*.md")))
    assert index["indexing"] is None
    return {
        "hits": [[(hit["ref"], hit["score"], hit["content"]) for hit in found["results"]] for found in searches],
        "pages": [(page["file_path"], page["chunk_count"], page["total_chars"]) for page in pages],
        "status": {key: index[key] for key in ("total_pages", "total_chunks", "skipped", "failed", "pending")},
    }

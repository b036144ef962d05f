import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from pincite.errors import ConfigError, TimeoutExceeded
from pincite.model.chunk import Chunk, ChunkKind, text_hash
from pincite.model.search import NO_FILTER, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.sources.base import FileState
from pincite.store.sqlite.schema import SCHEMA
from pincite.store.sqlite.store import SqliteStore
from support.stores import VECTOR, nearest, open_store, put, query, remove, written
from support.waiting import pause, wait_for


class TestOtherProcesses:
    def test_a_writer_that_holds_on_is_waited_for_and_then_told(self, store: SqliteStore, path: Path) -> None:
        impatient = open_store(path, busy_timeout=0.05)
        holding, release = threading.Event(), threading.Event()

        def is_current(row: DocumentRow) -> bool:
            holding.set()
            return release.wait(30) and bool(row.name)

        row = DocumentRow("a.md", None, UNTRUSTED, 1, "f", "r")
        writer = threading.Thread(target=lambda: store.replace([written(row, [])], is_current=is_current))
        writer.start()
        assert holding.wait(30)
        with pytest.raises(TimeoutExceeded, match="another process"):
            put(impatient, "b.md", "text")
        assert impatient.states()[1] == {}
        release.set()
        writer.join()
        put(impatient, "b.md", "text")
        assert set(store.states()[1]) == {"a.md", "b.md"}
        impatient.close()

    def test_a_rebuild_by_another_version_stops_writing(self, store: SqliteStore, path: Path) -> None:
        query(path, f"PRAGMA user_version = {SCHEMA + 1}")
        with pytest.raises(ConfigError, match="Restart"):
            put(store, "a.md", "text")

    def test_are_seen_by_generation_while_they_write(self, store: SqliteStore, path: Path) -> None:
        with child("write", path, "40") as writer:
            seen = 0
            while seen < 40:
                assert writer.poll() in (None, 0)
                generation = store.generation()
                with store.snapshot() as snapshot:
                    assert snapshot.generation >= generation
                    seen = len(snapshot.documents())
                    statistics = snapshot.statistics()
                    found = snapshot.nearest(VECTOR, NO_FILTER, 1000)
                    words = snapshot.keywords(KeywordQuery(("shared",)), NO_FILTER, 1000)
                    assert statistics.documents == seen
                    assert len(words) == statistics.chunks == 2 * seen
                    assert len(found) == statistics.chunks - statistics.waiting_chunks
                    assert len(snapshot.chunks([hit.chunk_id for hit in found])) == len(found)
            assert writer.wait(60) == 0
        assert len(nearest(store)) == 80


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_kill_9_at_any_moment_leaves_an_index_that_opens_and_agrees(path: Path, seed: int) -> None:
    with child("rewrite", path, "0") as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "begun\n"
        pause(0.05 + 0.021 * seed, "it is killed at some moment")
        writer.send_signal(signal.SIGKILL)
        writer.wait(60)
    store = open_store(path)
    with store.snapshot() as snapshot:
        for row in snapshot.documents():
            texts = {stored.chunk.text.rsplit(" ", 1)[-1] for stored in snapshot.document_chunks(row.id)}
            assert texts == {row.revision}
            assert row.chunk_count == len(snapshot.document_chunks(row.id)) == 20
        statistics = snapshot.statistics()
        assert statistics.chunks == 20 * statistics.documents
        assert len(snapshot.keywords(KeywordQuery(("shared",)), NO_FILTER, 10_000)) == statistics.chunks
        found = snapshot.nearest(VECTOR, NO_FILTER, 10_000)
        assert len(found) == statistics.chunks - statistics.waiting_chunks
    store.close()
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.execute("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    connection.close()
    assert not path.with_name("x.db.damaged").exists()


def test_start_up_loads_neither_numpy_nor_json(store: SqliteStore, path: Path) -> None:
    put(store, "a.md", "text")
    assert (
        run(path, "print(len(store.states()[1]), sorted({'numpy', 'json'} & (set(sys.modules) - before)))") == "1 []\n"
    )


def test_the_first_vector_search_pins_blas_to_one_thread(path: Path) -> None:
    code = """
        with store.snapshot() as snapshot:
            first = "numpy" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS")
            snapshot._matrix()
            print(first, "numpy" in sys.modules, os.environ.get("OPENBLAS_NUM_THREADS"))
    """
    assert run(path, textwrap.dedent(code)) == "(False, None) True 1\n"


def run(path: Path, code: str) -> str:
    """What code prints in a process of its own that has opened the store and imported nothing else."""
    head = f"""
        import os, sys
        before = set(sys.modules)
        from pathlib import Path
        from pincite.store.sqlite.store import SqliteStore
        store = SqliteStore(Path({str(path)!r}), embedder="m", source="/docs")
    """
    command = [sys.executable, "-c", textwrap.dedent(head) + code]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=variables()).stdout


def child(work: str, path: Path, argument: str) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, work, str(path), argument]
    environment = {**variables(), "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def variables() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}


def _write(path: Path, documents: int) -> None:
    store = open_store(path)
    for n in range(documents):
        texts = [f"shared {n}", f"shared also {n}"]
        put(store, f"{n}.md", *texts)
        store.put_vectors({text_hash(text): VECTOR for text in texts})


def _rewrite(path: Path) -> None:
    store = open_store(path)
    sys.stdout.write("begun\n")
    sys.stdout.flush()
    n = 0
    while True:
        n += 1
        texts = [f"shared {part} v{n}" for part in range(20)]
        put(store, f"{n % 5}.md", *texts, revision=f"v{n}")
        store.put_vectors({text_hash(text): VECTOR for text in texts})
        if n % 7 == 0:
            remove(store, f"{n % 5}.md")


if __name__ == "__main__":
    work, target, count = sys.argv[1:]
    if work == "write":
        _write(Path(target), int(count))
    else:
        _rewrite(Path(target))


def test_the_states_that_are_kept_follow_every_write_here_and_elsewhere(path: Path) -> None:
    here, there = open_store(path), open_store(path)
    for store, name in ((here, "a.md"), (there, "b.md"), (here, "c.md"), (here, "d.md")):
        put(store, name, name)
        assert here.states() == there.states()
    here.remove(["a.md"], is_deleted=lambda name: name == "a.md")
    row = DocumentRow("c.md", None, FileState(1, 2, 3, 4), 1, "r1('c.md',)", "r1")
    here.replace([written(row, [])], is_current=lambda row: bool(row.name))
    states = here.states()[1]
    assert states == there.states()[1]
    assert sorted(states) == ["b.md", "c.md", "d.md"] and states["c.md"] == row.state
    states.clear()
    assert sorted(here.states()[1]) == ["b.md", "c.md", "d.md"]
    here.close()
    there.close()


def test_what_is_not_written_in_time_leaves_the_index_as_it_was(store: SqliteStore) -> None:
    put(store, "a.md", "kept")
    before = store.states()
    chunks = [
        Chunk(n, f"h{n}-c1", ChunkKind.TEXT, (), 0, 1, 1, 0, 10, f"some words of section number{n}x", "")
        for n in range(5000)
    ]
    row = DocumentRow("big.md", None, UNTRUSTED, 1, "f", "r")
    for seconds in (-1.0, 0.05):
        deadline = time.monotonic() + seconds

        def is_current(row: DocumentRow, deadline: float = deadline) -> bool:
            return bool(row.name) and wait_for(lambda: time.monotonic() > deadline)

        with pytest.raises(TimeoutExceeded):
            store.replace([written(row, chunks)], is_current=is_current, deadline=deadline)
        assert store.states() == before
        with store.snapshot() as snapshot:
            assert [document.name for document in snapshot.documents()] == ["a.md"]
            assert snapshot.statistics().chunks == 1
    store.replace([written(row, chunks)], is_current=lambda row: bool(row.name))
    with store.snapshot() as snapshot:
        assert snapshot.statistics().chunks == 5001
        assert len(snapshot.keywords(KeywordQuery(("number77x",)), NO_FILTER, 3)) == 1


def test_a_writer_in_a_hurry_does_not_wait_for_another_one(store: SqliteStore, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    row = DocumentRow("a.md", None, UNTRUSTED, 1, "f", "r")
    with pytest.raises(TimeoutExceeded):
        store.replace([written(row, ())], is_current=lambda row: bool(row.name), deadline=time.monotonic() + 0.05)
    other.execute("ROLLBACK")
    other.close()
    store.replace([written(row, ())], is_current=lambda row: bool(row.name), deadline=time.monotonic() + 60)
    assert list(store.states()[1]) == ["a.md"]


def test_new_documents_are_named_by_their_ids(store: SqliteStore) -> None:
    put(store, "a.md", "one")
    put(store, "b.md", "two")
    with store.snapshot() as snapshot:
        names = snapshot.document_names()
        assert set(names) == {"a.md", "b.md"}
        assert snapshot.document_names(names["a.md"]) == {"b.md": names["b.md"]}

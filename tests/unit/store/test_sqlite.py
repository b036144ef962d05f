import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pincite.errors import ConfigError, TimeoutExceeded
from pincite.model.chunk import Chunk, ChunkKind, text_hash
from pincite.model.search import EVERYTHING, WordQuery
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.matching import WordLimits
from pincite.store.opening import SCHEMA
from pincite.store.sqlite import SqliteStore

VECTOR = np.array([1, 0], np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = open_store(path)
    yield opened
    opened.close()


def open_store(
    path: Path,
    *,
    embedder: str = "m",
    busy_timeout: float = 10,
    log_rows: int = 1000,
    word_limits: WordLimits | None = None,
) -> SqliteStore:
    return SqliteStore(
        path,
        embedder=embedder,
        policy="p",
        source="/docs",
        busy_timeout=busy_timeout,
        log_rows=log_rows,
        word_limits=word_limits,
        revisions=3,
    )


def put(store: SqliteStore, name: str, *texts: str, revision: str = "r1") -> None:
    chunks = [
        Chunk(n, f"h{n}-c1", ChunkKind.TEXT, (f"H{n}",), 1, 1, 1, 0, len(text), text, "")
        for n, text in enumerate(texts)
    ]
    row = DocumentRow(name, None, UNTRUSTED, 1, f"{revision}{texts}", revision)
    store.replace([(row, chunks)], still=lambda row: bool(row.name))


def is_gone(name: str) -> bool:
    return bool(name)


def remove(store: SqliteStore, *names: str) -> None:
    store.remove(names, gone=is_gone)


def query(path: Path, statement: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute(statement).fetchall()
    connection.close()
    return rows


def nearest(store: SqliteStore) -> list[int]:
    with store.snapshot() as snapshot:
        return [hit.chunk_id for hit in snapshot.nearest(VECTOR, EVERYTHING, 100)]


class TestThePast:
    def test_keeps_what_each_locator_meant(self, store: SqliteStore, path: Path) -> None:
        put(store, "a.md", "one", "two", revision="r1")
        put(store, "a.md", "three", revision="r2")
        remove(store, "a.md")
        rows = query(path, "SELECT name, revision, chunks FROM past ORDER BY id")
        assert [row[:2] for row in rows] == [("a.md", "r1"), ("a.md", "r2")]
        assert isinstance(rows[0][2], bytes)
        assert json.loads(rows[0][2]) == [
            ["h0-c1", text_hash("one").hex().upper(), "H0"],
            ["h1-c1", text_hash("two").hex().upper(), "H1"],
        ]

    def test_keeps_the_latest_revisions_of_each_name(self, store: SqliteStore, path: Path) -> None:
        for n in range(6):
            put(store, "a.md", f"text {n}", revision=f"r{n}")
        put(store, "b.md", "text", revision="x")
        remove(store, "b.md")
        assert query(path, "SELECT revision FROM past ORDER BY id") == [("r2",), ("r3",), ("r4",), ("x",)]

    def test_does_not_hold_a_revision_that_still_stands(self, store: SqliteStore, path: Path) -> None:
        put(store, "a.md", "one", revision="r1")
        put(store, "a.md", "two", revision="r1")
        assert query(path, "SELECT revision FROM past") == []

    def test_survives_another_policy(self, store: SqliteStore, path: Path) -> None:
        put(store, "a.md", "one")
        SqliteStore(path, embedder="m", policy="other", source="/docs").close()
        assert query(path, "SELECT name, revision FROM past") == [("a.md", "r1")]


class TestTheChangeLog:
    def test_is_trimmed_and_a_reader_further_behind_reads_everything(self, path: Path) -> None:
        store, reader = open_store(path, log_rows=3), open_store(path)
        put(store, "a.md", "same")
        store.put_vectors({text_hash("same"): VECTOR})
        assert len(nearest(reader)) == 1
        for name in "bcdefgh":
            put(store, f"{name}.md", "same")
        remove(store, "a.md")
        assert query(path, "SELECT count(*) FROM change") == [(3,)]
        assert len(nearest(reader)) == 7 == len(nearest(store))
        for opened in (store, reader):
            opened.close()


class TestTidying:
    def test_deletes_vectors_that_nothing_needs_and_spares_the_newest(self, store: SqliteStore) -> None:
        put(store, "a.md", "kept")
        texts = [f"gone {n}" for n in range(5)]
        store.put_vectors({text_hash(text): VECTOR for text in ("kept", *texts)})
        generation = store.generation()
        assert store.tidy(spare=1, most=3) == 3
        assert store.tidy(spare=1, most=3) == 1
        assert store.tidy(spare=1, most=3) == 0
        assert store.generation() == generation
        put(store, "b.md", *texts)
        assert [text for _, text in store.missing_vectors(9)] == texts[:4]
        assert len(nearest(store)) == 2

    def test_lets_chunks_wait_again_for_another_embedders_vector(self, store: SqliteStore, path: Path) -> None:
        put(store, "a.md", "one")
        store.put_vectors({text_hash("one"): VECTOR})
        other = open_store(path, embedder="other")
        assert other.tidy(spare=0) == 1
        assert [text for _, text in store.missing_vectors(9)] == ["one"]
        other.close()

    def test_forgets_the_oldest_revisions_of_all(self, store: SqliteStore, path: Path) -> None:
        for n in range(4):
            put(store, f"{n}.md", "text", revision=f"r{n}")
            remove(store, f"{n}.md")
        store.tidy(revisions=2)
        assert query(path, "SELECT revision FROM past ORDER BY id") == [("r2",), ("r3",)]


class TestFrequentWords:
    def test_find_no_candidates_in_a_big_index_but_weigh_in_every_score(self, path: Path) -> None:
        store = open_store(path, word_limits=WordLimits(prune_from=5, postings=0.3))
        put(store, "a.md", *(f"the page {n}" for n in range(9)), "rare page", "rare word and the page")
        query = WordQuery(("the", "rare", "page", "word"))
        with store.snapshot() as snapshot:
            assert snapshot.candidates(query, EVERYTHING, 20) == [11, 10]
            found = snapshot.words(query, EVERYTHING, 20)
            weighed = snapshot.weigh(query, [10, 11])
        assert [(hit.chunk_id, hit.score) for hit in found] == [(11, weighed[11].bm25), (10, weighed[10].bm25)]
        store.close()

    def test_find_candidates_in_a_small_one(self, store: SqliteStore) -> None:
        put(store, "a.md", "the one", "the two")
        with store.snapshot() as snapshot:
            assert len(snapshot.words(WordQuery(("the", "one")), EVERYTHING, 20)) == 2


class TestWordsAsTheyAreSpelt:
    def test_are_listed_by_initial_and_length(self, store: SqliteStore) -> None:
        put(store, "a.md", "Configure the configuration; Café cons", "count 12345 zebra copy_config2 c0unt")
        with store.snapshot() as snapshot:
            assert snapshot.spellings("c", 4, 9) == ["café", "configure", "cons", "copy", "count"]
            assert snapshot.spellings("1", 1, 9) == []

    def test_are_counted_in_all_their_forms(self, store: SqliteStore) -> None:
        put(store, "a.md", "Configure the configuration", "configured", "café")
        with store.snapshot() as snapshot:
            assert snapshot.holding(["configuring", "cafe", "unheard", "?"]) == [2, 1, 0, 0]
            assert snapshot.holding([]) == []

    def test_that_went_are_held_by_nothing(self, store: SqliteStore) -> None:
        put(store, "a.md", "zebra")
        put(store, "a.md", "horse")
        with store.snapshot() as snapshot:
            assert snapshot.holding(snapshot.spellings("z", 1, 9)) == [0]


class TestOtherProcesses:
    def test_a_writer_that_holds_on_is_waited_for_and_then_told(self, store: SqliteStore, path: Path) -> None:
        impatient = open_store(path, busy_timeout=0.05)
        holding, release = threading.Event(), threading.Event()

        def still(row: DocumentRow) -> bool:
            holding.set()
            return release.wait(30) and bool(row.name)

        row = DocumentRow("a.md", None, UNTRUSTED, 1, "f", "r")
        writer = threading.Thread(target=lambda: store.replace([(row, [])], still=still))
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
                    found = snapshot.nearest(VECTOR, EVERYTHING, 1000)
                    words = snapshot.words(WordQuery(("shared",)), EVERYTHING, 1000)
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
        time.sleep(0.05 + 0.021 * seed)
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
        assert len(snapshot.words(WordQuery(("shared",)), EVERYTHING, 10_000)) == statistics.chunks
        found = snapshot.nearest(VECTOR, EVERYTHING, 10_000)
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
        from pincite.store.sqlite import SqliteStore
        store = SqliteStore(Path({str(path)!r}), embedder="m", policy="p", source="/docs")
    """
    command = [sys.executable, "-c", textwrap.dedent(head) + code]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=variables()).stdout


def child(work: str, path: Path, argument: str) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, work, str(path), argument]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables())


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
    here.remove(["a.md"], gone=lambda name: name == "a.md")
    here.touch({"c.md": UNTRUSTED, "nowhere.md": UNTRUSTED}, {})
    states = here.states()[1]
    assert states == there.states()[1]
    assert sorted(states) == ["b.md", "c.md", "d.md"] and states["c.md"] == UNTRUSTED
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
        with pytest.raises(TimeoutExceeded):
            store.replace([(row, chunks)], still=lambda row: bool(row.name), until=time.monotonic() + seconds)
        assert store.states() == before
        with store.snapshot() as snapshot:
            assert [document.name for document in snapshot.documents()] == ["a.md"]
            assert snapshot.statistics().chunks == 1
    store.replace([(row, chunks)], still=lambda row: bool(row.name))
    with store.snapshot() as snapshot:
        assert snapshot.statistics().chunks == 5001
        assert len(snapshot.words(WordQuery(("number77x",)), EVERYTHING, 3)) == 1


def test_a_writer_in_a_hurry_does_not_wait_for_another_one(store: SqliteStore, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    row = DocumentRow("a.md", None, UNTRUSTED, 1, "f", "r")
    with pytest.raises(TimeoutExceeded):
        store.replace([(row, ())], still=lambda row: bool(row.name), until=time.monotonic() + 0.05)
    other.execute("ROLLBACK")
    other.close()
    store.replace([(row, ())], still=lambda row: bool(row.name), until=time.monotonic() + 60)
    assert list(store.states()[1]) == ["a.md"]


def test_new_documents_are_named_by_their_ids(store: SqliteStore) -> None:
    put(store, "a.md", "one")
    put(store, "b.md", "two")
    with store.snapshot() as snapshot:
        names = snapshot.document_names()
        assert set(names) == {"a.md", "b.md"}
        assert snapshot.document_names(names["a.md"]) == {"b.md": names["b.md"]}

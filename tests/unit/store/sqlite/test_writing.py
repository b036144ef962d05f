import json
from collections.abc import Callable
from pathlib import Path

from pincite.model.chunk import text_hash
from pincite.model.search import NO_FILTER
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.sqlite.store import SqliteStore
from support.stores import VECTOR, nearest, open_store, put, query, remove, written


class TestThePast:
    def test_keeps_what_each_locator_meant(self, store: SqliteStore, path: Path) -> None:
        put(store, "a.md", "one", "two", revision="r1")
        put(store, "a.md", "three", revision="r2")
        remove(store, "a.md")
        rows = query(path, "SELECT name, revision, chunks FROM past ORDER BY id")
        assert [row[:2] for row in rows] == [("a.md", "r1"), ("a.md", "r2")]
        assert isinstance(rows[0][2], bytes)
        assert json.loads(rows[0][2]) == [
            ["h0-c1", text_hash("one").hex(), "H0", 0, 3],
            ["h1-c1", text_hash("two").hex(), "H1", 3, 6],
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


class TestCounts:
    def test_are_those_of_the_file_after_every_kind_of_change(self, store: SqliteStore, path: Path) -> None:
        changes: list[Callable[[], object]] = [
            lambda: put(store, "a.md", "one", "two"),
            lambda: put(store, "b.md", "three"),
            lambda: put(store, "empty.md"),
            lambda: put(store, "a.md", "one", revision="r2"),
            lambda: put(store, "a.md", "one", revision="r2"),
            lambda: put(store, "empty.md", "no more", revision="r2"),
            lambda: put(store, "b.md", revision="r2"),
            lambda: store.put_vectors({text_hash("one"): VECTOR}),
            lambda: store.replace([written(failed("a.md"))], is_current=bool),
            lambda: store.replace([written(moved("c.md", "empty.md"))], is_current=bool),
            lambda: remove(store, "b.md", "never.md"),
        ]
        for change in changes:
            assert counts(store) == counted(path)
            change()
        assert counts(store) == counted(path) == (0, 0)

    def test_are_counted_anew_when_another_process_has_written(self, store: SqliteStore, path: Path) -> None:
        put(store, "a.md", "one")
        assert counts(store) == (1, 1)
        other = open_store(path)
        put(other, "b.md", "two", "three")
        put(store, "c.md", "four")
        assert counts(store) == counts(other) == (4, 3)
        other.close()


def counts(store: SqliteStore) -> tuple[int, int]:
    with store.snapshot() as snapshot:
        assert snapshot.statistics().chunks == snapshot.count(NO_FILTER).chunks
        return snapshot.count(NO_FILTER)


def counted(path: Path) -> tuple[object, ...]:
    return query(path, "SELECT count(*), count(DISTINCT document_id) FROM chunk")[0]


def failed(name: str) -> DocumentRow:
    return DocumentRow(name, None, UNTRUSTED, 1, "f", "r3", failure="It cannot be read.")


def moved(name: str, source_key: str) -> DocumentRow:
    return DocumentRow(name, None, UNTRUSTED, 1, "f", "r3", source_key=source_key)


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
        assert [row.text for row in store.missing_vectors(9)] == texts[:4]
        assert len(nearest(store)) == 2

    def test_looks_no_vector_up_while_there_are_as_few_as_it_spares(self, store: SqliteStore, path: Path) -> None:
        store.put_vectors({text_hash(f"gone {n}"): VECTOR for n in range(3)})
        assert store.tidy(spare=3) == 0
        assert store.tidy(spare=2) == 1
        assert query(path, "SELECT count(*) FROM vector") == [(2,)]

    def test_lets_chunks_wait_again_for_another_embedders_vector(self, store: SqliteStore, path: Path) -> None:
        put(store, "a.md", "one")
        store.put_vectors({text_hash("one"): VECTOR})
        other = open_store(path, embedder="other")
        assert other.tidy(spare=0) == 1
        assert [row.text for row in store.missing_vectors(9)] == ["one"]
        other.close()

    def test_forgets_the_oldest_revisions_of_all(self, store: SqliteStore, path: Path) -> None:
        for n in range(4):
            put(store, f"{n}.md", "text", revision=f"r{n}")
            remove(store, f"{n}.md")
        store.tidy(spare=0, revisions=2)
        assert query(path, "SELECT revision FROM past ORDER BY id") == [("r2",), ("r3",)]

"""Forward lists: what they weigh equals what FTS5 weighs, stems and phrases included."""

import gc
import sqlite3
from pathlib import Path

import pytest

from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.search import NO_FILTER, Filter, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.bm25 import Tokens
from pincite.store.sqlite.store import SqliteStore
from pincite.store.statements import SQLITE, read_statements
from support.stores import written


def put(store: SqliteStore, *documents: tuple[str, str]) -> None:
    rows = [
        written(
            DocumentRow(name, None, UNTRUSTED, 0, text, text),
            (Chunk(0, "c1", ChunkKind.TEXT, (), 0, 1, 1, 0, len(text), text, ""),),
        )
        for name, text in documents
    ]
    store.replace(rows, is_current=lambda row: bool(row.name))


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    return SqliteStore(tmp_path / "x.db", embedder="m", source="/docs")


def test_stems_accents_and_phrases_weigh_as_in_fts5(store: SqliteStore) -> None:
    put(
        store,
        ("a", "Running file_sd_configs \0 Café"),
        ("b", "he runs file sd, not configs"),
        ("c", "none"),
        ("d", "x"),
    )
    query = KeywordQuery(("run", "cafe", "unheard", "?"), ("file_sd_configs",))
    with store.snapshot() as snapshot:
        found = {hit.chunk_id: hit.score for hit in snapshot.keywords(query, NO_FILTER, 9)}
        weighed = snapshot.score_keywords(query, [1, 2, 3, 99])
    assert {key: value.bm25 for key, value in weighed.items() if value.bm25} == pytest.approx(found)
    assert weighed.keys() == {1, 2, 3}
    assert 0 == weighed[3].coverage < weighed[2].coverage < weighed[1].coverage < 1
    store.close()


def test_the_words_of_a_phrase_that_stands_nowhere_find_but_are_not_covered(store: SqliteStore) -> None:
    put(store, ("a", "auto.With(reg).NewCounter"), ("b", "auto"), ("c", "new counters, New.Counter"), ("d", "x"))
    query = KeywordQuery((), ("auto.NewCounter",))
    with store.snapshot() as snapshot:
        assert [hit.chunk_id for hit in snapshot.keywords(query, NO_FILTER, 9)] == [1, 2]
        assert {chunk: weight.coverage for chunk, weight in snapshot.score_keywords(query, [1, 2]).items()} == {
            1: 0,
            2: 0,
        }
        assert [hit.chunk_id for hit in snapshot.keywords(KeywordQuery((), ("New.Counter",)), NO_FILTER, 9)] == [3]
    store.close()


def test_a_word_of_a_phrase_that_stands_nowhere_counts_once(store: SqliteStore) -> None:
    put(store, ("a", "auto.With(reg).NewCounter"), ("b", "auto"), ("c", "x"), ("d", "y"), ("e", "z"))
    with store.snapshot() as snapshot:
        once = snapshot.score_keywords(KeywordQuery(("auto", "NewCounter")), [1, 2])
        again = snapshot.score_keywords(KeywordQuery(("auto",), ("auto.NewCounter", "NewCounter.auto")), [1, 2])
    assert {chunk: weight.bm25 for chunk, weight in again.items()} == {c: weight.bm25 for c, weight in once.items()}
    store.close()


def test_candidates_are_the_best_by_phrases_and_the_best_by_words(store: SqliteStore) -> None:
    put(
        store,
        ("a", "a_b a_b"),
        ("b", "a_b and more"),
        ("c", "c_d"),
        ("d", "word"),
        ("e", "word, one of many"),
        ("f", "x"),
    )
    query = KeywordQuery(("word",), ("a_b", "c_d"))
    with store.snapshot() as snapshot:
        names = {number: snapshot.document_chunks(number)[0].document for number in range(1, 7)}
        assert [names[chunk] for chunk in snapshot.candidates(query, NO_FILTER, 1)] == ["c", "d"]
        assert [names[chunk] for chunk in snapshot.candidates(query, NO_FILTER, 9)] == ["c", "a", "b", "d", "e"]
        some = Filter(frozenset([2, 5]))
        assert {names[chunk] for chunk in snapshot.candidates(query, some, 9)} == {"b", "e"}
    store.close()


def test_a_document_written_twice_in_one_transaction_is_counted_once(store: SqliteStore) -> None:
    put(store, ("a", "old words"), ("a", "new words"))
    with store.snapshot() as snapshot:
        ids = [piece.id for piece in snapshot.document_chunks(1)]
        assert snapshot.score_keywords(KeywordQuery(("new",)), ids)[ids[0]].coverage == 1
        assert snapshot.score_keywords(KeywordQuery(("old",)), ids)[ids[0]].coverage == 0
    store.close()


def test_what_splits_a_store_s_words_goes_with_it_before_cycles_are_collected() -> None:
    def databases() -> int:
        return sum(isinstance(thing, sqlite3.Connection) for thing in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = databases()
        assert Tokens(read_statements(SQLITE)).split(["running"]) == [["run"]]
        assert databases() == before
    finally:
        gc.enable()

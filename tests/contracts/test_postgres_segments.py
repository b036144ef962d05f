"""The store in PostgreSQL answers as that in SQLite does while its segments are written, merged and purged."""

import dataclasses
import random
import uuid
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import psycopg
import pytest

from pincite.model.chunk import Chunk, ChunkKind, text_hash
from pincite.model.search import NO_FILTER, Filter, KeywordQuery
from pincite.model.store import DocumentRow, StoredDocument
from pincite.store.base import Snapshot, Store
from pincite.store.postgres import collection_copy, near, near_indexes, segments, snapshot, vectors, words
from pincite.store.postgres import store as postgres_store
from pincite.store.postgres.store import PostgresStore
from pincite.store.sqlite.store import SqliteStore
from support.stores import written

pytestmark = pytest.mark.slow

WORDS = [f"w{number}" for number in range(30)]
DOCUMENTS = 12
Answer = tuple[object, ...]


@pytest.fixture(autouse=True)
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments that a test fills, and statements with one plan as in a large collection."""
    for module in (snapshot, vectors):
        monkeypatch.setattr(module, "PLANNED_ONCE_FROM", 0)
    sizes = {
        "FRESH_CHUNKS": 12,
        "SPARE_FRESH_CHUNKS": 6,
        "MERGED_SEGMENTS": 3,
        "MAX_CHUNKS": 60,
        "MAX_CHUNKS_IN_CALLS": 40,
    }
    for name, size in sizes.items():
        monkeypatch.setattr(segments, name, size)
    for name in ("FRESH_CHUNKS", "SPARE_FRESH_CHUNKS", "MAX_CHUNKS", "MAX_CHUNKS_IN_CALLS"):
        monkeypatch.setattr(f"pincite.store.postgres.writing.{name}", sizes[name])


def copied(schema: str, dsn: str, asked_for: Sequence[str] = ()) -> PostgresStore:
    """A server of a collection that has copied it; it knows no statement but these that fetches a list or a vector."""
    store = PostgresStore(schema, dsn=dsn, embedder="m", source="/docs")
    for _ in range(2):
        with store.snapshot() as view:
            view.document_frequencies(WORDS)
    assert store.copies.wait(60)
    fetching = {"terms", "term_lists", "lists", "recent", "vectors"} - {*asked_for}
    shared = store._shared  # pyright: ignore[reportPrivateUsage] - no other way to see what it asks for
    store._shared = dataclasses.replace(  # pyright: ignore[reportPrivateUsage] - as above
        shared, sql={name: statement for name, statement in shared.sql.items() if name not in fetching}
    )
    return store


@contextmanager
def both(folder: Path, dsn: str) -> Generator[tuple[SqliteStore, PostgresStore, str]]:
    schema = f"test_{uuid.uuid4().hex}"
    with (
        closing(SqliteStore(folder / "index.db", embedder="m", source="/docs")) as sqlite,
        closing(PostgresStore(schema, dsn=dsn, embedder="m", source="/docs")) as postgres,
    ):
        yield sqlite, postgres, schema


def replace(stores: Sequence[Store], rng: random.Random) -> None:
    name = f"{rng.randrange(DOCUMENTS)}.md"
    texts = [
        " ".join(rng.choices(WORDS, weights=range(1, 31), k=rng.randrange(0, 12))) for _ in range(rng.randrange(6))
    ]
    chunks = [
        Chunk(place, f"h{place}-c1", ChunkKind.TEXT, ("w1",), 1, 1, 1, 0, len(text), text, "w1 w2", len(text.split()))
        for place, text in enumerate(texts)
    ]
    stamp = f"{rng.getrandbits(32):08x}"
    for one in stores:
        one.replace([written(DocumentRow(name, None, (1,), 1, stamp, stamp), chunks)], is_current=bool)


def answers(view: Snapshot, documents: frozenset[str]) -> list[Answer]:
    where = Filter(frozenset(number for name, number in view.document_names().items() if name in documents))
    texts = {chunk_id: view.chunks([chunk_id])[0] for chunk_id in view.chunk_ids()}
    place = {chunk_id: (one.document, one.chunk.ordinal) for chunk_id, one in texts.items()}
    found: list[Answer] = [tuple(view.document_frequencies([*WORDS, "none"]))]
    for query in (
        KeywordQuery(("w29", "w3", "w0"), ()),
        KeywordQuery(("w28",), ("w29 w28", "w1 w2", "w2 w29")),
        KeywordQuery(("none",), ("none w1",)),
    ):
        for passing in (NO_FILTER, where):
            hits = view.keywords(query, passing, 500)
            found.append(tuple(sorted((place[hit.chunk_id], round(hit.score, 6)) for hit in hits)))
        scores = view.score_keywords(query, sorted(texts))
        found.append(tuple(sorted((place[one], round(score.bm25, 6), score.coverage) for one, score in scores.items())))
    for phrase in ("w29 w28", "w1 w2", "w2 w29", "w29 w29"):
        found += [tuple(sorted(place[one] for one in view.phrase_chunks(phrase, NO_FILTER, 500)))]
    return found


@pytest.mark.parametrize("seed", range(3))
def test_both_stores_find_and_score_the_same(tmp_path: Path, postgres_dsn: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - a test's data
    with both(tmp_path, postgres_dsn) as (sqlite, postgres, schema):
        for step in range(60):
            replace((sqlite, postgres), rng)
            if rng.random() < 0.15:
                key = f"{rng.randrange(DOCUMENTS)}.md"
                for one in (sqlite, postgres):
                    one.remove([key], is_deleted=bool)
            if rng.random() < 0.2:
                postgres.tidy(spare=20_000)
            if step % 6 == 5:
                few = frozenset(f"{rng.randrange(DOCUMENTS)}.md" for _ in range(3))
                with sqlite.snapshot() as one, postgres.snapshot() as other:
                    assert answers(other, few) == answers(one, few)
        with psycopg.connect(postgres_dsn, autocommit=True) as connection:
            connection.execute(f"SET search_path TO {schema}".encode())
            # Segments were written many times, and deleted chunks leave them in the end.
            assert connection.execute("SELECT layout > 10 FROM meta").fetchall() == [(True,)]
            for name in sqlite.states()[1]:
                for one in (sqlite, postgres):
                    one.remove([name], is_deleted=bool)
            postgres.tidy(spare=20_000)
            left = (
                "SELECT (SELECT count(*) FROM dead) + (SELECT count(*) FROM segment) + (SELECT count(*) FROM posting)"
            )
            assert connection.execute(left.encode()).fetchall() == [(0,)]


def best_of_first(view: Snapshot, n: int) -> list[tuple[str, int]]:
    """The best chunks of the first half of the documents, as documents and ordinals."""
    ids = view.document_names()
    where = Filter(frozenset(ids[name] for name in sorted(ids)[:6]))
    return places(view, [hit.chunk_id for hit in view.keywords(KeywordQuery(("w29", "w28"), ()), where, n)])


def test_a_filter_that_lets_most_pass_is_walked_down(
    tmp_path: Path, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "FEW_ROWS", 0)
    rng = random.Random(7)  # noqa: S311 - as above
    with both(tmp_path, postgres_dsn) as (sqlite, postgres, _):
        for _ in range(30):
            replace((sqlite, postgres), rng)
        with sqlite.snapshot() as one, postgres.snapshot() as other:
            for n in (1, 3, 500):
                assert best_of_first(other, n) == best_of_first(one, n)


def nearest(
    view: Snapshot, vector: npt.NDArray[np.float32], names: Sequence[str] | None
) -> list[tuple[str, int, float]]:
    """The nearest chunks of some documents, or of all, as documents, ordinals and cosines."""
    ids = view.document_names()
    where = NO_FILTER if names is None else Filter(frozenset(ids[name] for name in names if name in ids))
    hits = view.nearest(vector, where, 5)
    chunks = view.chunks([hit.chunk_id for hit in hits])
    return sorted((one.document, one.chunk.ordinal, hit.score) for one, hit in zip(chunks, hits, strict=True))


def test_the_nearest_are_those_of_sqlite_however_they_are_found(
    tmp_path: Path, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, numbers = random.Random(5), np.random.default_rng(5)  # noqa: S311 - as above
    with both(tmp_path, postgres_dsn) as (sqlite, postgres, _):
        for _ in range(30):
            replace((sqlite, postgres), rng)
        missing = [one.embed_hash for one in sqlite.missing_vectors(100)]
        unit = numbers.standard_normal((len(missing), 4), np.float32)
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
        for store in (sqlite, postgres):
            store.put_vectors(dict(zip(missing[1:], unit[1:], strict=True)))
        names = sorted(sqlite.states()[1])
        filters: list[list[str] | None] = [None, names[:1], names[:4], names, []]
        for few in (10_000, 3, 0):  # every filter is small, some are, none is
            monkeypatch.setattr(near, "EXACT_ROWS", few)
            with sqlite.snapshot() as one, postgres.snapshot() as other:
                for passing in filters:
                    assert nearest(other, unit[0], passing) == nearest(one, unit[0], passing)


def test_the_nearest_wait_for_no_other_statement_and_are_of_their_snapshot(tmp_path: Path, postgres_dsn: str) -> None:
    rng, numbers = random.Random(6), np.random.default_rng(6)  # noqa: S311 - as above
    query = numbers.standard_normal(4, np.float32)
    with both(tmp_path, postgres_dsn) as (_, postgres, schema), ThreadPoolExecutor(1) as executor:
        for _ in range(10):
            replace((postgres,), rng)
        embed((postgres,), numbers)
        with closing(PostgresStore(schema, dsn=postgres_dsn, embedder="m", source="/docs", copied_chunks=0)) as other:
            with other.snapshot() as view:
                expected = view.nearest(query, NO_FILTER, 500)
                with view._lock:  # pyright: ignore[reportPrivateUsage] - as a statement of another thread
                    assert executor.submit(view.nearest, query, NO_FILTER, 500).result(60) == expected
                postgres.remove(list(postgres.states()[1]), is_deleted=bool)
                assert expected and view.nearest(query, NO_FILTER, 500) == expected
            with other.snapshot() as view:
                assert view.nearest(query, NO_FILTER, 500) == []


def test_terms_that_were_counted_earlier_find_the_same_chunks(
    tmp_path: Path, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "COUNTED_FROM", 0)
    rng = random.Random(3)  # noqa: S311 - as above
    with both(tmp_path, postgres_dsn) as (sqlite, postgres, _):
        for step in range(30):
            replace((sqlite, postgres), rng)
            if step == 20:
                postgres.tidy(spare=20_000)
        query = KeywordQuery(("w1", "w15", "w29", "nowhere"), ())
        with sqlite.snapshot() as one:
            expected = sorted(places(one, [hit.chunk_id for hit in one.keywords(query, NO_FILTER, 500)]))
        with postgres.snapshot() as other:
            ids = [hit.chunk_id for hit in other.keywords(query, NO_FILTER, 500)]
            assert len(ids) > 10 and sorted(places(other, ids)) == expected


def places(view: Snapshot, chunk_ids: Sequence[int]) -> list[tuple[str, int]]:
    return [(one.document, one.chunk.ordinal) for one in view.chunks(chunk_ids)]


VALID = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)"


METHOD = "SELECT amname FROM pg_class JOIN pg_am ON pg_am.oid = relam WHERE pg_class.oid = to_regclass(%s)"


def large_from_six(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (near_indexes, postgres_store):
        monkeypatch.setattr(module, "EXACT_ROWS", 5)


def test_a_collection_that_grew_has_an_index_of_its_vectors(
    tmp_path: Path, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    large_from_six(monkeypatch)
    rng = random.Random(1)  # noqa: S311 - as above
    with both(tmp_path, postgres_dsn) as (_, postgres, schema), psycopg.connect(postgres_dsn, autocommit=True) as admin:
        index = f"{schema}.near_1"
        postgres.put_vectors({text_hash("x"): np.array([1, 0], np.float32)})
        assert admin.execute(VALID, (index,)).fetchall() == []
        for _ in range(10):
            replace((postgres, postgres), rng)
        missing = postgres.missing_vectors(100)
        assert len(missing) > 1
        new = {one.embed_hash: np.array([number, 1], np.float32) for number, one in enumerate(missing)}
        first, *others = new
        postgres.put_vectors({first: new[first]})
        assert admin.execute(VALID, (index,)).fetchall() == []  # more are to come: it is built at the end
        postgres.put_vectors({one: new[one] for one in others})
        assert postgres.near_indexes.wait(60)
        assert admin.execute(VALID, (index,)).fetchall() == [(True,)]
        admin.execute("UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(%s)", (index,))
        postgres.tidy(spare=20_000)  # as after an interruption: it is built again
        assert admin.execute(VALID, (index,)).fetchall() == [(True,)]
        assert admin.execute(METHOD, (index,)).fetchall() == [("hnsw",)]
        monkeypatch.setattr(near_indexes, "GRAPH_ROWS", 5)
        query = np.array([1, 0], np.float32)
        with postgres.snapshot() as view:
            before = view.nearest(query, NO_FILTER, 10)
        postgres.tidy(spare=20_000)  # it has outgrown the graph
        assert admin.execute(METHOD, (index,)).fetchall() == [("ivfflat",)]
        assert admin.execute(METHOD, (f"{index}_new",)).fetchall() == []
        with postgres.snapshot() as view:
            assert view.nearest(query, NO_FILTER, 10) == before


def test_a_large_collection_answers_while_the_index_of_its_vectors_is_created(
    tmp_path: Path, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    large_from_six(monkeypatch)
    rng, numbers = random.Random(1), np.random.default_rng(1)  # noqa: S311 - as above
    query = numbers.standard_normal(4, np.float32)
    with both(tmp_path, postgres_dsn) as (sqlite, postgres, schema), psycopg.connect(postgres_dsn) as other:
        for _ in range(10):
            replace((sqlite, postgres), rng)
        embed((sqlite, postgres), numbers)  # all but one: no index yet
        other.execute(f"LOCK TABLE {schema}.near IN SHARE UPDATE EXCLUSIVE MODE".encode())
        with closing(PostgresStore(schema, dsn=postgres_dsn, embedder="m", source="/docs", copied_chunks=0)) as opened:
            assert not opened.near_indexes.wait(0.1)
            with sqlite.snapshot() as one, opened.snapshot() as view:
                assert nearest(view, query, None) == nearest(one, query, None)
            assert other.execute(VALID, (f"{schema}.near_1",)).fetchall() in ([], [(False,)])
            other.commit()
            assert opened.near_indexes.wait(60)
            assert other.execute(VALID, (f"{schema}.near_1",)).fetchall() == [(True,)]
            with sqlite.snapshot() as one, opened.snapshot() as view:
                assert nearest(view, query, None) == nearest(one, query, None)


def embed(stores: Sequence[Store], numbers: np.random.Generator) -> None:
    """Give a random vector to most chunks without one, the same in each store."""
    missing = [one.embed_hash for one in stores[0].missing_vectors(100)][:-1]
    unit = numbers.standard_normal((len(missing), 4), np.float32)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    for store in stores:
        store.put_vectors(dict(zip(missing, unit, strict=True)))


@pytest.mark.parametrize("seed", range(2))
def test_a_copy_in_memory_follows_the_changes_of_other_servers(tmp_path: Path, postgres_dsn: str, seed: int) -> None:
    rng, numbers = random.Random(seed), np.random.default_rng(seed)  # noqa: S311 - as above
    query = numbers.standard_normal(4, np.float32)
    with both(tmp_path, postgres_dsn) as (sqlite, postgres, schema):
        for _ in range(8):
            replace((sqlite, postgres), rng)
        embed((sqlite, postgres), numbers)
        with closing(copied(schema, postgres_dsn)) as other:
            for step in range(40):
                replace((sqlite, (postgres, other)[step % 2]), rng)
                if rng.random() < 0.3:
                    key = f"{rng.randrange(DOCUMENTS)}.md"
                    for one in (sqlite, postgres):
                        one.remove([key], is_deleted=bool)
                if rng.random() < 0.2:
                    postgres.tidy(spare=20_000)
                if rng.random() < 0.5:
                    embed((sqlite, postgres), numbers)
                if step % 4 == 3:
                    few = frozenset(f"{rng.randrange(DOCUMENTS)}.md" for _ in range(3))
                    with sqlite.snapshot() as one, other.snapshot() as view:
                        assert answers(view, few) == answers(one, few)
                        for names in (None, sorted(few), []):
                            assert nearest(view, query, names) == nearest(one, query, names)
                        assert view.similarities(query, view.chunk_ids()).keys() <= {*view.chunk_ids()}


def test_a_snapshot_older_than_the_copy_and_one_far_ahead_of_it_ask_the_database(
    tmp_path: Path, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(2)  # noqa: S311 - as above
    with both(tmp_path, postgres_dsn) as (sqlite, postgres, schema):
        for _ in range(12):
            replace((sqlite, postgres), rng)
        every = ("terms", "term_lists", "lists", "recent", "vectors")
        with closing(copied(schema, postgres_dsn, every)) as other:
            with sqlite.snapshot() as one, other.snapshot() as older:
                for _ in range(6):
                    replace((postgres,), rng)
                with other.snapshot() as newer:
                    newer.document_frequencies(WORDS)
                assert answers(older, frozenset()) == answers(one, frozenset())
            monkeypatch.setattr(collection_copy, "MAX_LOGGED_ROWS", 0)
            monkeypatch.setattr(other.copies, "_begin_at", 0.0)
            replace((postgres,), rng)
            with postgres.snapshot() as one, other.snapshot() as view:
                assert answers(view, frozenset({"1.md"})) == answers(one, frozenset({"1.md"}))
            # It is made anew meanwhile.
            assert other.copies.wait(60)
            with postgres.snapshot() as one, other.snapshot() as view:
                assert answers(view, frozenset({"1.md"})) == answers(one, frozenset({"1.md"}))


def test_a_collection_above_the_limit_is_not_copied(tmp_path: Path, postgres_dsn: str) -> None:
    rng = random.Random(2)  # noqa: S311 - as above
    with (
        both(tmp_path, postgres_dsn) as (_, postgres, schema),
        closing(PostgresStore(schema, dsn=postgres_dsn, embedder="m", source="/docs", copied_chunks=3)) as other,
    ):
        while sum(one.chunk_count for one in documents_of(postgres)) <= 3:
            replace((postgres,), rng)
        for _ in range(3):
            with other.snapshot() as view:
                view.document_frequencies(WORDS)
        assert not other.copies.wait(60)


def documents_of(store: Store) -> list[StoredDocument]:
    with store.snapshot() as view:
        return view.documents()

"""Chunks in memory, and BM25 from posting lists: what a large index is searched by."""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pincite.model.chunk import Chunk, ChunkKind
from pincite.model.search import NO_FILTER, Filter, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.matching import KeywordLimits
from pincite.store.memory import postings
from pincite.store.sqlite.store import SqliteStore
from support.stores import written

LARGE = KeywordLimits(prune_from=0, postings=99)
QUERY = KeywordQuery(("zebra", "walrus"), ("key_one",))


def put(store: SqliteStore, name: str, *texts: str) -> None:
    chunks = [Chunk(n, f"c{n}", ChunkKind.TEXT, (), 0, 1, 1, 0, len(text), text, "") for n, text in enumerate(texts)]
    row = DocumentRow(name, None, UNTRUSTED, 0, str(texts), str(texts))
    store.replace([written(row, chunks)], is_current=lambda row: bool(row.name))


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[SqliteStore, SqliteStore]]:
    """One index, opened as a small one and as a large one."""
    small, large = (
        SqliteStore(tmp_path / "x.db", embedder="m", source="/docs", keyword_limits=limits) for limits in (None, LARGE)
    )
    yield small, large
    small.close()
    large.close()


def check_alike(small: SqliteStore, large: SqliteStore, where: Filter = NO_FILTER) -> None:
    with small.snapshot() as one, large.snapshot() as other:
        assert other.candidates(QUERY, where, 9) == one.candidates(QUERY, where, 9)
        found = one.keywords(QUERY, where, 9)
        assert [hit.chunk_id for hit in other.keywords(QUERY, where, 9)] == [hit.chunk_id for hit in found]
        ids = [hit.chunk_id for hit in found]
        assert other.score_keywords(QUERY, ids) == one.score_keywords(QUERY, ids)


@pytest.mark.parametrize("most", [postings.MAX_CHUNKS_WITH_LISTS, 0])
def test_a_large_index_finds_and_weighs_what_a_small_one_does(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(postings, "MAX_CHUNKS_WITH_LISTS", most)
    small, large = stores
    put(small, "a.md", "zebra zebra", "a walrus and key_one", "nothing", "…")
    check_alike(small, large)
    put(small, "b.md", "zebra walrus", "key_one key_one zebra", *(f"page {n}" for n in range(20)))
    check_alike(small, large)
    check_alike(small, large, Filter(frozenset([2])))
    put(small, "a.md", "walrus", "zebra zebra zebra and more")
    check_alike(small, large)


def test_an_index_that_grows_over_the_limit_reads_its_lists_from_the_file(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "MAX_CHUNKS_WITH_LISTS", 3)
    small, large = stores
    put(small, "a.md", "zebra zebra", "a walrus and key_one")
    check_alike(small, large)
    put(small, "b.md", "zebra walrus", "key_one key_one zebra", "nothing")
    check_alike(small, large)


def test_a_snapshot_finds_chunks_that_were_deleted_before_the_table_was_read(
    stores: tuple[SqliteStore, SqliteStore],
) -> None:
    small, large = stores
    put(small, "a.md", "zebra zebra", "a walrus and key_one", *(f"page {n}" for n in range(9)))
    with large.snapshot() as older, small.snapshot() as same:
        put(small, "a.md", "zebra")
        check_alike(small, large)
        assert older.candidates(QUERY, NO_FILTER, 9) == same.candidates(QUERY, NO_FILTER, 9) == [2, 1]
        assert older.score_keywords(QUERY, [1, 2]) == same.score_keywords(QUERY, [1, 2])


def test_deleted_chunks_leave_the_table(
    stores: tuple[SqliteStore, SqliteStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "_COMPACT_MIN_ROWS", 0)
    small, large = stores
    for round_ in range(6):
        put(small, "a.md", *(f"zebra {round_} {n}" for n in range(5)))
        check_alike(small, large)
    tables = postings.ChunkTables()
    with small.snapshot() as snapshot:
        rows = snapshot._rows  # pyright: ignore[reportPrivateUsage] - what the snapshot itself passes
        tables.at(postings.FileTables(rows, 5, snapshot.generation), 5, snapshot.generation)
        assert tables.entries([26, 30]) is not None
        assert tables.entries([1]) is None


def test_lists_in_memory_find_what_the_file_does_after_any_changes(
    stores: tuple[SqliteStore, SqliteStore], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)  # noqa: S311 - the same at every run
    small, large = stores
    by_file = SqliteStore(tmp_path / "x.db", embedder="m", source="/docs", keyword_limits=LARGE)
    words = ["zebra", "walrus", "key_one", "plain", "other"]
    for _ in range(30):
        texts = [" ".join(chance.choices(words, k=chance.randint(1, 6))) for _ in range(chance.randint(0, 4))]
        put(small, f"{chance.randint(1, 4)}.md", *texts)
        with large.snapshot() as one, by_file.snapshot() as other:
            with monkeypatch.context() as patch:
                patch.setattr(postings, "MAX_CHUNKS_WITH_LISTS", 0)
                expected = other.keywords(QUERY, NO_FILTER, 99), other.score_keywords(QUERY, other.chunk_ids())
            assert (one.keywords(QUERY, NO_FILTER, 99), one.score_keywords(QUERY, one.chunk_ids())) == expected
    by_file.close()


def test_an_older_snapshot_reads_what_it_was_opened_on(stores: tuple[SqliteStore, SqliteStore]) -> None:
    """One word as often as before, but in another chunk: its number of matches does not show that."""
    small, large = stores
    put(small, "a.md", "zebra", "walrus")
    check_alike(small, large)
    with large.snapshot() as older, small.snapshot() as same:
        put(small, "b.md", "zebra zebra")
        put(small, "a.md", "walrus")
        check_alike(small, large)
        assert older.keywords(QUERY, NO_FILTER, 9) == same.keywords(QUERY, NO_FILTER, 9)
        assert {hit.chunk_id for hit in older.keywords(QUERY, NO_FILTER, 9)} == {1, 2}


@pytest.mark.parametrize("ids", [[], [7], [5, 6, 7, 8], [5, 7, 8, 20]], ids=str)
def test_each_chunk_is_found_in_its_row_with_or_without_gaps(ids: list[int]) -> None:
    held = np.array(ids, np.int64)
    table = postings.ChunkTable(held, held, held, None, None, 1)
    rows = table.rows_of(held[::-1].copy())
    assert rows is not None and rows.tolist() == [*range(len(ids))][::-1]
    for unknown in {1, 6, 9, 21} - set(ids):
        assert table.rows_of(np.array([*ids, unknown])) is None

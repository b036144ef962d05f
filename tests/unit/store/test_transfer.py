"""A collection that moves from SQLite to PostgreSQL and back has the same rows and gives the same answers."""

import random
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest

from pincite.errors import Cancelled, ConfigError, IndexLost, InternalError
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind, PlacedText, SourceText, Tags
from pincite.model.document import Box, Coverage, PageFailure
from pincite.model.search import NO_FILTER, KeywordQuery
from pincite.model.store import DocumentRow
from pincite.store.base import Store
from pincite.store.postgres.store import PostgresStore
from pincite.store.postgres.transfer import PostgresOrigin, PostgresTarget
from pincite.store.sqlite.store import SqliteStore
from pincite.store.sqlite.transfer import PARTIAL, SqliteOrigin, SqliteTarget
from pincite.store.transfer import TABLES, Origin, Row, Table, Target, compare, copy
from support.older_tables import to_version_1
from support.stores import is_gone, written

pytestmark = pytest.mark.slow

WORDS = ("river", "stone", "bridge", "walked", "naïve", "straße", "lone \ud800 half", "nul\x00byte", "日本", "data")
STRANGE = "dir/\udcff'\"%_é.md"


def yes(row: DocumentRow) -> bool:
    return bool(row.name)


def fill(store: Store) -> None:
    """Documents of every kind of column, some replaced, removed, failed or without vectors."""
    chance = random.Random(7)  # noqa: S311 - no secret
    for n in range(60):
        for revision in range(1 + n % 3):
            chunks = [
                Chunk(
                    place, f"h{place}-c1", ChunkKind.TEXT, (f"Heading {n % 5}", WORDS[place % 5]), 2, 1, 1, 0, 0,
                    " ".join(chance.choices(WORDS, k=30)) + f" number{n} ", f"in context {n % 4}",
                )
                for place in range(n % 7)
            ]  # fmt: skip
            name = STRANGE if n == 7 else f"{n}.md"
            row = DocumentRow(
                name, f"Title {n}", (n, 2**70, 3, 4), 2**90 if n == 9 else n, f"f{revision}", f"r{revision}"
            )
            store.replace([written(row, chunks)], is_current=yes)
    store.replace([written(_odd_row(), [_odd_chunk()])], is_current=yes)
    store.remove(["3.md", "59.md", "58.md"], is_deleted=is_gone)
    missing = store.missing_vectors(10_000)
    vectors = np.random.default_rng(7).standard_normal((len(missing), 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store.put_vectors({one.embed_hash: vector for one, vector in list(zip(missing, vectors, strict=True))[:-5]})


def _odd_row() -> DocumentRow:
    coverage = Coverage(pages=3, read=2, failed=(PageFailure(2, "torn"),), limits_hit=("max_pages",))
    row = DocumentRow("odd.pdf", "\udc80", (1, 2), 5, "f", "r", coverage=coverage, properties={"author": "né"})
    return replace(row, source_key="/elsewhere/odd.pdf", stamp="pdf/9")


def _odd_chunk() -> Chunk:
    return Chunk(
        0, "p1-c1", ChunkKind.TABLE, ("A > B", "C\udcfe"), 0, 1, 1, 0, 0, "clause text here", "", 7, 3, (1, 2),
        (PlacedText(1, Box(0, 1, 2, 3.5), 0, 6),), (SourceText(0, 6, "CLAUSE"),),
        Tags("requirement", bool(1), "4.2.1", ("[1]",), 0.5),
    )  # fmt: skip


def answers(store: Store) -> list[Any]:
    """What searches and reads answer."""
    found: list[Any] = [store.generation(), store.identity(), store.states(), store.waiting_documents()]
    found.append([one.embed_hash for one in store.missing_vectors(100)])
    with store.snapshot() as snapshot:
        queries = KeywordQuery(("river", "stone"), ()), KeywordQuery(("number7",), ("bridge walked",))
        hits = [hit for query in queries for hit in snapshot.keywords(query, NO_FILTER, 20)]
        found.append([(hit.chunk_id, round(hit.score, 9)) for hit in hits])
        vector = np.ones(8, np.float32) / np.float32(np.sqrt(8))
        found.append([(hit.chunk_id, round(hit.score, 6)) for hit in snapshot.nearest(vector, NO_FILTER, 20)])
        found += [snapshot.documents(), snapshot.chunks(snapshot.chunk_ids()), snapshot.statistics(), snapshot.tokens()]
        found += [snapshot.past("8.md", "r1"), snapshot.past("3.md", "r0"), snapshot.spellings("r", 4, 9)]
        found.append(snapshot.document_frequencies(["river", "naïve", "number8"]))
    return found


class Place:
    """A file, and a schema of the database."""

    def __init__(self, tmp_path: Path, dsn: str) -> None:
        self.dsn, self.schema = dsn, f"test_{uuid.uuid4().hex}"
        self.file, self.back = tmp_path / "index.db", tmp_path / "back.db"

    def sqlite(self, path: Path) -> SqliteStore:
        return SqliteStore(path, embedder="m", source="/docs")

    def postgres(self) -> PostgresStore:
        return PostgresStore(self.schema, dsn=self.dsn, embedder="m", source="/docs")

    def to_postgres(self, call: Call | None = None, *, replace: bool = False) -> dict[str, int]:
        with closing(SqliteOrigin(self.file)) as origin:
            made = PostgresTarget(self.dsn, self.schema, origin.summary(), source="/docs", replace=replace, timeout=5)
            with closing(made) as target:
                return move(origin, target, call or Call())

    def to_sqlite(self, *, replace: bool = False) -> dict[str, int]:
        with closing(PostgresOrigin(self.dsn, self.schema, timeout=5)) as origin:
            made = SqliteTarget(self.back, origin.summary(), source="/docs", replace=replace)
            with closing(made) as target:
                return move(origin, target, Call())

    def upgrade(self) -> dict[str, int]:
        with closing(PostgresOrigin(self.dsn, self.schema, timeout=5, older=True)) as origin:
            made = PostgresTarget(self.dsn, self.schema, origin.summary(), source="/docs", replace=True, timeout=5)
            with closing(made) as target:
                copy(origin, target, Call())
                counts = compare(origin, target, Call())
                origin.close()
                target.publish()
                return counts


def move(origin: Origin, target: Target, call: Call) -> dict[str, int]:
    copy(origin, target, call)
    counts = compare(origin, target, call)
    target.publish()
    return counts


@pytest.fixture
def place(tmp_path: Path, postgres_dsn: str) -> Iterator[Place]:
    made = Place(tmp_path, postgres_dsn)
    with closing(made.sqlite(made.file)) as store:
        fill(store)
        store.identity()
    yield made
    with psycopg.connect(postgres_dsn, autocommit=True) as connection:
        for end in ("", "_migrating"):
            connection.execute(f'DROP SCHEMA IF EXISTS "{made.schema}{end}" CASCADE'.encode())


def test_there_and_back_gives_the_same_rows_and_the_same_answers(place: Place) -> None:
    counts = place.to_postgres()
    assert counts["document"] == 58 and counts["past"] > 10 and counts["waiting"] == 5 and counts["term"] > 50
    assert place.to_sqlite() == counts
    with (
        closing(place.sqlite(place.file)) as before,
        closing(place.postgres()) as between,
        closing(place.sqlite(place.back)) as after,
    ):
        expected = answers(before)
        assert answers(between) == expected
        assert answers(after) == expected
    with closing(SqliteOrigin(place.file)) as one, closing(SqliteOrigin(place.back)) as other:
        for table in TABLES:
            assert one.rows(table, None, 10_000) == other.rows(table, None, 10_000)


def test_tables_of_an_older_version_are_upgraded_with_the_same_answers(place: Place) -> None:
    counts = place.to_postgres()
    with closing(place.postgres()) as store:
        expected = answers(store)
        to_version_1(place.dsn, place.schema)
        with pytest.raises(IndexLost), store.snapshot():
            pass
    with pytest.raises(ConfigError, match="migrate --upgrade"):
        place.postgres()
    with pytest.raises(ConfigError, match="migrate --upgrade"):
        PostgresOrigin(place.dsn, place.schema, timeout=5)
    assert place.upgrade() == counts | {"term": 0}
    with closing(place.postgres()) as store:
        assert answers(store) == expected
    with pytest.raises(ConfigError, match="already"):
        place.upgrade()


def test_a_server_neither_reads_nor_writes_tables_that_were_upgraded_under_it(place: Place) -> None:
    place.to_postgres()
    with closing(place.postgres()) as store:
        before = store.generation()
        with psycopg.connect(place.dsn, autocommit=True) as connection:
            connection.execute(f'SET search_path TO "{place.schema}"'.encode())
            connection.execute("UPDATE meta SET version = version + 1")
        with pytest.raises(IndexLost), store.snapshot():
            pass
        with pytest.raises(IndexLost):
            store.remove(["10.md"], is_deleted=is_gone)
        assert store.is_invalid()
        assert store.generation() == before
    with pytest.raises(ConfigError, match="Serve it with the pincite that made it, or drop it"):
        place.postgres()


def test_each_goes_on_from_where_it_was(place: Place) -> None:
    place.to_postgres()
    place.to_sqlite()
    for store in (place.postgres(), place.sqlite(place.back)):
        with closing(store):
            store.replace([written(replace(_odd_row(), fingerprint="g", revision="s"), [_odd_chunk()])], is_current=yes)
            store.replace([written(DocumentRow("new.md", None, (1,), 1, "f", "r"), [_odd_chunk()])], is_current=yes)
            with store.snapshot() as snapshot:
                new = snapshot.document("new.md")
                assert new is not None
                # The ids of the documents that were deleted last are not given again.
                assert new.id > 61
                hits = snapshot.keywords(KeywordQuery(("clause",), ()), NO_FILTER, 10)
                assert len(hits) == 2


def test_a_copy_goes_on_after_an_interruption_anywhere(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.store.transfer.BATCH_ROWS", 5)
    for allowed in (0, 1, 3, 7, 15):
        with pytest.raises(Cancelled):
            place.to_postgres(_ending(allowed))
    counts = place.to_postgres()
    with closing(place.sqlite(place.file)) as before, closing(place.postgres()) as after:
        assert answers(before) == answers(after)
    assert counts["chunk"] > 100


def _ending(batches: int) -> Call:
    """A call that is cancelled after some batches."""
    call = Call()

    def progress(done: float, total: float | None, message: str) -> None:
        assert total is not None and done <= total and message
        seen.append(done)
        if len(seen) > batches:
            call.stop.set()

    seen: list[float] = []
    return replace(call, progress=progress)


def test_what_was_copied_of_another_state_is_not_used(place: Place) -> None:
    with pytest.raises(Cancelled):
        place.to_postgres(_ending(2))
    with closing(place.sqlite(place.file)) as store:
        store.remove(["10.md"], is_deleted=is_gone)
    assert place.to_postgres()["document"] == 57


def test_what_is_there_is_replaced_only_if_that_is_asked_for(place: Place) -> None:
    place.to_postgres()
    with pytest.raises(ConfigError, match="--replace"):
        place.to_postgres()
    place.to_postgres(replace=True)
    place.to_sqlite()
    with pytest.raises(ConfigError, match="--replace"):
        place.to_sqlite()
    place.to_sqlite(replace=True)


def test_an_index_that_a_server_has_open_is_not_replaced(place: Place) -> None:
    place.to_postgres()
    place.to_sqlite()
    with closing(place.sqlite(place.back)) as store, store.snapshot():
        with pytest.raises(ConfigError, match="Stop it"):
            place.to_sqlite(replace=True)
        assert store.generation() > 0


def test_a_row_that_differs_keeps_the_copy_from_its_place(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    written_rows = PostgresTarget.write

    def careless(target: PostgresTarget, table: Table, rows: list[Row]) -> None:
        if table.name == "vector":
            rows = [(*row[:-1], row[-1][:-1] + b"\x01") for row in rows]
        written_rows(target, table, rows)

    monkeypatch.setattr(PostgresTarget, "write", careless)
    with pytest.raises(InternalError, match="a row of vector"):
        place.to_postgres()
    with pytest.raises(ConfigError, match="does not have this collection"):
        PostgresOrigin(place.dsn, place.schema, timeout=5)


def test_what_is_no_index_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no index yet"):
        SqliteOrigin(tmp_path / "none.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE meta (key, value)")
    with pytest.raises(ConfigError, match="no index yet"):
        SqliteOrigin(tmp_path / "other.db")


def test_nothing_is_left_of_a_copy_that_ended_well(place: Place) -> None:
    place.to_postgres()
    place.to_sqlite()
    assert [path.name for path in place.back.parent.iterdir() if PARTIAL in path.name] == []

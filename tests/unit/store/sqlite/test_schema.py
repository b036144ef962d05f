import sqlite3
from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.model.search import NO_FILTER, KeywordQuery
from pincite.store.sqlite.opening import describe
from pincite.store.sqlite.schema import SAME_TEXTS_SINCE, SAME_VECTORS_SINCE, SCHEMA
from support.index_files import documents, filled, opened
from support.stores import VECTOR, put


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def contents(path: Path) -> list[list[tuple[object, ...]]]:
    """What is not derived from texts."""
    connection = sqlite3.connect(path)
    tables = ("document", "text", "chunk", "vector", "past", "change", "word", "meta")
    rows = [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]  # noqa: S608 - names
    connection.close()
    return rows


@pytest.mark.parametrize(("schema", "missing"), [(SAME_VECTORS_SINCE, 0), (SAME_VECTORS_SINCE - 1, 1)])
def test_an_index_of_an_older_schema_is_rebuilt_with_the_vectors_that_still_fit(
    tmp_path: Path, schema: int, missing: int
) -> None:
    path = tmp_path / "x.db"
    filled(path)
    store = opened(path)
    (unembedded,) = store.missing_vectors(5)
    store.put_vectors({unembedded.embed_hash: VECTOR})
    store.close()
    change(path, f"PRAGMA user_version = {schema}")
    assert documents(path) == 0
    filled(path)
    store = opened(path)
    assert len(store.missing_vectors(5)) == missing
    store.close()


def test_an_empty_file_becomes_an_index(tmp_path: Path) -> None:
    (tmp_path / "x.db").touch()
    assert documents(tmp_path / "x.db") == 0


def test_an_index_of_an_older_schema_is_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    filled(path)
    change(path, f"PRAGMA user_version = {SAME_TEXTS_SINCE - 1}")
    change(path, "ALTER TABLE document RENAME COLUMN title TO heading")
    assert documents(path) == 0
    filled(path)
    assert documents(path) == 1


def test_an_index_with_the_words_of_an_older_schema_keeps_everything_else(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    store = opened(path)
    for name in "abc":
        put(store, f"{name}.md", f"采购审批流程 {name}", f"second {name}")
    store.remove(["b.md"], is_deleted=bool)
    store.close()
    before = contents(path)
    change(path, "DROP TABLE words")
    change(path, "CREATE VIRTUAL TABLE words USING fts5 (context, text, content='', tokenize='unicode61')")
    change(path, "UPDATE term SET term = 'old' || term")
    change(path, f"PRAGMA user_version = {SAME_TEXTS_SINCE}")
    store = opened(path)
    with store.snapshot() as snapshot:
        query = KeywordQuery(("审批", "second"))
        hits = snapshot.keywords(query, NO_FILTER, 9)
        assert len(hits) == 4
        assert {hit.chunk_id: pytest.approx(hit.score) for hit in hits} == {
            chunk: score.bm25 for chunk, score in snapshot.score_keywords(query, [hit.chunk_id for hit in hits]).items()
        }
    store.close()
    assert contents(path) == before


def test_an_index_of_a_newer_schema_is_refused_with_the_mend_and_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    filled(path)
    change(path, f"PRAGMA user_version = {SCHEMA + 1}")
    before = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(ConfigError, match="Upgrade pincite") as raised:
        opened(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert str(tmp_path) not in raised.value.message + raised.value.details


def test_another_programs_database_is_refused_and_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    change(path, "CREATE TABLE precious (x)")
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="another program"):
        opened(path)
    assert path.read_bytes() == before
    assert describe(path) is None


def test_the_index_of_another_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    filled(path)
    with pytest.raises(ConfigError, match="another folder"):
        opened(path, source="/other")
    assert documents(path) == 1

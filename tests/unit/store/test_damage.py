"""What SQLite itself does not see: rows that were changed behind its back are found, never quoted."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from pincite.errors import ConfigError, IndexLost
from pincite.model.chunk import Chunk, ChunkKind, text_hash
from pincite.model.search import NO_FILTER, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.base import Snapshot
from pincite.store.matching import KeywordLimits
from pincite.store.sqlite import ownership
from pincite.store.sqlite.store import SqliteStore
from support.stores import written

TEXTS = ("a zebra crossing", "a quokka smiles", "a walrus dives")
UNIT = np.array([1, 0], np.float32)
WORDS = KeywordQuery(("zebra", "quokka"))
LARGE = KeywordLimits(prune_from=0, postings=9)
"""Limits that treat every index as a large one, in which every word finds candidates."""

Ask = Callable[[Snapshot], object]


def near(snapshot: Snapshot) -> object:
    return snapshot.nearest(UNIT, NO_FILTER, 9)


def opened(path: Path, limits: KeywordLimits | None = None) -> SqliteStore:
    return SqliteStore(path, embedder="m", source="/docs", owned=True, keyword_limits=limits)


PAST = "INSERT INTO past (name, revision, ended_ns, chunks) VALUES ('a.md', 'old', 1, '[')"
DAMAGES: list[tuple[str, Ask]] = [
    ("UPDATE text SET text = 'another text'", lambda snapshot: snapshot.chunks([1])),
    ("UPDATE text SET text = 'another text'", lambda snapshot: snapshot.document_chunks(1)),
    ("UPDATE text SET text = 'another text'", lambda snapshot: snapshot.text(1)),
    ("DELETE FROM text", lambda snapshot: snapshot.text(1)),
    ("DELETE FROM text", lambda snapshot: snapshot.texts([1])),
    ("UPDATE chunk SET span_start = 1 WHERE id = 1", lambda snapshot: snapshot.chunks([1])),
    ("UPDATE chunk SET kind = 'nothing'", lambda snapshot: snapshot.chunks([2])),
    ("UPDATE chunk SET boxes = '{'", lambda snapshot: snapshot.chunks([2])),
    ("DELETE FROM chunk WHERE id = 2", lambda snapshot: snapshot.chunks([1, 2])),
    ("DELETE FROM chunk WHERE id = 2", lambda snapshot: snapshot.document_chunks(1)),
    ("DELETE FROM vector WHERE id = 2", near),
    ("DELETE FROM forward WHERE chunk_id = 2", lambda snapshot: snapshot.score_keywords(WORDS, [1, 2])),
    ("UPDATE forward SET length = 7", lambda snapshot: snapshot.score_keywords(WORDS, [1, 2])),
    ("DELETE FROM words_data WHERE id > 10", lambda snapshot: snapshot.candidates(WORDS, NO_FILTER, 9)),
    ("UPDATE term SET holding = 3", lambda snapshot: snapshot.keywords(WORDS, NO_FILTER, 9)),
    ("UPDATE vector SET vector = x'0000807f00000000'", near),
    ("UPDATE vector SET vector = x'00'", near),
    ("UPDATE document SET modified_ns = 'noon'", lambda snapshot: snapshot.documents()),
    ("UPDATE document SET coverage = '[]'", lambda snapshot: snapshot.document("a.md")),
    ("UPDATE document SET coverage = '[]'", lambda snapshot: snapshot.gaps()),
    ("UPDATE chunk SET path = '1'", lambda snapshot: snapshot.headings(2)),
    (PAST, lambda snapshot: snapshot.past("a.md", "old")),
]
"""What is done to the file, and what is asked of it then."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """An index of one document of three chunks, two of them with a vector."""
    store = opened(tmp_path / "x.db")
    chunks = [Chunk(n, f"h1-c{n}", ChunkKind.TEXT, ("A",), 1, 1, 1, 0, 9, text, "") for n, text in enumerate(TEXTS)]
    store.replace(
        [written(DocumentRow("a.md", "A", UNTRUSTED, 1, "f", "r"), chunks)], is_current=lambda row: bool(row.name)
    )
    store.put_vectors({text_hash(text): UNIT for text in TEXTS[:2]})
    store.close()
    return tmp_path / "x.db"


@pytest.mark.parametrize(("damage", "ask"), DAMAGES)
def test_a_row_that_nothing_wrote_is_never_taken_for_an_answer(path: Path, damage: str, ask: Ask) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(damage)
    store = opened(path)
    with pytest.raises(IndexLost, match="ask again"), store.snapshot() as snapshot:
        ask(snapshot)
    assert store.is_invalid()
    store.discard()
    assert not path.exists() and path.with_name("x.db.damaged").exists()


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM words_data WHERE id > 10",
        "UPDATE term SET holding = 3",
        "DELETE FROM forward WHERE chunk_id = 3",
        "DELETE FROM chunk WHERE id = 3",
        "UPDATE forward SET length = 7",
        "UPDATE forward SET terms = x'00'",
    ],
)
def test_in_a_large_index_too(path: Path, damage: str) -> None:
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(damage)
    store = opened(path, LARGE)
    with pytest.raises(IndexLost, match="ask again"), store.snapshot() as snapshot:
        snapshot.candidates(WORDS, NO_FILTER, 9)
    assert store.is_invalid()
    store.discard()


def test_a_whole_index_gives_all_these_answers(path: Path) -> None:
    store = opened(path)
    with store.snapshot() as snapshot:
        assert [stored.chunk.text for stored in snapshot.chunks([2, 99, 1])] == [TEXTS[1], TEXTS[0]]
        assert snapshot.score_keywords(WORDS, [1, 2, 99]).keys() == {1, 2}
        assert near(snapshot)
    assert not store.is_invalid()
    store.discard()
    assert path.exists()


def test_an_emptied_file_is_lost(path: Path) -> None:
    store = opened(path)
    path.write_bytes(b"")
    assert store.is_invalid()
    store.discard()
    assert opened(path).generation() == 0


def test_a_new_file_is_never_empty(tmp_path: Path) -> None:
    assert not opened(tmp_path / "new.db").is_invalid()


def test_a_file_that_another_server_began_anew_stays(path: Path) -> None:
    store = opened(path)
    path.write_bytes(b"garbage" * 2000)
    with pytest.raises(IndexLost), store.snapshot() as snapshot:
        snapshot.documents()
    path.rename(path.with_name("away"))
    fresh = opened(path)
    store.discard()
    assert not fresh.is_invalid() and path.exists()
    fresh.close()


def test_a_damaged_file_that_cannot_be_moved_aside_is_told_with_the_mend(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(path)
    path.write_bytes(b"garbage" * 2000)
    with pytest.raises(IndexLost), store.snapshot() as snapshot:
        snapshot.documents()

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(ownership, "_move", refuse)
    with pytest.raises(ConfigError, match="delete it and start again"):
        store.discard()

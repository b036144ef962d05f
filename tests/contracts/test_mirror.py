"""What every mirror promises, run over every mirror in the registry, each filled from a real store."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from pincite import registry
from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.model.chunk import Chunk, ChunkKind, Tags, text_hash
from pincite.model.search import NO_FILTER, Clause, Filter, KeywordQuery
from pincite.model.store import UNTRUSTED, DocumentRow
from pincite.store.mirror import Mirror, MirroredChunk, catch_up
from pincite.store.sqlite import SqliteStore
from support.stores import open_store, remove, written

Vector = npt.NDArray[np.float32]


@pytest.fixture(params=[row.name for row in registry.MIRRORS])
def mirror(request: pytest.FixtureRequest) -> Mirror:
    """An empty mirror of vectors of two numbers."""
    made: Mirror = registry.load(registry.find(registry.MIRRORS, request.param))(dimensions=2)
    made.check()
    return made


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "x.db", log_rows=20)
    yield opened
    opened.close()


def unit(angle: float) -> Vector:
    return np.array([np.cos(angle), np.sin(angle)], np.float32)


def put(store: SqliteStore, name: str, *texts: str, revision: str = "r1", tags: Tags | None = None) -> None:
    """A document of chunks, each with a vector the further from east the later it comes."""
    chunks = [
        Chunk(n, f"h{n}-c1", ChunkKind.TEXT, (f"H{n}",), 1, 1, 1, 0, len(text), text, "", tags=tags or Tags())
        for n, text in enumerate(texts)
    ]
    row = DocumentRow(name, None, UNTRUSTED, 1, f"{revision}{texts}", revision)
    store.replace([written(row, chunks)], is_current=lambda row: bool(row.name))
    store.put_vectors({text_hash(text): unit(n / 10) for n, text in enumerate(texts)})


def sync(store: SqliteStore, mirror: Mirror) -> None:
    with store.snapshot() as snapshot:
        catch_up(snapshot, mirror, Call())
        assert mirror.reached() == snapshot.generation


def near(store: SqliteStore, mirror: Mirror, where: Filter = NO_FILTER, n: int = 10) -> list[str]:
    """The texts nearest to east, as the mirror finds them; the store finds the same."""
    with store.snapshot() as snapshot:
        hits = mirror.nearest(unit(0), where, n)
        assert [hit.chunk_id for hit in hits] == [hit.chunk_id for hit in snapshot.nearest(unit(0), where, n)]
        return [stored.chunk.text for stored in snapshot.chunks([hit.chunk_id for hit in hits])]


def test_has_what_the_store_has_once_it_has_caught_up(store: SqliteStore, mirror: Mirror) -> None:
    assert mirror.reached() == 0 and mirror.nearest(unit(0), NO_FILTER, 5) == []
    put(store, "a.md", "east", "further", "far")
    sync(store, mirror)
    assert near(store, mirror) == ["east", "further", "far"]
    assert near(store, mirror, n=1) == ["east"]
    assert mirror.nearest(unit(0), NO_FILTER, 0) == []


def test_follows_every_change(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "one", "two")
    sync(store, mirror)
    put(store, "a.md", "one", "three", revision="r2")
    put(store, "b.md", "four")
    sync(store, mirror)
    assert sorted(near(store, mirror)) == ["four", "one", "three"]
    remove(store, "a.md")
    sync(store, mirror)
    assert near(store, mirror) == ["four"]


def test_gets_a_vector_that_comes_later(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "one")
    row = DocumentRow("b.md", None, UNTRUSTED, 1, "f", "r")
    chunk = Chunk(0, "h0-c1", ChunkKind.TEXT, (), 0, 1, 1, 0, 5, "later", "")
    store.replace([written(row, [chunk])], is_current=lambda row: bool(row.name))
    sync(store, mirror)
    assert near(store, mirror) == ["one"]
    store.put_vectors({text_hash("later"): unit(0.5)})
    sync(store, mirror)
    assert near(store, mirror) == ["one", "later"]


def test_filters_as_the_store_does(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "must", tags=Tags("requirement", normative=True, clause="5.3.1"))
    put(store, "b.md", "may", tags=Tags("guidance", normative=False, clause="5.30"))
    put(store, "c.md", "plain")
    sync(store, mirror)
    for where, expected in {
        Filter(chunk_types=frozenset({"requirement"})): ["must"],
        Filter(normative=False): ["may"],
        Filter(clauses=(Clause("5.3"),)): ["must"],
        Filter(clauses=(Clause("5.3", exact=True),)): [],
        Filter(clauses=(Clause(""),)): [],
        Filter(kinds=frozenset({ChunkKind.TABLE})): [],
        Filter(documents=frozenset({3})): ["plain"],
    }.items():
        assert near(store, mirror, where) == expected


def test_sees_tags_that_change_while_the_text_stays(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "text", tags=Tags("guidance"))
    sync(store, mirror)
    put(store, "a.md", "text", revision="r2", tags=Tags("requirement"))
    sync(store, mirror)
    assert near(store, mirror, Filter(chunk_types=frozenset({"requirement"}))) == ["text"]


def test_applying_the_same_twice_changes_nothing(mirror: Mirror) -> None:
    chunks = [MirroredChunk(n, 1, ChunkKind.TEXT, Tags(), "", f"text {n}", unit(n)) for n in (1, 2)]
    for _ in range(2):
        mirror.apply(chunks, [7])
        mirror.apply([replace(chunks[0], text="newer")], [2])
    assert [hit.chunk_id for hit in mirror.nearest(unit(0), NO_FILTER, 5)] == [1]


def test_begins_anew_where_the_log_of_changes_does_not_reach(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "one")
    sync(store, mirror)
    for number in range(30):
        put(store, "a.md", f"text {number}", revision=f"r{number}")
    with store.snapshot() as snapshot:
        assert snapshot.changes(mirror.reached()) is None
    sync(store, mirror)
    assert near(store, mirror) == ["text 29"]


def test_of_a_store_that_was_made_anew_begins_anew(store: SqliteStore, mirror: Mirror) -> None:
    mirror.apply([MirroredChunk(99, 1, ChunkKind.TEXT, Tags(), "", "of before", unit(0))], [])
    mirror.reach(1000)
    put(store, "a.md", "one")
    sync(store, mirror)
    assert near(store, mirror) == ["one"]


def test_of_another_model_is_refused(mirror: Mirror) -> None:
    wrong = MirroredChunk(1, 1, ChunkKind.TEXT, Tags(), "", "x", np.ones(3, np.float32))
    with pytest.raises(PinciteError):
        mirror.apply([wrong], [])


def test_keywords_are_searched_by_words_or_left_to_the_store(store: SqliteStore, mirror: Mirror) -> None:
    put(store, "a.md", "zebra", "okapi")
    sync(store, mirror)
    hits = mirror.keywords(KeywordQuery(("zebra",)), NO_FILTER, 5)
    with store.snapshot() as snapshot:
        expected = snapshot.keywords(KeywordQuery(("zebra",)), NO_FILTER, 5)
    assert hits is None or [hit.chunk_id for hit in hits] == [hit.chunk_id for hit in expected]

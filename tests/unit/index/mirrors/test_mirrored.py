"""A library whose searches go to its mirror while both hold the same, and to itself otherwise."""

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from pincite.errors import ConfigError, ConnectionFailed
from pincite.index.mirrors.mirrored import MirroredLibrary, MirrorLegs
from pincite.model.call import Call
from pincite.model.chunk import text_hash
from pincite.model.search import NO_FILTER, Filter, KeywordQuery
from pincite.services.library.chunk_records import published_fields
from pincite.store.base import Snapshot
from pincite.store.mirrors.base import MirrorFilter, MirrorHit, MirrorState
from pincite.store.process_lock import ProcessLock
from pincite.store.sqlite.store import SqliteStore
from support.memory_mirror import MemoryMirror
from support.stores import VECTOR, open_store, put
from support.waiting import wait_for

Vector = npt.NDArray[np.float32]


class Unreliable(MemoryMirror):
    """A mirror that can be down or slow to answer, and counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(model="m", dimensions=2)
        self.is_down = False
        self.queries = 0
        self.may_answer = threading.Event()
        self.may_answer.set()

    def check(self) -> None:
        assert self.may_answer.wait(60)
        if self.is_down:
            raise ConnectionFailed("It is down.")

    def state(self) -> MirrorState | None:
        self.check()
        return super().state()

    def nearest(self, vector: Vector, where: MirrorFilter, n: int) -> list[MirrorHit]:
        self.queries += 1
        self.check()
        return super().nearest(vector, where, n)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.index.mirrors.mirrored.QUIET_SECONDS", 0.01)
    monkeypatch.setattr("pincite.index.mirrors.mirrored.RETRY_SECONDS", (0.01,))
    monkeypatch.setattr("pincite.index.mirrors.mirrored.LOCK_POLL_SECONDS", 0.01)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "x.db")
    yield opened
    opened.close()


@contextmanager
def library(
    store: SqliteStore, mirror: MemoryMirror, tmp_path: Path, grace: float = 30.0
) -> Generator[MirroredLibrary]:
    made = MirroredLibrary(
        "memory", store, lambda: mirror, lambda new: published_fields(new, "m"), tmp_path / "lock", grace=grace
    )
    yield made
    made.close()


def embed(store: SqliteStore, *texts: str) -> None:
    store.put_vectors({text_hash(text): np.array([1, 0], np.float32) for text in texts})


def is_searched(made: MirroredLibrary, snapshot: Snapshot) -> bool:
    legs = made.legs(snapshot)
    return legs is not None and bool(legs.nearest(VECTOR, NO_FILTER, 5)) and made.confirm(snapshot, legs)


def becomes_searched(made: MirroredLibrary, store: SqliteStore) -> bool:
    def now() -> bool:
        with store.snapshot() as snapshot:
            return is_searched(made, snapshot)

    return wait_for(now)


def test_a_mirror_is_filled_in_the_background_and_then_searched(store: SqliteStore, tmp_path: Path) -> None:
    mirror = Unreliable()
    put(store, "a.md", "one")
    embed(store, "one")
    with library(store, mirror, tmp_path) as made:
        assert becomes_searched(made, store) and made.problem == ""
        put(store, "b.md", "two")
        embed(store, "two")
        with store.snapshot() as snapshot:
            assert made.legs(snapshot) is None
        assert "brought up to date" in made.problem or made.problem == ""
        assert becomes_searched(made, store)
        assert mirror.documents().keys() == {"a.md", "b.md"}


def test_what_passes_a_narrow_filter_is_searched_by_the_library(store: SqliteStore, tmp_path: Path) -> None:
    for n in range(10):
        put(store, f"{n}.md", f"text {n}")
        embed(store, f"text {n}")
    mirror = Unreliable()
    with library(store, mirror, tmp_path) as made:
        assert becomes_searched(made, store)
        with store.snapshot() as snapshot:
            legs = MirrorLegs(snapshot, mirror)
            queries = mirror.queries
            assert len(legs.nearest(VECTOR, Filter(documents=frozenset({3})), 5)) == 1
            assert len(legs.keywords(KeywordQuery(("text",)), Filter(documents=frozenset({3})), 5)) == 1
            assert mirror.queries == queries
            assert len(legs.nearest(VECTOR, Filter(documents=frozenset({3, 4})), 5)) == 2
            assert mirror.queries == queries + 1


def test_without_time_to_wait_the_library_searches_itself(store: SqliteStore, tmp_path: Path) -> None:
    mirror = Unreliable()
    mirror.may_answer.clear()
    with library(store, mirror, tmp_path, grace=0) as made, store.snapshot() as snapshot:
        assert made.legs(snapshot) is None
        assert made.problem
        mirror.may_answer.set()


def test_a_mirror_that_is_down_is_left_aside_and_comes_back(store: SqliteStore, tmp_path: Path) -> None:
    mirror = Unreliable()
    put(store, "a.md", "one")
    embed(store, "one")
    with library(store, mirror, tmp_path) as made:
        assert becomes_searched(made, store)
        with store.snapshot() as snapshot:
            legs = made.legs(snapshot)
            assert legs is not None
            mirror.is_down = True
            assert [hit.chunk_id for hit in legs.nearest(VECTOR, NO_FILTER, 5)] == [1]  # the library's own
            assert legs.failure == "It is down." and not made.confirm(snapshot, legs)
            assert wait_for(lambda: made.is_down and made.problem == "It is down.")
            asked = mirror.queries
            assert made.legs(snapshot) is None and mirror.queries == asked  # not asked again at each search
        mirror.is_down = False
        assert becomes_searched(made, store) and not made.is_down


def test_what_changes_in_the_mirror_during_a_search_is_noticed(store: SqliteStore, tmp_path: Path) -> None:
    mirror = Unreliable()
    put(store, "a.md", "one")
    with library(store, mirror, tmp_path) as made:
        made.synchronise(Call())
        with store.snapshot() as snapshot:
            legs = made.legs(snapshot)
            assert legs is not None
            legs.keywords(KeywordQuery(("one",)), NO_FILTER, 5)
            mirror.record(MirrorState("another", "digest", is_complete=False))
            assert not made.confirm(snapshot, legs)


def test_another_library_is_not_overwritten(store: SqliteStore, tmp_path: Path) -> None:
    mirror = Unreliable()
    other = open_store(tmp_path / "other.db")
    put(other, "b.md", "two")
    with library(other, mirror, tmp_path) as made:
        made.synchronise(Call())
    with library(store, mirror, tmp_path) as made, store.snapshot() as snapshot:
        assert made.legs(snapshot) is None and "The library is empty" in made.problem
        with pytest.raises(ConfigError, match="--from-mirror"):
            made.look()
    assert mirror.documents().keys() == {"b.md"}
    other.close()


def test_one_process_at_a_time_writes(store: SqliteStore, tmp_path: Path) -> None:
    put(store, "a.md", "one")
    mirror = Unreliable()
    elsewhere = ProcessLock(tmp_path / "lock")
    assert elsewhere.acquire()
    with library(store, mirror, tmp_path) as made, library(store, mirror, tmp_path) as writer:
        with store.snapshot() as snapshot:
            assert made.legs(snapshot) is None
        assert mirror.documents() == {}
        elsewhere.release()
        assert writer.synchronise(Call()) in {(1, 0), (0, 0)}
        assert mirror.documents().keys() == {"a.md"}


def test_a_bug_of_an_engine_stops_nothing(store: SqliteStore, tmp_path: Path) -> None:
    class Broken(Unreliable):
        def check(self) -> None:
            raise ZeroDivisionError

    with library(store, Broken(), tmp_path) as made, store.snapshot() as snapshot:
        assert made.legs(snapshot) is None and "(ZeroDivisionError)" in made.problem and made.is_down

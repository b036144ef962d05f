import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite.store.sqlite.store import SqliteStore

SECONDS = 5.0
Server = Callable[..., SqliteStore]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Opens one file again and again, as several servers do."""
    opened: list[SqliteStore] = []

    def open_one(seconds: float = SECONDS) -> SqliteStore:
        store = SqliteStore(tmp_path / "x.db", embedder="m", source="/docs", lease_seconds=seconds)
        opened.append(store)
        return store

    yield open_one
    for store in opened:
        store.close()


def test_one_at_a_time_holds_it(server: Server) -> None:
    one, two = server().lease, server().lease
    assert one.claim() and one.claim()
    assert not two.claim()
    one.release()
    assert two.claim()
    assert not one.claim()


def test_whoever_gives_no_sign_of_life_loses_it(server: Server) -> None:
    dead, heir = server(), server(0.0)
    assert dead.lease.claim()
    # To the second any silence is too long.
    assert heir.lease.claim()
    dead.lease.release()
    assert not server().lease.claim()


def test_a_sign_of_life_is_written_a_few_times_in_that_time(server: Server) -> None:
    holder = server()
    assert holder.lease.claim()
    assert holder.lease.beat == SECONDS / 4
    before = beats(holder)
    assert holder.lease.claim() and beats(holder) == before
    eager = server(0.0)
    assert eager.lease.claim() and eager.lease.claim()
    assert beats(eager) > before


def test_a_sign_of_life_from_the_future_says_nothing(server: Server) -> None:
    holder, other = server(), server()
    assert holder.lease.claim()
    query(holder, "UPDATE lease SET beat_ns = beat_ns + 3600 * 1000000000")
    assert other.lease.claim()


def test_what_was_never_held_is_not_given_back(server: Server) -> None:
    holder, other = server(), server()
    assert holder.lease.claim()
    other.lease.release()
    assert not other.lease.claim()


def test_it_makes_no_new_generation(server: Server) -> None:
    store = server()
    assert store.lease.claim()
    store.lease.release()
    assert store.generation() == 0


def beats(store: SqliteStore) -> int:
    return query(store, "SELECT beat_ns FROM lease")[0][0]


def query(store: SqliteStore, statement: str) -> list[Any]:
    connection = sqlite3.connect(store.path)
    rows = connection.execute(statement).fetchall()
    connection.commit()
    connection.close()
    return rows

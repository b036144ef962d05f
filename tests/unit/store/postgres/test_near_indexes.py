"""Indexes of vectors in the background; contracts create them in a real server."""

import threading

import psycopg
import pytest

from pincite.errors import ConnectionFailed
from pincite.store.postgres.connections import Connection
from pincite.store.postgres.near_indexes import NearIndexes


def test_an_index_is_begun_once_at_a_time_and_a_failure_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    opened = list[str]()
    go_on = threading.Event()

    def refuse() -> Connection:
        opened.append("again")
        assert go_on.wait(60)
        raise ConnectionFailed("The database is away.")

    indexes = NearIndexes(refuse, {})
    assert indexes.wait(0)
    indexes.begin()
    indexes.begin()
    assert not indexes.wait(0)
    go_on.set()
    assert indexes.wait(60) and not indexes.is_complete
    assert opened == ["again"] and "store.no_vector_index" in caplog.text
    indexes.begin()
    assert indexes.wait(60) and opened == ["again", "again"]


def test_a_failure_of_the_database_is_ours() -> None:
    def refuse() -> Connection:
        raise psycopg.OperationalError

    with pytest.raises(ConnectionFailed, match="PINCITE_STORE_URL"):
        NearIndexes(refuse, {}).create()

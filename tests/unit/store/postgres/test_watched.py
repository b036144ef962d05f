"""Statements end with their call, with the statement time-out, and with a server that is silent."""

import signal
import threading
import time
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import psutil
import psycopg
import pytest

from pincite.errors import Cancelled, ConnectionFailed, IndexLost, PinciteError, TimeoutExceeded
from pincite.model.call import Call
from pincite.store.postgres import watched
from pincite.store.postgres.store import PostgresStore

pytestmark = pytest.mark.slow

NEVER = 600.0
"""Seconds: longer than any test may take."""


@pytest.fixture
def schema() -> str:
    return f"test_{uuid.uuid4().hex}"


@pytest.fixture
def store(request: pytest.FixtureRequest, postgres_dsn: str, schema: str) -> Iterator[PostgresStore]:
    """With the statement time-out of the parameter."""
    limit = getattr(request, "param", NEVER)
    opened = PostgresStore(
        schema,
        dsn=postgres_dsn,
        embedder="m",
        source="/docs",
        connections=2,
        busy_timeout=0.5,
        statement_seconds=limit,
    )
    yield opened
    opened.close()


@contextmanager
def locked(dsn: str, schema: str) -> Generator[None]:
    """Let every read of a collection's documents wait."""
    with psycopg.connect(dsn) as connection:
        connection.execute(f'LOCK TABLE "{schema}".document IN ACCESS EXCLUSIVE MODE'.encode())
        yield


def waiting(dsn: str, schema: str) -> int:
    """The statements that the server works at for a collection, or that wait there for a lock."""
    with psycopg.connect(dsn) as connection:
        (row,) = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid()"
            " AND query LIKE '%%FROM document%%'"
        ).fetchall()
    assert schema
    return int(row[0])


def read(store: PostgresStore, call: Call | None) -> PinciteError:
    """The error of reading the documents."""
    with pytest.raises(PinciteError) as caught, store.snapshot(call) as snapshot:
        snapshot.documents()
    return caught.value


def test_a_statement_is_cancelled_with_its_call(store: PostgresStore, postgres_dsn: str, schema: str) -> None:
    call = Call()
    with locked(postgres_dsn, schema):
        threading.Timer(0.3, call.stop.set).start()
        assert isinstance(read(store, call), Cancelled)
        assert waiting(postgres_dsn, schema) == 0
    with store.snapshot() as snapshot:
        assert snapshot.documents() == []


def test_a_statement_ends_at_the_deadline_of_its_call(store: PostgresStore, postgres_dsn: str, schema: str) -> None:
    with locked(postgres_dsn, schema):
        assert isinstance(read(store, Call(deadline=time.monotonic() + 0.3)), TimeoutExceeded)
        assert waiting(postgres_dsn, schema) == 0


@pytest.mark.parametrize("store", [0.5], indirect=True)
def test_a_statement_ends_at_the_time_out_of_the_settings(store: PostgresStore, postgres_dsn: str, schema: str) -> None:
    with locked(postgres_dsn, schema):
        assert isinstance(read(store, None), TimeoutExceeded)


def test_a_call_does_not_wait_for_ever_for_a_connection(store: PostgresStore) -> None:
    with store.snapshot(), pytest.raises(TimeoutExceeded, match="in use"), store.snapshot():
        pass
    with store.snapshot():
        assert store.generation() == 0


def test_a_server_that_is_silent_is_unreachable(
    store: PostgresStore, postgres_dsn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched, "SILENCE_SECONDS", 0.5)
    monkeypatch.setattr(watched, "CANCEL_SECONDS", 0.5)
    with store.snapshot(Call(deadline=time.monotonic() + 1)) as snapshot:
        with psycopg.connect(postgres_dsn) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'pincite' AND state = 'idle in transaction'"
            ).fetchall()
        (backend,) = [psutil.Process(row[0]) for row in rows]
        backend.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises((ConnectionFailed, TimeoutExceeded)):
                snapshot.documents()
        finally:
            backend.send_signal(signal.SIGCONT)
    with store.snapshot() as snapshot:
        assert snapshot.documents() == []


def test_a_generation_that_goes_back_is_another_history(store: PostgresStore, postgres_dsn: str, schema: str) -> None:
    with psycopg.connect(postgres_dsn) as connection:
        connection.execute(f'UPDATE "{schema}".meta SET generation = 7'.encode())  # noqa: S608 - a name
    assert store.generation() == 7
    with psycopg.connect(postgres_dsn) as connection:  # as after a restore
        connection.execute(f'UPDATE "{schema}".meta SET generation = 3'.encode())  # noqa: S608 - a name
    with pytest.raises(IndexLost), store.snapshot():
        pass
    assert store.is_invalid()

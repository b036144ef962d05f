"""Failures of PostgreSQL as ours, without what a message must not show."""

import psycopg
import pytest
from psycopg import errors

from pincite.errors import (
    ConfigError,
    ConnectionFailed,
    IndexLost,
    InternalError,
    PinciteError,
    TimeoutExceeded,
    WritingFailed,
)
from pincite.store.postgres.connections import ConnectionLimits, Connections, connect, network_options, place, translate


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (errors.QueryCanceled("x"), TimeoutExceeded),
        (errors.LockNotAvailable("x"), TimeoutExceeded),
        (errors.UndefinedTable("x"), IndexLost),
        (errors.InsufficientPrivilege("x"), WritingFailed),
        (errors.DiskFull("x"), WritingFailed),
        (errors.ReadOnlySqlTransaction("x"), WritingFailed),
        (errors.TooManyConnections("x"), ConnectionFailed),
        (errors.AdminShutdown("x"), ConnectionFailed),
        (psycopg.OperationalError("x"), ConnectionFailed),
        (errors.SyntaxError("x"), InternalError),
    ],
)
def test_a_failure_becomes_ours_and_what_it_quotes_goes_to_the_log_alone(
    error: psycopg.Error, kind: type[PinciteError]
) -> None:
    translated = translate(error)
    assert type(translated) is kind
    assert "x" in translated.details and str(translated) == translated.message


def test_the_place_has_neither_user_nor_password() -> None:
    shown = place("postgresql://me:secret@db.example/books", "pincite_library")
    assert shown == "PostgreSQL at db.example, database books, schema pincite_library"


@pytest.mark.parametrize("dsn", ["secret", "postgresql://me:secret@["])
def test_what_is_no_dsn_is_refused_without_being_shown(dsn: str) -> None:
    with pytest.raises(ConfigError, match="PINCITE_STORE_URL") as caught:
        connect(dsn, "any", timeout=1)
    assert "secret" not in str(caught.value) + caught.value.details


def test_a_dsn_keeps_the_network_options_that_it_sets_itself() -> None:
    options = network_options("postgresql://db.example/books?connect_timeout=60&application_name=mine", 5)
    assert "connect_timeout" not in options and "application_name" not in options
    assert options["keepalives_idle"] == 10
    assert network_options("postgresql://db.example/books", 0.1)["connect_timeout"] == 2


@pytest.mark.slow
def test_a_connection_that_only_read_keeps_its_prepared_statements(postgres_dsn: str) -> None:
    connections = Connections(postgres_dsn, "public", ConnectionLimits(2, 1.0, 5.0, 5.0), ())
    names = b"SELECT name FROM pg_prepared_statements"
    with connections.answering(None, b"SELECT 1") as (connection, _):
        connection.execute(b"SELECT 2", prepare=True)
        prepared = connection.execute(names, prepare=False).fetchall()
    with connections.answering(None, b"SELECT 1") as (again, _):
        assert again is connection and prepared
        assert again.execute(names, prepare=False).fetchall() == prepared
    connections.close()


@pytest.mark.slow
def test_a_call_may_have_a_second_connection_when_calls_have_all_they_may(postgres_dsn: str) -> None:
    connections = Connections(postgres_dsn, "public", ConnectionLimits(2, 0.1, 5.0, 5.0), ())
    with connections.answering(None, b"SELECT 1") as (first, _):
        with pytest.raises(TimeoutExceeded), connections.answering(None, b"SELECT 1"):
            pass
        with connections.answering(None, b"SELECT 2", is_second=True) as (second, row):
            assert second is not first and row == (2,)
    connections.close()


@pytest.mark.slow
def test_a_connection_that_was_ended_while_it_was_idle_is_not_lent(postgres_dsn: str) -> None:
    connections = Connections(postgres_dsn, "public", ConnectionLimits(2, 1.0, 5.0, 5.0), ())
    with connections.answering(None, b"SELECT pg_backend_pid()") as (first, row):
        pass
    with psycopg.connect(postgres_dsn) as other:
        other.execute("SELECT pg_terminate_backend(%s, 5000)", row)
    with connections.answering(None, b"SELECT pg_backend_pid()") as (second, again):
        assert first.closed and not second.closed and row != again
    connections.close()


@pytest.mark.slow
def test_what_a_failed_call_wrote_is_rolled_back(postgres_dsn: str) -> None:
    connections = Connections(postgres_dsn, "public", ConnectionLimits(2, 1.0, 5.0, 5.0), ())

    def fail() -> None:
        with connections.lend() as connection:
            connection.execute(b"BEGIN; CREATE TABLE never_committed (number int)", prepare=False)
            raise IndexLost("x")

    with connections.reading():
        pass
    with pytest.raises(IndexLost):
        fail()
    with connections.lend() as connection:
        assert connection.execute(b"SELECT to_regclass('never_committed')").fetchall() == [(None,)]
    connections.close()

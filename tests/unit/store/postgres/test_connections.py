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
from pincite.store.postgres.connections import connect, network_options, place, translate


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

"""Failures of PostgreSQL as ours, without what a message must not show."""

import psycopg
import pytest
from psycopg import errors

from pincite.errors import ConfigError, ConnectionFailed, IndexLost, InternalError, PinciteError, TimeoutExceeded
from pincite.store.postgres.connections import connect, place, translate


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (errors.QueryCanceled("x"), TimeoutExceeded),
        (errors.LockNotAvailable("x"), TimeoutExceeded),
        (errors.UndefinedTable("x"), IndexLost),
        (errors.InsufficientPrivilege("x"), ConfigError),
        (errors.DiskFull("x"), ConfigError),
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

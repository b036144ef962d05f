"""Where indexes are stored."""

import pytest

from pincite.errors import ConfigError
from pincite.settings import load


@pytest.mark.parametrize("dsn", ["postgresql://a:b@host/c", "postgres://host", "host=/run/postgresql dbname=x"])
def test_a_dsn_is_taken_in_either_form(dsn: str) -> None:
    stored = load({"PINCITE_STORE_URL": dsn}).storage.store_url
    assert stored is not None and stored.get_secret_value() == dsn


@pytest.mark.parametrize("value", ["garbage", "http://host/x", "postgresql://", "postgresql:// host"])
def test_what_is_no_dsn_is_refused_and_not_repeated(value: str) -> None:
    with pytest.raises(ConfigError, match="PINCITE_STORE_URL: no DSN of PostgreSQL") as caught:
        load({"PINCITE_STORE_URL": value})
    assert value not in caught.value.message.replace("postgresql://pincite@host/pincite", "")

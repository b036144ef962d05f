"""How documents are downloaded."""

import pytest

from pincite.errors import ConfigError
from pincite.settings import load


def test_the_defaults_are_those_of_contract_4() -> None:
    settings = load()
    assert settings.downloads.delays == (1.0, 3.0, 5.0)
    assert not settings.downloads.allow_private
    assert (settings.caches.seconds, settings.caches.download_size) == (1800.0, 500.0)


@pytest.mark.parametrize(("text", "delays"), [("1/3/5", (1, 3, 5)), ("0.5 / 2", (0.5, 2)), ("0", (0,)), ("none", ())])
def test_retries_are_a_list_of_seconds(text: str, delays: tuple[float, ...]) -> None:
    assert load({"PINCITE_DOWNLOAD_RETRIES": text}).downloads.delays == delays


@pytest.mark.parametrize("text", ["soon", "-1", "1/inf", "1/", "1" + "/1" * 10])
def test_other_retries_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="PINCITE_DOWNLOAD_RETRIES"):
        load({"PINCITE_DOWNLOAD_RETRIES": text})

"""The spellings of levels and formats of the log."""

import pytest

from pincite.settings import load


@pytest.mark.parametrize(("written", "level"), [("debug", "DEBUG"), ("WARN", "WARNING"), ("warn", "WARNING")])
def test_the_level_may_be_written_as_contract_2_and_others_write_it(written: str, level: str) -> None:
    assert load({"LOG_LEVEL": written}).logging.level == level


def test_the_format_of_the_log_may_be_written_large() -> None:
    assert load({"LOG_FORMAT": "JSON"}).logging.format == "json"

import re
import tomllib
from importlib.resources import files

import pytest

from pincite.formats.html import phrases

ROWS: dict[str, list[str]] = tomllib.loads(files("pincite.formats.html").joinpath("phrases.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", ROWS)
def test_each_row_is_an_expression_of_its_own(name: str) -> None:
    assert all(re.compile(re.sub(r"%\w+%", "x", row)) for row in ROWS[name])
    assert len(set(ROWS[name])) == len(ROWS[name])


def test_a_list_names_another() -> None:
    assert phrases.any_of("follow").fullmatch("Follow us on Mastodon")
    assert "%" not in phrases.alternatives("follow")


def test_any_row_of_some_lists_matches_in_both_cases() -> None:
    button = phrases.any_of("advertisement", "button")
    assert button.fullmatch("ANZEIGE") and button.fullmatch("back to top") and not button.fullmatch("an article")

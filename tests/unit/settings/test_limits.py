"""Limits on sizes."""

import pytest

from pincite.settings import load


@pytest.mark.parametrize(
    ("text", "read"), [("8/100 MB", (8, 100)), ("4", (4, 4)), ("0.5 / 2", (0.5, 2)), ("16MB", (16, 16))]
)
def test_file_limits_are_a_pair_or_one_number(text: str, read: tuple[float, float]) -> None:
    assert load({"PINCITE_MAX_FILE": text}).limits.max_file == read

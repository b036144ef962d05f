from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    "options", [(), ("--to", "postgresql://a", "--from", "postgresql://b"), ("--to", "x", "--upgrade", "x")]
)
def test_one_direction_is_named(pincite: Callable[..., Any], docs: Path, options: tuple[str, ...]) -> None:
    ran = pincite("migrate", docs, *options)
    assert ran.code != 0 and "--to DSN" in ran.err and "--from DSN" in ran.err and "--upgrade DSN" in ran.err


def test_a_folder_without_an_index_is_told(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("migrate", docs, "--to", "postgresql://nobody@127.0.0.1:9/none")
    assert ran.code == 3 and "no index yet" in ran.err


def test_a_database_that_cannot_be_reached_is_told(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("migrate", docs, "--from", "postgresql://nobody:secret@127.0.0.1:9/none")
    assert ran.code != 0 and "cannot be reached" in ran.err and "secret" not in ran.err

"""Fixtures of these tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.store.sqlite.store import SqliteStore
from support.stores import open_store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "x.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = open_store(path)
    yield opened
    opened.close()

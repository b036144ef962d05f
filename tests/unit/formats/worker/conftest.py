"""Fixtures of these tests."""

from collections.abc import Iterator

import pytest

from pincite.formats.base import ReadOptions
from pincite.formats.worker.pool import ReaderLimits, Readers
from support.reader_pool import MakeReaders


@pytest.fixture
def make() -> Iterator[MakeReaders]:
    """Readers with some limits of their own; closed at the end."""
    made: list[Readers] = []

    def make(options: ReadOptions | None = None, **limits: float) -> Readers:
        made.append(Readers(options or ReadOptions(), ReaderLimits(**limits)))  # type: ignore[arg-type] - whole numbers too
        return made[-1]

    yield make
    for readers in made:
        readers.close()

"""Fixtures of these tests."""

from collections.abc import Iterator

import pytest

from pincite.formats.base import ReadOptions
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from support.reader_pool import MakePool


@pytest.fixture
def make() -> Iterator[MakePool]:
    """Readers with some limits of their own; closed at the end."""
    made: list[ReaderPool] = []

    def make(options: ReadOptions | None = None, **limits: float) -> ReaderPool:
        made.append(ReaderPool(options or ReadOptions(), ReaderLimits(**limits)))  # type: ignore[arg-type] - whole numbers too
        return made[-1]

    yield make
    for pool in made:
        pool.close()

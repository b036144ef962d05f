"""How often Python looks for garbage."""

import gc
from collections.abc import Generator

import pytest

from pincite.runtime.garbage import COLLECTED_OBJECTS, collect_rarely


@pytest.fixture(autouse=True)
def _own_thresholds() -> Generator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def test_garbage_is_sought_rarely_and_never_among_what_was_imported() -> None:
    collect_rarely()
    assert gc.get_freeze_count() > COLLECTED_OBJECTS
    assert gc.get_threshold()[0] == COLLECTED_OBJECTS

"""When a copy of a collection is made, used, and forgotten."""

import dataclasses
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from pincite.errors import ConnectionFailed
from pincite.store.postgres import copy_keeper
from pincite.store.postgres.copy_keeper import CopyKeeper, SnapshotCopy
from pincite.store.postgres.reads import CopyReads
from unit.store.postgres.conftest import EAST, Database


class Opening:
    """Opens snapshots of a database to copy from."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.count = 0
        self.failure: Exception | None = None
        self.go_on = threading.Event()
        self.go_on.set()

    @contextmanager
    def __call__(self) -> Generator[CopyReads]:
        self.count += 1
        assert self.go_on.wait(60)
        if self.failure is not None:
            raise self.failure
        yield self.database.reads()


def test_a_copy_is_made_with_the_second_search_which_does_not_wait_for_it() -> None:
    database = Database()
    opening = Opening(database)
    opening.go_on.clear()
    keeper = CopyKeeper(9, opening)
    assert keeper.view(database.reads()) is None and not keeper.wait(0) and opening.count == 0
    for _ in range(3):
        assert keeper.view(database.reads()) is None
    opening.go_on.set()
    assert keeper.wait(60) and opening.count == 1
    copy = SnapshotCopy(keeper, database.reads(), 6)
    frame, lists = copy.vectors(), copy.lists()
    assert frame is not None and frame.similarities(EAST, 1, [1]) == {1: 1.0}
    assert lists is not None and lists is copy.lists() and lists.counts(["dog"]) == [(2, 2)]
    keeper.close()
    assert keeper.view(database.reads()) is None and not keeper.wait(60)


def test_a_collection_that_grew_over_the_limit_is_forgotten() -> None:
    database = Database()
    keeper = CopyKeeper(3, Opening(database))
    for _ in range(2):
        keeper.view(database.reads())
    assert keeper.wait(60) and keeper.view(database.reads()) is not None
    assert keeper.view(database.reads(total=4)) is None and not keeper.wait(60)


def test_a_copy_that_fails_is_not_tried_again_at_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    database = Database()
    opening = Opening(database)
    opening.failure = ConnectionFailed("gone")
    keeper = CopyKeeper(9, opening)
    for _ in range(5):
        assert keeper.view(database.reads()) is None and not keeper.wait(60)
    assert opening.count == 1 and "store.not_copied" in caplog.text
    opening.failure = None
    monkeypatch.setattr(keeper, "_begin_at", 0.0)
    keeper.view(database.reads())
    assert keeper.wait(60)


def test_a_copy_that_fell_behind_is_not_made_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy_keeper, "PAUSE_RATIO", 1e9)
    database = Database()
    opening = Opening(database)
    keeper = CopyKeeper(9, opening)
    for _ in range(2):
        keeper.view(database.reads())
    assert keeper.wait(60) and keeper.view(database.reads()) is not None
    far_ahead = dataclasses.replace(database.reads(9), floor=3)
    for _ in range(3):
        assert keeper.view(far_ahead) is None and not keeper.wait(60)
    assert opening.count == 1
    monkeypatch.setattr(keeper, "_begin_at", 0.0)
    keeper.view(far_ahead)
    assert keeper.wait(60) and opening.count == 2


def test_a_store_that_is_closed_ends_the_copying() -> None:
    database = Database()
    opening = Opening(database)
    opening.go_on.clear()
    keeper = CopyKeeper(9, opening)
    for _ in range(2):
        keeper.view(database.reads())
    closing = threading.Thread(target=keeper.close)
    closing.start()
    assert keeper._closed.wait(60)  # pyright: ignore[reportPrivateUsage] - when it goes on must not depend on time
    opening.go_on.set()
    closing.join(60)
    assert not closing.is_alive() and not keeper.wait(60) and "terms_after" not in database.statements


def test_without_a_keeper_nothing_is_in_memory() -> None:
    copy = SnapshotCopy(None, Database().reads(), 6)
    assert copy.vectors() is None and copy.lists() is None

"""What every store of uploads promises; a new one adds its line."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.errors import NotFound
from pincite.model.task import NewTask
from pincite.services.tasks.base import Uploads
from pincite.services.tasks.ulid import new_ulid
from pincite.services.tasks.uploads import FolderUploads
from support.task_queues import new_task

PIECE = 1024 * 1024
Open = Callable[[], Uploads]


@pytest.fixture(params=["folder", pytest.param("postgres", marks=pytest.mark.slow)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Opens the same uploads each time, as another server would."""
    if request.param == "folder":
        yield lambda: FolderUploads(tmp_path / "uploads")
        return
    dsn = request.getfixturevalue("postgres_database")
    from pincite.services.tasks.postgres.database import TaskDatabase  # noqa: PLC0415 - needs an optional package
    from pincite.services.tasks.postgres.uploads import DatabaseUploads  # noqa: PLC0415 - as above

    databases: list[TaskDatabase] = []

    def open_one() -> Uploads:
        databases.append(TaskDatabase(dsn))
        return DatabaseUploads(databases[-1], tmp_path / f"server{len(databases)}")

    yield open_one
    for database in databases:
        database.close()


def uploaded(uploads: Uploads, *parts: bytes) -> NewTask:
    task = new_task("../../Contract.pdf")
    upload = uploads.begin(task.id, task.extension)
    for part in parts:
        upload.write(part)
    upload.complete()
    return task


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([], id="empty"),
        pytest.param([b"one ", b"two"], id="small"),
        pytest.param([b"\0\xff" * 900, b"x" * (PIECE - 1800)], id="a piece"),
        pytest.param([bytes(range(256)) * 1000] * 10, id="many pieces"),
    ],
)
def test_every_server_reads_the_bytes_that_one_received(opened: Open, parts: list[bytes]) -> None:
    task = uploaded(opened(), *parts)
    for _ in range(2):
        with opened().file(task) as path:
            assert path.name == "original.pdf" and path.read_bytes() == b"".join(parts)


def test_an_erased_upload_is_gone_everywhere(opened: Open) -> None:
    uploads, other = opened(), opened()
    task, stays = uploaded(uploads, b"data"), uploaded(uploads, b"stays")
    other.erase(task.id)
    other.erase(task.id)
    for each in (uploads, other):
        with pytest.raises(NotFound, match="not there any more"), each.file(task):
            raise AssertionError
        with each.file(stays) as path:
            assert path.read_bytes() == b"stays"


@pytest.mark.parametrize("is_complete", [True, False])
def test_a_discarded_upload_leaves_nothing(opened: Open, *, is_complete: bool) -> None:
    uploads, task = opened(), new_task()
    upload = uploads.begin(task.id, task.extension)
    upload.write(b"x" * 2 * PIECE)
    if is_complete:
        upload.complete()
    upload.discard()
    with pytest.raises(NotFound), uploads.file(task):
        raise AssertionError


def test_an_upload_in_progress_is_not_abandoned(opened: Open) -> None:
    uploads = opened()
    task = NewTask(new_ulid(), "a.pdf", ".pdf", "{}", "auto")
    upload = uploads.begin(task.id, task.extension)
    upload.write(b"x" * 2 * PIECE)
    opened().sweep(lambda _: False)
    upload.complete()
    with uploads.file(task) as path:
        assert path.stat().st_size == 2 * PIECE

"""What is deleted, and what is not: rows of uploads without a task, and copies of processes that were killed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.errors import WritingFailed
from pincite.model.task import NewTask
from pincite.services.tasks.base import UploadUnreachable
from pincite.services.tasks.uploads import ABANDONED_SECONDS
from support.task_queues import new_task

psycopg = pytest.importorskip("psycopg", reason="needs pincite[postgres]")

from pincite.services.tasks.postgres.database import TaskDatabase  # noqa: E402 - needs an optional package
from pincite.services.tasks.postgres.queue import PostgresTasks  # noqa: E402 - as above
from pincite.services.tasks.postgres.uploads import LOCK, STARTING_SECONDS, DatabaseUploads  # noqa: E402 - as above

pytestmark = pytest.mark.slow


@pytest.fixture
def database(postgres_database: str) -> Iterator[TaskDatabase]:
    opened = TaskDatabase(postgres_database)
    yield opened
    opened.close()


def uploaded(uploads: DatabaseUploads) -> NewTask:
    task = new_task()
    upload = uploads.begin(task.id, task.extension)
    upload.write(b"data")
    upload.complete()
    return task


def counted(database: TaskDatabase) -> list[int]:
    """The number of pieces and of complete uploads."""
    with database.lend() as connection:
        return [*connection.execute("SELECT (SELECT count(*) FROM piece), (SELECT count(*) FROM upload)").fetchall()[0]]


def test_abandoned_uploads_are_swept_and_nothing_else(database: TaskDatabase, tmp_path: Path) -> None:
    uploads = DatabaseUploads(database, tmp_path)
    of_a_task, fresh, abandoned = (uploaded(uploads) for _ in range(3))
    PostgresTasks(database, lease=60, max_attempts=2).enqueue(of_a_task)
    with database.lend() as connection:
        connection.execute(
            "UPDATE piece SET written_at = now() - %s * interval '1 second' WHERE task_id <> %s",
            (ABANDONED_SECONDS + 1, fresh.id),
        )
    uploads.sweep(lambda _: False)
    assert counted(database) == [2, 2]
    uploads.erase(of_a_task.id)
    uploads.erase(abandoned.id)
    assert counted(database) == [1, 1]


def test_an_upload_whose_task_was_stored_is_not_discarded(database: TaskDatabase, tmp_path: Path) -> None:
    task = new_task()
    upload = DatabaseUploads(database, tmp_path).begin(task.id, task.extension)
    upload.complete()
    PostgresTasks(database, lease=60, max_attempts=2).enqueue(task)
    upload.discard()  # as a server does that lost the connection before it learned of the commit
    assert counted(database) == [1, 1]


def test_a_copy_is_deleted_after_use(database: TaskDatabase, tmp_path: Path) -> None:
    uploads = DatabaseUploads(database, tmp_path)
    task = uploaded(uploads)
    with uploads.file(task) as path:
        assert list(tmp_path.rglob("original.pdf")) == [path]
    with pytest.raises(ZeroDivisionError), uploads.file(task):
        raise ZeroDivisionError
    assert list(tmp_path.rglob("original.pdf")) == []


KILLED = """
import os, sys
from pathlib import Path
from pincite.services.tasks.postgres.database import TaskDatabase
from pincite.services.tasks.postgres.uploads import DatabaseUploads
from pincite.model.task import NewTask

with DatabaseUploads(TaskDatabase(sys.argv[1]), Path(sys.argv[2])).file(NewTask(sys.argv[3], "", ".pdf", "", "")):
    os._exit(9)
"""


def test_copies_of_a_killed_process_are_swept_and_those_in_use_are_not(
    database: TaskDatabase, postgres_database: str, tmp_path: Path
) -> None:
    uploads = DatabaseUploads(database, tmp_path)
    task = uploaded(uploads)
    command = [sys.executable, "-c", KILLED, postgres_database, str(tmp_path), task.id]
    assert subprocess.run(command, check=False, timeout=60).returncode == 9
    with uploads.file(task) as path:
        assert len(list(tmp_path.rglob("original.pdf"))) == 2
        DatabaseUploads(database, tmp_path).sweep(lambda _: True)
        assert len(list(tmp_path.rglob("original.pdf"))) == 2, "a process that just began is left alone"
        for lock in tmp_path.glob(f"*/{LOCK}"):
            before = lock.stat().st_mtime - STARTING_SECONDS - 1
            os.utime(lock, (before, before))
        DatabaseUploads(database, tmp_path).sweep(lambda _: True)
        assert list(tmp_path.rglob("original.pdf")) == [path]


def test_a_database_that_does_not_answer_is_no_failure_of_the_task(database: TaskDatabase, tmp_path: Path) -> None:
    uploads = DatabaseUploads(database, tmp_path)
    task = uploaded(uploads)
    with database.lend() as connection:
        connection.execute("ALTER TABLE piece RENAME TO away")
        connection.execute("CREATE VIEW piece AS SELECT *, pg_terminate_backend(pg_backend_pid()) FROM away")
    with pytest.raises(UploadUnreachable, match="cannot be reached"), uploads.file(task):
        raise AssertionError
    assert list(tmp_path.rglob("original.pdf")) == []


def test_a_disk_without_room_for_a_copy_is_said(database: TaskDatabase, tmp_path: Path) -> None:
    (tmp_path / "uploads").write_text("a file in the way")
    uploads = DatabaseUploads(database, tmp_path / "uploads")
    task = uploaded(uploads)
    with pytest.raises(WritingFailed, match="disk of DATA_DIR"), uploads.file(task):
        raise AssertionError

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pincite.errors import ConfigError, InternalError
from pincite.model.task import TaskStatus
from support.task_queues import new_task, tasks_in


def run(folder: Path, statement: str) -> object:
    """Run a statement as another process would; return the first row."""
    with closing(sqlite3.connect(folder / "tasks.db")) as connection, connection:
        return connection.execute(statement).fetchone()


def test_tasks_outlast_the_process(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path / "new")) as tasks:
        task = tasks.enqueue(new_task("Fiche Überblick\n.pdf"))
    with closing(tasks_in(tmp_path / "new")) as tasks:
        assert tasks.task(task.id) == task


def test_tasks_of_the_first_version_stay_with_what_they_had_asked(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path)) as tasks:
        task = tasks.enqueue(new_task())
    with closing(sqlite3.connect(tmp_path / "tasks.db")) as connection, connection:
        for column in ("strict", "min_confidence"):
            connection.execute(f"ALTER TABLE task DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 1")
    for _ in range(2):
        with closing(tasks_in(tmp_path)) as tasks:
            assert tasks.task(task.id) == task
    assert run(tmp_path, "PRAGMA user_version") == (2,)


def test_a_commit_waits_for_the_disk(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path)) as tasks:
        connection = tasks._connection  # pyright: ignore[reportPrivateUsage]
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize(("pragma", "whose"), [("user_version = 3", "another program"), ("", "another program")])
def test_a_file_of_another_program_is_refused_unchanged(pragma: str, whose: str, tmp_path: Path) -> None:
    file = tmp_path / "tasks.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE notes (text)")
        if pragma:
            connection.execute(f"PRAGMA {pragma}")
    before = file.read_bytes()
    with pytest.raises(ConfigError, match=f"of {whose}.*DB_PATH"):
        tasks_in(tmp_path)
    assert file.read_bytes() == before


def test_a_file_of_a_later_version_is_refused(tmp_path: Path) -> None:
    tasks_in(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "tasks.db")) as connection:
        connection.execute("PRAGMA user_version = 9")
    with pytest.raises(ConfigError, match="another version"):
        tasks_in(tmp_path)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tasks.db").write_text("no database, but long enough to look like one" * 100)
    with pytest.raises(ConfigError, match=r"cannot be opened\. Check its disk.*DB_PATH"):
        tasks_in(tmp_path)


def test_a_change_that_fails_leaves_nothing_half_done(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path)) as tasks:
        task = new_task()
        tasks.enqueue(task)
        with pytest.raises(InternalError, match="cannot be read or written"):
            tasks.enqueue(task)
        assert tasks.count() == 1
        assert tasks.enqueue(new_task()).status is TaskStatus.QUEUED


def test_a_lease_written_before_the_clock_was_set_back_has_run_out(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path)) as tasks:
        tasks.enqueue(new_task())
        assert tasks.claim() is not None and tasks.claim() is None
        run(tmp_path, "UPDATE task SET lease_until = lease_until + 3600")
        assert tasks.claim() is not None


def test_without_a_webhook_nothing_waits_to_be_announced(tmp_path: Path) -> None:
    with closing(tasks_in(tmp_path)) as tasks:
        tasks.cancel(tasks.enqueue(new_task()).id)
    with closing(tasks_in(tmp_path, announce=True)) as tasks:
        assert tasks.announcement() is None

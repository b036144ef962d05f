"""What only the queue in PostgreSQL does: it tells other processes of tasks, and outlasts lost connections."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from pincite.errors import ConfigError, InternalError
from pincite.model.task import TaskStatus
from pincite.services.tasks.base import GIVEN_BACK, Outcome
from support.task_queues import LEASE, new_task
from support.waiting import wait_for

psycopg = pytest.importorskip("psycopg", reason="needs pincite[postgres]")

from pincite.services.tasks.postgres.database import TaskDatabase  # noqa: E402 - needs an optional package
from pincite.services.tasks.postgres.queue import PostgresTasks  # noqa: E402 - as above

pytestmark = pytest.mark.slow

Open = Callable[..., PostgresTasks]


@pytest.fixture
def opened(postgres_database: str) -> Iterator[Open]:
    with ExitStack() as stack:

        def open_one(*, announce: bool = False) -> PostgresTasks:
            made = PostgresTasks(TaskDatabase(postgres_database), lease=LEASE, max_attempts=2, announce=announce)
            return stack.enter_context(closing(made))

        yield open_one


def run(dsn: str, statement: str) -> list[tuple[object, ...]]:
    """Run a statement as an administrator would."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def end_connections(dsn: str) -> None:
    run(
        dsn,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND datname = current_database()",
    )


def test_other_processes_are_told_of_a_task_when_it_comes_and_when_it_is_given_back(opened: Open) -> None:
    one, other, woken = opened(), opened(), threading.Semaphore(0)
    other.subscribe(woken.release)
    assert woken.acquire(timeout=20), "once it has subscribed"
    one.enqueue(new_task())
    assert woken.acquire(timeout=20)
    claim = one.claim()
    assert claim is not None and not woken.acquire(timeout=0.2)
    assert one.finish(claim, GIVEN_BACK) and woken.acquire(timeout=20)


def test_a_subscription_and_every_method_outlast_lost_connections(opened: Open, postgres_database: str) -> None:
    tasks, woken = opened(), threading.Semaphore(0)
    task = tasks.enqueue(new_task())
    tasks.subscribe(woken.release)
    assert woken.acquire(timeout=20)
    end_connections(postgres_database)
    assert woken.acquire(timeout=20), "it subscribed again"
    assert tasks.task(task.id) == task
    tasks.enqueue(new_task())
    assert woken.acquire(timeout=20)


def test_a_closed_queue_listens_no_more(opened: Open) -> None:
    tasks, before = opened(), threading.active_count()
    tasks.subscribe(lambda: None)
    tasks.close()
    assert wait_for(lambda: threading.active_count() <= before)


def test_a_lease_written_before_the_clock_was_set_back_has_run_out(opened: Open, postgres_database: str) -> None:
    tasks = opened()
    tasks.enqueue(new_task())
    assert tasks.claim() is not None and tasks.claim() is None
    run(postgres_database, "UPDATE pincite_tasks.task SET lease_until = lease_until + interval '1 hour'")
    assert tasks.claim() is not None


def test_one_server_at_a_time_announces_a_task(opened: Open) -> None:
    one, other = opened(announce=True), opened(announce=True)
    first, second = (one.enqueue(new_task()) for _ in range(2))
    for _ in range(2):
        claim = one.claim()
        assert claim is not None and one.finish(claim, Outcome(TaskStatus.SUCCEEDED, "{}"))
    due = [tasks.announcement() for tasks in (one, other, one, other)]
    assert [each and each[0].id for each in due] == [first.id, second.id, None, None]


def test_a_result_may_have_half_characters(opened: Open) -> None:
    tasks = opened()
    task = tasks.enqueue(new_task())
    claim = tasks.claim()
    assert claim is not None and tasks.finish(claim, Outcome(TaskStatus.SUCCEEDED, '{"a": "\ud800 \\u0000"}'))
    assert tasks.result(task.id) == '{"a": "\ud800 \\u0000"}'


def test_a_task_is_stored_once(opened: Open) -> None:
    tasks, task = opened(), new_task()
    tasks.enqueue(task)
    with pytest.raises(InternalError, match="refused a statement"):
        tasks.enqueue(task)
    assert tasks.count() == 1


def test_commits_wait_for_the_disk_where_the_database_does_not_by_default(postgres_database: str) -> None:
    name = run(postgres_database, "SELECT current_database()")[0][0]
    run(postgres_database, f"ALTER DATABASE {name} SET synchronous_commit = off")
    with closing(TaskDatabase(postgres_database)) as database, database.lend() as connection:
        assert connection.execute("SHOW synchronous_commit").fetchall() == [("on",)]


def test_tables_of_another_version_are_refused_unchanged(opened: Open, postgres_database: str) -> None:
    opened().enqueue(new_task())
    run(postgres_database, "UPDATE pincite_tasks.meta SET version = 9")
    with pytest.raises(ConfigError, match="of version 9; this pincite needs 2"):
        opened()
    assert run(postgres_database, "SELECT count(*) FROM pincite_tasks.task") == [(1,)]


def test_tables_of_the_first_version_get_what_they_lack(opened: Open, postgres_database: str) -> None:
    task = opened().enqueue(new_task())
    columns = "ALTER TABLE pincite_tasks.task DROP COLUMN strict, DROP COLUMN min_confidence"
    run(postgres_database, columns)
    run(postgres_database, "UPDATE pincite_tasks.meta SET version = 1")
    assert [opened().task(task.id) for _ in range(2)] == [task, task]
    assert run(postgres_database, "SELECT version FROM pincite_tasks.meta") == [(2,)]


def test_lost_tables_are_said(opened: Open, postgres_database: str) -> None:
    tasks = opened()
    run(postgres_database, "DROP SCHEMA pincite_tasks CASCADE")
    with pytest.raises(ConfigError, match="tables of the tasks"):
        tasks.claim()

"""What every task queue must do; a new one adds its line."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import pytest

from pincite.model.task import TaskError, TaskProgress, TaskStatus
from pincite.services.tasks.base import GIVEN_BACK, Claim, Outcome, Tasks
from support.task_queues import LEASE, new_task, shared_tasks, tasks_in

DONE = Outcome(TaskStatus.SUCCEEDED, '{"data": {}}')


class Open(Protocol):
    """Opens the same tasks each time."""

    def __call__(self, *, lease: float = LEASE, max_attempts: int = 2, announce: bool = False) -> Tasks: ...


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Open]:
    made: list[Tasks] = []
    database = request.getfixturevalue("postgres_database") if request.param == "postgres" else ""

    def open_one(*, lease: float = LEASE, max_attempts: int = 2, announce: bool = False) -> Tasks:
        if database:
            made.append(shared_tasks(database, lease, max_attempts, announce=announce))
        else:
            made.append(tasks_in(tmp_path, lease, max_attempts, announce=announce))
        return made[-1]

    yield open_one
    for tasks in made:
        tasks.close()


def test_a_task_is_queued_claimed_and_finished(opened: Open) -> None:
    tasks = opened()
    queued = tasks.enqueue(new_task("Datasheet.pdf"))
    assert (queued.status, queued.file_name, queued.attempts) == (TaskStatus.QUEUED, "Datasheet.pdf", 0)
    claim = tasks.claim()
    assert claim is not None and claim.task.id == queued.id
    assert (claim.task.status, claim.task.attempts) == (TaskStatus.RUNNING, 1)
    assert tasks.claim() is None, "nobody else gets it"
    assert tasks.finish(claim, DONE)
    finished = tasks.task(queued.id)
    assert finished is not None and finished.status is TaskStatus.SUCCEEDED
    assert queued.version < claim.task.version < finished.version
    assert queued.created_at == finished.created_at <= finished.updated_at
    assert tasks.result(queued.id) == '{"data": {}}'
    assert tasks.claim() is None


def test_a_task_keeps_what_was_asked(opened: Open) -> None:
    asked = replace(new_task(), strict=False, min_confidence=0.75)
    task = opened().enqueue(asked)
    claim = opened().claim()
    assert claim is not None
    assert [(one.strict, one.min_confidence) for one in (task, claim.task)] == [(False, 0.75)] * 2
    plain = opened().enqueue(new_task())
    assert (plain.strict, plain.min_confidence) == (True, 0.0)


def test_a_result_is_amended_by_whoever_knows_it_as_it_is(opened: Open) -> None:
    tasks = opened()
    task = tasks.enqueue(new_task())
    assert not tasks.amend(task.id, "", "{}"), "it has no result yet"
    claim = tasks.claim()
    assert claim and tasks.finish(claim, DONE)
    assert tasks.amend(task.id, DONE.result, '{"data": {}, "corrections": {"é": 1}}')
    assert not tasks.amend(task.id, DONE.result, "{}"), "another came first"
    assert tasks.result(task.id) == '{"data": {}, "corrections": {"é": 1}}'
    assert not tasks.amend("none", DONE.result, "{}")


def test_tasks_are_claimed_in_the_order_in_which_they_came(opened: Open) -> None:
    tasks = opened()
    ids = [tasks.enqueue(new_task()).id for _ in range(4)]
    claims = [claim for _ in range(5) if (claim := tasks.claim())]
    assert [claim.task.id for claim in claims] == ids


def claimed(tasks: Tasks) -> Claim | None:
    return tasks.claim()


def test_each_task_is_claimed_once_by_many_workers(opened: Open) -> None:
    one, other = opened(), opened()
    ids = [one.enqueue(new_task()).id for _ in range(40)]
    with ThreadPoolExecutor(8) as pool:
        claims = [*pool.map(claimed, [one, other] * 24)]
    assert sorted(claim.task.id for claim in claims if claim) == ids


def test_a_task_whose_worker_is_silent_is_taken_up_again_and_the_old_claim_is_void(opened: Open) -> None:
    tasks = opened(lease=0.0)
    task = tasks.enqueue(new_task())
    lost, taken = tasks.claim(), tasks.claim()
    assert lost and taken and lost.task.id == taken.task.id == task.id
    assert taken.task.attempts == 2 and taken.fence > lost.fence
    assert not tasks.beat(lost, None) and not tasks.finish(lost, DONE) and not tasks.finish(lost, GIVEN_BACK)
    assert tasks.finish(taken, Outcome(TaskStatus.FAILED, error=TaskError("No.", ("a", "b"))))
    failed = tasks.task(task.id)
    assert failed is not None and failed.error == TaskError("No.", ("a", "b"))
    assert tasks.result(task.id) is None


def test_a_task_that_ends_its_workers_fails_after_as_many_attempts_as_are_allowed(opened: Open) -> None:
    tasks = opened(lease=0.0, max_attempts=2)
    task, after = tasks.enqueue(new_task()), tasks.enqueue(new_task())
    assert [claim.task.id for claim in (tasks.claim(), tasks.claim()) if claim] == [task.id] * 2
    following = tasks.claim()
    assert following is not None and following.task.id == after.id
    failed = tasks.task(task.id)
    assert failed is not None and failed.status is TaskStatus.FAILED
    assert failed.error is not None and "stopped while it worked on this task, 2 times" in failed.error.message


def test_a_task_given_back_waits_again_and_the_attempt_does_not_count(opened: Open) -> None:
    tasks = opened(max_attempts=1)
    task = tasks.enqueue(new_task())
    for _ in range(3):
        claim = tasks.claim()
        assert claim is not None and claim.task.attempts == 1
        assert tasks.finish(claim, GIVEN_BACK)
    queued = tasks.task(task.id)
    assert queued is not None and (queued.status, queued.attempts) == (TaskStatus.QUEUED, 0)


def test_a_beat_renews_the_claim_and_stores_progress(opened: Open) -> None:
    tasks = opened()
    task = tasks.enqueue(new_task())
    claim = tasks.claim()
    assert claim is not None
    assert tasks.beat(claim, TaskProgress(1, 3, "Reading")) and tasks.beat(claim, None)
    running = tasks.task(task.id)
    assert running is not None and running.progress == TaskProgress(1, 3, "Reading")
    assert running.version == claim.task.version + 1, "a beat without progress is no change"


def test_a_cancelled_task_is_neither_claimed_nor_finished(opened: Open) -> None:
    tasks = opened()
    waiting, running = tasks.enqueue(new_task()), tasks.enqueue(new_task())
    tasks.cancel(waiting.id)
    claim = tasks.claim()
    assert claim is not None and claim.task.id == running.id
    cancelled = tasks.cancel(running.id)
    assert cancelled is not None and cancelled.status is TaskStatus.CANCELLED
    assert not tasks.beat(claim, None) and not tasks.finish(claim, DONE)
    assert tasks.claim() is None and tasks.result(running.id) is None


def test_a_finished_task_stays_as_it_is_when_it_is_cancelled(opened: Open) -> None:
    tasks = opened()
    task = tasks.enqueue(new_task())
    claim = tasks.claim()
    assert claim is not None and tasks.finish(claim, DONE)
    finished = tasks.cancel(task.id)
    assert finished is not None and finished.status is TaskStatus.SUCCEEDED
    assert tasks.cancel(new_task().id) is None


def test_tasks_are_listed_newest_first_in_pages(opened: Open) -> None:
    tasks = opened()
    ids = [tasks.enqueue(new_task()).id for _ in range(5)]
    tasks.cancel(ids[3])
    first = [task.id for task in tasks.task_page(2)]
    assert first == [ids[4], ids[3]]
    assert [task.id for task in tasks.task_page(10, before=first[-1])] == ids[2::-1]
    assert [task.id for task in tasks.task_page(10, status=TaskStatus.CANCELLED)] == [ids[3]]
    assert tasks.alike(ids[0], 2)[0].id == ids[4] and len(tasks.alike(ids[0], 9)) == 5 and not tasks.alike("none", 9)
    other = tasks.enqueue(replace(new_task(), schema='{"other": "string"}'))
    assert [one.id for one in tasks.alike(other.id, 9)] == [other.id] and len(tasks.alike(ids[0], 9)) == 5
    tasks.erase(other.id)
    assert (tasks.count(), tasks.count(TaskStatus.QUEUED), tasks.count(TaskStatus.FAILED)) == (5, 4, 0)


def test_an_erased_task_is_gone_and_its_claim_void(opened: Open) -> None:
    tasks = opened()
    task = tasks.enqueue(new_task())
    claim = tasks.claim()
    assert claim is not None and tasks.erase(task.id)
    assert tasks.task(task.id) is None and tasks.task_page(10) == [] and not tasks.erase(task.id)
    assert not tasks.finish(claim, DONE) and tasks.task(task.id) is None


def test_finished_tasks_are_announced_until_that_succeeds(opened: Open) -> None:
    tasks = opened(announce=True)
    assert tasks.announcement() is None
    task = tasks.enqueue(new_task())
    claim = tasks.claim()
    assert claim is not None and tasks.announcement() is None
    tasks.finish(claim, DONE)
    due = tasks.announcement()
    assert due is not None and (due[0].id, due[1]) == (task.id, 0)
    tasks.announced(task.id, 0.0)
    due = tasks.announcement()
    assert due is not None and due[1] == 1
    tasks.announced(task.id, 60.0)
    assert tasks.announcement() is None
    tasks.announced(task.id, None)
    assert tasks.announcement() is None


def test_what_a_text_may_hold_comes_back(opened: Open) -> None:
    tasks = opened()
    task = tasks.enqueue(new_task("Fiche Überblick 日本 %s \\x00.pdf"))
    claim = tasks.claim()
    assert claim is not None
    assert tasks.beat(claim, TaskProgress(0.5, None, "half a \ud800 character, \0 and 100 %"))
    running = tasks.task(task.id)
    assert running is not None and running.file_name == task.file_name and running.schema == task.schema
    assert running.progress == TaskProgress(0.5, None, "half a \ufffd character, \0 and 100 %")
    result = '{"data": "' + "Überblick %(id)s \\u0000" * 10_000 + '"}'
    assert tasks.finish(claim, Outcome(TaskStatus.SUCCEEDED, result)) and tasks.result(task.id) == result

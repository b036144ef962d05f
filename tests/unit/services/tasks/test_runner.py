import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pincite.errors import ConfigError, InvalidInput, TimeoutExceeded
from pincite.model.call import Call
from pincite.model.task import Task, TaskProgress, TaskStatus
from pincite.services.tasks.base import Claim, Outcome, UploadUnreachable
from pincite.services.tasks.runner import MAX_ERROR_CHARS, TaskRunner, Work
from pincite.services.tasks.sqlite import SqliteTasks
from support.task_queues import LEASE, new_task, tasks_in
from support.waiting import wait_for


@pytest.fixture
def tasks(tmp_path: Path) -> Generator[SqliteTasks]:
    made = tasks_in(tmp_path)
    yield made
    made.close()


@contextmanager
def running(tasks: SqliteTasks, work: Work, concurrency: int = 1, lease: float = LEASE) -> Generator[TaskRunner]:
    runner = TaskRunner(tasks, work, concurrency=concurrency, lease=lease, poll=0.01)
    runner.start()
    try:
        yield runner
    finally:
        runner.close()


def ended(tasks: SqliteTasks, task_id: str) -> Task:
    def final() -> bool:
        task = tasks.task(task_id)
        return task is not None and task.status.final

    assert wait_for(final)
    task = tasks.task(task_id)
    assert task is not None
    return task


def stored(tasks: SqliteTasks, task_id: str) -> Task:
    task = tasks.task(task_id)
    assert task is not None
    return task


def until_stopped(_task: Task, call: Call) -> str:
    call.stop.wait(20)
    call.check()
    return "{}"


def test_a_task_is_worked_on_and_its_result_stored(tasks: SqliteTasks) -> None:
    task = tasks.enqueue(new_task("a.pdf"))
    with running(tasks, lambda task, _: f'"{task.file_name}"'):
        assert ended(tasks, task.id).status is TaskStatus.SUCCEEDED
    assert tasks.result(task.id) == '"a.pdf"'


def test_a_failure_is_stored_with_its_reason_shortened(tasks: SqliteTasks) -> None:
    def work(_task: Task, _call: Call) -> str:
        raise InvalidInput("x" * 900)

    task = tasks.enqueue(new_task())
    with running(tasks, work):
        failed = ended(tasks, task.id)
    assert failed.status is TaskStatus.FAILED and failed.error is not None
    assert len(failed.error.message) == MAX_ERROR_CHARS and failed.error.message.endswith("…")


def test_a_fault_of_ours_names_the_request_id_and_nothing_else(
    tasks: SqliteTasks, caplog: pytest.LogCaptureFixture
) -> None:
    def work(_task: Task, _call: Call) -> str:
        raise RuntimeError("/secret/path")

    task = tasks.enqueue(new_task())
    with running(tasks, work):
        failed = ended(tasks, task.id)
    assert failed.error is not None and "under request id" in failed.error.message
    assert "secret" not in failed.error.message and "/secret/path" in caplog.text


def test_no_more_tasks_run_at_a_time_than_allowed(tasks: SqliteTasks) -> None:
    together = threading.Barrier(2)
    most, now, lock = 0, 0, threading.Lock()

    def work(_task: Task, _call: Call) -> str:
        nonlocal most, now
        with lock:
            now += 1
            most = max(most, now)
        together.wait(20)
        with lock:
            now -= 1
        return "{}"

    ids = [tasks.enqueue(new_task()).id for _ in range(4)]
    with running(tasks, work, concurrency=2):
        assert {ended(tasks, task_id).status for task_id in ids} == {TaskStatus.SUCCEEDED}
    assert most == 2


def test_a_cancelled_task_is_stopped_and_the_next_one_starts(tasks: SqliteTasks) -> None:
    first = tasks.enqueue(new_task("stop"))
    second = tasks.enqueue(new_task("go"))

    def work(task: Task, call: Call) -> str:
        return until_stopped(task, call) if task.file_name == "stop" else "{}"

    with running(tasks, work) as runner:
        assert wait_for(lambda: stored(tasks, first.id).status is TaskStatus.RUNNING)
        tasks.cancel(first.id)
        runner.stop(first.id)
        assert ended(tasks, second.id).status is TaskStatus.SUCCEEDED
    assert stored(tasks, first.id).status is TaskStatus.CANCELLED


def test_work_that_another_process_cancelled_is_stopped_at_the_next_beat(tasks: SqliteTasks) -> None:
    task = tasks.enqueue(new_task())
    stopped = threading.Event()

    def work(_task: Task, call: Call) -> str:
        if call.stop.wait(20):
            stopped.set()
        return "{}"

    with running(tasks, work, lease=0.2):
        assert wait_for(lambda: stored(tasks, task.id).status is TaskStatus.RUNNING)
        tasks.cancel(task.id)
        assert stopped.wait(20)
    assert stored(tasks, task.id).status is TaskStatus.CANCELLED and tasks.result(task.id) is None


def test_a_task_that_both_threads_have_after_a_lost_lease_costs_neither_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    died: list[object] = []
    monkeypatch.setattr(threading, "excepthook", died.append)
    attempts = iter((first := threading.Event(), second := threading.Event()))

    def work(_task: Task, _call: Call) -> str:
        next(attempts, second).set()
        second.wait(20)  # which only a lost lease allows
        return "{}"

    queue = tasks_in(tmp_path, lease=0.2)
    try:
        task = queue.enqueue(new_task())
        # The runner beats as for a long lease, so that the queue's runs out.
        with running(queue, work, concurrency=2, lease=1000.0):
            assert ended(queue, task.id).status is TaskStatus.SUCCEEDED
    finally:
        queue.close()
    assert first.is_set() and second.is_set() and died == []


def test_progress_is_stored_while_the_task_runs(tasks: SqliteTasks) -> None:
    task = tasks.enqueue(new_task())
    seen = threading.Event()

    def work(_task: Task, call: Call) -> str:
        call.progress(2, 5, "Searching")
        seen.wait(20)
        return "{}"

    with running(tasks, work, lease=0.1):
        assert wait_for(lambda: stored(tasks, task.id).progress == TaskProgress(2, 5, "Searching"))
        seen.set()
        ended(tasks, task.id)


def test_a_graceful_stop_waits_for_what_runs_and_takes_nothing_new(tasks: SqliteTasks) -> None:
    started, release = threading.Event(), threading.Event()

    def work(_task: Task, _call: Call) -> str:
        started.set()
        release.wait(20)
        return "{}"

    first, second = tasks.enqueue(new_task()), tasks.enqueue(new_task())
    runner = TaskRunner(tasks, work, concurrency=1, lease=LEASE)
    runner.start()
    assert started.wait(20)
    threading.Timer(0.05, release.set).start()
    runner.close(grace=20)
    assert [stored(tasks, task.id).status for task in (first, second)] == [TaskStatus.SUCCEEDED, TaskStatus.QUEUED]


def test_what_does_not_end_in_time_is_given_back(tasks: SqliteTasks) -> None:
    started = threading.Event()

    def work(task: Task, call: Call) -> str:
        started.set()
        return until_stopped(task, call)

    task = tasks.enqueue(new_task())
    runner = TaskRunner(tasks, work, concurrency=1, lease=LEASE)
    runner.start()
    assert started.wait(20)
    runner.close()
    queued = stored(tasks, task.id)
    assert (queued.status, queued.attempts) == (TaskStatus.QUEUED, 0)


def test_work_that_does_not_listen_is_given_back_and_what_it_brings_is_refused(
    tasks: SqliteTasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.services.tasks.runner.STOP_SECONDS", 0.0)
    started, release, over = threading.Event(), threading.Event(), threading.Event()

    class Told(SqliteTasks):
        def finish(self, claim: Claim, outcome: Outcome) -> bool:
            finished = super().finish(claim, outcome)
            if outcome.status.final:
                over.set()
            return finished

    def work(_task: Task, _call: Call) -> str:
        started.set()
        release.wait(20)
        return "{}"

    tasks.__class__ = Told
    task = tasks.enqueue(new_task())
    runner = TaskRunner(tasks, work, concurrency=1, lease=LEASE)
    runner.start()
    assert started.wait(20)
    runner.close()
    assert stored(tasks, task.id).status is TaskStatus.QUEUED
    release.set()
    assert over.wait(20)
    assert stored(tasks, task.id).status is TaskStatus.QUEUED and tasks.result(task.id) is None


def test_a_task_whose_upload_cannot_be_fetched_now_is_given_back_and_no_attempt_is_lost(tasks: SqliteTasks) -> None:
    tries = iter(range(5))

    def work(_task: Task, _call: Call) -> str:
        if next(tries) < 4:
            raise UploadUnreachable("The database does not answer.")
        return "{}"

    task = tasks.enqueue(new_task())
    runner = TaskRunner(tasks, work, concurrency=1, lease=LEASE, poll=0.01)
    runner.start()
    assert ended(tasks, task.id).status is TaskStatus.SUCCEEDED
    assert stored(tasks, task.id).attempts == 1
    runner.close()


class Failing:
    """A queue whose database fails the first time, with each method that asks it."""

    def __init__(self, tasks: SqliteTasks) -> None:
        self._tasks = tasks
        self._failed = {"subscribe"}

    def __getattr__(self, name: str) -> object:
        if name not in self._failed:
            self._failed.add(name)

            def fails(*_: object) -> object:
                raise (ConfigError if name == "finish" else TimeoutExceeded)("The disk is full.")

            return fails
        return getattr(self._tasks, name)


def test_a_database_that_fails_for_a_while_loses_no_work(tasks: SqliteTasks) -> None:
    beaten = threading.Event()
    progress = TaskProgress(1, 1, "Done")

    def work(task: Task, call: Call) -> str:
        call.progress(1, 1, "Done")
        wait_for(lambda: stored(tasks, task.id).progress == progress)
        beaten.set()
        return "{}"

    task = tasks.enqueue(new_task())
    runner = TaskRunner(Failing(tasks), work, concurrency=1, lease=0.4, poll=0.01)  # type: ignore[arg-type]
    runner.start()
    assert ended(tasks, task.id).status is TaskStatus.SUCCEEDED and beaten.is_set()
    runner.close()


class Panic(BaseException):
    """As native code raises it: no `Exception`."""


@pytest.mark.parametrize("failure", [RecursionError(), MemoryError(), Panic(), SystemExit()])
def test_whatever_work_raises_fails_its_task_alone(tasks: SqliteTasks, failure: BaseException) -> None:
    def work(task: Task, _call: Call) -> str:
        if task.file_name == "bad":
            raise failure
        return "{}"

    bad, good = tasks.enqueue(new_task("bad")), tasks.enqueue(new_task("good"))
    with running(tasks, work):
        assert ended(tasks, bad.id).status is TaskStatus.FAILED
        assert ended(tasks, good.id).status is TaskStatus.SUCCEEDED


def test_a_result_that_no_database_stores_fails_its_task_and_the_next_one_is_worked_on(tasks: SqliteTasks) -> None:
    bad, good = tasks.enqueue(new_task("bad")), tasks.enqueue(new_task("good"))
    with running(tasks, lambda task, _: '"\ud800"' if task.file_name == "bad" else "{}", lease=0.1):
        failed = ended(tasks, bad.id)
        assert ended(tasks, good.id).status is TaskStatus.SUCCEEDED
    assert failed.status is TaskStatus.FAILED and failed.error is not None
    assert failed.error.message.startswith("The result cannot be stored.")


@pytest.mark.parametrize("name", ["claim", "beat", "finish"])
def test_a_queue_that_raises_anything_once_ends_no_thread(tasks: SqliteTasks, name: str) -> None:
    raised = threading.Event()

    class Odd:
        def __getattr__(self, called: str) -> object:
            if called != name or raised.is_set():
                return getattr(tasks, called)
            raised.set()
            raise ValueError(called)

    def work(_task: Task, call: Call) -> str:
        call.progress(1, 1, "Done")
        assert wait_for(raised.is_set) if name == "beat" else True
        return "{}"

    first, second = tasks.enqueue(new_task()), tasks.enqueue(new_task())
    runner = TaskRunner(Odd(), work, concurrency=1, lease=0.1, poll=0.01)  # type: ignore[arg-type]
    runner.start()
    try:
        expected = TaskStatus.FAILED if name == "finish" else TaskStatus.SUCCEEDED
        assert (ended(tasks, first.id).status, ended(tasks, second.id).status) == (expected, TaskStatus.SUCCEEDED)
        assert raised.is_set()
    finally:
        runner.close()

"""Work on tasks: several at a time, each under a claim that is renewed while it runs."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from pincite.errors import Cancelled, InternalError, PinciteError
from pincite.model.call import Call
from pincite.model.task import Task, TaskError, TaskProgress, TaskStatus
from pincite.services.tasks.base import GIVEN_BACK, Claim, Outcome, TaskQueue, UploadUnreachable
from pincite.services.tasks.loops import Loop

log = logging.getLogger("pincite.tasks")

BEATS_PER_LEASE = 4
"""Three may be late before a claim is lost."""

MAX_ERROR_CHARS = 500
"""By contract 3."""

PROGRESS_SECONDS = 0.5
"""Minimum interval between two stored steps of a task's progress: each is a write to the disk."""

STOP_SECONDS = 2.0
"""Wait for work that was stopped, before its task is given back without waiting."""

_NOT_STORED = Outcome(
    TaskStatus.FAILED, error=TaskError("The result cannot be stored. The server's log says why, under the task's id.")
)

Work = Callable[[Task, Call], str]
"""Does a task's work and returns its result as JSON text; checks the call often, and reports progress to it.

Raises `PinciteError` if the task has failed.
"""


@dataclass
class _Run:
    """A claim that is worked on."""

    claim: Claim
    call: Call = field(default_factory=Call)
    started_at: float = field(default_factory=time.monotonic)
    beaten_at: float = field(default_factory=time.monotonic)
    latest: TaskProgress | None = None
    stored: TaskProgress | None = None
    done: threading.Event = field(default_factory=threading.Event)


class TaskRunner:
    """Takes tasks from a queue and works on them in threads of its own, which start with `start`.

    Args:
        queue: The queue.
        work: Does the work.
        concurrency: Maximum number of tasks at a time.
        lease: The queue's lease in seconds.
        poll: Seconds between two polls of an empty queue: for leases that ran out, and for tasks of other processes
            where the queue announces none. `wake` announces the tasks of this process.
    """

    def __init__(self, queue: TaskQueue, work: Work, *, concurrency: int, lease: float, poll: float = 1.0) -> None:
        self._queue = queue
        self._work = work
        self._concurrency = concurrency
        self._beat_seconds = lease / BEATS_PER_LEASE
        self._poll = poll
        self._closing = threading.Event()
        self._closed = threading.Event()
        self._waiting = threading.Condition()
        self._awake = 0
        self._runs: dict[tuple[str, int], _Run] = {}  # by task and fence: after a lost lease a task has two
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start working."""
        self._queue.subscribe(self.wake)
        beats = Loop("pincite-task", "task.not_beaten", self._beats, self._closed, self._beat_seconds)
        works = [Loop("pincite-task", "task.not_claimed", self._works, self._closing, self._poll)] * self._concurrency
        self._threads = [loop.start() for loop in (beats, *works)]

    def wake(self) -> None:
        """Say that a task was enqueued."""
        with self._waiting:
            self._awake = min(self._awake + 1, self._concurrency)  # busy workers poll again by themselves
            self._waiting.notify()

    def stop(self, task_id: str) -> None:
        """Stop working on a task, which was cancelled or erased."""
        for run in list(self._runs.values()):
            if run.claim.task.id == task_id:
                run.call.stop.set()

    def close(self, grace: float = 0.0) -> None:
        """Take no more tasks, and wait for those that run; after `grace` seconds they are given back to the queue."""
        with self._waiting:
            self._closing.set()
            self._waiting.notify_all()
            runs = list(self._runs.values())
        deadline = time.monotonic() + grace
        for run in runs:
            run.done.wait(max(0.0, deadline - time.monotonic()))
        for run in runs:
            run.call.stop.set()
        deadline = time.monotonic() + STOP_SECONDS
        for run in runs:
            if not run.done.wait(max(0.0, deadline - time.monotonic())):
                # Its thread does not listen: what it may still bring is refused, another worker starts afresh.
                self._finish(run.claim, GIVEN_BACK)
        self._closed.set()
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _works(self) -> None:
        """Work on the next task, or wait for one."""
        claim = self._queue.claim()
        if claim is None:
            with self._waiting:
                if not self._awake and not self._closing.is_set():
                    self._waiting.wait(self._poll)
                self._awake = max(0, self._awake - 1)
        elif (run := self._registered(claim)) is not None:
            self._run(run)

    def _registered(self, claim: Claim) -> _Run | None:
        """Return the run of a claim; None if it came too late and was given back."""
        with self._waiting:
            if not self._closing.is_set():
                run = _Run(claim)
                run.call = replace(run.call, progress=partial(_progressed, run))
                self._runs[claim.task.id, claim.fence] = run
                return run
        self._finish(claim, GIVEN_BACK)
        return None

    def _run(self, run: _Run) -> None:
        task = run.claim.task
        fields = {"task": task.id, "rid": run.call.request_id}
        log.info("task.start", extra={**fields, "attempt": task.attempts})
        try:
            outcome = self._outcome(task, run.call)
            if outcome is not None and not self._finish(run.claim, outcome):
                log.warning("task.superseded", extra=fields)
            status = "stopped" if outcome is None else outcome.status.value
            elapsed = round(time.monotonic() - run.started_at, 3)
            log.info("task.end", extra={**fields, "status": status, "elapsed": elapsed})
        finally:
            del self._runs[task.id, run.claim.fence]
            run.done.set()

    def _outcome(self, task: Task, call: Call) -> Outcome | None:
        """Do the work; None if the claim is lost, so that nothing may be stored."""
        try:
            return Outcome(TaskStatus.SUCCEEDED, self._work(task, call))
        except Cancelled:
            return GIVEN_BACK if self._closing.is_set() else None
        except UploadUnreachable as error:
            # No hot loop: nothing is given back before the database answers again.
            log.warning("task.not_read", extra={"task": task.id, "problem": error.message})
            return GIVEN_BACK
        except PinciteError as error:
            return Outcome(TaskStatus.FAILED, error=_task_error(error))
        except BaseException:  # the outermost handler of a task, panics of native code included: the worker goes on
            log.exception("task.unhandled_error", extra={"task": task.id, "rid": call.request_id})
            message = f"The extraction failed. The server's log says why, under request id {call.request_id}."
            return Outcome(TaskStatus.FAILED, error=TaskError(message))

    def _finish(self, claim: Claim, outcome: Outcome) -> bool:
        """Store an outcome, again and again while the database is busy or its disk is full: the work is not lost.

        A result that no database would ever store becomes a failure of its task.
        """
        while True:
            try:
                return self._queue.finish(claim, outcome)
            except Exception as error:
                log.exception("task.not_stored", extra={"task": claim.task.id})
                if isinstance(error, InternalError) or not isinstance(error, PinciteError):
                    outcome = _NOT_STORED
                if self._closing.wait(self._beat_seconds):
                    return False  # the lease runs out, and the task is taken up again

    def _beats(self) -> None:
        """Renew the claims, and store progress."""
        self._closed.wait(min(PROGRESS_SECONDS, self._beat_seconds))
        for run in list(self._runs.values()):
            if run.latest != run.stored or time.monotonic() - run.beaten_at >= self._beat_seconds:
                self._beat(run)

    def _beat(self, run: _Run) -> None:
        latest = run.latest
        try:
            held = self._queue.beat(run.claim, None if latest == run.stored else latest)
        except Exception:  # the claims of the other runs are still to be renewed
            log.warning("task.not_beaten", extra={"task": run.claim.task.id}, exc_info=True)
            return
        run.stored, run.beaten_at = latest, time.monotonic()
        if not held:
            run.call.stop.set()


def _progressed(run: _Run, done: float, total: float | None, message: str) -> None:
    run.latest = TaskProgress(done, total, message)


def _task_error(error: PinciteError) -> TaskError:
    message = f"{error.message} {error.suggestion}".rstrip()
    return TaskError(message if len(message) <= MAX_ERROR_CHARS else message[: MAX_ERROR_CHARS - 1] + "…")

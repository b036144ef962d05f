"""Processes that run the jobs of readers: reused, limited in time and memory, ended when a file crashes them."""

import contextlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import islice

from pincite.errors import Cancelled, InternalError, InvalidInput, NotFound, PinciteError, ReadingFailed, Unsupported
from pincite.formats.worker import frames
from pincite.formats.worker.frames import PNG, Failure, Job, Result
from pincite.formats.worker.main import OUT_OF_MEMORY
from pincite.formats.worker.process import ReaderProcess
from pincite.formats.worker.time_limit import TimeLimit
from pincite.model.call import Call
from pincite.model.document import Head, Page, PageSizes
from pincite.model.recognition import RecognisedPage, RecognisedPicture
from pincite.model.sizes import MEGABYTE
from pincite.runtime.signals import exit_reason

log = logging.getLogger("pincite.formats")

POLL_SECONDS = 0.05
"""Interval at which a waiting call checks for cancellation."""

MAX_CRASHES = 2
"""Crashes after which a file is refused: one may be the machine's fault, two are the file's."""

TAKEN_SECONDS = 60.0
"""Maximum time until a process confirms a job, on a machine under load."""

SURVEY_PAGES = 50
"""Pages that a reader may examine before it yields the first: running heads show only in several."""

MAX_REMEMBERED_CRASHES = 1000
"""Files whose crashes are remembered; the oldest is forgotten first."""

CLOSE_SECONDS = 5.0
"""Maximum time to wait for each process at the end; a call may be inside a library."""

ORPHAN_SECONDS = 30.0
"""Extra time before a process ends itself: the parent, if alive, always times out first."""


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """Limits for reading one file, and the lifetime of processes.

    Attributes:
        processes: Maximum number of processes; each starts when it is first needed.
        seconds: Base time limit for a file, in processor time, see `TimeLimit`.
        seconds_per_mb: Additional time for each megabyte of the file.
        seconds_per_page: Additional time for each page read.
        wall_factor: Maximum wall time, as a multiple of the time limit.
        memory_bytes: Maximum memory of a process.
        result_bytes: Maximum size of a file's head and pages, or of a picture.
        idle_seconds: Idle time after which a process exits.
        files: Number of files after which a process is replaced.
    """

    processes: int = 2
    seconds: float = 10.0
    seconds_per_mb: float = 1.0
    seconds_per_page: float = 1.0
    wall_factor: float = 10.0
    memory_bytes: int = 1536 * MEGABYTE
    result_bytes: int = 500 * MEGABYTE
    idle_seconds: float = 60.0
    files: int = 200


class ProcessPool:
    """Runs jobs in reader processes. Thread-safe; starts no process before the first job."""

    def __init__(self, limits: ReaderLimits) -> None:
        self._limits = limits
        self._slots = threading.Semaphore(limits.processes)
        self._lock = threading.Lock()
        self._free: list[ReaderProcess] = []
        self._crashes: OrderedDict[str, int] = OrderedDict()
        self._closed = threading.Event()

    def close(self) -> None:
        """End all processes; calls that still read raise `Cancelled`."""
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
        for _ in range(self._limits.processes):
            self._slots.acquire(timeout=CLOSE_SECONDS)
        with self._lock:
            free, self._free = self._free, []
        # Processes in use are ended by the calls that use them, which see the flag.
        for process in free:
            process.close()

    def run(self, job: Job, seconds: float, call: Call) -> Generator[Result]:
        """Yield the results of a job in a reader process, with the errors of `read`."""
        # The key has the reader's identity: a new version of it may survive the file.
        if self._crashes.get(job.key, 0) >= MAX_CRASHES:
            raise ReadingFailed(
                f"The file crashed its reader {MAX_CRASHES} times; it is not tried again until it changes."
            )
        with self._slot(call), self._counting_crashes(job):
            failure = yield from self._read(job, seconds, call)
        if failure is not None:
            log.info("reader.failed", extra={"document": job.blob.name, "details": failure.details})
            raise _error(failure)

    def _read(self, job: Job, seconds: float, call: Call) -> Generator[Result, None, Failure | None]:
        """Yield a job's results; return why it failed, or None. A process that the system kills is replaced once."""
        answers = 0
        for tries_left in (True, False):
            process, keep = self._start_job(job, call), False
            try:
                for answer in islice(self._answers(process, job, seconds, call), answers, None):
                    if isinstance(answer, Failure):
                        keep = not answer.last
                        return answer
                    answers += 1
                    yield answer
                keep = True
                break
            except _ReaderCrashed:
                if not (tries_left and process.was_killed):
                    raise
            finally:
                self._put(process, keep=keep)
        return None

    def _answers(self, process: ReaderProcess, job: Job, seconds: float, call: Call) -> Iterator[Result | Failure]:
        """Yield a process's results, and why the job failed if it did."""
        threads = job.recognition.threads if job.recognition else 1
        factor = self._limits.wall_factor
        limit = TimeLimit(seconds, factor, process.processor_seconds, process.is_runnable, threads=threads)
        size = count = 0
        total: int | None = None
        while True:
            body = self._next(process, limit.is_exceeded, call)
            if body is None:
                raise _ReaderCrashed(f"{job.task} took longer than {limit.seconds:.0f} s (PINCITE_READER_TIMEOUT).")
            size += len(body)
            if size > self._limits.result_bytes or process.overflowed:
                megabytes = f"{self._limits.result_bytes / MEGABYTE:,.0f} MB"
                raise _ReaderCrashed(f"{_too_large(job, megabytes)} (PINCITE_READER_RESULT).")
            answer = self._unpack(process, job, body)
            if isinstance(answer, str):
                return
            if isinstance(answer, Head):
                total = answer.pages
                limit.extend(self._limits.seconds_per_page * min(total or 0, SURVEY_PAGES))
            elif isinstance(answer, Page) and not answer.next_part:
                count += 1
                limit.extend(self._limits.seconds_per_page)
                call.progress(count, total, "pages read")
            elif isinstance(answer, RecognisedPage | RecognisedPicture):
                limit.extend(self._limits.seconds_per_page)
            yield answer
            if isinstance(answer, Failure):
                return

    def _next(self, process: ReaderProcess, is_over: Callable[[], bool], call: Call) -> bytes | None:
        """Return the next answer; None if none arrived before the time was over.

        Raises:
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        while True:
            self._check(call)
            body = process.receive(POLL_SECONDS)
            if body is not None or is_over():
                return body

    def _unpack(self, process: ReaderProcess, job: Job, body: bytes) -> frames.Answer:
        """Unpack an answer.

        Raises:
            _ReaderCrashed: It does not answer the job, or the process has ended.
        """
        if not body:
            raise _ReaderCrashed(self._describe_exit(job, process.exit_code))
        try:
            answer = frames.unpack_answer(body)
        except Exception:  # noqa: BLE001 - the border: whatever a crashing process wrote
            answer = None
        if isinstance(answer, Failure | str):
            return answer
        if job.recognition is not None:
            is_expected = isinstance(answer, RecognisedPage | RecognisedPicture)
        elif job.is_measuring:
            is_expected = isinstance(answer, PageSizes)
        elif job.rendering is not None:
            is_expected = isinstance(answer, bytes) and answer.startswith(PNG)
        else:
            is_expected = isinstance(answer, Head | Page)
        if is_expected and answer is not None:
            return answer
        raise _ReaderCrashed("The file crashed its reader: it answered nonsense.")

    def _start_job(self, job: Job, call: Call) -> ReaderProcess:
        """Return a process that has confirmed the job: a new one if the free one exited just before."""
        packed, exit_code = frames.pack(job), None
        # A free process may exit just when it is taken, as its idle time ends; a new one has no idle time yet.
        for new in (False, True):
            process = self._process(new=new)
            try:
                process.send(packed)
                if self._next(process, TimeLimit(TAKEN_SECONDS).is_exceeded, call):
                    return process
            # Whatever interrupts the wait, a process with a job half sent is useless.
            except BaseException:
                process.kill()
                raise
            exit_code = process.exit_code
            process.kill()
            if exit_code == OUT_OF_MEMORY:
                break  # the job itself is too large: a new process would fail on it, too
        raise _ReaderCrashed(self._describe_exit(job, exit_code))

    def _process(self, *, new: bool) -> ReaderProcess:
        """Return the most recently used process, so that the others become idle and exit; or a new one."""
        while not new:
            with self._lock:
                process = self._free.pop() if self._free else None
            if process is None:
                break
            if process.exit_code is None:
                return process
            process.kill()
        limits = self._limits
        # Outside of the lock, as an interpreter takes time to start.
        return ReaderProcess(limits.idle_seconds, limits.memory_bytes, limits.result_bytes)

    def _put(self, process: ReaderProcess, *, keep: bool) -> None:
        """Keep a process for the next file; end one that is old, or whose state is unknown."""
        if not keep:
            process.kill()
        elif process.read >= self._limits.files or self._closed.is_set():
            process.close()
        else:
            with self._lock:
                self._free.append(process)

    @contextlib.contextmanager
    def _slot(self, call: Call) -> Generator[None]:
        self._check(call)
        while not self._slots.acquire(timeout=POLL_SECONDS):
            self._check(call)
        try:
            yield
        finally:
            self._slots.release()

    @contextlib.contextmanager
    def _counting_crashes(self, job: Job) -> Generator[None]:
        """Count crashes of a file's reader, and raise them as `ReadingFailed`."""
        try:
            yield
        except _ReaderCrashed as crash:
            with self._lock:
                self._crashes[job.key] = self._crashes.pop(job.key, 0) + 1
                while len(self._crashes) > MAX_REMEMBERED_CRASHES:
                    self._crashes.popitem(last=False)
            log.warning("reader.died", extra={"document": job.blob.name, "problem": crash.message})
            raise ReadingFailed(crash.message) from None

    def _check(self, call: Call) -> None:
        call.check()
        if self._closed.is_set():
            raise Cancelled("The server is closing.")

    def _describe_exit(self, job: Job, exit_code: int | None) -> str:
        if exit_code == OUT_OF_MEMORY:
            max_megabytes = self._limits.memory_bytes / MEGABYTE
            return f"{job.task} takes more than {max_megabytes:,.0f} MB of memory (PINCITE_READER_MEMORY)."
        return f"The file crashed its reader ({exit_reason(exit_code)})."


def _too_large(job: Job, limit: str) -> str:
    if job.rendering is None:
        return f"The file has more than {limit} of text"
    return f"The picture of page {job.rendering.page} has more than {limit}. Ask for a smaller width"


class _ReaderCrashed(Exception):
    """A process was killed, or ended itself, because of the file that it read."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


_ERRORS: dict[str, type[PinciteError]] = {
    kind.__name__: kind for kind in (InvalidInput, InternalError, NotFound, ReadingFailed, Unsupported)
}


def _error(failure: Failure) -> PinciteError:
    """Restore the error that a reader raised in its process."""
    kind = _ERRORS.get(failure.error, InternalError)
    return kind(failure.message, details=failure.details, suggestion=failure.suggestion)

"""Reading for a whole application: trusted formats here, all others in reader processes."""

import contextlib
import hashlib
import logging
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass, replace

from pincite.errors import (
    Cancelled,
    InternalError,
    InvalidInput,
    NotFound,
    PinciteError,
    ReadingFailed,
    Unsupported,
)
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import Sniffed
from pincite.formats.worker import frames
from pincite.formats.worker.frames import Failure, Job
from pincite.formats.worker.main import OUT_OF_MEMORY
from pincite.formats.worker.process import ReaderProcess
from pincite.formats.worker.read import pages, read_document
from pincite.model.call import Call
from pincite.model.document import Document, Head, Page
from pincite.registry import Format

log = logging.getLogger("pincite.formats")

LOOK_SECONDS = 0.05
"""How often a waiting call looks whether its caller is still there."""

DEATHS = 2
"""A file that killed its reader so often is not given to another."""

TAKEN_SECONDS = 60.0
"""How long a process under load may take until it has a job in its hands."""

SURVEY_PAGES = 50
"""Pages that a reader may look at before it gives the first of them: what is common to them shows in several."""

REMEMBERED = 1000
CLOSE_SECONDS = 5.0
_MEGABYTE = 1_000_000
_ORPHAN_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """What reading one file may cost, and how the processes live.

    Attributes:
        processes: Processes side by side; one is started when it is first needed.
        seconds: Time for a file.
        seconds_per_mb: More of it for every megabyte.
        seconds_per_page: More of it for every page that it has given.
        memory_bytes: The most memory that a process may use.
        result_bytes: The most that a file may give.
        idle_seconds: After so many without work a process leaves.
        files: After so many files a process is replaced.
    """

    processes: int = 2
    seconds: float = 10.0
    seconds_per_mb: float = 1.0
    seconds_per_page: float = 1.0
    memory_bytes: int = 1536 * _MEGABYTE
    result_bytes: int = 500 * _MEGABYTE
    idle_seconds: float = 60.0
    files: int = 200


class ReaderPool:
    """Reads files. Thread-safe; nothing is started before the first file that needs it."""

    def __init__(self, options: ReadOptions, limits: ReaderLimits) -> None:
        self._options = options
        self._limits = limits
        self._slots = threading.Semaphore(limits.processes)
        self._lock = threading.Lock()
        self._free: list[ReaderProcess] = []
        self._deaths: OrderedDict[str, int] = OrderedDict()
        self._closed = threading.Event()

    def read(self, found: Sniffed, blob: Blob, call: Call) -> Document:
        """Read a file.

        Args:
            found: What it is, see `formats.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            call: Asked between pages; told how many there are.

        Raises:
            Unsupported: Nobody reads it.
            InvalidInput: It is damaged or locked.
            ConnectionFailed: No reader process can be started.
            PinciteError: See `formats.worker.read.read_document`.
        """
        if found.format is None:
            raise InvalidInput(found.problem) if found.damaged else Unsupported(found.problem)
        stream = self._isolated if found.format.isolated else pages
        document = read_document(found.format, blob, self._options, call, stream)
        warnings = (found.warning, *document.warnings) if found.warning else document.warnings
        return replace(document, warnings=warnings)

    def close(self) -> None:
        """End every reader process; whoever still reads is told that the call was cancelled."""
        with self._lock:
            if self._closed.is_set():
                return
            self._closed.set()
        for _ in range(self._limits.processes):
            self._slots.acquire(timeout=CLOSE_SECONDS)
        with self._lock:
            free, self._free = self._free, []
        for process in free:
            process.close()

    def _isolated(self, row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
        """What a reader in another process yields; implements `Stream`."""
        fingerprint = f"{row.identity}:{hashlib.sha256(blob.data).hexdigest()}"
        if self._deaths.get(fingerprint, 0) >= DEATHS:
            raise ReadingFailed(f"The file crashed its reader {DEATHS} times; it is not tried again until it changes.")
        seconds = self._limits.seconds + self._limits.seconds_per_mb * len(blob.data) / _MEGABYTE
        looking = SURVEY_PAGES * self._limits.seconds_per_page
        job = Job(row, blob, options, seconds + looking + _ORPHAN_SECONDS)
        with self._slot(call), self._dying(fingerprint, blob.name):
            process, keep = self._take(job, call), False
            try:
                failure = yield from self._answers(process, seconds, call)
                keep = failure is None or not failure.last
            finally:
                self._put(process, keep=keep)
        if failure is not None:
            log.info("reader.failed", extra={"document": blob.name, "details": failure.details})
            raise _error(failure)

    def _answers(
        self, process: ReaderProcess, seconds: float, call: Call
    ) -> Generator[Head | Page, None, Failure | None]:
        """What a process gives for a file; returns why it could not be read."""
        begun = time.monotonic()
        deadline = begun + seconds
        size = count = 0
        total: int | None = None
        while True:
            body = self._next(process, deadline, call)
            if body is None:
                raise _Died(f"Reading the file took longer than {deadline - begun:.0f} s (PINCITE_READER_TIMEOUT).")
            size += len(body)
            if size > self._limits.result_bytes or process.overflowed:
                raise _Died(f"The file gives more than {self._limits.result_bytes / _MEGABYTE:,.0f} MB of text.")
            answer = self._understood(process, body)
            if isinstance(answer, Failure):
                return answer
            if isinstance(answer, str):
                return None
            if isinstance(answer, Head):
                total = answer.pages
                deadline += self._limits.seconds_per_page * min(total or 0, SURVEY_PAGES)
            else:
                count += 1
                deadline += self._limits.seconds_per_page
                call.progress(count, total, "pages read")
            yield answer

    def _next(self, process: ReaderProcess, deadline: float, call: Call) -> bytes | None:
        """The next answer; None if none came until then.

        Raises:
            Cancelled, TimeoutExceeded: As the call says.
        """
        while True:
            self._check(call)
            left = deadline - time.monotonic()
            body = process.receive(min(max(left, 0.0), LOOK_SECONDS))
            if body is not None or left <= 0:
                return body

    def _understood(self, process: ReaderProcess, body: bytes) -> frames.Answer:
        """An answer, if it is one."""
        if not body:
            raise _Died(self._how(process.exit_code))
        try:
            return frames.answer(body)
        except Exception:  # noqa: BLE001 - the border: whatever a crashing process wrote
            raise _Died("The file crashed its reader: it answered nonsense.") from None

    def _take(self, job: Job, call: Call) -> ReaderProcess:
        """A process that has taken the job: a new one where the one at hand had just left."""
        packed, exit_code = frames.pack(job), None
        for new in (False, True):
            process = self._process(new=new)
            try:
                process.send(packed)
                if self._next(process, time.monotonic() + TAKEN_SECONDS, call):
                    return process
            except BaseException:
                process.kill()
                raise
            exit_code = process.exit_code
            process.kill()
            if exit_code == OUT_OF_MEMORY:
                break
        raise _Died(self._how(exit_code))

    def _process(self, *, new: bool) -> ReaderProcess:
        """The process that was last used; the others may leave."""
        while not new:
            with self._lock:
                process = self._free.pop() if self._free else None
            if process is None:
                break
            if process.exit_code is None:
                return process
            process.kill()
        limits = self._limits
        return ReaderProcess(limits.idle_seconds, limits.memory_bytes, limits.result_bytes)

    def _put(self, process: ReaderProcess, *, keep: bool) -> None:
        """Keep a process for the next file; end one that is old, or of which nobody knows what it does."""
        if not keep:
            process.kill()
        elif process.read >= self._limits.files or self._closed.is_set():
            process.close()
        else:
            with self._lock:
                self._free.append(process)

    @contextlib.contextmanager
    def _slot(self, call: Call) -> Generator[None]:
        """Wait for a turn."""
        self._check(call)
        while not self._slots.acquire(timeout=LOOK_SECONDS):
            self._check(call)
        try:
            yield
        finally:
            self._slots.release()

    @contextlib.contextmanager
    def _dying(self, fingerprint: str, name: str) -> Generator[None]:
        """Remember what a process died of."""
        try:
            yield
        except _Died as death:
            with self._lock:
                self._deaths[fingerprint] = self._deaths.pop(fingerprint, 0) + 1
                while len(self._deaths) > REMEMBERED:
                    self._deaths.popitem(last=False)
            log.warning("reader.died", extra={"document": name, "problem": death.message})
            raise ReadingFailed(death.message) from None

    def _check(self, call: Call) -> None:
        call.check()
        if self._closed.is_set():
            raise Cancelled("The server is closing.")

    def _how(self, exit_code: int | None) -> str:
        """What a process died of."""
        if exit_code == OUT_OF_MEMORY:
            most = self._limits.memory_bytes / _MEGABYTE
            return f"Reading the file takes more than {most:,.0f} MB of memory (PINCITE_READER_MEMORY)."
        if exit_code is not None and exit_code < 0:
            name = next((known.name for known in signal.Signals if known == -exit_code), f"signal {-exit_code}")
            return f"The file crashed its reader ({name})."
        return f"The file crashed its reader (exit code {exit_code})."


class _Died(Exception):
    """A process had to be ended, or ended itself, because of what it read."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


_ERRORS: dict[str, type[PinciteError]] = {
    kind.__name__: kind for kind in (InvalidInput, InternalError, NotFound, ReadingFailed, Unsupported)
}


def _error(failure: Failure) -> PinciteError:
    """The error that a reader raised in its process."""
    kind = _ERRORS.get(failure.error, InternalError)
    return kind(failure.message, details=failure.details, suggestion=failure.suggestion)

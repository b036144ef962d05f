"""The pool of reader processes: trusted formats are read in this process, all others in a worker."""

import contextlib
import logging
import signal
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pincite.errors import (
    Cancelled,
    InternalError,
    InvalidInput,
    NotFound,
    PinciteError,
    ReadingFailed,
    Unsupported,
)
from pincite.formats.base import MAX_RENDER_WIDTH, Blob, ReadOptions, Target
from pincite.formats.detect.sniff import Sniffed
from pincite.formats.worker import frames
from pincite.formats.worker.frames import PNG, Failure, Job, Recognition, Rendering, Result
from pincite.formats.worker.main import OUT_OF_MEMORY
from pincite.formats.worker.process import ReaderProcess
from pincite.formats.worker.read import pages, read_document
from pincite.model.call import Call
from pincite.model.document import Document, Head, Page, PageSizes
from pincite.model.recognition import RecognisedPage, RecognisedPicture
from pincite.model.units import MEGABYTE
from pincite.registry import FORMATS, Format, check_renderer

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
_ORPHAN_SECONDS = 30.0
"""Extra time before a process ends itself: the parent, if alive, always times out first."""


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """Limits for reading one file, and the lifetime of processes.

    Attributes:
        processes: Maximum number of processes; each starts when it is first needed.
        seconds: Base time limit for a file.
        seconds_per_mb: Additional time for each megabyte of the file.
        seconds_per_page: Additional time for each page read.
        memory_bytes: Maximum memory of a process.
        result_bytes: Maximum size of a file's head and pages, or of a picture.
        idle_seconds: Idle time after which a process exits.
        files: Number of files after which a process is replaced.
    """

    processes: int = 2
    seconds: float = 10.0
    seconds_per_mb: float = 1.0
    seconds_per_page: float = 1.0
    memory_bytes: int = 1536 * MEGABYTE
    result_bytes: int = 500 * MEGABYTE
    idle_seconds: float = 60.0
    files: int = 200


class Recogniser(Protocol):
    """Recognises the text in pages and pictures; `worker.recogniser.RecogniserPool`."""

    def recognise(
        self, row: Format, blob: Blob, targets: Sequence[Target], call: Call
    ) -> Sequence[RecognisedPage | RecognisedPicture]:
        """Return the text of pages and pictures; one that fails has the reason."""
        ...

    def close(self) -> None:
        """End its process."""
        ...


class ReaderPool:
    """Reads files and renders pages. Thread-safe; starts no process before the first file that needs one.

    Attributes:
        options: The limits that every reader enforces.
    """

    def __init__(self, options: ReadOptions, limits: ReaderLimits, recogniser: Recogniser | None = None) -> None:
        """Read with these limits.

        Args:
            options: The limits that every reader enforces.
            limits: Those of a file and its process.
            recogniser: Recognises text in pictures; None for no recognition.
        """
        self.options = options
        self._limits = limits
        self._recogniser = recogniser
        self._slots = threading.Semaphore(limits.processes)
        self._lock = threading.Lock()
        self._free: list[ReaderProcess] = []
        self._crashes: OrderedDict[str, int] = OrderedDict()
        self._closed = threading.Event()

    def environment(self) -> str:
        """Return a string of everything that may let a failed file be read: limits, readers, installed packages."""
        # The folders' names alone, since reading each package's metadata takes ten times as long.
        folders = [Path(place) for place in sys.path if Path(place).is_dir()]
        installed = sorted(entry.name for folder in folders for entry in folder.glob("*.dist-info"))
        return repr((self.options, self._limits, FORMATS, installed))

    def read(self, sniffed: Sniffed, blob: Blob, call: Call) -> Document:
        """Return the document of a file.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            call: Checked for cancellation between pages; receives progress in pages.

        Raises:
            Unsupported: No format reads the file.
            InvalidInput: The file is damaged or locked.
            ConnectionFailed: No reader process can be started.
            PinciteError: See `formats.worker.read.read_document`.
        """
        row = readable(sniffed)
        stream = pages
        if row.isolated:
            stream = self._with_recognition if row.rasteriser and self._recogniser else self._isolated
        document = read_document(row, blob, self.options, call, stream)
        warnings = (sniffed.warning, *document.warnings) if sniffed.warning else document.warnings
        return replace(document, warnings=warnings)

    def render(self, sniffed: Sniffed, blob: Blob, page: int, width: int, call: Call) -> bytes:
        """Return a page as a PNG, rendered in a reader process whatever its format.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            page: Page number from 1.
            width: Width of the picture in pixels, 1 to `MAX_RENDER_WIDTH`.
            call: Checked for cancellation.

        Raises:
            NotFound: The page does not exist; the message has the number of pages.
            Unsupported: Pages of this format cannot be shown, or no format reads the file.
            InvalidInput: The width is out of its range, or the file is damaged or locked.
            ReadingFailed: Rendering exceeds a limit, or crashed the process.
            ConnectionFailed: No reader process can be started.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        row = readable(sniffed)
        check_renderer(row)
        if not 1 <= width <= MAX_RENDER_WIDTH:
            raise InvalidInput(f"The width must be 1 to {MAX_RENDER_WIDTH} pixels, not {width}.")
        seconds = self._seconds(blob) + self._limits.seconds_per_page
        job = Job(row, blob, self.options, seconds + _ORPHAN_SECONDS, Rendering(page, width))
        pictures = [answer for answer in self._run(job, seconds, call) if isinstance(answer, bytes)]
        if len(pictures) != 1:
            raise InternalError("A renderer must give one picture.")
        return pictures[0]

    def measure(self, sniffed: Sniffed, blob: Blob, call: Call) -> PageSizes:
        """Return the size of each page of a file, measured in a reader process.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            call: Checked for cancellation.

        Raises:
            PinciteError: See `render`.
        """
        row = readable(sniffed)
        check_renderer(row)
        seconds = self._seconds(blob)
        job = Job(row, blob, self.options, seconds + _ORPHAN_SECONDS, is_measuring=True)
        sizes = [answer for answer in self._run(job, seconds, call) if isinstance(answer, PageSizes)]
        if len(sizes) != 1:
            raise InternalError("A measurer must give the sizes once.")
        return sizes[0]

    def recognised(self, sniffed: Sniffed, blob: Blob, call: Call) -> Sequence[RecognisedPage]:
        """Return the text in each page of a file of pictures, with words and confidences.

        Args:
            sniffed: Its format, see `formats.detect.sniff.sniff`.
            blob: Its name in its collection, and its bytes.
            call: Checked for cancellation.

        Raises:
            Unsupported: Text recognition is not installed or turned off, or no format reads the file.
            PinciteError: See `read`.
        """
        row = readable(sniffed)
        if self._recogniser is None or not row.rasteriser:
            raise Unsupported(f"The text in the picture was not read: {self.options.no_ocr}")
        # Read first: a damaged or huge picture is refused with its reason, and the pages are counted.
        items = list(self._isolated(row, blob, self.options, call))
        recognised = self._recogniser.recognise(row, blob, self._unread(items), call)
        return [page for page in recognised if isinstance(page, RecognisedPage)]

    def recognise_pages(
        self, row: Format, blob: Blob, recognition: Recognition, call: Call
    ) -> Generator[RecognisedPage | RecognisedPicture]:
        """Yield the text of pages and pictures, recognised in a reader process, with the errors of `read`.

        Args:
            row: The file's format.
            blob: Its name in its collection, and its bytes.
            recognition: The pages and pictures, and the engine.
            call: Checked for cancellation.
        """
        seconds = self._seconds(blob) + self._limits.seconds_per_page
        job = Job(row, blob, self.options, seconds + _ORPHAN_SECONDS, recognition=recognition)
        with contextlib.closing(self._run(job, seconds, call)) as answers:
            for answer in answers:
                if isinstance(answer, RecognisedPage | RecognisedPicture):
                    yield answer

    def close(self) -> None:
        """End all reader processes; calls that still read raise `Cancelled`."""
        if self._recogniser is not None:
            self._recogniser.close()
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

    def _with_recognition(self, row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
        """Yield the head and pages; if some are pictures of text, once that is recognised. Implements `Stream`."""
        items = list(self._isolated(row, blob, options, call))
        unread = self._unread(items)
        if not unread or self._recogniser is None:
            yield from items
            return
        recognised = self._recogniser.recognise(row, blob, unread, call)
        pages = tuple(one for one in recognised if isinstance(one, RecognisedPage))
        pictures = tuple(one for one in recognised if isinstance(one, RecognisedPicture))
        # Read again, as the recognised words share running heads, styles and columns with other pages.
        known = replace(options, recognised=pages, recognised_pictures=pictures)
        yield from self._isolated(row, blob, known, call)

    def _unread(self, items: Sequence[Head | Page]) -> list[Target]:
        """Return the pages and the pictures inside others that need recognition, as many as the limits let pass."""
        pages = [item for item in items if isinstance(item, Page)]
        numbers = [page.number or 1 for page in pages if page.needs_ocr]
        pictures = dict.fromkeys(name for page in pages for name in page.unread_pictures)
        return [*numbers[: self.options.ocr_pages], *list(pictures)[: self.options.ocr_pictures]]

    def _isolated(self, row: Format, blob: Blob, options: ReadOptions, call: Call) -> Generator[Head | Page]:
        """Yield the head and pages from a reader process; implements `Stream`."""
        seconds = self._seconds(blob)
        survey_seconds = SURVEY_PAGES * self._limits.seconds_per_page
        job = Job(row, blob, options, seconds + survey_seconds + _ORPHAN_SECONDS)
        # Closed even if building the document fails: it returns the process.
        with contextlib.closing(self._run(job, seconds, call)) as answers:
            for answer in answers:
                if isinstance(answer, Head | Page):
                    yield answer

    def _seconds(self, blob: Blob) -> float:
        return self._limits.seconds + self._limits.seconds_per_mb * len(blob.data) / MEGABYTE

    def _run(self, job: Job, seconds: float, call: Call) -> Generator[Result]:
        """Yield the results of a job in a reader process, with the errors of `read`."""
        # The key has the reader's identity: a new version of it may survive the file.
        if self._crashes.get(job.key, 0) >= MAX_CRASHES:
            raise ReadingFailed(
                f"The file crashed its reader {MAX_CRASHES} times; it is not tried again until it changes."
            )
        with self._slot(call), self._counting_crashes(job):
            process, keep = self._start_job(job, call), False
            try:
                failure = yield from self._results(process, job, seconds, call)
                keep = failure is None or not failure.last
            finally:
                self._put(process, keep=keep)
        if failure is not None:
            log.info("reader.failed", extra={"document": job.blob.name, "details": failure.details})
            raise _error(failure)

    def _results(
        self, process: ReaderProcess, job: Job, seconds: float, call: Call
    ) -> Generator[Result, None, Failure | None]:
        """Yield a process's results; return why the job failed, or None."""
        started = time.monotonic()
        deadline = started + seconds
        size = count = 0
        total: int | None = None
        while True:
            body = self._next(process, deadline, call)
            if body is None:
                raise _ReaderCrashed(
                    f"{job.task} took longer than {deadline - started:.0f} s (PINCITE_READER_TIMEOUT)."
                )
            size += len(body)
            if size > self._limits.result_bytes or process.overflowed:
                limit = f"{self._limits.result_bytes / MEGABYTE:,.0f} MB"
                raise _ReaderCrashed(f"{_too_large(job, limit)} (PINCITE_READER_RESULT).")
            answer = self._unpack(process, job, body)
            if isinstance(answer, Failure):
                return answer
            if isinstance(answer, str):
                return None
            if isinstance(answer, Head):
                total = answer.pages
                deadline += self._limits.seconds_per_page * min(total or 0, SURVEY_PAGES)
            elif isinstance(answer, Page):
                count += 1
                deadline += self._limits.seconds_per_page
                call.progress(count, total, "pages read")
            elif isinstance(answer, RecognisedPage | RecognisedPicture):
                deadline += self._limits.seconds_per_page
            yield answer

    def _next(self, process: ReaderProcess, deadline: float, call: Call) -> bytes | None:
        """Return the next answer; None if none arrived before the deadline.

        Raises:
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        while True:
            self._check(call)
            left = deadline - time.monotonic()
            body = process.receive(min(max(left, 0.0), POLL_SECONDS))
            if body is not None or left <= 0:
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
                if self._next(process, time.monotonic() + TAKEN_SECONDS, call):
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
        if exit_code is not None and exit_code < 0:
            name = next(
                (candidate.name for candidate in signal.Signals if candidate == -exit_code), f"signal {-exit_code}"
            )
            return f"The file crashed its reader ({name})."
        return f"The file crashed its reader (exit code {exit_code})."


def readable(sniffed: Sniffed) -> Format:
    """Return the format that reads a file.

    Raises:
        Unsupported: None does.
        InvalidInput: None does, as the file is damaged or locked.
    """
    if sniffed.format is None:
        raise InvalidInput(sniffed.problem) if sniffed.damaged else Unsupported(sniffed.problem)
    return sniffed.format


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

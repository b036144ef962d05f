"""The reader process: reads and renders files for its parent, and exits on anything that may have damaged its state.

It communicates over duplicates of its standard input and output, and redirects the originals: nothing that a library
prints reaches the parent, whose own standard output may be a protocol.
"""

import os
import queue
import sys
import threading
import traceback
from collections.abc import Iterable
from typing import IO, NoReturn

from pincite.errors import PinciteError
from pincite.formats.worker import frames, memory
from pincite.formats.worker.frames import DONE, READY, TAKEN, Failure, Job, Result
from pincite.formats.worker.read import page_sizes, pages, picture
from pincite.model.call import Call
from pincite.runtime.garbage import collect_rarely
from pincite.runtime.signals import alarm, leave_interrupts_to_the_parent

UNNEEDED, FAILED, OUT_OF_MEMORY = 0, 1, 77
"""Exit codes: no longer needed; a reader may have damaged the process; memory limit reached."""

_TRACE_CHARACTERS = 4000
"""End of a traceback that is sent for the log: it names the failing line."""


def main(idle_seconds: float, memory_bytes: int) -> NoReturn:
    """Read files for the parent until it or the process ends.

    Args:
        idle_seconds: Maximum time without a job; the process then exits.
        memory_bytes: Maximum memory of the process.
    """
    jobs, answers = _own_streams()
    _prepare(memory_bytes)
    queued_jobs: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    # A thread of its own: the end of the pipe must end the process even while a reader runs.
    threading.Thread(target=_listen, args=(jobs, queued_jobs), daemon=True).start()
    answers.write(READY)
    answers.flush()
    while True:
        _serve(_job(queued_jobs, idle_seconds), answers)


def _job(queued_jobs: "queue.SimpleQueue[bytes]", idle_seconds: float) -> Job:
    try:
        return frames.unpack_job(queued_jobs.get(timeout=idle_seconds))
    except queue.Empty:
        os._exit(UNNEEDED)
    except MemoryError:
        _exit_out_of_memory()


def _serve(job: Job, answers: IO[bytes]) -> None:
    """Send a file's head and pages, or a page's picture; exit after an error that may have damaged the process."""
    alarm(job.seconds)
    _send(TAKEN, answers)
    try:
        for item in _results(job):
            alarm(job.seconds)
            _send(item, answers)
        _send(DONE, answers)
    except MemoryError:
        _exit_out_of_memory()
    except PinciteError as error:
        _send(Failure(type(error).__name__, error.message, error.details, error.suggestion), answers)
    except BaseException as error:  # noqa: BLE001 - the border: readers raise anything, a panic of Rust is no Exception
        last = not isinstance(error, Exception)
        trace = "".join(traceback.format_exception(error))[-_TRACE_CHARACTERS:]
        message = f"The file could not be read: its reader failed ({type(error).__name__}). It may be damaged."
        _send(Failure("InvalidInput", message, trace, last=last), answers)
        if last:
            os._exit(FAILED)
    # The time limit is for one job; waiting for the next has its own.
    alarm(0)


def _results(job: Job) -> Iterable[Result]:
    if job.is_measuring:
        return [page_sizes(job.row, job.blob, job.options, Call())]
    if job.recognition is not None:
        # Only in the process that recognises: its packages are an extra, and take a second to import.
        from pincite.formats.ocr.recognise import recognise  # noqa: PLC0415

        recognition = job.recognition
        engine = (recognition.engine, recognition.threads, recognition.languages)
        return recognise(job.row, job.blob, recognition.targets, job.options, engine, Call())
    if job.rendering is None:
        return pages(job.row, job.blob, job.options, Call())
    return [picture(job.row, job.blob, job.rendering.page, job.rendering.width, job.options, Call())]


def _send(message: object, answers: IO[bytes]) -> None:
    packed = frames.pack(message)
    try:
        answers.write(packed)
        answers.flush()
    except OSError:
        os._exit(UNNEEDED)


def _listen(jobs: IO[bytes], queued_jobs: "queue.SimpleQueue[bytes]") -> None:
    """Queue jobs, and exit when the parent does, even in the middle of a file."""
    try:
        while body := frames.receive(jobs, sys.maxsize):
            queued_jobs.put(body)
    except MemoryError:
        _exit_out_of_memory()
    os._exit(UNNEEDED)


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes from and to the parent; standard input, output and error are redirected to the null device."""
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    return jobs, answers


def _prepare(memory_bytes: int) -> None:
    """Ignore interrupts, which are the parent's, enforce the memory limit, and collect garbage rarely."""
    collect_rarely()
    leave_interrupts_to_the_parent()
    # Where the system has no limit, a thread measures.
    if not memory.limit(memory_bytes):
        threading.Thread(target=memory.watch, args=(memory_bytes, _exit_out_of_memory), daemon=True).start()


def _exit_out_of_memory() -> NoReturn:
    os._exit(OUT_OF_MEMORY)

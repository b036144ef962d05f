"""The reader process: reads one file after the other for its owner, and dies of what would harm that.

It speaks over its standard input and output, moved out of the way first: nothing that a library prints
reaches the owner, whose own standard output may be a protocol.
"""

import os
import queue
import signal
import sys
import threading
import traceback
from typing import IO, NoReturn

from pincite.errors import PinciteError
from pincite.formats.worker import frames, memory
from pincite.formats.worker.frames import DONE, READY, TAKEN, Failure, Job
from pincite.formats.worker.read import pages
from pincite.model.call import Call

LEFT, FAILED, OUT_OF_MEMORY = 0, 1, 77
"""Exit codes: it was not needed any more; a reader may have left damage; memory ran out."""

_TRACE_CHARACTERS = 4000


def main(idle_seconds: float, memory_bytes: int) -> NoReturn:
    """Serve the owner.

    Args:
        idle_seconds: After so many without a job it leaves.
        memory_bytes: The most memory that it may use.
    """
    jobs, answers = _own_streams()
    _prepare(memory_bytes)
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(jobs, waiting), daemon=True).start()
    answers.write(READY)
    answers.flush()
    while True:
        _serve(_job(waiting, idle_seconds), answers)


def _job(waiting: "queue.SimpleQueue[bytes]", idle_seconds: float) -> Job:
    try:
        return frames.job(waiting.get(timeout=idle_seconds))
    except queue.Empty:
        os._exit(LEFT)
    except MemoryError:
        _give_up()


def _serve(job: Job, answers: IO[bytes]) -> None:
    """Read a file and send what it gives; after anything that may have left damage, end."""
    _alarm(job.seconds)
    _send(TAKEN, answers)
    try:
        for item in pages(job.row, job.blob, job.options, Call()):
            _alarm(job.seconds)
            _send(item, answers)
        _send(DONE, answers)
    except MemoryError:
        _give_up()
    except PinciteError as error:
        _send(Failure(type(error).__name__, error.message, error.details, error.suggestion), answers)
    except BaseException as error:  # noqa: BLE001 - the border: readers raise anything, a panic of Rust is no Exception
        last = not isinstance(error, Exception)
        trace = "".join(traceback.format_exception(error))[-_TRACE_CHARACTERS:]
        message = f"The file could not be read: its reader failed ({type(error).__name__}). It may be damaged."
        _send(Failure("InvalidInput", message, trace, last=last), answers)
        if last:
            os._exit(FAILED)
    _alarm(0)


def _send(message: object, answers: IO[bytes]) -> None:
    packed = frames.pack(message)
    try:
        answers.write(packed)
        answers.flush()
    except OSError:
        os._exit(LEFT)


def _listen(jobs: IO[bytes], waiting: "queue.SimpleQueue[bytes]") -> None:
    """Take jobs as they come, and end with the owner, even in the middle of a file."""
    try:
        while body := frames.receive(jobs, sys.maxsize):
            waiting.put(body)
    except MemoryError:
        _give_up()
    os._exit(LEFT)


def _own_streams() -> tuple[IO[bytes], IO[bytes]]:
    """The pipes from and to the owner; standard input and output lead nowhere from now on."""
    jobs, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.close(nowhere)
    return jobs, answers


def _prepare(memory_bytes: int) -> None:
    """Leave interrupts to the owner, dump no core, and keep to the memory limit."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    if not memory.limit(memory_bytes):
        threading.Thread(target=memory.watch, args=(memory_bytes, _give_up), daemon=True).start()


def _alarm(seconds: float) -> None:
    """End this process unless called again in time: the system does it, whatever a library holds."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _give_up() -> NoReturn:
    os._exit(OUT_OF_MEMORY)

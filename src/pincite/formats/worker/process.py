"""The parent's side of one reader process."""

import contextlib
import logging
import queue
import subprocess
import sys
import threading
from typing import IO, cast

from pincite.errors import ConnectionFailed
from pincite.formats.worker import frames, time_limit
from pincite.formats.worker.frames import READY
from pincite.runtime.children import confined, environment
from pincite.runtime.signals import KILLED, exit_reason

log = logging.getLogger("pincite.formats")

START_SECONDS = 60.0
"""Maximum time until an interpreter has started, on a machine under load."""

START_ATTEMPTS = 4
"""Processes that are started before the call fails, if a signal ends those before: that says nothing of the file."""

EXIT_SECONDS = 1.0
"""Time for a process to exit by itself before it is killed."""
_CODE = "import sys; sys.path[:] = {path!r}; from pincite.formats.worker.main import main; main({idle!r}, {memory!r})"


class ReaderProcess:
    """A process that reads files. It exits with its parent, however that ends: its pipe then closes.

    Attributes:
        read: Number of jobs sent to it.
        overflowed: True if it was killed because an answer was too large.
    """

    def __init__(self, idle_seconds: float, memory_bytes: int, message_bytes: int) -> None:
        """Start the process and wait until it is ready.

        Args:
            idle_seconds: Idle time after which it exits.
            memory_bytes: Maximum memory of the process.
            message_bytes: Maximum size of an answer.

        Raises:
            ConnectionFailed: The process does not start.
        """
        self.read = 0
        self.overflowed = False
        self._message_bytes = message_bytes
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        code = _CODE.format(path=sys.path, idle=idle_seconds, memory=memory_bytes)
        ready: bytes | None = b""
        for _ in range(START_ATTEMPTS):
            self._process = _start(code)
            self._listener = threading.Thread(target=self._listen, name="pincite-reader", daemon=True)
            self._listener.start()
            ready = self.receive(START_SECONDS)
            if ready == READY:
                return
            self.kill()
            if ready is None or (self.exit_code or 0) >= 0:
                break
            self._answers = queue.SimpleQueue()  # the system killed it, say for want of memory: another may start
        problem = f"{START_SECONDS:.0f} s were not enough" if ready is None else exit_reason(self.exit_code)
        raise ConnectionFailed(
            f"The process that reads documents did not start ({problem}). Ask again in a moment, or free memory."
        )

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while the process runs."""
        return self._process.poll()

    @property
    def was_killed(self) -> bool:
        """True if the system, or somebody else, killed the process: that says nothing of the file."""
        return self.exit_code == KILLED and not self.overflowed

    def processor_seconds(self) -> float | None:
        """Return the processor time that it has used; None if the system does not report it."""
        return time_limit.processor_seconds(self._process.pid)

    def is_runnable(self) -> bool:
        """Return True if it runs or waits for a processor; False where the system does not report it."""
        return time_limit.is_runnable(self._process.pid)

    def send(self, job: bytes) -> None:
        """Send a job. If the process has ended, the next answer is empty."""
        self.read += 1
        with contextlib.suppress(OSError):
            stream = cast("IO[bytes]", self._process.stdin)
            stream.write(job)
            stream.flush()

    def receive(self, seconds: float) -> bytes | None:
        """Return the next answer; None if none arrives in time, empty if the process has ended."""
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Close its input, so that it exits; kill it after `EXIT_SECONDS`."""
        with contextlib.suppress(OSError):
            cast("IO[bytes]", self._process.stdin).close()
        self._listener.join(EXIT_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._listener.join()
        with contextlib.suppress(OSError):
            cast("IO[bytes]", self._process.stdin).close()

    def _listen(self) -> None:
        """Queue its answers until it ends, then an empty one."""
        stream = cast("IO[bytes]", self._process.stdout)
        with stream:
            # A library may print while it is imported, before the process redirects its output.
            line = next((line for line in stream if line.endswith(READY)), b"")
            self._answers.put(line and READY)
            try:
                while line and (body := frames.receive(stream, self._message_bytes)):
                    self._answers.put(body)
            except OverflowError:
                self.overflowed = True
        self._process.kill()
        # Reaped here, so that no zombie remains if nobody asks for the exit code.
        self._process.wait()
        self._answers.put(b"")


def _start(code: str) -> subprocess.Popen[bytes]:
    # Neither forked, which would copy locks that other threads hold, nor spawned by multiprocessing, which would run
    # the caller's script again.
    # OpenBLAS reserves memory for a thread on each core, which would count against the limit.
    variables = {"OPENBLAS_NUM_THREADS": "1", **environment("OPENBLAS_*", "OMP_*", "TESSDATA_PREFIX")}
    try:
        return confined(
            lambda: subprocess.Popen(  # noqa: S603 - our own interpreter
                [sys.executable, "-P", "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=variables,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        )
    except OSError as error:
        # Documents wait until one can be started, and no answer says why they do.
        log.error("reader.not_started", extra={"problem": error.strerror})  # noqa: TRY400 - no bug of ours
        raise ConnectionFailed(
            f"The process that reads documents cannot be started: {error.strerror}. Free memory or processes, or let "
            "this user start the interpreter."
        ) from error

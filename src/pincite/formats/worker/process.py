"""One reader process, from its owner's side."""

import contextlib
import os
import queue
import subprocess
import sys
import threading
from typing import IO, cast

from pincite.errors import ConnectionFailed
from pincite.formats.worker import frames
from pincite.formats.worker.frames import READY

START_SECONDS = 60.0
"""A machine under load may take long to start an interpreter."""

GOODBYE_SECONDS = 1.0
_CODE = "import sys; sys.path[:] = {path!r}; from pincite.formats.worker.main import main; main({idle!r}, {memory!r})"


class ReaderProcess:
    """A process that reads files; it ends with the one that started it, however that ends.

    Attributes:
        read: How many files it was given.
        overflowed: Whether it was ended because an answer was too large.
    """

    def __init__(self, idle_seconds: float, memory_bytes: int, message_bytes: int) -> None:
        """Start it.

        Args:
            idle_seconds: After so many without a job it leaves.
            memory_bytes: The most memory that it may use.
            message_bytes: The largest answer that is taken from it.

        Raises:
            ConnectionFailed: It does not start.
        """
        self.read = 0
        self.overflowed = False
        self._message_bytes = message_bytes
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._process = _start(_CODE.format(path=sys.path, idle=idle_seconds, memory=memory_bytes))
        self._listener = threading.Thread(target=self._listen, name="pincite-reader", daemon=True)
        self._listener.start()
        try:
            ready = self._answers.get(timeout=START_SECONDS)
        except queue.Empty:
            ready = b""
        if ready != READY:
            self.kill()
            raise ConnectionFailed(
                f"The process that reads documents did not start (exit code {self.exit_code}). Try again."
            )

    @property
    def exit_code(self) -> int | None:
        """How it ended: negative for a signal, None while it runs."""
        return self._process.poll()

    def send(self, job: bytes) -> None:
        """Give it a job; that it is gone shows in its answer."""
        self.read += 1
        with contextlib.suppress(OSError):
            stream = cast("IO[bytes]", self._process.stdin)
            stream.write(job)
            stream.flush()

    def receive(self, seconds: float) -> bytes | None:
        """The next answer; None if there was none in time, empty if the process has ended."""
        try:
            return self._answers.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Let it end by itself."""
        with contextlib.suppress(OSError):
            cast("IO[bytes]", self._process.stdin).close()
        self._listener.join(GOODBYE_SECONDS)
        self.kill()

    def kill(self) -> None:
        """End it now."""
        self._process.kill()
        self._listener.join()
        with contextlib.suppress(OSError):
            cast("IO[bytes]", self._process.stdin).close()

    def _listen(self) -> None:
        """Pass its answers on until it ends, then see it off."""
        stream = cast("IO[bytes]", self._process.stdout)
        with stream:
            line = next((line for line in stream if line.endswith(READY)), b"")
            self._answers.put(line and READY)
            try:
                while line and (body := frames.receive(stream, self._message_bytes)):
                    self._answers.put(body)
            except OverflowError:
                self.overflowed = True
        self._process.kill()
        self._process.wait()
        self._answers.put(b"")


def _start(code: str) -> subprocess.Popen[bytes]:
    """An interpreter of its own: no fork of a process with threads, no second run of a caller's script."""
    # A BLAS that starts a thread a core would reserve memory for each.
    environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ}
    try:
        return subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-P", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError as error:
        raise ConnectionFailed(
            f"The process that reads documents cannot be started: {error.strerror}. Free memory or processes."
        ) from error

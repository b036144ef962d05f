"""The time limit of a reader process's job, counted by the processor so that a loaded machine fails no file."""

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PROGRESS_SECONDS = 0.01
"""Processor time that shows that a process is not stuck: the unit in which Linux reports it."""

_USER_TIME, _CHILDREN_SYSTEM_TIME = 11, 14
"""Places of the first and last processor time in /proc/PID/stat behind the program's name, see proc(5)."""


def processor_seconds(process: int) -> float | None:
    """Return the processor time of a process and of its children that have ended.

    None if it has ended itself, or if the system does not report it: only Linux is read.
    """
    with suppress(ValueError):
        if fields := _stat(process):
            return sum(map(int, fields[_USER_TIME : _CHILDREN_SYSTEM_TIME + 1])) / os.sysconf("SC_CLK_TCK")
    return None


def is_runnable(process: int) -> bool:
    """Return True if a process runs or waits for a processor; False where the system does not report it."""
    return _stat(process)[:1] == [b"R"]


def _stat(process: int) -> list[bytes]:
    """Return what the system reports of a process, from its state on."""
    if sys.platform.startswith("linux"):
        with suppress(OSError):
            # The program's name is in parentheses and may itself contain some.
            return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
    return []


class TimeLimit:
    """The time limit of a job in a process.

    A process exceeds it once it took that much processor time, slept for that long, or took `wall_factor` times as
    much wall time, but never before the wall time is over. If the processor time is unknown, the wall time counts.

    Attributes:
        seconds: The time of the job.
    """

    def __init__(
        self,
        seconds: float,
        wall_factor: float = 1.0,
        processor_time: Callable[[], float | None] = lambda: None,
        waits: Callable[[], bool] = lambda: False,
        *,
        threads: int = 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start to count.

        Args:
            seconds: The time of the job, and the maximum time that the process may sleep.
            wall_factor: Maximum wall time, as a multiple of the job's time.
            processor_time: Returns the processor time of the process, in seconds; None if it is unknown.
            waits: Returns True if the process only waits for a processor, which does not count as sleep.
            threads: Threads of the job; they may take that many times as much processor time.
            clock: Returns the wall time, in seconds.
        """
        self.seconds = seconds
        self._patience = seconds
        self._wall_factor = wall_factor
        self._processor_time = processor_time
        self._waits = waits
        self._threads = threads
        self._clock = clock
        self._started = self._progressed = clock()
        self._started_at = self._progressed_at = processor_time() or 0.0

    def extend(self, seconds: float) -> None:
        """Give the job more time, since there is more to read."""
        self.seconds += seconds

    def is_exceeded(self) -> bool:
        """Return True if the process has to end. Call it often: progress is what was made since the last call."""
        now, processor_time = self._clock(), self._processor_time()
        if processor_time is not None and (processor_time - self._progressed_at >= PROGRESS_SECONDS or self._waits()):
            self._progressed, self._progressed_at = now, processor_time
        if now - self._started < self.seconds:
            return False
        return (
            processor_time is None
            or processor_time - self._started_at >= self.seconds * self._threads
            or now - self._progressed >= self._patience
            or now - self._started >= self.seconds * self._wall_factor
        )

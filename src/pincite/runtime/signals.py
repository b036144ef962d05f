"""Signals of the operating system: those that stop a process, alarms, and the one that ended another process."""

import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

INTERRUPT = signal.SIGINT
"""What Ctrl-C sends."""

STOPPING = (INTERRUPT, signal.SIGTERM)
"""What people and service managers stop a process with."""

AWAITABLE = sys.platform != "win32"
"""Whether an event loop can wait for signals."""

KILLED = -9
"""The exit code of a process that SIGKILL ended."""

AGAIN_SECONDS = 5.0
"""Interval at which an interrupt is raised again until the command ends; closing an index takes less."""


@contextmanager
def on_stop(handler: Callable[[int, FrameType | None], object]) -> Generator[None]:
    """Call a function instead of ending at a signal, in the with-block; only the main thread receives any."""
    numbers = STOPPING if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, former in before.items():
            signal.signal(number, former)


def note_interrupts() -> threading.Event:
    """Return an event that is set when the process is interrupted, even if the exception is swallowed.

    Raise a swallowed interrupt again every `AGAIN_SECONDS`; otherwise the command would run to its end.
    """
    interrupted = threading.Event()

    def note(number: int, frame: FrameType | None) -> None:
        if not interrupted.is_set() and sys.platform != "win32":
            signal.signal(signal.SIGALRM, note)
            signal.setitimer(signal.ITIMER_REAL, AGAIN_SECONDS, AGAIN_SECONDS)
        interrupted.set()
        signal.default_int_handler(number, frame)

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    return interrupted


def leave_interrupts_to_the_parent() -> None:
    """Ignore interrupts, which a terminal sends to a process's children, too, and let alarms end this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def alarm(seconds: float) -> None:
    """Send SIGALRM after this time unless called again; 0 for never. On Windows it does nothing.

    A signal of the system works even if a library holds the interpreter's lock.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


def exit_reason(exit_code: int | None) -> str:
    """Return the name of the signal that ended a process, or its exit code."""
    if exit_code is not None and exit_code < 0:
        return next((number.name for number in signal.Signals if number == -exit_code), f"signal {-exit_code}")
    return f"exit code {exit_code}"

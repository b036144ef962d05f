"""The context of a call: its id, deadline, progress and cancellation."""

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from pincite.errors import Cancelled, IndexLost, TimeoutExceeded

T = TypeVar("T")

Progress = Callable[[float, float | None, str], None]
"""`(done, total or None, message)`; called from any thread, must not block."""


def seconds_until(deadline: float) -> float:
    """Return the seconds left before a `time.monotonic()` value, within the range of a lock's timeout."""
    return min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)


def silent(done: float, total: float | None, message: str) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class Call:
    """The context of a call, an argument of every function that may take over 50 ms.

    Attributes:
        request_id: 12 hex digits, in every log line of this call.
        deadline: `time.monotonic()` value after which the work stops; None for no limit.
        progress: Receives progress.
        stop: Set when the call is cancelled.
        page: Address of the web page by which the caller can see what is cited; empty if none is served.
        caller: Who calls, where several may: an address, or the key.
        is_foreign: Whether a page of another machine calls, which may name public URLs only.
    """

    request_id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    deadline: float | None = None
    progress: Progress = silent
    stop: threading.Event = field(default_factory=threading.Event)
    page: str = ""
    caller: str = ""
    is_foreign: bool = False

    def cancelled(self) -> bool:
        """Return True if the call is cancelled."""
        return self.stop.is_set()

    def remaining(self) -> float:
        """Return the seconds left before the deadline (infinite without one)."""
        return float("inf") if self.deadline is None else self.deadline - time.monotonic()

    def check(self) -> None:
        """Raise an error if the call is cancelled or out of time.

        Raises:
            Cancelled: The call is cancelled.
            TimeoutExceeded: The deadline has passed.
        """
        if self.stop.is_set():
            raise Cancelled("The call was cancelled.")
        # Not by `remaining`: readers check at every block.
        if self.deadline is not None and self.deadline <= time.monotonic():
            raise TimeoutExceeded("The call timed out. Ask for less, or raise MCP_REQUEST_TIMEOUT.")


def retry_if_index_lost(work: Callable[[], T]) -> T:
    """Return the result of work on an index, after one retry if the index is lost: the retry reopens it."""
    try:
        return work()
    except IndexLost:
        return work()

"""One call on its way through the layers: its id, its time, its cancellation."""

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
    """The time left before a `time.monotonic()` value, as a lock takes it."""
    return min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)


def silent(done: float, total: float | None, message: str) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True, slots=True)
class Call:
    """What every function that may take over 50 ms is handed.

    Attributes:
        request_id: 12 hex digits, in every log line of this call.
        deadline: `time.monotonic()` value after which the work stops; None for no limit.
        progress: Where progress goes.
        stop: Set when the caller goes away.
    """

    request_id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])
    deadline: float | None = None
    progress: Progress = silent
    stop: threading.Event = field(default_factory=threading.Event)

    def cancelled(self) -> bool:
        """Whether the caller went away."""
        return self.stop.is_set()

    def remaining(self) -> float:
        """Seconds left before the deadline (infinite without one)."""
        return float("inf") if self.deadline is None else self.deadline - time.monotonic()

    def check(self) -> None:
        """Stop here if there is no one to answer or no time left.

        Raises:
            Cancelled: The caller went away.
            TimeoutExceeded: The deadline has passed.
        """
        if self.stop.is_set():
            raise Cancelled("The call was cancelled.")
        if self.remaining() <= 0:
            raise TimeoutExceeded("The call timed out. Ask for less, or raise MCP_REQUEST_TIMEOUT.")


def retry_if_index_lost(work: Callable[[], T]) -> T:
    """The result of work on an index; done again where the index was lost under it, which opens it anew."""
    try:
        return work()
    except IndexLost:
        return work()

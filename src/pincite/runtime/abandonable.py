"""Work that nothing interrupts, in a thread that a call leaves behind when it ends."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

from pincite.model.call import Call

T = TypeVar("T")

POLL_SECONDS = 0.05
"""Interval of looking at the call, and so the latency of a cancellation."""


def abandonable(
    work: Callable[[], T],
    call: Call,
    *,
    name: str,
    seconds: float = float("inf"),
    discard: Callable[[T], None] | None = None,
) -> T:
    """Return the result of work that blocks in the operating system or in a library.

    Args:
        work: Runs in a thread of its own, which ends by itself at the latest with the process.
        call: Leaves the work when it is cancelled or out of time.
        name: The thread's name.
        seconds: Time limit of the work.
        discard: Receives a result that comes after the call has left.

    Raises:
        TimeoutError: The time limit has passed.
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    made: Future[T] = Future()

    def run() -> None:
        try:
            made.set_result(work())
        except BaseException as error:  # noqa: BLE001 - raised in the calling thread
            made.set_exception(error)

    def drop(late: Future[T]) -> None:
        if late.exception() is None and discard is not None:
            discard(late.result())

    threading.Thread(target=run, name=name, daemon=True).start()
    end = time.monotonic() + seconds
    try:
        while not wait([made], POLL_SECONDS).done:
            call.check()
            if time.monotonic() > end:
                raise TimeoutError  # noqa: TRY301 - leaves the work as a cancellation does
    except BaseException:
        made.add_done_callback(drop)
        raise
    return made.result()

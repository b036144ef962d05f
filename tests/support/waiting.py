"""Waiting for what another thread or process does: by looking again until a deadline, never for a fixed time."""

import asyncio
import time
from collections.abc import Callable

SECONDS = 60.0
"""What anything may take on a machine that is busy with other work."""

POLL_SECONDS = 0.01


def wait_for(condition: Callable[[], object], seconds: float = SECONDS, *, every: float = POLL_SECONDS) -> bool:
    """Look until a condition holds, every few moments; return whether it did before the deadline."""
    deadline = time.monotonic() + seconds
    while not (holds := bool(condition())) and time.monotonic() < deadline:
        time.sleep(every)
    return holds


def pause(seconds: float, why: str) -> None:
    """Let time pass, on which no outcome rests: for when to kill, how slow a caller is, what must not happen in it.

    Args:
        seconds: A longer time, or a busy machine, changes no outcome.
        why: What passes meanwhile.
    """
    assert why
    time.sleep(seconds)


async def paused(seconds: float, why: str) -> None:
    """See `pause`."""
    assert why
    await asyncio.sleep(seconds)

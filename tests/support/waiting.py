"""Waiting for what another thread or process does: by looking again until a deadline, never for a fixed time."""

import time
from collections.abc import Callable

SECONDS = 60.0
"""What anything may take on a machine that is busy with other work."""

POLL_SECONDS = 0.01


def wait_for(condition: Callable[[], object], seconds: float = SECONDS) -> bool:
    """Look until a condition holds; return whether it did before the deadline."""
    deadline = time.monotonic() + seconds
    while not (holds := bool(condition())) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return holds

"""Backpressure between one client and the server: limits on open requests, running calls and unread answers.

Without it, answers that a client does not read pile up in memory, each taking several times its size.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable

MAX_UNWRITTEN_BYTES = 4_000_000
"""No call starts while the client has more unread bytes than this. The size of an answer is known only when it is
complete, so each running call may add one more: with answers of 3 MB the server stays under 300 MB."""

MAX_CALLS_WHILE_UNREAD = 1
"""Concurrent calls while any answer is unread: more would only fill the memory faster, seven times the size of an
answer each."""

MAX_UNWRITTEN_MESSAGES = 10_000
"""Unread answers to other messages than calls (pings, errors) at which the server stops reading input."""

MAX_OPEN_BYTES = 64_000_000
"""Size of unanswered requests at which the server stops reading input until some are answered."""

REQUEST_BYTES = 8_192
"""Memory of a request in addition to its line: its task and its context."""


class Flow:
    """Count requests, calls and answers, and delay calls and the reading of input.

    Args:
        calls: Maximum number of concurrent calls.
    """

    def __init__(self, calls: int) -> None:
        self._calls = self._free_calls = calls
        self._unwritten_bytes = 0
        self._unwritten_messages = 0
        self._open_bytes = 0
        self._open: dict[str | int | None, list[int]] = {}
        self._turn = asyncio.Lock()
        self._changed = asyncio.Event()
        self._resume: Callable[[], None] = lambda: None

    @contextlib.asynccontextmanager
    async def call(self) -> AsyncGenerator[None]:
        """Run a call, in order of arrival, once there is room for it and for its answer."""
        # The lock keeps the order of arrival: woken waiters would otherwise race for the free slot.
        async with self._turn:
            while not self._has_room():
                self._changed.clear()
                await self._changed.wait()
            self._free_calls -= 1
        try:
            yield
        finally:
            self._free_calls += 1
            self._changed.set()

    def _has_room(self) -> bool:
        if self._unwritten_bytes > MAX_UNWRITTEN_BYTES:
            return False
        reserved = self._calls - MAX_CALLS_WHILE_UNREAD if self._unwritten_bytes else 0
        return self._free_calls > max(0, reserved)

    @property
    def is_full(self) -> bool:
        """Return True if the server should stop reading input for now."""
        return self._open_bytes > MAX_OPEN_BYTES or self._unwritten_messages > MAX_UNWRITTEN_MESSAGES

    def on_room(self, resume: Callable[[], None]) -> None:
        """Set the callback for the moment when input may be read again."""
        self._resume = resume

    def opened(self, request: str | int, size: int) -> None:
        """Count a request of `size` bytes."""
        cost = size + REQUEST_BYTES
        self._open.setdefault(request, []).append(cost)
        self._open_bytes += cost

    def closed(self, request: str | int | None) -> None:
        """Remove a request that was answered, or never will be."""
        costs = self._open.get(request, [])
        if costs:
            self._open_bytes -= costs.pop()
            if not costs:
                del self._open[request]
            self._resume()

    def queued(self, size: int) -> None:
        """Count a message of `size` bytes that is queued for writing."""
        self._unwritten_bytes += size
        self._unwritten_messages += 1

    def written(self, size: int) -> None:
        """Remove a message that was written, or never will be."""
        self._unwritten_bytes -= size
        self._unwritten_messages -= 1
        self._changed.set()
        self._resume()

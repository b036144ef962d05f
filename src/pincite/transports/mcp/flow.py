"""Backpressure: what may be under way at a time between one client and the server.

Answers that a client does not read would otherwise pile up in memory, each several times its size.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable

MAX_UNWRITTEN_BYTES = 8_000_000
"""No call begins while more bytes of answers than this wait to be read by the client. The size of an answer is known
only when it is made, so that one for each call that runs side by side may come on top: with answers of 3 MB the server
stays under 300 MB."""

MAX_CALLS_WHILE_UNREAD = 2
"""Calls that run side by side while any answer waits to be read: more would only fill the memory faster."""

MAX_UNWRITTEN_MESSAGES = 10_000
"""Answers to what is no call (pings, errors) that may wait to be read before no more input is read."""

MAX_OPEN_BYTES = 64_000_000
"""Requests that are read but not answered, in bytes; with more, no input is read until some are answered."""

REQUEST_BYTES = 8_192
"""What a request takes beside its line: its task and its context."""


class Flow:
    """Counts requests, calls and answers, and makes calls and the reading of input wait.

    Args:
        calls: The most calls at a time.
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
        """Run a call: begins, in the order of arrival, when there is room for one and for its answer."""
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
        least = self._calls - MAX_CALLS_WHILE_UNREAD if self._unwritten_bytes else 0
        return self._free_calls > max(0, least)

    @property
    def is_full(self) -> bool:
        """Whether no more input should be read for now."""
        return self._open_bytes > MAX_OPEN_BYTES or self._unwritten_messages > MAX_UNWRITTEN_MESSAGES

    def on_room(self, resume: Callable[[], None]) -> None:
        """Have this called whenever input may be read again."""
        self._resume = resume

    def opened(self, request: str | int, size: int) -> None:
        """Count a request of so many bytes, by its id."""
        cost = size + REQUEST_BYTES
        self._open.setdefault(request, []).append(cost)
        self._open_bytes += cost

    def closed(self, request: str | int | None) -> None:
        """Take a request out that was answered, or never will be."""
        costs = self._open.get(request, [])
        if costs:
            self._open_bytes -= costs.pop()
            if not costs:
                del self._open[request]
            self._resume()

    def queued(self, size: int) -> None:
        """Count a message that waits to be written."""
        self._unwritten_bytes += size
        self._unwritten_messages += 1

    def written(self, size: int) -> None:
        """Take a message out that was written, or never will be."""
        self._unwritten_bytes -= size
        self._unwritten_messages -= 1
        self._changed.set()
        self._resume()

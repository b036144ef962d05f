"""Attempts: each has its time, stops when the call does, and is followed by another one if that may help."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from pincite.agents.claude.answers import MalformedAnswerError
from pincite.errors import AgentFailed, PinciteError, RateLimited, TimeoutExceeded
from pincite.model.call import Call

T = TypeVar("T")

POLL_SECONDS = 0.05
"""Interval at which a call checks for cancellation: below what a person notices."""


@dataclass(frozen=True, slots=True)
class Attempts:
    """How often something is tried.

    Attributes:
        seconds: Time limit of each attempt.
        retries: Attempts after the first one.
        pause: Seconds between two of them; longer if the other side asks for it.
    """

    seconds: float
    retries: int
    pause: float = 2.0

    def run(self, attempt: Callable[[float], Coroutine[Any, Any, T]], call: Call) -> T:
        """Return the result of the first attempt that has one.

        Args:
            attempt: Receives the `time.monotonic()` value at which it is cancelled.
            call: The call.

        Raises:
            Cancelled: The call was cancelled, at most `POLL_SECONDS` ago.
            TimeoutExceeded: The last attempt, or the call, took too long.
            AgentFailed: The last attempt had no answer in the agreed form.
            PinciteError: What the last attempt raised, or an error that another attempt cannot cure.
        """
        for left in reversed(range(self.retries + 1)):
            try:
                return asyncio.run(self._within_time(attempt, call))
            except MalformedAnswerError as error:
                failure: PinciteError = AgentFailed(f"The agent's answer cannot be read: {error}.")
            except PinciteError as error:
                failure = error
                if not error.recoverable:
                    raise
            call.check()
            if not left:
                raise failure
            required = failure.retry_after if isinstance(failure, RateLimited) else 0.0
            call.stop.wait(min(max(self.pause, required), self.seconds, call.remaining()))
            call.check()
        raise AssertionError

    async def _within_time(self, attempt: Callable[[float], Awaitable[T]], call: Call) -> T:
        deadline = time.monotonic() + self.seconds
        task = asyncio.ensure_future(attempt(deadline))
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=POLL_SECONDS)
                call.check()
                if not task.done() and time.monotonic() > deadline:
                    raise TimeoutExceeded(
                        f"The agent had no answer after {self.seconds:g} s. Ask for fewer fields at once, or raise "
                        "AGENT_TIMEOUT."
                    )
            return task.result()
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task

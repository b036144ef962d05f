import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from pincite.agents.claude.answers import MalformedAnswerError
from pincite.agents.claude.attempts import Attempts
from pincite.errors import AgentFailed, Cancelled, ConnectionFailed, RateLimited, TimeoutExceeded
from pincite.model.call import Call
from support.waiting import paused

QUICK = Attempts(seconds=5.0, retries=1, pause=0.0)


def failing(*errors: Exception) -> tuple[list[float], Callable[[float], Coroutine[Any, Any, str]]]:
    deadlines: list[float] = []
    left = list(errors)

    async def attempt(deadline: float) -> str:
        deadlines.append(deadline)
        if left:
            raise left.pop(0)
        return "done"

    return deadlines, attempt


@pytest.mark.parametrize(
    "error",
    [ConnectionFailed("x"), RateLimited("x", retry_after=0.01), TimeoutExceeded("x"), MalformedAnswerError("x")],
    ids=lambda error: type(error).__name__,
)
def test_what_may_pass_is_tried_again(error: Exception) -> None:
    deadlines, attempt = failing(error)
    assert QUICK.run(attempt, Call()) == "done"
    assert len(deadlines) == 2 and deadlines[0] <= deadlines[1]


def test_what_would_not_pass_is_not() -> None:
    deadlines, attempt = failing(AgentFailed("no"))
    with pytest.raises(AgentFailed, match="no"):
        QUICK.run(attempt, Call())
    assert len(deadlines) == 1


def test_the_last_failure_is_told() -> None:
    _, attempt = failing(ConnectionFailed("first"), MalformedAnswerError("second"))
    with pytest.raises(AgentFailed, match="second"):
        QUICK.run(attempt, Call())


def test_an_attempt_that_takes_too_long_is_left() -> None:
    ended = threading.Event()

    async def attempt(deadline: float) -> None:
        try:
            await paused(60 + deadline, "it never ends")
        finally:
            ended.set()

    with pytest.raises(TimeoutExceeded, match="AGENT_TIMEOUT"):
        Attempts(0.01, 0).run(attempt, Call())
    assert ended.is_set()


@pytest.mark.parametrize("when", ["running", "pausing"])
def test_a_cancelled_call_ends_it(when: str) -> None:
    call = Call()

    async def attempt(deadline: float) -> None:
        threading.Timer(0.02, call.stop.set).start()
        if when == "pausing":
            raise ConnectionFailed("x")
        await paused(60 + deadline, "it never ends")

    with pytest.raises(Cancelled):
        Attempts(60.0, 3, pause=60.0).run(attempt, call)


def test_a_calls_own_deadline_is_kept() -> None:
    async def attempt(deadline: float) -> None:
        await paused(60 + deadline, "it never ends")

    with pytest.raises(TimeoutExceeded, match="call timed out"):
        Attempts(60.0, 3).run(attempt, Call(deadline=time.monotonic() + 0.02))

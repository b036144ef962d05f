"""Tool calls of an event loop."""

import asyncio
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from pincite.errors import NotFound, RateLimited
from pincite.model.call import Call
from pincite.toolkit import Answer
from pincite.transports import calls
from pincite.transports.calls import ToolCalls
from pincite.transports.served import ServedApp
from pincite.transports.workers import Workers
from support.parlour import House


def said(answer: Answer) -> str:
    return answer.model_dump()["said"]


def test_calls_that_wait_have_a_limit_and_free_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "MAX_OPEN_CALLS", 3)

    async def run() -> list[Any]:
        workers = Workers(1)
        tools = ToolCalls(cast("ServedApp", House()), workers)
        tool = (await tools.toolbox()).find("patient")
        try:
            first = await asyncio.gather(
                *(tools.run(tool, {"steps": 5}, Call(), said) for _ in range(5)), return_exceptions=True
            )
            tools.check_room()
            return [*first, await tools.run(tool, {"steps": 1}, Call(), said)]
        finally:
            workers.close()

    *first, last = asyncio.run(run())
    assert [isinstance(result, RateLimited) for result in first] == [False, False, False, True, True]
    assert (first[0], last) == ("patient", "patient")


def test_observers_are_told_how_each_call_ended() -> None:
    seen: list[tuple[str, str]] = []

    class Seen:
        @contextmanager
        def watch(self, tool: str, request_id: str) -> Generator[Callable[[str], None]]:
            assert request_id
            codes = ["OK"]
            try:
                yield codes.append
            finally:
                seen.append((tool, codes[-1]))

    async def run() -> None:
        workers = Workers(1)
        tools = ToolCalls(cast("ServedApp", House()), workers, [Seen()])
        toolbox = await tools.toolbox()
        try:
            await tools.run(toolbox.find("say"), {"words": "a"}, Call(), said)
            with pytest.raises(NotFound):
                await tools.run(toolbox.find("fail"), {"how": "known"}, Call(), said)
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(tools.run(toolbox.find("patient"), {"steps": 1000}, Call(), said), 0.1)
        finally:
            workers.close()

    asyncio.run(run())
    assert seen == [("say", "OK"), ("fail", "NOT_FOUND"), ("patient", "CANCELLED")]

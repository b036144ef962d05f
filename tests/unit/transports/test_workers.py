"""Calls in threads: how many, which, and how they end."""

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from pincite.transports.workers import Workers
from support.waiting import pause, paused, wait_for

SECONDS = 10.0


def running(work: Callable[[Workers], Coroutine[Any, Any, Any]], most: int = 3) -> Any:
    """The result of something that is done with workers."""

    async def run() -> Any:
        workers = Workers(most)
        try:
            return await asyncio.wait_for(work(workers), SECONDS)
        finally:
            workers.close()

    return asyncio.run(run())


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "pincite-call"]


def gone() -> bool:
    """Whether the threads end."""
    return wait_for(lambda: not ours())


def test_no_thread_starts_before_there_is_work() -> None:
    async def idle(_: Workers) -> int:
        return len(ours())

    assert running(idle) == 0


def test_one_call_after_another_runs_in_the_same_thread() -> None:
    async def one_by_one(workers: Workers) -> list[threading.Thread]:
        return [await workers.run(threading.current_thread) for _ in range(20)]

    (thread,) = set(running(one_by_one))
    assert thread.daemon


def test_many_calls_at_once_are_all_answered_by_no_more_threads_than_there_are_places() -> None:
    async def at_once(workers: Workers) -> list[tuple[int, threading.Thread]]:
        def work(number: int) -> tuple[int, threading.Thread]:
            pause(0.005, "the others wait")
            return number, threading.current_thread()

        return await asyncio.gather(*(workers.run(lambda n=n: work(n)) for n in range(40)))

    results = running(at_once)
    assert [number for number, _ in results] == list(range(40))
    assert len({thread for _, thread in results}) == 3


def test_a_failure_is_raised_where_the_work_is_awaited_and_its_thread_goes_on() -> None:
    async def failing(workers: Workers) -> list[threading.Thread]:
        before = await workers.run(threading.current_thread)
        with pytest.raises(ZeroDivisionError):
            await workers.run(lambda: 1 // 0)
        with pytest.raises(SystemExit):
            await workers.run(lambda: exec("raise SystemExit"))  # noqa: S102 - an expression that raises it
        return [before, await workers.run(threading.current_thread)]

    before, after = running(failing)
    assert before is after


def test_work_that_was_given_up_keeps_its_place_until_it_ends() -> None:
    async def given_up(workers: Workers) -> bool:
        ended = threading.Event()
        release = threading.Event()

        def work() -> None:
            release.wait(SECONDS)
            ended.set()

        with pytest.raises(TimeoutError):
            await asyncio.wait_for(workers.run(work), 0.05)
        following = asyncio.create_task(workers.run(ended.is_set))
        await paused(0.05, "it would be run")
        assert not following.done()
        release.set()
        return await following

    assert running(given_up, most=1)


def test_a_call_that_was_given_up_while_it_waits_for_a_place_takes_none() -> None:
    async def given_up(workers: Workers) -> int:
        release = threading.Event()
        first = asyncio.create_task(workers.run(lambda: release.wait(SECONDS)))
        await asyncio.sleep(0)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(workers.run(lambda: 1), 0.05)
        release.set()
        await first
        return await workers.run(lambda: 2)

    assert running(given_up, most=1) == 2


def test_what_work_held_is_let_go_when_it_has_ended() -> None:
    class Held:
        pass

    async def let_go(workers: Workers) -> bool:
        held = Held()
        seen = weakref.ref(held)
        assert await workers.run(lambda held=held: isinstance(held, Held))
        del held
        return await asyncio.to_thread(wait_for, lambda: gc.collect() >= 0 and seen() is None)

    assert running(let_go)


def test_idle_threads_end_at_the_close() -> None:
    async def used(workers: Workers) -> int:
        together = threading.Barrier(3)
        await asyncio.gather(*(workers.run(lambda: together.wait(SECONDS)) for _ in range(3)))
        return len(ours())

    assert running(used) == 3
    assert not ours()


def test_a_thread_that_is_busy_at_the_close_is_not_waited_for_and_ends_after_its_work() -> None:
    release = threading.Event()

    async def busy(workers: Workers) -> None:
        await workers.run(lambda: None)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(workers.run(lambda: release.wait(SECONDS)), 0.05)

    running(busy)
    assert ours()
    release.set()
    assert gone()


def test_after_the_close_work_is_run_by_other_threads() -> None:
    async def again(workers: Workers) -> list[threading.Thread]:
        release = threading.Event()
        before = await workers.run(threading.current_thread)
        busy = asyncio.create_task(workers.run(lambda: release.wait(SECONDS)))
        await asyncio.sleep(0)
        workers.close()
        release.set()
        await busy
        return [before, *[await workers.run(threading.current_thread) for _ in range(3)]]

    before, *after = running(again)
    assert before not in after and len(set(after)) == 1
    assert gone()


def test_short_work_does_not_wait_for_long_work() -> None:
    async def beside(workers: Workers) -> str:
        release = threading.Event()
        long = [asyncio.create_task(workers.run(lambda: release.wait(SECONDS))) for _ in range(5)]
        await asyncio.sleep(0)
        try:
            return await workers.run(lambda: "short", is_quick=True)
        finally:
            release.set()
            assert all(await asyncio.gather(*long))

    assert running(beside) == "short"


def test_downloads_have_threads_of_their_own_few_for_each_caller() -> None:
    async def work(workers: Workers) -> list[str]:
        released, begun = threading.Event(), list[str]()

        def body(name: str) -> None:
            begun.append(name)
            released.wait(SECONDS)

        def download(caller: object, name: str) -> asyncio.Task[None]:
            return asyncio.create_task(workers.run(lambda: body(name), downloader=caller))

        async def until(number: int) -> None:
            assert await asyncio.to_thread(wait_for, lambda: len(begun) >= number, SECONDS)

        waiting = [download("a", f"a{number}") for number in range(4)]
        await until(2)
        waiting.append(download(("a", "foreign page"), "page"))
        await until(3)
        cancelled = download("b", "cancelled while it waited")
        await asyncio.sleep(0)
        cancelled.cancel()
        await workers.run(lambda: begun.append("search"))
        before = sorted(begun)
        released.set()
        await asyncio.gather(*waiting)
        await workers.run(lambda: None, downloader="b")
        return before

    async def run() -> list[str]:
        workers = Workers(1, downloads=3, downloads_per_caller=2)
        try:
            return await asyncio.wait_for(work(workers), SECONDS)
        finally:
            workers.close()

    assert asyncio.run(run()) == ["a0", "a1", "page", "search"]

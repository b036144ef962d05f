"""Calls on their way from an event loop into threads: how many at a time, and how their progress comes back."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from functools import partial
from typing import TypeVar

import anyio

from pincite.model.call import Progress

PROGRESS_SECONDS = 0.1
"""Least time between two progress notifications of one call."""

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Tells the client `(done, total, message)`."""

T = TypeVar("T")


class Workers:
    """Runs work in threads, so many at a time. Work that was given up keeps its place until it ends.

    The threads are daemons: work that cannot be stopped does not keep the process. They start when they are
    needed, and are used again.
    """

    def __init__(self, most: int) -> None:
        """Make room for `most` pieces of work at a time."""
        self._places = asyncio.Semaphore(most)
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = 0

    async def run(self, work: Callable[[], T]) -> T:
        """The result of the work; its exception is raised here. Being cancelled does not stop it."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        await self._places.acquire()

        def settle(report: Callable[[], None]) -> None:
            if self._work is queued:
                self._idle += 1
            self._places.release()
            if not future.done():
                report()

        def body() -> None:
            try:
                report = partial(future.set_result, work())
            except BaseException as error:  # noqa: BLE001 - it is raised again where the work is awaited
                report = partial(future.set_exception, error)
            with contextlib.suppress(RuntimeError):  # the loop has ended, nobody waits
                loop.call_soon_threadsafe(settle, report)

        queued = self._work
        if self._idle:
            self._idle -= 1
        else:
            thread = threading.Thread(target=_serve, args=(queued,), name="pincite-call", daemon=True)
            thread.start()
            self._threads.append(thread)
        queued.put(body)
        return await future

    def close(self) -> None:
        """End the threads: those that are idle now, the others after their work. Work that comes later has others."""
        threads, idle = self._threads, self._idle
        for _ in threads:
            self._work.put(None)
        self._work, self._threads, self._idle = queue.SimpleQueue(), [], 0
        if idle == len(threads):
            for thread in threads:
                thread.join()


def _serve(work: "queue.SimpleQueue[Callable[[], None] | None]") -> None:
    while (piece := work.get()) is not None:
        piece()
        del piece  # what it holds must not wait for the next one


@contextlib.asynccontextmanager
async def relayed(report: Report) -> AsyncGenerator[Progress]:
    """Gives what threads report their progress by; it goes to the client while the block runs."""
    relay = _Relay()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(relay.run, report)
        yield relay
        tasks.cancel_scope.cancel()


class _Relay:
    """Progress from threads to a client: the latest of it, always rising, not too often."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reported = asyncio.Event()
        self._latest: tuple[float, float | None, str] = (0.0, None, "")

    def __call__(self, done: float, total: float | None, message: str) -> None:
        self._latest = (done, total, message)
        with contextlib.suppress(RuntimeError):  # the loop has ended, nobody listens
            self._loop.call_soon_threadsafe(self._reported.set)

    async def run(self, report: Report) -> None:
        base = last = 0.0
        shown = -1.0
        while True:
            await self._reported.wait()
            self._reported.clear()
            done, total, message = self._latest
            if done < last:
                base = shown  # the next stage of the work counts from its own beginning
            last = done
            if base + done > shown:
                shown = base + done
                await report(shown, None if total is None else base + total, message or None)
                await anyio.sleep(PROGRESS_SECONDS)

"""Threads that run calls for an event loop, and the relay of their progress to it."""

import asyncio
import contextlib
import queue
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

import anyio

from pincite.model.call import Progress
from pincite.settings import Settings

PROGRESS_SECONDS = 0.1
"""Minimum interval between two progress notifications of one call."""

QUICK_CALLS = 2
"""Threads for calls that take milliseconds, so that they never wait for those that read documents for minutes."""

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Send `(done, total, message)` to the client."""

T = TypeVar("T")


class Workers:
    """Run work in a limited number of threads. Work whose caller was cancelled keeps its thread until it ends.

    The threads are daemons, so that work that cannot be stopped does not keep the process alive. They start on demand
    and are reused.
    """

    def __init__(self, limit: int, downloads: int = 1, downloads_per_caller: int = 1) -> None:
        """Run at most `limit` pieces of work at a time, besides `downloads` that wait for others and `QUICK_CALLS`.

        Args:
            limit: Maximum of work that is neither.
            downloads: Maximum of work that downloads.
            downloads_per_caller: Maximum of it for one caller.
        """
        self._slots = asyncio.Semaphore(limit)
        self._quick_slots = asyncio.Semaphore(QUICK_CALLS)
        self._download_slots = asyncio.Semaphore(downloads)
        self._per_caller = downloads_per_caller
        self._callers: WeakValueDictionary[object, asyncio.Semaphore] = WeakValueDictionary()
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._idle = 0

    async def run(self, work: Callable[[], T], *, is_quick: bool = False, downloader: object = None) -> T:
        """Run the work in a thread and return its result or raise its exception. Cancelling does not stop the work.

        Args:
            work: The work.
            is_quick: Whether it takes milliseconds: then it has threads of its own.
            downloader: For whom it downloads, which may take minutes: then it has threads of its own. None if it does
                not.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        with contextlib.ExitStack() as acquired:
            for slots in self._slots_of(downloader, is_quick=is_quick):
                await slots.acquire()
                acquired.callback(slots.release)
            # Released in `finish`, not here: work that was cancelled still occupies its thread.
            held = acquired.pop_all()

        def finish(report: Callable[[], None]) -> None:
            if self._work is queued:
                self._idle += 1
            held.close()
            if not future.done():
                report()

        def body() -> None:
            try:
                report = partial(future.set_result, work())
            except BaseException as error:  # noqa: BLE001 - it is raised again where the work is awaited
                report = partial(future.set_exception, error)
            with contextlib.suppress(RuntimeError):  # the loop is closed, nobody waits
                loop.call_soon_threadsafe(finish, report)

        queued = self._work  # `close` replaces the queue; a thread of the old one is not idle for the new one
        if self._idle:
            self._idle -= 1
        else:
            thread = threading.Thread(target=_serve, args=(queued,), name="pincite-call", daemon=True)
            thread.start()
            self._threads.append(thread)
        queued.put(body)
        return await future

    def _slots_of(self, downloader: object, *, is_quick: bool) -> Sequence[asyncio.Semaphore]:
        """Return what a piece of work needs one of each of, the caller's own first."""
        if downloader is None:
            return [self._quick_slots if is_quick else self._slots]
        own = self._callers.setdefault(downloader, asyncio.Semaphore(self._per_caller))  # gone with its last work
        return [own, self._download_slots]

    def close(self) -> None:
        """End the threads: idle ones now, the others after their work. Later work starts new threads."""
        threads, idle = self._threads, self._idle
        for _ in threads:
            self._work.put(None)
        self._work, self._threads, self._idle = queue.SimpleQueue(), [], 0
        if idle == len(threads):
            for thread in threads:
                thread.join()


def build_workers(settings: Settings) -> Workers:
    """Return the workers of a server."""
    downloads = settings.downloads
    return Workers(settings.limits.concurrent_calls, downloads.concurrent, downloads.per_caller)


def _serve(work: "queue.SimpleQueue[Callable[[], None] | None]") -> None:
    while (piece := work.get()) is not None:
        piece()
        del piece  # free what it refers to before the next piece arrives


@contextlib.asynccontextmanager
async def relayed(report: Report) -> AsyncGenerator[Progress]:
    """Return a progress callback for threads; it reports to the client while the block runs."""
    relay = _Relay()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(relay.run, report)
        yield relay
        tasks.cancel_scope.cancel()


class _Relay:
    """Forward progress from threads to a client: only the latest, always rising, at most every `PROGRESS_SECONDS`."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reported = asyncio.Event()
        self._latest: tuple[float, float | None, str] = (0.0, None, "")

    def __call__(self, done: float, total: float | None, message: str) -> None:
        self._latest = (done, total, message)
        with contextlib.suppress(RuntimeError):  # the loop is closed, nobody listens
            self._loop.call_soon_threadsafe(self._reported.set)

    async def run(self, report: Report) -> None:
        base = last = 0.0
        shown = -1.0
        while True:
            await self._reported.wait()
            self._reported.clear()
            done, total, message = self._latest
            if done < last:
                base = shown  # the next stage of the work counts from 0 again, but MCP progress must rise
            last = done
            if base + done > shown:
                shown = base + done
                await report(shown, None if total is None else base + total, message or None)
                await anyio.sleep(PROGRESS_SECONDS)

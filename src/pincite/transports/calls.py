"""Tool calls of an event loop: in worker threads, under their time limit, with every failure as a `PinciteError`."""

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Protocol, TypeVar, cast

import anyio

from pincite.errors import Cancelled, InternalError, PinciteError, RateLimited, TimeoutExceeded, code_of
from pincite.model.call import Call
from pincite.registry import OBSERVERS, find, load
from pincite.services.extraction.capabilities import Capability
from pincite.toolkit import Answer, Tool, Toolbox
from pincite.transports.served import ServedApp
from pincite.transports.workers import Workers

log = logging.getLogger("pincite.tools")

T = TypeVar("T")

GRACE_SECONDS = 0.5
"""Time after its limit in which a call may report the timeout itself; then the server answers and abandons it."""


MAX_OPEN_CALLS = 256
"""Calls that run or wait for a thread; a further one is refused. A client over SSE, which need not wait for answers,
would else fill the memory."""


MAX_NARROWED = 64
"""Toolboxes of capabilities that are kept: more tasks than a server works on at a time."""


class Observer(Protocol):
    """Watches tool calls: counts them, or makes them spans."""

    def watch(self, tool: str, request_id: str) -> AbstractContextManager[Callable[[str], None]]:
        """Watch a call until the context ends; it yields what takes the code of the call's error."""
        ...


def spans(app: ServedApp) -> list[Observer]:
    """Return what makes the calls spans, if the settings ask for it.

    Raises:
        Unsupported: Its extra is not installed.
    """
    return [cast("Observer", load(find(OBSERVERS, "tracing"))())] if app.settings.logging.tracing else []


class ToolCalls:
    """The tools of an application, called from an event loop.

    Args:
        app: The application. Its tools are created at the first use.
        workers: The threads that run the calls.
        observers: What watches the calls.
    """

    def __init__(self, app: ServedApp, workers: Workers, observers: Sequence[Observer] = ()) -> None:
        self._app = app
        self._workers = workers
        self._observers = observers
        self._lock = asyncio.Lock()
        self._cached_toolbox: Toolbox | None = None
        self._cached_tools: Sequence[Tool] | None = None
        self._narrowed: OrderedDict[Capability, Toolbox] = OrderedDict()
        self._open = 0

    def check_room(self) -> None:
        """Check that a further call may wait.

        Raises:
            RateLimited: Too many do.
        """
        if self._open >= MAX_OPEN_CALLS:
            raise RateLimited(f"The server is busy: {MAX_OPEN_CALLS} calls are open")

    async def toolbox(self) -> Toolbox:
        """Return the toolbox, created in a worker thread: the imports of the tools would block the event loop."""
        if self._cached_toolbox is None:
            async with self._lock:
                if self._cached_toolbox is None:
                    self._cached_toolbox = await self._workers.run(lambda: self._app.toolbox)
        return self._cached_toolbox

    async def narrowed(self, capability: Capability | None) -> Toolbox:
        """Return the tools of a capability, which see what it opens; all tools without one.

        Raises:
            NotFound: There is no tool of a name.
        """
        toolbox = await self.toolbox()
        if capability is None:
            return toolbox
        if capability not in self._narrowed:
            self._narrowed[capability] = await self._workers.run(
                lambda: toolbox.only(capability.tools, capability.scope)
            )
        self._narrowed.move_to_end(capability)
        while len(self._narrowed) > MAX_NARROWED:
            self._narrowed.popitem(last=False)
        return self._narrowed[capability]

    async def tools(self) -> Sequence[Tool]:
        """Return every tool; the toolsets are imported in a worker thread."""
        if self._cached_tools is None:
            toolbox = await self.toolbox()
            self._cached_tools = await self._workers.run(lambda: toolbox.tools)
        return self._cached_tools

    async def run(
        self,
        tool: Tool,
        arguments: Mapping[str, Any] | None,
        call: Call,
        encode: Callable[[Answer], T],
        capability: Capability | None = None,
    ) -> T:
        """Return a tool's answer in the form of a protocol.

        Args:
            tool: The tool.
            arguments: As the client sent them.
            call: Its context; stopped when this ends, however it ends.
            encode: Makes the form, in the worker thread.
            capability: What the caller may use; None for everything.

        Raises:
            PinciteError: The call failed; nothing else is raised but cancellation.
        """
        with ExitStack() as watching:
            report = [watching.enter_context(each.watch(tool.name, call.request_id)) for each in self._observers]
            try:
                return await self._run(tool, arguments, call, encode, capability)
            except BaseException as error:
                for failed in report:
                    failed(code_of(error if isinstance(error, Exception) else Cancelled("")))
                raise

    async def _run(
        self,
        tool: Tool,
        arguments: Mapping[str, Any] | None,
        call: Call,
        encode: Callable[[Answer], T],
        capability: Capability | None,
    ) -> T:
        self.check_room()
        toolbox = await self.narrowed(capability)
        limit = toolbox.limit(tool)
        start = time.monotonic()
        self._open += 1
        try:
            # `Toolbox.call` enforces the limit itself; this catches a tool that does not check its deadline.
            with anyio.fail_after(limit + GRACE_SECONDS):
                return await self._workers.run(
                    lambda: encode(toolbox.call(tool.name, arguments, call)),
                    is_quick=tool.is_quick,
                    downloader=(call.caller, call.is_foreign) if tool.open_world else None,
                )
        except PinciteError:
            raise
        except TimeoutError:
            elapsed = round(time.monotonic() - start, 4)
            log.warning("tool.abandoned", extra={"tool": tool.name, "rid": call.request_id, "elapsed": elapsed})
            raise TimeoutExceeded(
                f"{tool.name} did not finish within {limit:g} seconds. Ask for less, or ask again later."
            ) from None
        except Exception as error:  # an answer that cannot be encoded; `Toolbox.call` handles all other errors
            log.exception("tool.unhandled_error", extra={"tool": tool.name, "rid": call.request_id})
            raise InternalError(
                f"{tool.name} failed. The server's log says why, under request id {call.request_id}."
            ) from error
        finally:
            self._open -= 1
            call.stop.set()  # an abandoned or cancelled call stops at its next checkpoint

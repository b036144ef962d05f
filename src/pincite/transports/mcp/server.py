"""The MCP server, over standard input and output. It speaks both generations of the protocol."""

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Any, NoReturn, Protocol

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json

from pincite import __version__
from pincite.errors import InternalError, NotFound, PinciteError, TimeoutExceeded
from pincite.model.call import Call
from pincite.services.resources import Resources
from pincite.settings import Settings
from pincite.text.excerpt import well_formed
from pincite.toolkit import Answer, Tool, Toolbox
from pincite.transports import problems
from pincite.transports.mcp.flow import Flow
from pincite.transports.mcp.resources import ResourceHandlers
from pincite.transports.mcp.stdio import streams
from pincite.transports.workers import Workers, relayed

log = logging.getLogger("pincite.mcp")

INSTRUCTIONS = (
    "pincite serves a folder of documents that is indexed and always current: search_docs finds passages by keyword "
    "and by meaning, get_section and get_page read on, list_pages browses. Every passage carries a `ref` to cite it "
    "by, and every answer's `index` field says whether it may miss a change."
)

LIST_FRESH_MS = 3_600_000
"""One hour: how long a client may cache the tool list, which never changes while a server runs."""

LARGE_ANSWERS = frozenset({"tools/call", "resources/read", "resources/list"})
"""Methods under backpressure; every other answer has a few kilobytes and is sent at once."""

CHANGES = NotificationOptions(resources_changed=True)

GRACE_SECONDS = 0.5
"""Time after its limit in which a call may report the timeout itself; then the server answers and abandons it."""

BEGIN_SECONDS = 0.05
"""Delay of indexing after the first result, so that the answer is sent before indexing takes the processor."""

CLOSE_SECONDS = 1.0
"""Timeout for stopping the background work. The index survives a kill, so nothing is lost after it."""


class ServedApp(Protocol):
    """The interface of the application that the server uses."""

    @property
    def settings(self) -> Settings:
        """Every setting."""
        ...

    @property
    def toolbox(self) -> Toolbox:
        """The tools; created at the first use."""
        ...

    @property
    def resources(self) -> Resources:
        """The documents as resources."""
        ...

    def begin(self) -> None:
        """Start indexing in the background."""
        ...

    def close(self) -> None:
        """Stop all background work."""
        ...


def build(app: ServedApp, flow: Flow | None = None, *, answered: Callable[[], None] = lambda: None) -> Server[Any]:
    """Return an MCP server of the application's tools and resources, for any MCP transport.

    Args:
        app: The application. Its tools are created at the first request for them.
        flow: The backpressure of the connection; None for none.
        answered: Called when a request has its result, before that is sent.
    """
    handlers = McpHandlers(app, flow, answered)
    server: Server[Any] = Server(
        "pincite",
        version=__version__,
        title="pincite",
        instructions=INSTRUCTIONS,
        lifespan=handlers.open,
        cache_hints={
            "tools/list": CacheHint(LIST_FRESH_MS, "public"),
            "server/discover": CacheHint(LIST_FRESH_MS, "public"),
        },
        on_list_tools=handlers.list_tools,
        on_list_resources=handlers.resources.list_resources,
        on_list_resource_templates=handlers.resources.list_templates,
        on_read_resource=handlers.resources.read_resource,
        on_subscribe_resource=handlers.resources.subscribe,
        on_unsubscribe_resource=handlers.resources.unsubscribe,
        on_subscriptions_listen=handlers.resources.listen,
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, handlers.call_tool)
    if "opentelemetry.sdk" not in sys.modules:
        server.middleware.clear()  # spans that go nowhere cost a tenth of a millisecond a call
    server.middleware.append(handlers.guard)
    return server


def serve_stdio(app: ServedApp) -> None:
    """Serve over standard input and output until the input ends or the process receives SIGTERM or SIGINT.

    Exit the process with code 0 if a thread cannot be stopped (a model load, a blocked read); return otherwise.
    """
    try:
        asyncio.run(_serve(app))
    except KeyboardInterrupt:  # on Windows, where asyncio cannot receive signals as events
        log.debug("server.interrupted")
    _close(app)
    # A thread that is still loading a model would keep the process alive after its client has gone.
    if threading.active_count() > 1:
        _exit_now()


async def _serve(app: ServedApp) -> None:
    begin = _Once(partial(_start_indexing, app))
    flow = Flow(app.settings.limits.concurrent_calls)
    server = build(app, flow, answered=begin)
    try:
        async with streams(flow) as (incoming, outgoing), anyio.create_task_group() as tasks:
            tasks.start_soon(_exit_on_signal, app)
            # What a library prints must not reach the wire later, when standard output is given back.
            with contextlib.redirect_stdout(sys.stderr):
                await server.run(incoming, outgoing, server.create_initialization_options(CHANGES))
            tasks.cancel_scope.cancel()
    except* BrokenPipeError:
        log.info("client.gone")
    finally:
        begin.cancel()


async def _exit_on_signal(app: ServedApp) -> None:
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for received in signals:
            log.info("server.stopping", extra={"signal": received.name})
            # A read of standard input in a thread cannot be cancelled, so there is no unwinding from here.
            _close(app)
            _exit_now()


def _close(app: ServedApp) -> None:
    """Stop the background work, for `CLOSE_SECONDS` at most."""
    closing = threading.Thread(target=app.close, name="pincite-close", daemon=True)
    closing.start()
    closing.join(CLOSE_SECONDS)


def _exit_now() -> NoReturn:
    """Exit at once: an interpreter that shuts down aborts if a thread is still in native code."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(0)


def _start_indexing(app: ServedApp) -> None:
    try:
        app.begin()
    except PinciteError as error:
        log.warning("indexing.not_begun", extra={"problem": error.message})
    except Exception:  # last resort of a thread: the next call meets the same error and reports it
        log.exception("indexing.not_begun")


class _Once:
    """Run `work` once, in a thread of its own, `BEGIN_SECONDS` after the first call."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._timer: asyncio.TimerHandle | None = None

    def __call__(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(BEGIN_SECONDS, self._start)

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _start(self) -> None:
        threading.Thread(target=self._work, name="pincite-begin", daemon=True).start()


class McpHandlers:
    """The request handlers for tools."""

    def __init__(self, app: ServedApp, flow: Flow | None, answered: Callable[[], None]) -> None:
        self._app = app
        self._flow = flow
        self._answered = answered
        self._workers = Workers(app.settings.limits.concurrent_calls)
        self.resources = ResourceHandlers(lambda: app.resources, self._workers.run)
        self._toolbox_lock = anyio.Lock()
        self._cached_toolbox: Toolbox | None = None

    @contextlib.asynccontextmanager
    async def open(self, _: Server[Any]) -> AsyncGenerator[None]:
        """Close the worker threads when the server ends."""
        try:
            yield
        finally:
            self._workers.close()

    async def guard(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Wrap every request: apply backpressure, and hide the text of unexpected errors, which may name paths."""
        try:
            if self._flow is None or ctx.method not in LARGE_ANSWERS:
                result = await call_next(ctx)
            else:
                async with self._flow.call():
                    result = await call_next(ctx)
        except (MCPError, ValidationError):
            raise
        except Exception as error:
            call = Call()
            log.exception("request.unhandled_error", extra={"rid": call.request_id, "method": ctx.method})
            message = f"Internal error. The server's log says why, under request id {call.request_id}."
            raise MCPError(code=types.INTERNAL_ERROR, message=message) from error
        if ctx.request_id is not None:
            self._answered()
        return result

    async def list_tools(
        self, _: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Handle `tools/list`: return every tool on one page."""
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="Unknown cursor: the tools are listed on one page.")
        toolbox = await self._toolbox()
        return types.ListToolsResult(tools=[_description_of(tool) for tool in toolbox.tools])

    async def call_tool(
        self, ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> HandlerResult:
        """Handle `tools/call`: return the answer, or the error as a result that a model can read."""
        toolbox = await self._toolbox()
        try:
            tool = toolbox.find(params.name)
        except NotFound as error:
            raise MCPError(code=types.INVALID_PARAMS, message=problems.text(error)) from None
        # Without a token nobody receives progress, and the relay would cost a task group per call.
        if "progress_token" not in (ctx.meta or {}):
            return await self._answer(toolbox, tool, params.arguments, Call())
        async with relayed(ctx.session.report_progress) as progress:
            return await self._answer(toolbox, tool, params.arguments, Call(progress=progress))

    async def _answer(
        self, toolbox: Toolbox, tool: Tool, arguments: dict[str, Any] | None, call: Call
    ) -> HandlerResult:
        limit = toolbox.limit(tool)
        start = time.monotonic()
        try:
            # `Toolbox.call` enforces the limit itself; this catches a tool that does not check its deadline.
            with anyio.fail_after(limit + GRACE_SECONDS):
                return await self._workers.run(lambda: _serialised(toolbox.call(tool.name, arguments, call)))
        except PinciteError as error:
            return _error_result(error, tool)
        except TimeoutError:
            elapsed = round(time.monotonic() - start, 4)
            log.warning("tool.abandoned", extra={"tool": tool.name, "rid": call.request_id, "elapsed": elapsed})
            return _error_result(
                TimeoutExceeded(
                    f"{tool.name} did not finish within {limit:g} seconds. Ask for less, or ask again later."
                ),
                tool,
            )
        except Exception:  # an answer that cannot be serialised; `Toolbox.call` handles all other errors
            log.exception("tool.unhandled_error", extra={"tool": tool.name, "rid": call.request_id})
            return _error_result(
                InternalError(f"{tool.name} failed. The server's log says why, under request id {call.request_id}."),
                tool,
            )
        finally:
            call.stop.set()  # an abandoned or cancelled call stops at its next checkpoint

    async def _toolbox(self) -> Toolbox:
        # Created in a worker thread: the imports of the tools would block the event loop.
        async with self._toolbox_lock:
            if self._cached_toolbox is None:
                self._cached_toolbox = await self._workers.run(lambda: self._app.toolbox)
            return self._cached_toolbox


def _description_of(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=dict(tool.output_schema),
        annotations=types.ToolAnnotations(
            read_only_hint=tool.read_only,
            destructive_hint=not tool.read_only,
            idempotent_hint=tool.read_only,
            open_world_hint=tool.open_world,
        ),
        _meta=None if tool.result_chars is None else {"anthropic/maxResultSizeChars": tool.result_chars},
    )


def _serialised(answer: Answer) -> dict[str, Any]:
    """Return the answer as structured content and, for clients that do not read that, as the same JSON in text.

    Return a plain mapping: a `CallToolResult` would be validated and walked only to become the same mapping.
    """
    structured = answer.model_dump(mode="json")
    try:
        text = to_json(structured).decode()
    except PydanticSerializationError:
        structured = well_formed(structured)
        text = to_json(structured).decode()
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": structured,
        "isError": False,
        "resultType": "complete",
    }


def _error_result(error: PinciteError, tool: Tool) -> types.CallToolResult:
    message = problems.in_form(error, tool.error_form)
    return types.CallToolResult(content=[types.TextContent(text=message)], is_error=True)

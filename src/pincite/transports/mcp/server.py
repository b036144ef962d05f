"""The MCP server, over standard input and output. It speaks both generations of the protocol."""

import asyncio
import contextlib
import logging
import sys
import threading
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, to_json

from pincite.errors import NotFound, PinciteError
from pincite.model.call import Call, Progress, silent
from pincite.registry import TOOLSETS
from pincite.runtime.signals import AWAITABLE, INTERRUPT, STOPPING
from pincite.services.extraction.capabilities import Capability
from pincite.text.excerpt import well_formed
from pincite.toolkit import Answer, Tool
from pincite.transports import problems, served
from pincite.transports.calls import ToolCalls, spans
from pincite.transports.mcp import prompts
from pincite.transports.mcp.flow import Flow
from pincite.transports.mcp.resources import ResourceHandlers
from pincite.transports.mcp.stdio import streams
from pincite.transports.served import Ready, ServedApp, unannounced
from pincite.transports.workers import Workers, build_workers, relayed
from pincite.version import __version__

log = logging.getLogger("pincite.mcp")

INTRODUCTION = "pincite reads documents."
"""For a caller that sees one document of a task alone; others are told what is served."""

READING = (
    "Every passage carries a `ref` to cite it by, and the `index` field of an answer says whether it may miss a change."
)

LIST_FRESH_MS = 3_600_000
"""One hour: how long a client may cache the tool list, which never changes while a server runs."""

LARGE_ANSWERS = frozenset({"tools/call", "resources/read", "resources/list"})
"""Methods under backpressure; every other answer has a few kilobytes and is sent at once."""

CHANGES = NotificationOptions(resources_changed=True)

BEGIN_SECONDS = 0.05
"""Delay of indexing after the first result, so that the answer is sent before indexing takes the processor."""

Accept = Callable[[ServerRequestContext[Any, Any]], Call]
"""Return the context of a tool call, or raise a `PinciteError` if it may not run now."""


Agreed = Callable[[ServerRequestContext[Any, Any], str], None]
"""Note the protocol version of a handshake."""


CapabilityOf = Callable[[ServerRequestContext[Any, Any]], Capability | None]

FOR_TOOLS = frozenset(
    {
        "initialize",
        "notifications/initialized",
        "notifications/cancelled",
        "server/discover",
        "ping",
        "tools/list",
        "tools/call",
    }
)
"""Methods that a caller with a capability needs; the others read what it does not open."""


def instructions(toolsets: Collection[str], introduction: str) -> str:
    """Return what a model reads of a server of these toolsets: nothing is named that is not served."""
    return " ".join([introduction, *(row.guide for row in TOOLSETS if row.name in toolsets), READING])


def build(app: ServedApp) -> Server[Any]:
    """Return an MCP server of an application, for one connection (in memory, for example)."""
    workers = build_workers(app.settings)
    return build_server(McpHandlers(app, ToolCalls(app, workers), workers))


def build_server(handlers: "McpHandlers") -> Server[Any]:
    """Return an MCP server with these handlers, for any number of connections."""
    server = _Notifying(
        "pincite",
        version=__version__,
        title="pincite",
        instructions=INTRODUCTION,
        cache_hints={
            "tools/list": CacheHint(LIST_FRESH_MS, "public"),
            "server/discover": CacheHint(LIST_FRESH_MS, "public"),
        },
        on_list_tools=handlers.list_tools,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
        on_list_resources=handlers.resources.list_resources,
        on_list_resource_templates=handlers.resources.list_templates,
        on_read_resource=handlers.resources.read_resource,
        on_subscribe_resource=handlers.resources.subscribe,
        on_unsubscribe_resource=handlers.resources.unsubscribe,
        on_subscriptions_listen=handlers.resources.listen,
        get_tool_input_schema=lambda _: None,  # no schema of ours names a header that would have to be checked
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, handlers.call_tool)
    if "opentelemetry.sdk" not in sys.modules:
        server.middleware.clear()  # spans that go nowhere cost a tenth of a millisecond a call
    server.middleware.append(handlers.guard)
    return server


def serve_stdio(app: ServedApp, ready: Ready = unannounced, interrupted: int = 0) -> None:
    """Serve over standard input and output until the input ends or the process receives SIGTERM or SIGINT.

    End the process with `interrupted` after SIGINT, or at once if a thread cannot be stopped; return otherwise.
    """
    ready("")
    code = 0
    try:
        asyncio.run(_serve(app, interrupted))
    except KeyboardInterrupt:  # on Windows, where asyncio cannot receive signals as events
        code = interrupted
    served.close(app)
    served.end(code)


async def _serve(app: ServedApp, interrupted: int) -> None:
    begin = _Once(partial(served.begin, app))
    flow = Flow(app.settings.limits.concurrent_calls + app.settings.downloads.per_caller)
    workers = build_workers(app.settings)
    calls = ToolCalls(app, workers, spans(app))
    server = build_server(McpHandlers(app, calls, workers, flow=flow, answered=begin))
    try:
        async with streams(flow) as (incoming, outgoing), anyio.create_task_group() as tasks:
            tasks.start_soon(_exit_on_signal, app, interrupted)
            # Text that a library wrote to standard output must not reach the wire once it is restored.
            with contextlib.redirect_stdout(sys.stderr):
                await server.run(incoming, outgoing, server.create_initialization_options())
            tasks.cancel_scope.cancel()
    except* BrokenPipeError:
        log.info("client.gone")
    finally:
        begin.cancel()
        workers.close()


async def _exit_on_signal(app: ServedApp, interrupted: int) -> None:
    if not AWAITABLE:
        return
    with anyio.open_signal_receiver(*STOPPING) as signals:
        async for received in signals:
            log.info("server.stopping", extra={"signal": received.name})
            # A read of standard input in a thread cannot be cancelled, so there is no unwinding from here.
            served.close(app)
            served.exit_now(interrupted if received == INTERRUPT else 0)


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


class _Notifying(Server[Any]):
    """A server that says to every client that it notifies of changes: the SDK's session manager takes the defaults."""

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Return what `initialize` answers."""
        return super().create_initialization_options(
            notification_options or CHANGES, experimental_capabilities, extensions
        )


class McpHandlers:
    """The request handlers of MCP, shared by all its sessions.

    Args:
        app: The application.
        calls: Its tools.
        workers: The threads that read resources.
        flow: The backpressure of the one connection; None if there are several, with backpressure of their own.
        answered: Called when a request has its result, before that is sent.
        accept: Admits each tool call.
        capability: Returns what a request may use; None for everything.
        agreed: Called with the protocol version that a handshake agreed on.
    """

    def __init__(
        self,
        app: ServedApp,
        calls: ToolCalls,
        workers: Workers,
        *,
        flow: Flow | None = None,
        answered: Callable[[], None] = lambda: None,
        accept: Accept = lambda _: Call(),
        capability: CapabilityOf = lambda _: None,
        agreed: Agreed = lambda _, __: None,
    ) -> None:
        self._app = app
        self._workers = workers
        self._calls = calls
        self._flow = flow
        self._answered = answered
        self._accept = accept
        self._capability = capability
        self._agreed = agreed
        self.resources = ResourceHandlers(lambda: app.resources, workers.run)

    async def guard(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Wrap every request: apply backpressure, and hide the text of unexpected errors, which may name paths."""
        capability = self._capability(ctx)
        if ctx.method not in FOR_TOOLS and capability is not None:
            raise MCPError(code=types.METHOD_NOT_FOUND, message="A task's token opens its tools and nothing else.")
        try:
            if self._flow is None or ctx.method not in LARGE_ANSWERS:
                result = await call_next(ctx)
            else:
                async with self._flow.call():
                    result = await call_next(ctx)
        except (MCPError, ValidationError):
            raise
        except Exception as error:  # the outermost handler of a request: its text may name paths
            call = Call()
            log.exception("request.unhandled_error", extra={"rid": call.request_id, "method": ctx.method})
            message = f"Internal error. The server's log says why, under request id {call.request_id}."
            raise MCPError(code=types.INTERNAL_ERROR, message=message) from error
        if isinstance(result, dict):
            if ctx.method == "initialize":
                self._agreed(ctx, result["protocolVersion"])
            if "instructions" in result:
                result["instructions"] = await self._instructions(capability)
        if ctx.request_id is not None:
            self._answered()
        return result

    async def _instructions(self, capability: Capability | None) -> str:
        if capability is None:
            introduction = await self._workers.run(self._app.introduction, is_quick=True)
            return instructions(self._app.toolset_names, introduction)
        toolbox = await self._calls.narrowed(capability)
        return instructions({tool.toolset for tool in toolbox.tools}, INTRODUCTION)

    async def list_tools(
        self, ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """Handle `tools/list`: return every tool on one page."""
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="Unknown cursor: the tools are listed on one page.")
        toolbox = await self._calls.narrowed(self._capability(ctx))
        return types.ListToolsResult(tools=[describe(tool) for tool in toolbox.tools])

    async def list_prompts(
        self, _: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """Handle `prompts/list`: return every prompt on one page."""
        if params is not None and params.cursor:
            raise MCPError(code=types.INVALID_PARAMS, message="Unknown cursor: the prompts are listed on one page.")
        return types.ListPromptsResult(prompts=prompts.listed(self._app.toolset_names))

    async def get_prompt(
        self, _: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Handle `prompts/get`: return a prompt with its arguments."""
        return prompts.filled(self._app.toolset_names, params.name, params.arguments or {})

    async def call_tool(
        self, ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
    ) -> HandlerResult:
        """Handle `tools/call`: return the answer, or the error as a result that a model can read."""
        toolbox = await self._calls.narrowed(self._capability(ctx))
        try:
            tool = toolbox.find(params.name)
        except NotFound as error:
            raise MCPError(code=types.INVALID_PARAMS, message=problems.text(error)) from None
        # Without a token nobody receives progress, and the relay would cost a task group per call.
        if "progress_token" not in (ctx.meta or {}):
            return await self._answer(ctx, tool, params.arguments, silent)
        async with relayed(ctx.session.report_progress) as progress:
            return await self._answer(ctx, tool, params.arguments, progress)

    async def _answer(
        self,
        ctx: ServerRequestContext[Any, Any],
        tool: Tool,
        arguments: dict[str, Any] | None,
        progress: Progress,
    ) -> HandlerResult:
        try:
            call = replace(self._accept(ctx), progress=progress)
            return await self._calls.run(tool, arguments, call, _serialised, self._capability(ctx))
        except PinciteError as error:  # here, since a task group would wrap it
            return _error_result(error, tool)


def describe(tool: Tool) -> types.Tool:
    """Return what `tools/list` shows of a tool."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        output_schema=dict(tool.listed_output_schema),
        # The other two hints are meaningful for tools that write alone.
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=tool.open_world)
        if tool.read_only
        else types.ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=tool.open_world
        ),
        _meta=None if tool.result_chars is None else {"anthropic/maxResultSizeChars": tool.result_chars},
    )


def _serialised(answer: Answer) -> dict[str, Any]:
    """Return the answer as structured content and, for clients that do not read that, as JSON in text.

    Return a plain mapping: a `CallToolResult` would be validated and walked only to become the same mapping.
    """
    structured = answer.model_dump(mode="json")
    try:
        text = to_json(answer.text_form(structured)).decode()
    except PydanticSerializationError:
        structured = well_formed(structured)
        text = to_json(answer.text_form(structured)).decode()
    return {
        "content": [{"type": "text", "text": text}],
        "structuredContent": structured,
        "isError": False,
        "resultType": "complete",
    }


def _error_result(error: PinciteError, tool: Tool) -> types.CallToolResult:
    message = problems.in_form(error, tool.error_form)
    return types.CallToolResult(
        content=[types.TextContent(text=message)],
        structured_content=problems.structured(error, tool.error_form),
        is_error=True,
    )

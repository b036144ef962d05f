"""The routes of one port: REST, MCP over streamable HTTP and over SSE, behind the guard."""

import contextlib
import math
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

import anyio
from anyio.abc import ObjectReceiveStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.types import Receive, Scope, Send

from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.model.sizes import MEGABYTE
from pincite.model.task import TaskStatus
from pincite.registry import OBSERVERS, find, load
from pincite.services.extraction.capabilities import Capabilities, Capability
from pincite.settings import Extraction, Http
from pincite.transports.calls import Observer, ToolCalls, spans
from pincite.transports.http.answers import crashed, failed
from pincite.transports.http.exchange import PAGE_PATH, Refused, exchange_of, page_address
from pincite.transports.http.guarding.guard import Guard, Tenant, access_keys
from pincite.transports.http.guarding.limiter import RateLimiter
from pincite.transports.http.mcp.direct import DirectCalls
from pincite.transports.http.mcp.json_rpc import Checked
from pincite.transports.http.mcp.sessions import Sessions
from pincite.transports.http.rest.routes import ApiRoute, Later
from pincite.transports.http.rest.tools import Endpoint, Health, Rest
from pincite.transports.mcp.server import McpHandlers, build_server
from pincite.transports.served import ServedApp
from pincite.transports.workers import Workers, build_workers

if TYPE_CHECKING:
    from pincite.services.tasks.service import TaskService
    from pincite.transports.metrics import PrometheusMetrics

MCP_PATH = "/mcp"
SSE_PATH = "/sse"
MESSAGES_PATH = "/messages/"

NO_CHECKS = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""The guard checks Host and Origin, for all routes alike."""

ENDPOINTS = {
    MCP_PATH: Endpoint(method="POST", path=MCP_PATH, description="MCP over streamable HTTP."),
    SSE_PATH: Endpoint(method="GET", path=SSE_PATH, description="MCP over SSE, deprecated: use /mcp."),
}


@dataclass(frozen=True, slots=True)
class Interfaces:
    """What one port serves.

    Attributes:
        rest: REST at `/api`.
        mcp: MCP over streamable HTTP at `/mcp`.
        sse: MCP over SSE at `/sse`.
    """

    rest: bool = True
    mcp: bool = True
    sse: bool = True


class Stoppable(Protocol):
    """Works on tasks."""

    def stop(self, grace: float) -> None:
        """Stop; what runs is finished within `grace` seconds, or given back."""
        ...


@dataclass(frozen=True, slots=True)
class Surface:
    """What is served on a port.

    Attributes:
        guard: The ASGI application.
        end_streams: Ends the streams that stay open else.
        tasks: Works on tasks; None if nothing does.
    """

    guard: Guard
    end_streams: Callable[[], None]
    tasks: Stoppable | None


def build_http(app: ServedApp, interfaces: Interfaces) -> Surface:
    """Return an application on HTTP, all of whose interfaces share one pool of workers.

    Raises:
        ConfigError: A key is none, or of a collection that is not served.
    """
    http = app.settings.http
    workers = build_workers(app.settings)
    metrics = _metrics(app)
    observers = [*spans(app), *filter(None, [metrics])]
    keys = access_keys(http)
    everything, grants = (None, http.rate_limit), {(key.collections, key.rate_limit) for key in keys}
    parts = {
        (names, rate): _tenant_parts(app.within(names, rate), interfaces, workers, observers)
        for names, rate in grants - {everything}
    }
    parts[everything] = _tenant_parts(app, interfaces, workers, observers)
    for (names, _), part in parts.items():
        if metrics is not None and names is None:  # they count the calls and tasks of all
            part.routes.append(Route("/metrics", partial(_measured, metrics, workers)))

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        try:
            async with contextlib.AsyncExitStack() as running:
                for part in parts.values():
                    await running.enter_async_context(part.manager.run())
                yield
        finally:
            workers.close()

    def end_streams() -> None:
        for part in parts.values():
            part.handlers.resources.stop()

    tenants = {grant: part.tenant(lifespan if grant == everything else None) for grant, part in parts.items()}
    keyed = {key: tenants[key.collections, key.rate_limit] for key in keys}
    guard = Guard(tenants[everything], http, keyed, Capabilities(app.settings.storage.data))
    return Surface(guard, end_streams, app.tasks if interfaces.rest else None)


@dataclass(frozen=True, slots=True)
class _TenantParts:
    """What the callers with the same grant are served: collections and a rate limit.

    Attributes:
        routes: The routes.
        limiter: Their rate limit.
        manager: Their MCP sessions.
        handlers: Answer over MCP.
    """

    routes: list[BaseRoute]
    limiter: RateLimiter
    manager: StreamableHTTPSessionManager
    handlers: McpHandlers

    def tenant(self, lifespan: Callable[[Starlette], AbstractAsyncContextManager[None]] | None) -> Tenant:
        """Return what the guard passes their requests on to."""
        handled = dict.fromkeys((PinciteError, Refused, HTTPException), failed)
        handlers = {**handled, Exception: crashed}
        return Tenant(Starlette(routes=self.routes, lifespan=lifespan, exception_handlers=handlers), self.limiter)


def _tenant_parts(
    app: ServedApp, interfaces: Interfaces, workers: Workers, observers: Sequence[Observer]
) -> _TenantParts:
    http = app.settings.http
    limiter = RateLimiter(http.rate_limit)
    calls = ToolCalls(app, workers, observers)

    def accept(scope: Scope) -> Call:
        return _accepted(limiter, scope, with_page=interfaces.rest)

    handlers = McpHandlers(
        app,
        calls,
        workers,
        accept=lambda ctx: accept(_scope(ctx)),
        capability=_capability,
        agreed=_note_protocol,
    )
    server = build_server(handlers)
    manager = _manager(server, http)
    paths = [path for path, on in ((MCP_PATH, interfaces.mcp), (SSE_PATH, interfaces.sse and http.sse)) if on]
    routes: list[BaseRoute] = []
    if MCP_PATH in paths:
        sessions = Sessions(manager, http.max_sessions, http.session_idle)
        routes.append(Route(MCP_PATH, Checked(DirectCalls(calls, sessions, server.server_info_stamp, accept))))
    if SSE_PATH in paths:
        routes += _sse_routes(server, calls, http)
    tasks = app.tasks if interfaces.rest else None
    rest = Rest(
        calls,
        [ENDPOINTS[path] for path in paths],
        _api_routes(app, tasks) if interfaces.rest else [],
        with_tools=interfaces.rest,
        with_key=http.needs_key,
        health=_health(app.settings.extraction, with_tasks=tasks is not None),
    )
    routes += rest.routes()
    if interfaces.rest:
        routes += [Route(PAGE_PATH, _to_page), Mount(PAGE_PATH, Later(lambda: _page(app, workers)))]
    return _TenantParts(routes, limiter, manager, handlers)


def _api_routes(app: ServedApp, tasks: "TaskService | None") -> list[ApiRoute]:
    """Return the REST routes that are no tools, of what the application serves."""
    routes: list[ApiRoute] = []
    seconds, uploads = app.settings.http.request_timeout, app.document_uploads
    if uploads is not None:
        from pincite.transports.http.rest.document_uploads import UploadRoutes  # noqa: PLC0415 - only who serves them pays

        routes += UploadRoutes(uploads, seconds).routes()
    if tasks is not None:
        from pincite.transports.http.rest.tasks import TaskRoutes  # noqa: PLC0415 - only who serves them pays for it

        routes += TaskRoutes(tasks, seconds).routes()
    return routes


def _metrics(app: ServedApp) -> "PrometheusMetrics | None":
    """Return the metrics, if the settings ask for them.

    Raises:
        Unsupported: Their extra is not installed.
    """
    if not app.settings.logging.metrics:
        return None

    def tasks() -> Mapping[str, int]:
        return {} if app.tasks is None else {status.value: app.tasks.count(status) for status in TaskStatus}

    return cast("PrometheusMetrics", load(find(OBSERVERS, "metrics"))(tasks))


async def _measured(metrics: "PrometheusMetrics", workers: Workers, _: Request) -> Response:
    return Response(await workers.run(metrics.text, is_quick=True), headers={"content-type": metrics.media_type})


async def _to_page(_: Request) -> Response:
    return RedirectResponse(f"{PAGE_PATH}/")


def _page(app: ServedApp, workers: Workers) -> Router:
    """Return the web page and its routes."""
    from pincite.transports.http.viewer.routes import ViewerRoutes  # noqa: PLC0415 - not before the page is opened

    return Router(ViewerRoutes(app, workers).routes())


def _health(extraction: Extraction, *, with_tasks: bool) -> Health:
    """Return what health says: never an address, which is nobody's business."""
    converter, tools = extraction.converter_url, extraction.tools_url
    return Health(
        status="ok",
        converter="external" if converter else "built-in" if with_tasks else None,
        tools="external" if tools else "in-process" if with_tasks else None,
    )


def _accepted(limiter: RateLimiter, scope: Scope, *, with_page: bool) -> Call:
    """Return the context of a tool call over MCP, charged to its caller."""
    exchange, page = exchange_of(scope), page_address(scope) if with_page else ""
    if exchange.capability is not None:  # bounded by the turns of its agent
        return exchange.call("")
    limiter.charge(exchange.caller)
    return exchange.call(page)


def _capability(ctx: ServerRequestContext[Any, Any]) -> Capability | None:
    return None if ctx.request is None else exchange_of(ctx.request.scope).capability


def _scope(ctx: ServerRequestContext[Any, Any]) -> Scope:
    return ctx.request.scope  # pyright: ignore[reportOptionalMemberAccess] - HTTP always has one


def _note_protocol(ctx: ServerRequestContext[Any, Any], version: str) -> None:
    if ctx.request is not None:
        exchange_of(ctx.request.scope).protocol = version


def _manager(server: Server[Any], http: Http) -> StreamableHTTPSessionManager:
    # Streams, not JSON answers: progress needs them, and so does noticing that a client has gone.
    return StreamableHTTPSessionManager(
        server,
        json_response=False,
        stateless=False,
        security_settings=NO_CHECKS,
        session_idle_timeout=None,  # `Sessions` knows when one is idle
        max_request_body_size=int(http.max_request * MEGABYTE),
        max_sessions=http.max_sessions,
    )


class _Awaited(ObjectReceiveStream["SessionMessage | Exception"]):
    """The messages of a stream that ends unless the handshake of its session begins in time."""

    def __init__(self, messages: Any, waiting: anyio.CancelScope) -> None:
        self._messages = messages
        self._waiting = waiting

    @property
    def last_context(self) -> Context | None:
        """The context in which the last message was sent, by which the SDK handles it."""
        return getattr(self._messages, "last_context", None)

    async def receive(self) -> "SessionMessage | Exception":
        """Return the next message."""
        received = await self._messages.receive()
        if isinstance(received, SessionMessage) and getattr(received.message, "method", "") == "initialize":
            self._waiting.deadline = math.inf
        return received

    async def aclose(self) -> None:
        """Close the stream."""
        await self._messages.aclose()


def _sse_routes(server: Server[Any], calls: ToolCalls, http: Http) -> list[Route]:
    transport = SseServerTransport(MESSAGES_PATH, NO_CHECKS, int(http.max_request * MEGABYTE))

    class Stream:
        """The stream of a session."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            async with transport.connect_sse(scope, receive, send) as (incoming, outgoing):
                with anyio.move_on_after(http.request_timeout) as waiting:
                    messages = _Awaited(incoming, waiting)
                    await server.run(messages, outgoing, server.create_initialization_options())

    class Messages:
        """What the client of a session sends."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            calls.check_room()
            await transport.handle_post_message(scope, receive, send)

    return [Route(SSE_PATH, Stream(), methods=["GET"]), Route(MESSAGES_PATH, Checked(Messages()), methods=["POST"])]

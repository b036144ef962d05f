"""Tool calls over MCP, answered without the SDK's streams and tasks, in both protocol generations.

The answer is JSON, which the protocol lets the server choose. With the first progress, or after `PING_SECONDS`, it
becomes a stream, whose pings keep a proxy from closing the connection. All other requests are the SDK's, and what it
refuses: no tool runs there.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from mcp.shared.inbound import InboundModernRoute, classify_inbound_request, find_duplicated_routing_header
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.toolkit import Tool
from pincite.transports.calls import ToolCalls
from pincite.transports.http.exchange import exchange_of
from pincite.transports.http.guarding.bodies import replay
from pincite.transports.http.mcp.sessions import SESSION_HEADER, VERSION_HEADER, Session, Sessions
from pincite.transports.mcp.tool_call import (
    METHOD,
    ToolCall,
    answer_members,
    cancelled,
    error_members,
    progress,
    response,
    stateless_members,
    tool_call,
)
from pincite.transports.workers import relayed

PING_SECONDS = 15.0
"""Time without a byte after which the answer becomes a stream, and between its pings: the SDK's."""

_JSON, _STREAM = "application/json", "text/event-stream"
_EVENT = b"event: message\r\ndata: %b\r\n\r\n"
_STREAM_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]


class DirectCalls:
    """The MCP endpoint (ASGI).

    Args:
        calls: The tools.
        sessions: The SDK's endpoint, for all other requests.
        server_info: The name and the version of the server.
        accept: Admits a tool call, or raises a `PinciteError`.
    """

    def __init__(
        self,
        calls: ToolCalls,
        sessions: Sessions,
        server_info: Mapping[str, Any],
        accept: Callable[[Scope], Call],
    ) -> None:
        self._calls = calls
        self._sessions = sessions
        self._stateless = stateless_members(server_info)
        self._accept = accept

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        if scope["method"] == "POST":
            body = (await receive())["body"]  # complete, as the guard passes it on
            receive = replay(body, receive)
            if await self._is_answered(scope, body, send):
                return
        await self._sessions(scope, receive, send)

    async def _is_answered(self, scope: Scope, body: bytes, send: Send) -> bool:
        """Answer a tool call. Return False if it is something else, or the SDK has to refuse it."""
        headers = Headers(scope=scope)
        number = headers.get(SESSION_HEADER, "")
        session = self._sessions.find_session(number)
        has_calls = session is not None and bool(session.calls)
        if not (has_calls or METHOD.encode() in body) or not _accepts_both(headers):
            return False
        message = _decoded(body)
        if message is None:
            return False
        version = headers.get(VERSION_HEADER)
        if version in MODERN_PROTOCOL_VERSIONS:
            request = _stateless_call(message, headers, version)
            session = None
        elif session is not None and (version is None or version in HANDSHAKE_PROTOCOL_VERSIONS):
            _cancel(message, session)
            request = tool_call(message, session.protocol) if session.protocol else None
        else:
            return False
        tool = None if request is None else await self._tool(request, scope)
        if request is None or tool is None:
            return False
        if session is None:
            async with reply(send, []) as answering:
                members = await self._members(request, tool, scope, answering)
                await answering.end(response(request.id, self._stateless, members))
            return True
        with self._sessions.using(number, session):
            await self._answer_in(session, number, request, tool, scope, send)
        return True

    async def _answer_in(
        self, session: Session, number: str, request: ToolCall, tool: Tool, scope: Scope, send: Send
    ) -> None:
        async with reply(send, [(SESSION_HEADER.encode(), number.encode())]) as answering:
            body = cancelled(request.id)
            with session.call(request.id):
                body = response(request.id, await self._members(request, tool, scope, answering))
            await answering.end(body)

    async def _tool(self, request: ToolCall, scope: Scope) -> Tool | None:
        """Return the tool of a call; None if there is none, or it cannot be made: the SDK meets that again."""
        try:
            return (await self._calls.narrowed(exchange_of(scope).capability)).find(request.name)
        except Exception:  # noqa: BLE001 - whatever it is, the SDK's handler answers and logs it
            return None

    async def _members(self, request: ToolCall, tool: Tool, scope: Scope, answering: "Reply") -> bytes:
        capability = exchange_of(scope).capability
        async with contextlib.AsyncExitStack() as stack:
            try:
                call = self._accept(scope)
                if request.progress is not None:

                    async def report(done: float, total: float | None, message: str | None) -> None:
                        await answering.notify(progress(request.progress, done, total, message))

                    call = replace(call, progress=await stack.enter_async_context(relayed(report)))
                return await self._calls.run(tool, request.arguments, call, answer_members, capability)
            except PinciteError as error:  # here, since the task group of `relayed` would wrap it
                return error_members(error, tool)


class Reply:
    """The answer to a request: JSON, or a stream once that has begun."""

    def __init__(self, send: Send, headers: list[tuple[bytes, bytes]]) -> None:
        self._send = send
        self._headers = headers
        self._begun, self._ended = asyncio.Event(), asyncio.Event()
        self._pings: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(PING_SECONDS, self._begin_stream)

    async def end(self, body: bytes) -> None:
        """Send the answer."""
        self._timer.cancel()
        if self._pings is None:
            kind = [(b"content-type", _JSON.encode()), (b"content-length", b"%d" % len(body))]
            await self._send({"type": "http.response.start", "status": 200, "headers": [*kind, *self._headers]})
        else:
            self._ended.set()
            await self._pings
            body = _EVENT % body
        await self._send({"type": "http.response.body", "body": body})

    async def notify(self, message: bytes) -> None:
        """Send a notification before the answer."""
        self._timer.cancel()
        if self._pings is None:
            self._begin_stream()
        await self._begun.wait()
        await self._send({"type": "http.response.body", "body": _EVENT % message, "more_body": True})

    def abandon(self) -> None:
        """Stop: nothing more is sent."""
        self._timer.cancel()
        if self._pings is not None:
            self._pings.cancel()

    def _begin_stream(self) -> None:
        self._pings = asyncio.create_task(self._ping())

    async def _ping(self) -> None:
        headers = [*_STREAM_HEADERS, *self._headers]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        self._begun.set()
        while not self._ended.is_set():
            await self._send({"type": "http.response.body", "body": b": ping\r\n\r\n", "more_body": True})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), PING_SECONDS)


@contextlib.asynccontextmanager
async def reply(send: Send, headers: list[tuple[bytes, bytes]]) -> AsyncGenerator[Reply]:
    """Answer a request within the block.

    Args:
        send: Sends the answer.
        headers: Its headers besides the content type.
    """
    answering = Reply(send, headers)
    try:
        yield answering
    finally:
        answering.abandon()


def _accepts_both(headers: Headers) -> bool:
    """Return True if the content type is JSON, and the client takes JSON and streams, as the protocol asks of it."""
    if headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        return False
    accepted = {part.partition(";")[0].strip().lower() for part in headers.get("accept", "").split(",")}
    return {_JSON, _STREAM} <= accepted


def _decoded(body: bytes) -> dict[str, Any] | None:
    """Return a message; None if it is no JSON object."""
    try:
        message = from_json(body)
    except ValueError:
        return None
    return cast("dict[str, Any]", message) if isinstance(message, dict) else None


def _stateless_call(message: Mapping[str, Any], headers: Headers, version: str) -> ToolCall | None:
    """Return a tool call whose headers agree with its message; None if anything about it is to be refused."""
    if find_duplicated_routing_header(headers.items()) is not None:
        return None
    if not isinstance(classify_inbound_request(message, headers=headers), InboundModernRoute):
        return None
    return tool_call(message, version)


def _cancel(message: Mapping[str, Any], session: Session) -> None:
    """Cancel the running call that a notification names; the SDK acknowledges the notification."""
    params = message.get("params")
    if message.get("method") == "notifications/cancelled" and isinstance(params, dict):
        number = cast("dict[str, Any]", params).get("requestId")
        if isinstance(number, str | int) and number in session.calls:
            session.calls[number].cancel()

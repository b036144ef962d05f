"""MCP sessions over HTTP, with a limit at which the one that was idle longest makes room."""

from collections import OrderedDict

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

SESSION_HEADER = "mcp-session-id"
VERSION_HEADER = "mcp-protocol-version"


class Sessions:
    """The streamable HTTP endpoint (ASGI).

    The SDK refuses a new session at its limit; clients that never end theirs would then lock all others out.

    Args:
        manager: Serves the requests.
        limit: Maximum number of sessions.
    """

    def __init__(self, manager: StreamableHTTPSessionManager, limit: int) -> None:
        self._manager = manager
        self._limit = limit
        self._open_requests: OrderedDict[str, int] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        headers = Headers(scope=scope)
        session = headers.get(SESSION_HEADER)
        if session is None:
            await self._open(headers, scope, receive, send)
            return
        if session in self._open_requests:
            self._open_requests.move_to_end(session)
            self._open_requests[session] += 1
        try:
            await self._manager.handle_request(scope, receive, self._noting(session, send))
        finally:
            if session in self._open_requests:
                self._open_requests[session] -= 1
                if scope["method"] == "DELETE":
                    del self._open_requests[session]

    async def _open(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._open_requests) >= self._limit and headers.get(VERSION_HEADER) not in MODERN_PROTOCOL_VERSIONS:
            await self._end_idlest(scope)
        await self._manager.handle_request(scope, receive, self._noting(None, send))

    def _noting(self, session: str | None, send: Send) -> Send:
        """Return a `Send` that notes a session when it is opened, and forgets one that has ended."""

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = Headers(raw=message.get("headers", [])).get(SESSION_HEADER)
                if session is None and given is not None and message["status"] < 400:  # noqa: PLR2004 - errors
                    self._open_requests[given] = 0
                elif session is not None and message["status"] == 404:  # noqa: PLR2004 - not found
                    self._open_requests.pop(session, None)
            await send(message)

        return noting

    async def _end_idlest(self, scope: Scope) -> None:
        """End the session without an open request that was used least recently, as its client would."""
        idle = next((session for session, count in self._open_requests.items() if count == 0), None)
        if idle is None:
            return
        del self._open_requests[idle]
        ending = {**scope, "method": "DELETE", "headers": [(SESSION_HEADER.encode(), idle.encode())]}

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            del message

        await self._manager.handle_request(ending, receive, send)

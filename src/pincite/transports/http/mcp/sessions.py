"""MCP sessions over HTTP, with two limits: the number of them, and how long one may be idle."""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import dataclass, field
from time import monotonic

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from pincite.transports.http.exchange import exchange_of

SESSION_HEADER = "mcp-session-id"
VERSION_HEADER = "mcp-protocol-version"


@dataclass(eq=False)
class Session:
    """An open session.

    Attributes:
        protocol: The protocol version that its handshake agreed on; empty before that is complete.
        open_requests: The number of its requests that are not answered yet, its streams among them.
        used: `time.monotonic()` value of the end of its last request.
        calls: Its running tool calls that the SDK does not know, by request id.
    """

    protocol: str = ""
    open_requests: int = 0
    used: float = field(default_factory=monotonic)
    calls: dict[str | int, anyio.CancelScope] = field(default_factory=dict[str | int, anyio.CancelScope])

    @contextlib.contextmanager
    def call(self, number: str | int) -> Generator[anyio.CancelScope]:
        """Run a tool call, which is cancelled with its request id, or with the session."""
        with anyio.CancelScope() as scope:
            self.calls[number] = scope
            try:
                yield scope
            finally:
                if self.calls.get(number) is scope:
                    del self.calls[number]


class Sessions:
    """The streamable HTTP endpoint of the SDK (ASGI), and its sessions.

    The SDK refuses a new session at its limit; clients that never end theirs would then lock all others out. It does
    not see the requests that `direct.py` answers, so that it cannot know how long a session was idle.

    Args:
        manager: Serves the requests.
        limit: Maximum number of sessions.
        idle_seconds: Time without a request after which a session ends.
    """

    def __init__(self, manager: StreamableHTTPSessionManager, limit: int, idle_seconds: float) -> None:
        self._manager = manager
        self._limit = limit
        self._idle_seconds = idle_seconds
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._opening: set[Session] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        headers = Headers(scope=scope)
        number = headers.get(SESSION_HEADER)
        if number is None:
            await self._open(headers, scope, receive, send)
            return
        session = self._sessions.get(number)
        if session is None:
            await self._manager.handle_request(scope, receive, send)
            return
        with self.using(number, session):
            await self._manager.handle_request(scope, receive, self._forgetting(number, send))
        session.protocol = exchange_of(scope).protocol or session.protocol
        if scope["method"] == "DELETE":
            self._forget(number)

    def find_session(self, number: str) -> Session | None:
        """Return the session with this id; None if there is none."""
        return self._sessions.get(number)

    @contextlib.contextmanager
    def using(self, number: str, session: Session) -> Generator[None]:
        """Hold a session open for a request."""
        self._sessions.move_to_end(number)
        session.open_requests += 1
        try:
            yield
        finally:
            session.open_requests -= 1
            session.used = monotonic()

    async def _open(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        session = Session(open_requests=1)

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:  # noqa: PLR2004 - errors
                number = Headers(raw=message.get("headers", [])).get(SESSION_HEADER)
                if number is not None:
                    self._opening.discard(session)
                    self._sessions[number] = session
                    self._expect_idle(self._idle_seconds)
            session.protocol = exchange_of(scope).protocol  # known before the client has the answer
            await send(message)

        try:
            if headers.get(VERSION_HEADER) not in MODERN_PROTOCOL_VERSIONS:
                self._opening.add(session)  # each of those that open at once needs room
                if len(self._sessions) + len(self._opening) > self._limit:
                    await self._end_idlest()
            await self._manager.handle_request(scope, receive, noting)
        finally:
            self._opening.discard(session)
            session.open_requests -= 1
            session.used = monotonic()

    def _forgetting(self, number: str, send: Send) -> Send:
        """Return a `Send` that forgets a session which has ended."""

        async def forgetting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404:  # noqa: PLR2004 - not found
                self._forget(number)
            await send(message)

        return forgetting

    def _forget(self, number: str) -> None:
        session = self._sessions.pop(number, None)
        for scope in () if session is None else tuple(session.calls.values()):
            scope.cancel()

    async def _end_idlest(self) -> None:
        """End the session without an open request that was used least recently."""
        idle = next((number for number, session in self._sessions.items() if not session.open_requests), None)
        if idle is not None:
            await self._end(idle)

    async def _end(self, number: str) -> None:
        """End a session as its client would."""
        self._forget(number)
        headers = [(SESSION_HEADER.encode(), number.encode())]
        ending = {"type": "http", "method": "DELETE", "path": "/", "query_string": b"", "headers": headers}

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Message) -> None:
            del message

        await self._manager.handle_request(ending, receive, send)

    def _expect_idle(self, seconds: float) -> None:
        """Look for idle sessions after these seconds, unless that is due anyway."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._end_idle)

    def _end_idle(self) -> None:
        """End the sessions that were idle too long, and come back when the next one may be."""
        self._timer = None
        now = monotonic()
        idle = {number: now - session.used for number, session in self._sessions.items() if not session.open_requests}
        for number in [number for number, seconds in idle.items() if seconds >= self._idle_seconds]:
            del idle[number]
            self._ending.add(task := asyncio.create_task(self._end(number)))
            task.add_done_callback(self._ending.discard)
        if self._sessions:
            self._expect_idle(self._idle_seconds - max(idle.values(), default=0.0))

"""MCP sessions over HTTP and their limit."""

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from concurrent.futures import ThreadPoolExecutor

import pytest
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.types import Message, Scope

from pincite.transports.http.exchange import Exchange
from pincite.transports.http.guarding.bodies import replay
from pincite.transports.http.mcp import sessions
from pincite.transports.http.mcp.sessions import Sessions
from support.http_wire import BOTH, HttpServer, StreamableHttp, call
from support.waiting import paused, wait_for
from support.wire import CLIENT, HANDSHAKE, STATELESS, Refused
from unit.transports.http.conftest import Start

WORDS = {"words": "a"}


def alive(client: StreamableHttp) -> bool:
    answer = client.post({"id": 99, "method": "ping"})
    return answer.status_code == 200


def test_the_session_that_was_idle_longest_makes_room(start: Start) -> None:
    server = start(PINCITE_MAX_SESSIONS="2")
    first, second = (StreamableHttp(server, HANDSHAKE).open() for _ in range(2))
    assert alive(first)
    third = StreamableHttp(server, HANDSHAKE).open()
    assert [alive(client) for client in (first, second, third)] == [True, False, True]
    for client in (first, second, third):
        client.close()


def test_sessions_that_open_at_once_make_room_each(start: Start) -> None:
    server = start(PINCITE_MAX_SESSIONS="8")

    def opened(_: int) -> str:
        client = StreamableHttp(server, HANDSHAKE)
        client.request("initialize", {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT})
        client.close()
        return client.session

    with ThreadPoolExecutor(4) as callers:
        numbers = list(callers.map(opened, range(80)))
    assert len(set(numbers)) == 80


def test_a_session_with_an_open_stream_is_not_idle(start: Start) -> None:
    server = start(PINCITE_MAX_SESSIONS="1")
    client = StreamableHttp(server, HANDSHAKE).open()
    other = StreamableHttp(server, HANDSHAKE)
    with server.client(**BOTH) as raw, raw.stream("GET", "/mcp", headers={"mcp-session-id": client.session}) as stream:
        assert stream.status_code == 200
        with pytest.raises(Refused, match="Too many open sessions"):
            other.open()
        assert alive(client)
    client.close()
    other.close()


def test_clients_without_sessions_are_not_counted(start: Start) -> None:
    server = start(PINCITE_MAX_SESSIONS="1")
    client = StreamableHttp(server, HANDSHAKE).open()
    others = [StreamableHttp(server, STATELESS).open() for _ in range(3)]
    assert all(call(other, "say", WORDS)["structuredContent"]["said"] == "a" for other in others)
    assert alive(client)
    for other in (client, *others):
        other.close()


def test_a_session_that_is_idle_too_long_ends(start: Start) -> None:
    server = start(PINCITE_SESSION_IDLE="0.3", PINCITE_MAX_SESSIONS="2")
    client = StreamableHttp(server, HANDSHAKE).open()
    # Each look is a sign of life.
    assert wait_for(lambda: not alive(client), every=0.6)
    client.close()


def test_ended_sessions_leave_room(start: Start) -> None:
    server = start(PINCITE_MAX_SESSIONS="1")
    for _ in range(5):
        client = StreamableHttp(server, HANDSHAKE).open()
        with server.client(**BOTH) as raw:
            assert raw.delete("/mcp", headers={"mcp-session-id": client.session}).status_code == 200
        client.close()


def test_a_session_id_that_nobody_gave_is_not_found(parlour_server: HttpServer) -> None:
    client = StreamableHttp(parlour_server, HANDSHAKE)
    client.session = "0" * 32
    assert client.post({"id": 1, "method": "ping"}).status_code == 404
    client.close()


class Served:
    """The SDK's endpoint with its sessions, in this process."""

    def __init__(self, idle_seconds: float) -> None:
        self._manager = StreamableHTTPSessionManager(Server("x"), session_idle_timeout=None)
        self.sessions = Sessions(self._manager, 5, idle_seconds)

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncGenerator[str]:
        """The id of a session that was opened."""
        params = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
        body = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode()
        given = {**BOTH, "content-type": "application/json", "host": "localhost"}
        headers = [(name.encode(), value.encode()) for name, value in given.items()]
        scope: Scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": headers}
        Exchange(caller="", is_foreign=False).attach(scope)
        numbers: list[str] = []

        async def never() -> Message:
            await paused(60, "it stays connected")
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            numbers.extend(value for value in [Headers(raw=message.get("headers", [])).get("mcp-session-id")] if value)

        async with self._manager.run():
            await self.sessions(scope, replay(body, never), send)
            yield numbers[0]


def test_calls_that_the_sdk_does_not_see_keep_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(sessions, "monotonic", lambda: now)

    async def run() -> list[bool]:
        nonlocal now
        served = Served(0.05)
        async with served.opened() as number:
            session = served.sessions.find_session(number)
            assert session is not None
            now = 10.0
            with served.sessions.using(number, session):
                await paused(0.2, "it is looked at several times")
                held = served.sessions.find_session(number) is session
            await paused(0.2, "it is looked at several times")
            kept = served.sessions.find_session(number) is session
            now = 20.0
            ended = await asyncio.to_thread(wait_for, lambda: served.sessions.find_session(number) is None)
            return [held, kept, ended]

    assert asyncio.run(run()) == [True, True, True]

"""MCP sessions over HTTP and their limit."""

import time

import pytest

from support.http_wire import BOTH, HttpServer, StreamableHttp, call
from support.wire import HANDSHAKE, STATELESS, Refused
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
    end = time.monotonic() + 20
    while time.monotonic() < end:
        time.sleep(0.6)
        if not alive(client):
            break
    else:
        pytest.fail("the session did not end")
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

"""Tool calls over MCP that the SDK does not see: they are answered as it answers."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from starlette.types import Message

from pincite.transports.http.mcp import direct
from support.http_wire import BOTH, HttpServer, Sse, StreamableHttp, call, messages
from support.waiting import paused, wait_for
from support.wire import ERAS, HANDSHAKE, STATELESS, Refused
from unit.transports.http.conftest import Start

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("say", {"words": 'grüß "<Gott>"\n'}),
    ("say", {"wrods": "a"}),
    ("fail", {}),
    ("fail", {"how": "surrogate"}),
]


def posted(client: StreamableHttp, tool: str, arguments: dict[str, Any], **meta: Any) -> httpx2.Response:
    params: dict[str, Any] = {"name": tool, "arguments": arguments, **({"_meta": meta} if meta else {})}
    message = {"id": 8, "method": "tools/call", "params": client.enveloped(params)}
    return client.post(message, "tools/call")


@pytest.mark.parametrize("era", ERAS)
def test_a_call_is_answered_by_json_as_the_sdk_answers_it(parlour_server: HttpServer, era: str) -> None:
    client, sse = StreamableHttp(parlour_server, era).open(), Sse(parlour_server).open()
    for tool, arguments in CALLS:
        by_sdk = call(sse, tool, arguments)
        for meta in ({}, {"progressToken": "p"}):
            answer = posted(client, tool, arguments, **meta)
            assert answer.headers["content-type"] == "application/json"  # a call on the SDK's way has a stream
            result = messages(answer)[-1]["result"]
            if era == STATELESS:
                assert result.pop("resultType") == "complete" and result.pop("_meta")
            assert result == by_sdk
            assert answer.headers.get("mcp-session-id", "") == client.session
    client.close()
    sse.close()


@pytest.mark.parametrize("era", ERAS)
def test_progress_comes_on_a_stream(parlour_server: HttpServer, era: str) -> None:
    client = StreamableHttp(parlour_server, era).open()
    answer = posted(client, "patient", {"steps": 30}, progressToken="p")
    assert answer.headers["content-type"].startswith("text/event-stream")
    *notes, last = messages(answer)
    assert last["result"]["structuredContent"]["said"] == "patient"
    assert {(note["method"], note["params"]["progressToken"]) for note in notes} == {("notifications/progress", "p")}
    reported = [note["params"]["progress"] for note in notes]
    assert reported == sorted(set(reported)) and reported
    client.close()


@pytest.mark.parametrize("era", ERAS)
def test_an_unknown_tool_is_an_error_of_the_protocol(parlour_server: HttpServer, era: str) -> None:
    client = StreamableHttp(parlour_server, era).open()
    with pytest.raises(Refused, match=r"Unknown tool: 'sya'\. Did you mean 'say'\?") as caught:
        call(client, "sya", {})
    assert caught.value.code == -32602
    client.close()


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"mcp-name": "fail"}, 400),
        ({"mcp-method": "tools/list"}, 400),
        ({"accept": "application/json"}, 406),
        ({"content-type": "text/plain"}, 400),
        ({"mcp-protocol-version": "2031-01-01"}, 400),
    ],
)
def test_headers_that_disagree_are_refused(parlour_server: HttpServer, changed: dict[str, str], status: int) -> None:
    client = StreamableHttp(parlour_server, STATELESS)
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    message["params"] = client.enveloped({"name": "say", "arguments": {"words": "a"}})  # type: ignore[assignment]
    headers = {**BOTH, **client.headers(message, "tools/call")}
    with parlour_server.client() as raw:
        assert raw.post("/mcp", json=message, headers=headers).status_code == 200
        assert raw.post("/mcp", json=message, headers={**headers, **changed}).status_code == status
    client.close()


def test_a_call_before_the_handshake_is_refused(parlour_server: HttpServer) -> None:
    client = StreamableHttp(parlour_server, HANDSHAKE)
    with pytest.raises(Refused):
        client.request("initialize", {"protocolVersion": 7})
    answer = posted(client, "say", {"words": "a"})
    assert "error" in messages(answer)[-1]
    client.close()


def test_the_client_cancels_a_call_of_its_session(start: Start) -> None:
    server = start()
    client, other = (StreamableHttp(server, HANDSHAKE).open() for _ in range(2))
    with ThreadPoolExecutor() as pool:
        running = pool.submit(posted, client, "patient", {})
        assert server.logged("tool.start", tool="patient")
        notice = {"method": "notifications/cancelled", "params": {"requestId": 8}}
        assert other.post(notice).status_code == 202  # the id of another session's request
        assert call(other, "say", {"words": "a"})["structuredContent"]["said"] == "a"
        assert not running.done()
        assert client.post(notice).status_code == 202
        assert messages(running.result())[-1]["error"] == {"code": -32800, "message": "Request cancelled"}
    assert call(other, "was_stopped", {})["structuredContent"]["said"] == "True"
    client.close()
    other.close()


def test_the_end_of_a_session_stops_its_calls(start: Start) -> None:
    server = start()
    client = StreamableHttp(server, HANDSHAKE).open()
    with ThreadPoolExecutor() as pool, server.client(**BOTH) as raw:
        running = pool.submit(posted, client, "patient", {})
        assert server.logged("tool.start", tool="patient")
        assert raw.delete("/mcp", headers={"mcp-session-id": client.session}).status_code == 200
        assert messages(running.result())[-1]["error"]["code"] == -32800
    client.close()


def reply(seconds: float, monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """What is sent if an answer takes so long, at a ping every twentieth of a second."""
    monkeypatch.setattr(direct, "PING_SECONDS", 0.05)
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def run() -> None:
        async with direct.reply(send, [(b"mcp-session-id", b"s")]) as answering:
            await paused(seconds, "the answer is made")
            await answering.end(b"{}")

    asyncio.run(run())
    return sent


def test_an_answer_in_time_is_json(monkeypatch: pytest.MonkeyPatch) -> None:
    start, body = reply(0.0, monkeypatch)
    assert dict(start["headers"]) == {
        b"content-type": b"application/json",
        b"content-length": b"2",
        b"mcp-session-id": b"s",
    }
    assert body["body"] == b"{}" and not body.get("more_body", False)


def test_one_that_takes_long_is_a_stream_with_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    start, *pings, last = reply(0.3, monkeypatch)
    assert dict(start["headers"])[b"content-type"] == b"text/event-stream"
    assert dict(start["headers"])[b"mcp-session-id"] == b"s"
    assert pings and {(ping["body"], ping["more_body"]) for ping in pings} == {(b": ping\r\n\r\n", True)}
    assert last["body"] == b"event: message\r\ndata: {}\r\n\r\n" and not last.get("more_body", False)


def test_nothing_is_sent_after_a_request_that_was_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct, "PING_SECONDS", 0.05)
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def gives_up() -> None:
        async with direct.reply(send, []):
            await asyncio.to_thread(wait_for, lambda: sent)
            raise RuntimeError

    async def run() -> int:
        with pytest.raises(RuntimeError):
            await gives_up()
        count = len(sent)
        await paused(0.2, "pings would be sent")
        return count

    assert asyncio.run(run()) == len(sent) > 0


def test_a_hundred_calls_of_one_session_at_once_keep_their_answers(parlour_server: HttpServer) -> None:
    client = StreamableHttp(parlour_server, HANDSHAKE).open()

    def said(number: int) -> bool:
        params = {"name": "say", "arguments": {"words": f"word {number}"}}
        answer = client.post({"id": number, "method": "tools/call", "params": params})
        (message,) = messages(answer)
        return (message["id"], message["result"]["structuredContent"]["said"]) == (number, f"word {number}")

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(said, range(100)))
    client.close()

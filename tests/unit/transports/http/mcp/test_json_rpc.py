"""Messages of JSON-RPC that are posted, over real sockets: as over stdio, nobody waits for ever."""

from typing import Any

import httpx2
import pytest

from support.http_wire import HttpServer, Sse, StreamableHttp, messages
from support.wire import ERAS, HANDSHAKE

CALL = {"method": "tools/call", "params": {"name": "say", "arguments": {"words": "a"}}}


@pytest.mark.parametrize("number", [None, 1.5, True, {}, [7]])
@pytest.mark.parametrize("transport", [*ERAS, "sse"])
def test_a_request_whose_id_cannot_be_answered_is_refused_and_not_dropped(
    parlour_server: HttpServer, transport: str, number: Any
) -> None:
    if transport == "sse":
        sse = Sse(parlour_server).open()
        with parlour_server.client() as client:
            answer = client.post(sse.endpoint, json={"jsonrpc": "2.0", "id": number, **CALL})
        sse.close()
    else:
        mcp = StreamableHttp(parlour_server, transport).open()
        answer = mcp.post({"id": number, "method": "tools/call", "params": mcp.enveloped(CALL["params"])}, "tools/call")  # pyright: ignore[reportArgumentType]
        mcp.close()
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (400, -32600)
    assert error["message"] == "Invalid request: id should be text or a whole number"
    assert answer.json()["id"] == (number if isinstance(number, float) else None)


def test_a_lone_surrogate_is_a_replacement_character_on_every_transport(parlour_server: HttpServer) -> None:
    words = rb'{"words": "a\ud800b"}'
    with parlour_server.client(**{"content-type": "application/json"}) as client:
        assert client.post("/api/tools/say", content=words).json()["said"] == "a\ufffdb"
    body = rb'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "say", "arguments": %b}}' % words
    for transport in (HANDSHAKE, "sse"):
        if transport == "sse":
            sse = Sse(parlour_server).open()
            with parlour_server.client(**{"content-type": "application/json"}) as client:
                assert client.post(sse.endpoint, content=body).status_code == 202
            result = sse.answer()["result"]
            sse.close()
        else:
            mcp = StreamableHttp(parlour_server, transport).open()
            result = messages(_posted(parlour_server, mcp, body))[-1]["result"]
            mcp.close()
        assert result["structuredContent"]["said"] == "a\ufffdb"


def _posted(server: HttpServer, mcp: StreamableHttp, body: bytes) -> httpx2.Response:
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    with server.client(**headers, **mcp.headers({})) as client:
        return client.post("/mcp", content=body)

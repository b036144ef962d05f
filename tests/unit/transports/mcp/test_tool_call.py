"""Requests of `tools/call` and their answers as bytes, beside what the SDK makes of them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from pincite.toolkit import Answer
from pincite.transports.mcp.tool_call import ToolCall, answer_members, progress, response, stateless_members, tool_call
from support.wire import HANDSHAKE, STATELESS

INFO = {"name": "pincite", "version": "1"}


class Words(Answer):
    """Words."""

    said: str
    nothing: str | None = None
    share: float = 0.5


class Bare(Words):
    """Words whose text form is the words alone."""

    def text_form(self, dumped: Mapping[str, Any]) -> object:
        """See `Answer.text_form`."""
        return [dumped["said"]]


def request(**changes: Any) -> dict[str, Any]:
    params = {"name": "say", "arguments": {"words": "a"}, **changes.pop("params", {})}
    whole = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params, **changes}
    return {name: value for name, value in whole.items() if value is not ...}


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
@pytest.mark.parametrize("number", [3, "three", ""])
def test_a_call_is_recognised_in_every_version_with_a_handshake(version: str, number: str | int) -> None:
    assert tool_call(request(id=number), version) == ToolCall(number, "say", {"words": "a"})


def test_the_arguments_may_be_missing() -> None:
    message = request(params={"_meta": {}})
    del message["params"]["arguments"]
    assert tool_call(message, HANDSHAKE) == ToolCall(3, "say", None)


@pytest.mark.parametrize("token", ["p", 0])
def test_the_token_of_its_progress_is_kept(token: str | int) -> None:
    called = tool_call(request(params={"_meta": {"progressToken": token}}), HANDSHAKE)
    assert called is not None and called.progress == token
    sent = json.loads(progress(token, 1.5, None, None))
    assert sent["params"] == {"progressToken": token, "progress": 1.5}


@pytest.mark.parametrize(
    "message",
    [
        request(jsonrpc="1.0"),
        request(id=...),
        request(id=None),
        request(id=True),
        request(id=1.5),
        request(method="tools/list"),
        {**request(), "params": None},
        {**request(), "params": {}},
        {**request(), "params": {"name": 7}},
        request(params={"arguments": [1]}),
        request(params={"_meta": 7}),
        request(params={"task": {"ttl": 5}}),
        request(params={"_meta": {"progressToken": [1]}}),
    ],
)
def test_anything_else_is_left_to_the_sdk(message: dict[str, Any]) -> None:
    assert tool_call(message, HANDSHAKE) is None


def test_a_call_without_its_envelope_is_none_of_the_stateless_generation() -> None:
    assert tool_call(request(), STATELESS) is None


@pytest.mark.parametrize("version", [*HANDSHAKE_PROTOCOL_VERSIONS, *MODERN_PROTOCOL_VERSIONS])
@pytest.mark.parametrize(
    "answer", [Words(said='grüß "<Gott>"\n'), Bare(said="a"), Words(said="b\udc80"), Bare(said="\ud800")]
)
def test_the_response_is_the_one_of_the_sdk(version: str, answer: Answer) -> None:
    structured = json.loads(json.dumps(answer.model_dump(mode="json")).replace("\\udc80", "�").replace("\\ud800", "�"))
    text = json.dumps(answer.text_form(structured), ensure_ascii=False, separators=(",", ":"))
    result = {"content": [{"type": "text", "text": text}], "structuredContent": structured, "isError": False}
    expected = methods.serialize_server_result("tools/call", version, {**result, "resultType": "complete"})
    members = [answer_members(answer)]
    if version in MODERN_PROTOCOL_VERSIONS:
        expected["_meta"] = {"io.modelcontextprotocol/serverInfo": INFO}
        members.append(stateless_members(INFO))
    assert json.loads(response("x", *members)) == {"jsonrpc": "2.0", "id": "x", "result": expected}


def test_it_is_one_line_as_a_stream_needs_it() -> None:
    assert b"\n" not in response(1, answer_members(Words(said="a\nb\r\n")))

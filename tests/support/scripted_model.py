"""A model that follows a script: the Messages API or chat completions on loopback, for a real client to talk to.

It misbehaves on demand: it refuses, is overloaded, drops its stream, falls silent, or says what no client can read.
"""

import contextlib
import itertools
import json
import socket
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Text:
    """The model's last word.

    Attributes:
        text: What it says.
        stop: Why it ended: `end_turn`, `max_tokens`, `refusal`.
    """

    text: str
    stop: str = "end_turn"


@dataclass(frozen=True)
class ToolUse:
    """The model calls a tool."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Several:
    """The model calls several tools at once."""

    calls: tuple[ToolUse, ...]


@dataclass(frozen=True)
class Failure:
    """The request fails: 401, 429, 529 and so on."""

    status: int
    kind: str = "api_error"
    message: str = "scripted"
    retry_after: str = ""


@dataclass(frozen=True)
class Dropped:
    """The stream ends in the middle of a word."""


@dataclass(frozen=True)
class Silent:
    """Nothing comes, until the server is closed or the client leaves."""


Said = Text | ToolUse | Several | Failure | Dropped | Silent
Step = Callable[[Sequence[str]], Said]
"""What the model says, given the results of its tool calls so far."""


def once(first: Said, then: Step) -> Step:
    """A step that goes otherwise the first time that it is asked for."""
    said = itertools.chain([first], itertools.repeat(None))
    return lambda results: next(said) or then(results)


@dataclass
class ScriptedModel:
    """What a script has seen.

    Attributes:
        url: Where it listens.
        tools: The names of the tools it was offered with the last question.
        results: The texts of the tool results of the last question.
        failed: Whether any of them was marked as an error.
        asked: Every request's body, those of chat completions as of the Messages API.
        headers: Every request's headers, their names in lower case.
    """

    url: str = ""
    tools: list[str] = field(default_factory=list[str])
    results: list[str] = field(default_factory=list[str])
    failed: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    closing: threading.Event = field(default_factory=threading.Event)

    def answer(self, script: Sequence[Step], asked: dict[str, Any]) -> Said:
        """The step that the conversation has come to: one for each word of the model in it; the last one repeats."""
        self.tools = [tool["name"] for tool in asked.get("tools", [])]
        blocks = [b for m in asked["messages"] if isinstance(m["content"], list) for b in m["content"]]
        results = [block for block in blocks if block["type"] == "tool_result"]
        self.results = [_text(block["content"]) for block in results]
        self.failed = any(block.get("is_error") for block in results)
        turn = sum(message["role"] == "assistant" for message in asked["messages"])
        return script[min(turn, len(script) - 1)](self.results)


@contextlib.contextmanager
def following(script: Sequence[Step]) -> Generator[ScriptedModel]:
    """A model that answers while the block runs; what is wrong with the script is an HTTP 400, never retried."""
    model = ScriptedModel()
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(model, script)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
        thread.start()
        model.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield model
        finally:
            model.closing.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    model: ScriptedModel
    script: Sequence[Step]

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        is_chat = path.endswith("completions")
        self.model.asked.append(_of_chat(asked) if is_chat else asked)
        self.model.headers.append({name.lower(): value for name, value in self.headers.items()})
        try:
            assert path in ("/v1/messages", "/v1/chat/completions"), path
            said = self.model.answer(self.script, self.model.asked[-1])
        except Exception as error:  # noqa: BLE001 - the client has to be told of any
            said = Failure(400, "invalid_request_error", f"the script: {error!r}")
        if isinstance(said, Silent):
            self.model.closing.wait()
        elif isinstance(said, Failure):
            problem = {"type": "error", "error": {"type": said.kind, "message": said.message}}
            self._reply(said.status, "application/json", [json.dumps(problem).encode()], said.retry_after)
        elif is_chat:
            body = json.dumps(_completion(asked["model"], said)).encode()
            is_cut = isinstance(said, Dropped)
            length = {"Content-Length": str(len(body))} if is_cut else {}
            self._reply(200, "application/json", [body[: len(body) // 2] if is_cut else body], **length)
        elif asked.get("stream"):
            self._stream(asked["model"], said)
        else:
            self._reply(200, "application/json", [json.dumps(_message(asked["model"], said)).encode()])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
        pass

    def _stream(self, name: str, said: Text | ToolUse | Several | Dropped) -> None:
        shown = Text("broken off in the mid") if isinstance(said, Dropped) else said
        events = list(map(_event, _events(name, shown)))
        # A stream whose length is announced and not sent is one that was dropped, not one that ended early.
        length = {"Content-Length": str(sum(map(len, events)))} if isinstance(said, Dropped) else {}
        self._reply(200, "text/event-stream", events[:3] if length else events, **length)

    def _reply(self, status: int, kind: str, parts: Sequence[bytes], retry_after: str = "", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in {"Retry-After": retry_after, **headers}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):  # the client has left
            for part in parts:
                self.wfile.write(part)
                self.wfile.flush()
            if headers:
                self.connection.shutdown(socket.SHUT_RDWR)


def _handler(model: ScriptedModel, script: Sequence[Step]) -> type[_Handler]:
    return cast("type[_Handler]", type("Handler", (_Handler,), {"model": model, "script": script}))


def _of_chat(asked: dict[str, Any]) -> dict[str, Any]:
    """The request of a chat completion as one of the Messages API."""
    messages = [one for one in asked["messages"] if one["role"] != "system"]
    results = {
        number: {
            "type": "tool_result",
            "tool_use_id": one["tool_call_id"],
            "content": one["content"],
            "is_error": one["content"].startswith('{"error"'),
        }
        for number, one in enumerate(messages)
        if one["role"] == "tool"
    }
    return {
        **asked,
        "tools": [one["function"] for one in asked["tools"]],
        "messages": [
            {"role": "user", "content": [results[number]]} if number in results else _with_uses(one)
            for number, one in enumerate(messages)
        ],
    }


def _with_uses(message: dict[str, Any]) -> dict[str, Any]:
    """A message with its calls of tools as blocks."""
    if not message.get("tool_calls"):
        return message
    uses = [
        {"type": "tool_use", "id": one["id"], "input": json.loads(one["function"]["arguments"])}
        for one in message["tool_calls"]
    ]
    text = [{"type": "text", "text": message["content"]}] if message.get("content") else []
    return {**message, "content": [*text, *uses]}


def _completion(model: str, said: Text | ToolUse | Several | Dropped) -> dict[str, Any]:
    """A whole chat completion, as OpenAI sends it."""
    blocks = _blocks(said)
    stops = {"end_turn": "stop", "max_tokens": "length", "refusal": "content_filter"}
    calls = [
        {
            "id": block["id"],
            "type": "function",
            "function": {"name": block["name"], "arguments": json.dumps(block["input"])},
        }
        for block in blocks
        if block["type"] == "tool_use"
    ]
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    message = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    stop = stops[said.stop] if isinstance(said, Text) else "tool_calls"
    return {
        "id": f"chatcmpl-{next(_numbers)}",
        "object": "chat.completion",
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


def _event(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


_numbers = itertools.count(1)


def _blocks(said: Text | ToolUse | Several | Dropped) -> list[dict[str, Any]]:
    if isinstance(said, Text):
        return [{"type": "text", "text": said.text}]
    calls = said.calls if isinstance(said, Several) else (said,) if isinstance(said, ToolUse) else ()
    return [
        {"type": "tool_use", "id": f"toolu_{next(_numbers)}", "name": call.name, "input": call.arguments}
        for call in calls
    ]


def _message(model: str, said: Text | ToolUse | Several | Dropped) -> dict[str, Any]:
    """A whole message, as the Messages API sends it."""
    stop = said.stop if isinstance(said, Text) else "tool_use"
    return {
        "id": f"msg_{next(_numbers)}",  # the command line joins messages of one id
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": _blocks(said),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _events(model: str, said: Text | ToolUse | Several) -> Iterator[dict[str, Any]]:
    """The events of one streamed message, as the Messages API sends them."""
    message = _message(model, said)
    blocks, stop = message["content"], message["stop_reason"]
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    for index, block in enumerate(blocks):
        is_text = block["type"] == "text"
        empty: dict[str, Any] = {**block, **({"text": ""} if is_text else {"input": {}})}
        shown = json.dumps(block.get("input"))
        delta = (
            {"type": "text_delta", "text": block["text"]}
            if is_text
            else {"type": "input_json_delta", "partial_json": shown}
        )
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": {"output_tokens": 1}}
    yield {"type": "message_stop"}

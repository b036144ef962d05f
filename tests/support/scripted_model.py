"""A model that follows a script: the streamed Messages API on loopback, for a real client to talk to."""

import contextlib
import json
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Text:
    """The model's last word."""

    text: str


@dataclass(frozen=True)
class ToolUse:
    """The model calls a tool."""

    name: str
    arguments: dict[str, Any]


Step = Callable[[Sequence[str]], Text | ToolUse]
"""What the model says, given the results of its tool calls so far."""


@dataclass
class ScriptedModel:
    """What a script has seen.

    Attributes:
        url: Where it listens.
        tools: The names of the tools it was offered with the last question.
        results: The texts of the tool results of the last question.
        failed: Whether any of them was marked as an error.
    """

    url: str = ""
    tools: list[str] = field(default_factory=list[str])
    results: list[str] = field(default_factory=list[str])
    failed: bool = False

    def answer(self, script: Sequence[Step], asked: dict[str, Any]) -> Text | ToolUse:
        """The step that the conversation has come to: one for each tool result in it."""
        self.tools = [tool["name"] for tool in asked.get("tools", [])]
        blocks = [b for m in asked["messages"] if isinstance(m["content"], list) for b in m["content"]]
        results = [block for block in blocks if block["type"] == "tool_result"]
        self.results = [_text(block["content"]) for block in results]
        self.failed = any(block.get("is_error") for block in results)
        return script[len(results)](self.results)


@contextlib.contextmanager
def following(script: Sequence[Step]) -> Generator[ScriptedModel]:
    """A model that answers while the block runs; what is wrong with the script is an HTTP 400, never retried."""
    model = ScriptedModel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                assert self.path.partition("?")[0] == "/v1/messages", self.path
                said = model.answer(script, asked)
            except Exception as error:  # noqa: BLE001 - the client has to be told of any
                self._reply(400, "application/json", [_refusal(error)])
                return
            self._reply(200, "text/event-stream", map(_event, _events(asked["model"], said)))

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            pass

        def _reply(self, status: int, kind: str, parts: Sequence[bytes] | Iterator[bytes]) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.end_headers()
            for part in parts:
                self.wfile.write(part)
                self.wfile.flush()

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        model.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)


def _refusal(error: Exception) -> bytes:
    problem = {"type": "invalid_request_error", "message": f"the script: {error!r}"}
    return json.dumps({"type": "error", "error": problem}).encode()


def _event(event: dict[str, Any]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _events(model: str, said: Text | ToolUse) -> Iterator[dict[str, Any]]:
    """The events of one streamed message, as the Messages API sends them."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": []}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage}}
    block: dict[str, Any]
    if isinstance(said, Text):
        block = {"type": "text", "text": ""}
        stop = "end_turn"
        delta = {"type": "text_delta", "text": said.text}
    else:
        block = {"type": "tool_use", "id": f"toolu_{said.name}", "name": said.name, "input": {}}
        stop = "tool_use"
        delta = {"type": "input_json_delta", "partial_json": json.dumps(said.arguments)}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}

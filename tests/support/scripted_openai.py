"""A model that follows a script, behind the chat completions of OpenAI on loopback."""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

from support.scripted_model import Text, ToolUse

Step = Callable[[Sequence[str]], Text | ToolUse]
"""What the model says, given the results of its tool calls so far."""

GATE_SECONDS = 60.0
"""How long a word waits at most."""


@dataclass
class ScriptedOpenAi:
    """What a script has seen.

    Attributes:
        url: `OPENAI_BASE_URL`.
        keys: The keys that it was called with.
        tools: The names of the tools that it was offered with the last question.
        gate: What the last word of a text waits for; open at first.
    """

    url: str = ""
    keys: set[str] = field(default_factory=set[str])
    tools: list[str] = field(default_factory=list[str])
    gate: Event = field(default_factory=Event)


@contextmanager
def following(script: Sequence[Step]) -> Generator[ScriptedOpenAi]:
    """A model that answers while the block runs: one step for each tool result of a conversation."""
    model = ScriptedOpenAi()
    model.gate.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.keys.add(self.headers["Authorization"])
            model.tools = [tool["function"]["name"] for tool in asked.get("tools", ())]
            results = [_text(message["content"]) for message in asked["messages"] if message["role"] == "tool"]
            said = script[len(results)](results)
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            chunks = list(_chunks(said, len(results)))
            for number, chunk in enumerate(chunks):
                if number == len(chunks) - 2:  # the last of all ends the answer
                    model.gate.wait(GATE_SECONDS)
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        model.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield model
        finally:
            server.shutdown()
            thread.join()


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _chunks(said: Text | ToolUse, number: int) -> Iterator[dict[str, Any]]:
    """The events of one streamed completion; a text comes word by word."""
    if isinstance(said, Text):
        deltas: list[dict[str, Any]] = [{"content": f"{word} "} for word in said.text.split()]
    else:
        function = {"name": said.name, "arguments": json.dumps(said.arguments)}
        deltas = [{"tool_calls": [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]}]
    for delta in [{"role": "assistant", "content": ""}, *deltas]:
        yield _chunk(delta, None)
    yield _chunk({}, "stop" if isinstance(said, Text) else "tool_calls")


def _chunk(delta: dict[str, Any], finish: str | None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]}

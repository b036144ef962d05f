"""A model that follows a script, behind the Gemini API on loopback, and a LangSmith that keeps what it is sent."""

import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from support.scripted_model import Text, ToolUse

Step = Callable[[Sequence[str]], Text | ToolUse]
"""What the model says, given the results of its tool calls so far."""

TRACES = "/langsmith"
"""Path of the LangSmith."""


@dataclass
class Google:
    """What was sent.

    Attributes:
        url: `GOOGLE_GEMINI_BASE_URL`.
        models: Path and key of each request to the model.
        traces: Key and body of each request to LangSmith.
    """

    url: str = ""
    models: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    traces: list[tuple[str, bytes]] = field(default_factory=list[tuple[str, bytes]])


@contextmanager
def gemini_following(script: Sequence[Step]) -> Generator[Google]:
    """A model that answers while the block runs: one step for each tool result of a conversation."""
    seen = Google()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._trace(b"")

        def do_POST(self) -> None:
            body = self._body()
            if self.path.startswith(TRACES):
                self._trace(body)
                return
            seen.models.append((self.path, self.headers["x-goog-api-key"]))
            results = list(_results(json.loads(body)))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for part in _parts(script[len(results)](results)):
                chunk = {"candidates": [{"content": {"role": "model", "parts": [part]}}]}
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("Content-Length") or 0))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            return body

        def _trace(self, body: bytes) -> None:
            seen.traces.append((self.headers.get("x-api-key", ""), body))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        seen.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield seen
        finally:
            server.shutdown()
            thread.join()


def _results(sent: Any) -> Iterator[str]:
    """The results of tools in a conversation, as text."""
    for content in sent["contents"]:
        for part in content["parts"]:
            if "functionResponse" in part:
                yield json.dumps(part["functionResponse"]["response"])


def _parts(answer: Text | ToolUse) -> Iterator[dict[str, Any]]:
    """The parts of one streamed answer; a text comes word by word."""
    if isinstance(answer, ToolUse):
        yield {"functionCall": {"name": answer.name, "args": answer.arguments}}
    else:
        yield from ({"text": f"{word} "} for word in answer.text.split())

"""A service on loopback that speaks the embeddings part of OpenAI's protocol, and fails as a test says."""

import base64
import json
import socket
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from pincite.embedding.hashing import HashEmbedder

DIMENSIONS = 1536
PATIENCE = 20.0


@dataclass
class Reply:
    """What the service answers instead of vectors.

    Attributes:
        status: The HTTP status; 0 to close the connection without an answer.
        error: The error object of the protocol; empty for none.
        headers: Further headers.
        body: The body; the error as JSON if None.
        delay: Seconds before it.
    """

    status: int = 200
    error: Mapping[str, Any] = field(default_factory=dict[str, Any])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None
    delay: float = 0.0


Fault = Callable[[Sequence[str]], Reply | None]
"""What to answer to these texts; None for their vectors."""


@dataclass
class EmbeddingService:
    """A running service.

    Attributes:
        url: Its `OPENAI_BASE_URL`.
        requests: The bodies of the requests.
        keys: The keys that came with them.
        fault: See `Fault`; may be replaced while it runs.
        dimensions: Of its vectors where a request names none.
        as_text: Whether it sends numbers instead of base64, as some compatible services do.
    """

    url: str = ""
    requests: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    keys: list[str] = field(default_factory=list[str])
    fault: Fault = lambda _: None
    dimensions: int = DIMENSIONS
    as_text: bool = False
    ended: threading.Event = field(default_factory=threading.Event)

    @property
    def batches(self) -> list[int]:
        """The number of texts of each request."""
        return [len(body["input"]) for body in self.requests]

    def vectors(self, body: Mapping[str, Any]) -> bytes:
        """The answer to a request, the last text first: their order is in `index` alone."""
        dimensions = body.get("dimensions", self.dimensions)
        rows = [self._row(index, text, dimensions) for index, text in enumerate(body["input"])]
        usage = {"prompt_tokens": len(rows), "total_tokens": len(rows)}
        return json.dumps({"object": "list", "data": rows[::-1], "model": body["model"], "usage": usage}).encode()

    def _row(self, index: int, text: str, dimensions: int) -> Mapping[str, Any]:
        vector = np.resize(HashEmbedder().embed_query(text), dimensions).astype(np.float32) * 3
        shown = vector.tolist() if self.as_text else base64.b64encode(vector.tobytes()).decode()
        return {"object": "embedding", "index": index, "embedding": shown}


def in_turn(*replies: Reply | None) -> Fault:
    """Answer these in turn, then vectors."""
    left = list(replies)
    return lambda _: left.pop(0) if left else None


def always(reply: Reply) -> Fault:
    """Answer this every time."""
    return lambda _: reply


def failing(status: int, message: str = "No.", kind: str = "", **headers: str) -> Reply:
    """An error of the protocol; header names are written with `_`."""
    error = {"message": message, "type": kind or "error", "code": kind or None, "param": None}
    return Reply(status, error, {name.replace("_", "-"): value for name, value in headers.items()})


@contextmanager
def embedding_service() -> Generator[EmbeddingService]:
    """Serve while the block runs."""
    service = EmbeddingService()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.requests.append(body)
            service.keys.append(self.headers["Authorization"])
            reply = service.fault(body["input"]) or Reply(body=service.vectors(body))
            if service.ended.wait(reply.delay) or not reply.status:
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
                return
            sent = reply.body if reply.body is not None else json.dumps({"error": reply.error}).encode()
            self.send_response(reply.status)
            for name, value in {"Content-Type": "application/json", **reply.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            """Log nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """A client that left is no error here."""

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        service.url = f"http://127.0.0.1:{server.server_port}/v1"
        try:
            yield service
        finally:
            service.ended.set()
            server.shutdown()
            thread.join(PATIENCE)

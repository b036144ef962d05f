"""A converter on loopback that answers as a test says: right by default, and wrong where it is told to be."""

import contextlib
import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

POLL_SECONDS = 0.02
CREATE, STATE, FILE = "/tasks", "/tasks/1", "/tasks/1/files/out.md"


@dataclass(frozen=True)
class Reply:
    """An answer.

    Attributes:
        body: Its body.
        status: Its HTTP status.
        kind: Its content type.
        headers: Further headers; a `Content-Length` of one's own may lie.
        is_endless: Whether it goes on without an end, slowly.
    """

    body: bytes = b""
    status: int = 200
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    is_endless: bool = False


RIGHT: Mapping[str, Reply] = {
    CREATE: Reply(b'{"task_id": "1"}', 202),
    STATE: Reply(b'{"status": "completed", "outputs": ["a.json", "out.md", "b.md"], "error_message": null}'),
    FILE: Reply(b"# Converted\n\nWeight: 5 kg\n", kind="text/markdown"),
}
Answers = Mapping[str, Reply | list[Reply]]
"""By path: one answer, or several in turn, the last of which repeats."""


@dataclass
class ScriptedConverter:
    """What a converter was asked.

    Attributes:
        url: Where it listens.
        asked: Method and path of every request.
        bodies: The bodies of the uploads.
        tokens: Their `Authorization` headers.
    """

    url: str = ""
    asked: list[str] = field(default_factory=list[str])
    bodies: list[bytes] = field(default_factory=list[bytes])
    tokens: list[str | None] = field(default_factory=list[str | None])
    closing: threading.Event = field(default_factory=threading.Event)


@contextlib.contextmanager
def converting(answers: Answers | None = None) -> Generator[ScriptedConverter]:
    """Convert while the block runs, with these answers in place of the right ones."""
    converter = ScriptedConverter()
    left = {
        path: list(given) if isinstance(given, list) else [given]
        for path, given in {**RIGHT, **(answers or {})}.items()
    }

    def reply(path: str) -> Reply:
        replies = left.get(path, [Reply(status=404)])
        return replies.pop(0) if len(replies) > 1 else replies[0]

    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(converter, reply)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
        thread.start()
        converter.url = f"http://127.0.0.1:{server.server_port}"
        try:
            yield converter
        finally:
            converter.closing.set()
            server.shutdown()
            thread.join()


def _handler(converter: ScriptedConverter, reply: Callable[[str], Reply]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            converter.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            converter.tokens.append(self.headers["Authorization"])
            self._answer()

        def _answer(self) -> None:
            converter.asked.append(f"{self.command} {self.path}")
            given = reply(self.path)
            self.send_response(given.status)
            headers = {"Content-Type": given.kind, "Content-Length": str(len(given.body)), **given.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(given.body)
            with contextlib.suppress(OSError):
                while given.is_endless and not converter.closing.wait(POLL_SECONDS):
                    self.wfile.write(b" ")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            pass

    return Handler

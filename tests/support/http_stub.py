"""A program on a port of loopback that answers as a test says, to be taken for pincite or not."""

import contextlib
import threading
from collections.abc import Generator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

POLL_SECONDS = 0.02
RID = "0123456789ab"
HEALTHY = (200, '{"status": "ok"}', RID)
OPEN = {"/health": HEALTHY, "/": (200, '{"name": "pincite"}', RID)}
KEYED = {"/health": HEALTHY, "/": (401, '{"code": "AUTH_ERROR"}', RID)}
STRICT = {"/health": (421, '{"code": "VALIDATION_ERROR"}', RID)}


@contextlib.contextmanager
def answering(answers: Mapping[str, tuple[int, str, str]], host: str = "127.0.0.1") -> Generator[int]:
    """Answer requests by their path with status, body and request id (404 for other paths) while the block runs.

    Gives the port.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body, request_id = answers.get(self.path, (404, "", ""))
            self.send_response(status)
            if request_id:
                self.send_header("X-Request-Id", request_id)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            pass

    with ThreadingHTTPServer((host, 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()

"""A web server of documents on loopback, for the tools that take URLs."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Files = Mapping[str, tuple[str, bytes]]
"""Path → media type and body."""


@contextmanager
def serving_documents(files: Files) -> Generator[str]:
    """Serve files until the end of the context; yield the URL of their folder."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            media_type, body = files.get(self.path.lstrip("/"), ("", b""))
            self.send_response(200 if body or self.path.lstrip("/") in files else 404)
            self.send_header("content-type", media_type or "application/octet-stream")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""A proxy on loopback that alters what a server answers."""

import http.client
import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

Alter = Callable[[str, bytes], bytes | None]
"""Returns the body to answer with, given a request's path and the server's body; None to answer nothing."""

Refuse = Callable[[str, str], int | None]
"""Returns the status to answer with instead of the server, given a request's method and path; None to pass it on."""


class AlteringProxy:
    """The running proxy.

    Attributes:
        url: Its address.
        alter: What it does to a successful answer; None to pass it on.
        refuse: Which requests it answers itself; None for none.
        ended: Set when it stops; answers that never come end then.
    """

    def __init__(self, upstream: str) -> None:
        parts = urlsplit(upstream)
        self.upstream = parts.hostname or "", parts.port or 80
        self.alter: Alter | None = None
        self.refuse: Refuse | None = None
        self.ended = threading.Event()
        self.url = ""

    def rewrite(self, part: str, change: Callable[[Any], object]) -> None:
        """Change the JSON that is answered to requests whose path contains a part."""

        def alter(path: str, body: bytes) -> bytes:
            if part not in path:
                return body
            answer = json.loads(body)
            changed = change(answer)
            return json.dumps(answer if changed is None else changed).encode()

        self.alter = alter


@contextmanager
def altering_proxy(upstream: str) -> Generator[AlteringProxy]:
    """Run one in front of a server."""
    proxy = AlteringProxy(upstream)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if proxy.refuse and (status := proxy.refuse(self.command, self.path)):
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()
                return
            connection = http.client.HTTPConnection(*proxy.upstream, timeout=60)
            headers = {name: value for name, value in self.headers.items() if name.lower() != "accept-encoding"}
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
            data: bytes | None = answer.read()
            connection.close()
            if proxy.alter and answer.status == 200:
                data = proxy.alter(self.path, data)
            if data is None:
                proxy.ended.wait(60)
                self.close_connection = True
                return
            self.send_response(answer.status)
            self.send_header("content-type", answer.headers.get("content-type", "application/json"))
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_PUT = do_POST = do_DELETE = _pass_on  # noqa: N815 - by its base class

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - by its base class
            del format, args

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.daemon_threads = True
    thread = threading.Thread(target=listener.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    proxy.url = f"http://127.0.0.1:{listener.server_port}"
    try:
        yield proxy
    finally:
        proxy.ended.set()
        listener.shutdown()
        listener.server_close()
        thread.join()

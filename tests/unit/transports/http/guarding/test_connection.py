"""Connections of clients that send nothing or read nothing, over real sockets."""

import socket

import pytest

from support.http_wire import HttpServer
from support.waiting import pause, wait_for
from unit.transports.http.conftest import Start

SECONDS = 20.0
HEAD = b"Host: 127.0.0.1\r\n"


@pytest.fixture
def impatient(start: Start) -> HttpServer:
    return start(PINCITE_REQUEST_SECONDS="1", PINCITE_MAX_HEADER="8")


def connect(server: HttpServer) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port))
    connection.settimeout(SECONDS)
    return connection


def is_closed(connection: socket.socket, more: bytes) -> bool:
    """Whether a connection takes no more bytes."""
    try:
        connection.sendall(more)
    except OSError:
        return True
    return False


def answered(connection: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    received = b""
    try:
        while part := connection.recv(65_536):
            received += part
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize("begun", [b"", b"G", b"GET /health HTTP/1.1\r\nHost: 127", b"POST /api HTTP/1.1\r\n" + HEAD])
def test_headers_that_do_not_come_are_not_waited_for(impatient: HttpServer, begun: bytes) -> None:
    with connect(impatient) as connection:
        connection.sendall(begun)
        assert answered(connection) == b""


def test_a_byte_now_and_then_does_not_help(impatient: HttpServer) -> None:
    with connect(impatient) as connection:
        assert wait_for(lambda: is_closed(connection, b"X"), every=0.05)


@pytest.mark.parametrize("persistence", [b"close", b"keep-alive"])
@pytest.mark.parametrize("size", [5_000_000, 60_000_000])
def test_a_client_that_sends_all_of_a_refused_body_gets_the_answer(start: Start, size: int, persistence: bytes) -> None:
    server = start()
    head = b"POST /api/tools/say HTTP/1.1\r\n" + HEAD + b"Connection: %b\r\nContent-Length: %d\r\n\r\n"
    with connect(server) as connection:
        connection.sendall(head % (persistence, size))
        for _ in range(0, size, 1_000_000):
            connection.sendall(b" " * 1_000_000)
        answer = answered(connection)
    assert answer.startswith(b"HTTP/1.1 413 ") and b"PINCITE_MAX_REQUEST" in answer


def test_the_rest_of_a_refused_body_is_not_awaited_for_ever(impatient: HttpServer) -> None:
    with connect(impatient) as connection:
        connection.sendall(b"POST /api/tools/say HTTP/1.1\r\n" + HEAD + b"Content-Length: 99999999\r\n\r\n{")
        assert answered(connection).startswith(b"HTTP/1.1 413 ")
        assert wait_for(lambda: is_closed(connection, b" "))


def test_a_body_that_does_not_come_is_refused(impatient: HttpServer) -> None:
    with connect(impatient) as connection:
        connection.sendall(b"POST /api/tools/say HTTP/1.1\r\n" + HEAD + b"Content-Length: 9\r\n\r\n{")
        assert answered(connection).startswith(b"HTTP/1.1 408 ")


def test_the_next_request_of_a_connection_has_its_own_time(impatient: HttpServer) -> None:
    with connect(impatient) as connection:
        for _ in range(4):
            connection.sendall(b"GET /health HTTP/1.1\r\n" + HEAD + b"\r\n")
            received = b""
            while not received.endswith(b'{"status":"ok"}'):
                received += connection.recv(10_000)
            assert received.startswith(b"HTTP/1.1 200")
            pause(0.4, "a connection is kept")
        connection.sendall(b"GET /hea")
        assert answered(connection) == b""


def test_a_call_may_take_longer_than_sending_it(impatient: HttpServer) -> None:
    with impatient.client() as client:
        answer = client.post("/api/tools/patient", json={"steps": 200})
    assert answer.json()["said"] == "patient"


def test_a_client_that_does_not_read_is_left(impatient: HttpServer) -> None:
    body = b'{"words": "' + b"x" * 90_000 + b'", "times": 300}'
    with connect(impatient) as connection:
        connection.sendall(b"POST /api/tools/say HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n")
        connection.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert impatient.logged("tool.success", tool="say")
        pause(2.5, "longer than the server waits")
        received = answered(connection)
    assert received.startswith(b"HTTP/1.1 200")
    assert len(received) < 90_000 * 300


def test_a_client_that_reads_slowly_gets_everything(impatient: HttpServer) -> None:
    body = b'{"words": "' + b"x" * 90_000 + b'", "times": 200}'
    with connect(impatient) as connection:
        connection.sendall(b"POST /api/tools/say HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n")
        connection.sendall(b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        received = 0
        while part := connection.recv(1_000_000):
            received += len(part)
            pause(0.01, "it reads slowly")
    assert received > 90_000 * 200


def test_headers_have_a_limit(impatient: HttpServer) -> None:
    with connect(impatient) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\n" + HEAD + b"X: " + b"x" * 17_000)
        assert answered(connection).startswith(b"HTTP/1.1 400 ")


def test_a_thousand_small_headers_are_a_bomb_too(impatient: HttpServer) -> None:
    with connect(impatient) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\n" + HEAD + b"".join(b"X%d: 1\r\n" % n for n in range(2000)))
        assert answered(connection).startswith(b"HTTP/1.1 400 ")


def test_connections_have_a_limit(start: Start) -> None:
    server = start(PINCITE_MAX_CONNECTIONS="3")
    held = [connect(server) for _ in range(3)]
    with server.client() as client:
        assert client.get("/health").status_code == 503
    for connection in held:
        connection.close()
    with server.client() as client:
        assert client.get("/health").status_code == 200

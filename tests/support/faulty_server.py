"""A server on a port of loopback that speaks HTTP as a test says, byte by byte, to be misunderstood or not."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

HEAD_BYTES = 65_536
PATIENCE = 10.0


@dataclass(frozen=True)
class Asked:
    """A request: its path with the query, and its headers in lower case."""

    path: str
    headers: Mapping[str, str]


Behaviour = Callable[[Asked, socket.socket], None]


@dataclass
class FaultyServer:
    """A running server.

    Attributes:
        port: Its port.
        behave: What it does with a connection after a request's head; may be replaced while it runs.
        asked: The requests that it received.
        ended: Set when it stops; behaviours that wait, wait for it.
    """

    port: int
    behave: Behaviour
    scheme: str = "http"
    asked: list[Asked] = field(default_factory=list[Asked])
    ended: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """The URL of a path of it."""
        return f"{self.scheme}://{host}:{self.port}{path}"


def answer(body: bytes = b"", *, status: int = 200, **headers: Any) -> bytes:
    """A well-formed answer; header names are written with `_`, and an empty value leaves one out."""
    lines = {"content_length": str(len(body)), **headers}
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items() if value)
    return f"HTTP/1.1 {status} Whatever\r\n{head}\r\n".encode() + body


def sending(*parts: bytes) -> Behaviour:
    """Send these bytes, then close the connection."""

    def behave(_: Asked, connection: socket.socket) -> None:
        for part in parts:
            connection.sendall(part)

    return behave


def in_turn(*behaviours: Behaviour) -> Behaviour:
    """Behave differently at each request, the last way for all further ones."""
    left = list(behaviours)

    def behave(asked: Asked, connection: socket.socket) -> None:
        (left.pop(0) if len(left) > 1 else left[0])(asked, connection)

    return behave


@contextlib.contextmanager
def faulty_server(
    behave: Behaviour, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> Generator[FaultyServer]:
    """Serve while the block runs."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        server = FaultyServer(listener.getsockname()[1], behave, "https" if tls else "http")
        threads: list[threading.Thread] = []

        def accept() -> None:
            while not server.ended.is_set():
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                thread = threading.Thread(target=_serve, args=(server, connection, tls), daemon=True)
                threads.append(thread)
                thread.start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield server
        finally:
            server.ended.set()
            with contextlib.suppress(OSError):  # wakes `accept`, which closing alone does not
                listener.shutdown(socket.SHUT_RDWR)
            accepting.join(PATIENCE)
            for thread in threads:
                thread.join(PATIENCE)


def _serve(server: FaultyServer, connection: socket.socket, tls: ssl.SSLContext | None) -> None:
    with contextlib.suppress(OSError), connection:
        connection.settimeout(PATIENCE)
        with contextlib.closing(tls.wrap_socket(connection, server_side=True) if tls else connection) as stream:
            head = b""
            while b"\r\n\r\n" not in head and len(head) < HEAD_BYTES:
                if not (part := stream.recv(HEAD_BYTES)):
                    return
                head += part
            first, *lines = head.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
            asked = Asked(first.split(" ")[1], headers)
            server.asked.append(asked)
            server.behave(asked, stream)

"""A client that sends any bytes and reads when it is told to, and the parlour as its server."""

import contextlib
import json
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from support import fork_server
from support.waiting import wait_for
from support.wire import CLIENT, HANDSHAKE

PARLOUR = [sys.executable, str(Path(__file__).with_name("parlour.py"))]
SECONDS = 30.0
HELLO = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
LONG = "long " * 2000


class Client:
    """A client that reads when it is told to.

    Attributes:
        process: The server.
        log: What it wrote to standard error.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", sink: IO[bytes], source: IO[bytes]) -> None:
        self.process = process
        self.log: list[str] = []
        self._sink = sink
        self._source = source
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def open(self) -> "Client":
        """Say hello."""
        self.send(request(0, "initialize", HELLO) + line({"method": "notifications/initialized"}))
        assert self.read()["id"] == 0
        return self

    def send(self, data: bytes) -> None:
        self._sink.write(data)
        self._sink.flush()

    def read(self) -> dict[str, Any]:
        """The next message."""
        return json.loads(self._source.readline())

    def leave(self) -> None:
        """Send nothing more."""
        self._sink.close()

    def logged(self, words: str) -> bool:
        """Whether the log holds these words, within some seconds."""
        return wait_for(lambda: words in "".join(self.log))

    def close(self) -> None:
        """Leave, and end the server if it does not end by itself."""
        try:
            for held in (self._sink, self._source):
                with contextlib.suppress(BrokenPipeError):
                    held.close()
            self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self._listening.join()
            assert self.process.stderr is not None
            self.process.stderr.close()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        self.log.extend(text.decode("utf-8", "replace") for text in self.process.stderr)


def over_pipes() -> Client:
    process = fork_server.start(PARLOUR, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None and process.stdout is not None
    return Client(process, process.stdin, process.stdout)


def over_sockets() -> Client:
    """As clients on Node start it."""
    sink, stdin = socket.socketpair()
    source, stdout = socket.socketpair()
    with sink, source, stdin, stdout:
        process = fork_server.start(PARLOUR, stdin=stdin.fileno(), stdout=stdout.fileno(), stderr=subprocess.PIPE)
        return Client(process, sink.makefile("wb"), source.makefile("rb"))


def over_one_socket(ours: socket.socket, theirs: socket.socket) -> Client:
    with ours:  # until its files are closed
        end = theirs.fileno()
        process = fork_server.start(PARLOUR, stdin=end, stdout=end, stderr=subprocess.PIPE)
        return Client(process, ours.makefile("wb"), ours.makefile("rb"))


def line(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def request(number: int, method: str, params: dict[str, Any]) -> bytes:
    return line({"id": number, "method": method, "params": params})


def call(number: int, tool: str, **arguments: Any) -> bytes:
    return request(number, "tools/call", {"name": tool, "arguments": arguments})


def said(message: dict[str, Any]) -> str:
    return message["result"]["structuredContent"]["said"]


def peak_megabytes(client: Client) -> float:
    """The most memory that the server has held so far."""
    status = Path(f"/proc/{client.process.pid}/status").read_text("ascii")
    (peak,) = (text for text in status.splitlines() if text.startswith("VmHWM"))
    return int(peak.split()[1]) / 1000

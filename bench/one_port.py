"""What HTTP costs: beside stdio, in process, a bare Starlette route, and a bare server of the same MCP SDK.

    python bench/one_port.py [--seconds 3] [--runs 7]

All in one run, in turns. The clients are threads with a raw socket each, on the same cores as the server: the figures
compare servers, and do not say what a machine can serve.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from behaviour.faces import EXACT  # noqa: E402 - found by the line above
from pincite.app import App  # noqa: E402 - as above
from pincite.model.call import Call  # noqa: E402 - as above
from pincite.settings import load  # noqa: E402 - as above
from support.http_wire import BOTH, HttpServer, serving  # noqa: E402 - as above
from support.memory import megabytes  # noqa: E402 - as above
from support.ports import free_port  # noqa: E402 - as above
from support.wire import CLIENT, HANDSHAKE, STATELESS, Wire, pincite  # noqa: E402 - as above

BARE = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

async def say(request):
    return JSONResponse({"said": (await request.json())["words"] * 100})

uvicorn.run(Starlette(routes=[Route("/say", say, methods=["POST"])]), port=int(sys.argv[1]), log_level="error")
"""

SDK = """
import sys, uvicorn
import mcp_types as types
from mcp.server.lowlevel import Server

async def list_tools(ctx, params):
    return types.ListToolsResult(tools=[types.Tool(name="say", input_schema={"type": "object"})])

async def call_tool(ctx, params):
    return types.CallToolResult(content=[types.TextContent(text="said " * 100)])

server = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
uvicorn.run(server.streamable_http_app(), port=int(sys.argv[1]), log_level="error")
"""

QUESTIONS = ["how do I set the maximum size", "fresh", "citation", "what is pending", "exit code", "PINCITE_MAX_FILE"]
CLIENTS = (1, 8, 64)
WARM_UP = 20
CALLS = 10_000


def main() -> int:
    """Run, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        settings = {**EXACT, "EMBEDDING_PROVIDER": "local", "PINCITE_CACHE": place}
        env = {**os.environ, **settings, "LOG_LEVEL": "INFO"}
        ready(env, given.runs)
        ours = stack.enter_context(HttpServer(serving(ROOT / "docs"), env))
        latency(ours, settings)
        throughput(ours, given.seconds)
        memory(ours)
    return 0


def ready(env: Mapping[str, str], runs: int) -> None:
    """From the start of the process to the first answer."""
    seconds: dict[str, list[float]] = {"pincite": [], "bare SDK": [], "bare Starlette": []}
    for _ in range(runs):
        for name, command in {
            "pincite": pincite("serve", str(ROOT / "docs"), "--transport", "http", "--port"),
            "bare SDK": [sys.executable, "-c", SDK],
            "bare Starlette": [sys.executable, "-c", BARE],
        }.items():
            port = free_port()
            start = time.perf_counter()
            with process([*command, str(port)], port, env):
                seconds[name].append(time.perf_counter() - start)
    print("\nready, s               median    least")
    for name, values in seconds.items():
        print(f"{name:<20} {statistics.median(values):8.3f} {min(values):8.3f}")
    ratio = statistics.median(seconds["pincite"]) / statistics.median(seconds["bare SDK"])
    print(f"{ratio:.2f} of the bare SDK's (target 1.5) {'' if ratio <= 1.5 else 'MISSED'}")


def latency(ours: HttpServer, settings: Mapping[str, str]) -> None:
    """A search, by each way to it."""
    with (
        closing(App(load(settings), ROOT / "docs")) as app,
        Wire(pincite("serve", str(ROOT / "docs")), {**os.environ, **settings}, era=STATELESS) as wire,
        ExitStack() as stack,
    ):
        wire.open()
        # Before the connections are opened: the server closes one that sends nothing while the models load.
        app.toolbox.call("search_docs", {"query": "fresh"}, Call())
        wire.call("search_docs", {"query": "fresh"})
        with closing(Raw(ours.port)) as first:
            first.post("/api/tools/search_docs", {"query": "fresh"})
        rest, stateless, session = (stack.enter_context(closing(Raw(ours.port))) for _ in range(3))
        headers = opened(session)
        ways: dict[str, Callable[[str], object]] = {
            "in process": lambda query: app.toolbox.call("search_docs", {"query": query}, Call()).model_dump_json(),
            "stdio": lambda query: wire.call("search_docs", {"query": query}),
            "REST": lambda query: rest.post("/api/tools/search_docs", {"query": query}),
            "MCP 2026-07-28": lambda query: stateless.post("/mcp", *modern("search_docs", {"query": query})),
            "MCP 2025-11-25": lambda query: session.post("/mcp", legacy("search_docs", {"query": query}), headers),
        }
        took: dict[str, list[float]] = {name: [] for name in ways}
        for turn in range(WARM_UP + 200):
            for name, ask in ways.items():
                start = time.perf_counter()
                ask(QUESTIONS[turn % len(QUESTIONS)])
                if turn >= WARM_UP:
                    took[name].append((time.perf_counter() - start) * 1000)
    base = statistics.median(took["in process"])
    print("\nsearch_docs, ms          p50      p99   + in process")
    for name, values in took.items():
        middle, last = statistics.median(values), statistics.quantiles(values, n=100)[98]
        missed = "MISSED" if name not in {"in process", "stdio"} and middle > base + 2 else ""
        print(f"{name:<20} {middle:8.2f} {last:8.2f} {middle - base:8.2f}  {missed}")


def throughput(ours: HttpServer, seconds: float) -> None:
    """Requests a second of several clients."""
    page = {"file_path": "guide/settings.md", "max_tokens": 400}
    with ExitStack() as stack:
        bare, sdk = free_port(), free_port()
        stack.enter_context(process([sys.executable, "-c", BARE, str(bare)], bare, os.environ))
        stack.enter_context(process([sys.executable, "-c", SDK, str(sdk)], sdk, os.environ))
        kinds: dict[str, tuple[int, Callable[[Raw], Callable[[], object]]]] = {
            "bare Starlette": (bare, lambda raw: lambda: raw.post("/say", {"words": "word "})),
            "REST health": (ours.port, lambda raw: lambda: raw.get("/health")),
            "REST get_page": (ours.port, lambda raw: lambda: raw.post("/api/tools/get_page", page)),
            "REST search_docs": (ours.port, lambda raw: lambda: raw.post("/api/tools/search_docs", {"query": "fresh"})),
            "bare SDK, 2026": (sdk, lambda raw: lambda: raw.post("/mcp", *modern("say", {}))),
            "MCP get_page, 2026": (ours.port, lambda raw: lambda: raw.post("/mcp", *modern("get_page", page))),
            "bare SDK, 2025": (sdk, lambda raw: with_session(raw, legacy("say", {}))),
            "MCP get_page, 2025": (ours.port, lambda raw: with_session(raw, legacy("get_page", page))),
        }
        print(f"\nrequests a second      {''.join(f'{clients:>8}' for clients in CLIENTS)}  clients")
        for name, (port, make) in kinds.items():
            rates = [rate(port, make, clients, seconds) for clients in CLIENTS]
            print(f"{name:<22} {''.join(f'{value:8.0f}' for value in rates)}")


def memory(ours: HttpServer) -> None:
    """What the server holds after many calls."""
    print("\nmemory of the server, MB (PSS)")
    with closing(Raw(ours.port)) as raw:
        for count in (0, CALLS // 2, CALLS // 2):
            for turn in range(count):
                raw.post("/api/tools/search_docs", {"query": f"{QUESTIONS[turn % len(QUESTIONS)]} {turn}"})
            print(f"after {count:>6,} more calls {megabytes(ours.process.pid):8.1f}")


class Raw:
    """A connection that costs its client next to nothing."""

    def __init__(self, port: int) -> None:
        self._host = f"localhost:{port}"
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")

    def get(self, path: str) -> bytes:
        """The body of an answer."""
        return self._exchanged(f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n\r\n".encode())[1]

    def post(self, path: str, message: object, headers: Mapping[str, str] | None = None) -> bytes:
        """The body of an answer."""
        return self.exchange(path, message, headers)[1]

    def exchange(
        self, path: str, message: object, headers: Mapping[str, str] | None = None
    ) -> tuple[dict[str, str], bytes]:
        """Headers and body of an answer."""
        body = json.dumps(message).encode()
        given = {"Host": self._host, "Content-Type": "application/json", "Content-Length": str(len(body))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in {**given, **BOTH, **(headers or {})}.items())
        return self._exchanged(f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)

    def _exchanged(self, request: bytes) -> tuple[dict[str, str], bytes]:
        self._socket.sendall(request)
        status = self._file.readline().split()[1]
        headers: dict[str, str] = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        body = self._body(headers)
        assert status in {b"200", b"202"}, (status, body[:300])
        return headers, body

    def _body(self, headers: Mapping[str, str]) -> bytes:
        if headers.get("transfer-encoding") != "chunked":
            return self._file.read(int(headers.get("content-length", 0)))
        body = b""
        while size := int(self._file.readline(), 16):
            body += self._file.read(size)
            self._file.readline()
        self._file.readline()
        return body

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self._socket.close()


def opened(raw: Raw) -> dict[str, str]:
    """The headers of a new session."""
    hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
    headers, _ = raw.exchange("/mcp", {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
    session = {"Mcp-Session-Id": headers["mcp-session-id"]}
    raw.post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}, session)
    return session


def with_session(raw: Raw, message: dict[str, Any]) -> Callable[[], object]:
    """Posts a message in a session of its own."""
    headers = opened(raw)
    return lambda: raw.post("/mcp", message, headers)


def legacy(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A call of the handshake generation."""
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def modern(tool: str, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """A call of the stateless generation, and its headers."""
    envelope = {
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientInfo": CLIENT,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    message = legacy(tool, arguments)
    message["params"]["_meta"] = envelope
    return message, {"Mcp-Protocol-Version": STATELESS, "Mcp-Method": "tools/call", "Mcp-Name": tool}


def rate(port: int, make: Callable[[Raw], Callable[[], object]], clients: int, seconds: float) -> float:
    """Requests a second of so many clients."""

    def run(raw: Raw) -> int:
        ask = make(raw)
        ask()
        end = time.perf_counter() + seconds
        count = 0
        while time.perf_counter() < end:
            ask()
            count += 1
        return count

    with ExitStack() as stack, ThreadPoolExecutor(clients) as pool:
        raws = [stack.enter_context(closing(Raw(port))) for _ in range(clients)]
        return sum(pool.map(run, raws)) / seconds


@contextmanager
def process(command: list[str], port: int, env: Mapping[str, str]) -> Generator[None]:
    """A server process, ready to answer."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=env) as started:
        try:
            while True:
                try:
                    with closing(Raw(port)) as raw:
                        raw.get("/health")
                except OSError:
                    assert started.poll() is None
                    time.sleep(0.002)
                    continue
                except AssertionError:  # the bare servers have no such route, and say so
                    pass
                break
            yield
        finally:
            started.kill()


if __name__ == "__main__":
    sys.exit(main())

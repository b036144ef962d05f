"""A real HTTP server of pincite, and raw clients of its interfaces: REST, and MCP over streamable HTTP and SSE."""

import contextlib
import json
import queue
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, Self

import httpx2

from pincite.transports.cli.folders import arguments_of
from support import fork_server
from support.waiting import wait_for
from support.wire import CLIENT, HANDSHAKE, STATELESS, Refused, pincite

SECONDS = 60.0
BOTH = {"accept": "application/json, text/event-stream"}


class HttpServer:
    """One server process, on a free port of loopback.

    Attributes:
        process: The process.
        url: Where it listens.
        log: The events that it logged.
        lines: What else it wrote to standard error.
    """

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], *, start: fork_server.Start = fork_server.start
    ) -> None:
        given = {"LOG_LEVEL": "INFO", "LOG_FORMAT": "json", "PORT": "0", **env}
        self.process = start(command, stderr=subprocess.PIPE, env=given)
        self.log: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self._ready: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._drain, daemon=True)
        self._reader.start()
        self.url = self._address()

    def _address(self) -> str:
        """Return where it listens, once it does; a process that does not is ended."""
        try:
            url = self._ready.get(timeout=SECONDS)
            assert url is not None, "".join(self.lines)
        except BaseException:
            self.process.kill()
            self.wait()
            raise
        return url

    @property
    def port(self) -> int:
        """The port where it listens."""
        return int(self.url.rpartition(":")[2])

    def logged(self, event: str, **fields: Any) -> bool:
        """Whether it logs an event with these fields, within some seconds."""
        return wait_for(
            lambda: any(line["msg"] == event and fields.items() <= line.items() for line in tuple(self.log))
        )

    def client(self, **headers: str) -> httpx2.Client:
        """A client of it."""
        return httpx2.Client(base_url=self.url, timeout=SECONDS, headers=headers, trust_env=False)

    def end(self) -> int:
        """Stop it as a person or an operating system would; its exit code."""
        self.process.terminate()
        return self.wait()

    def wait(self) -> int:
        """Wait for its end; its exit code."""
        try:
            return self.process.wait(SECONDS)
        finally:
            self.process.kill()
            self._reader.join(SECONDS)
            assert self.process.stderr is not None
            self.process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def _drain(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            try:
                event = json.loads(line)
            except ValueError:
                self.lines.append(line.decode("utf-8", "replace"))
                continue
            self.log.append(event)
            if event["msg"] == "server.ready":
                self._ready.put(event["url"])
        self._ready.put(None)


def serving(folder: Path | Mapping[str, Path] | None, *options: str, transport: str = "http") -> list[str]:
    """The command that serves a folder, or several by name, over HTTP; None for toolsets that need none."""
    return pincite("serve", *arguments_of(folder), "--transport", transport, *options)


class McpClient(Protocol):
    """A client of MCP."""

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The result of a request.

        Raises:
            Refused: It is a JSON-RPC error.
        """
        ...

    def close(self) -> None:
        """Leave."""
        ...


class StreamableHttp:
    """A client over streamable HTTP, in one protocol generation.

    Attributes:
        session: The id of its session; empty without one.
        notes: The notifications that came with answers.
    """

    def __init__(self, server: HttpServer, era: str, **headers: str) -> None:
        self.era = era
        self.session = ""
        self.notes: list[dict[str, Any]] = []
        self._client = server.client(**BOTH, **headers)
        self._next = 0

    def open(self) -> Self:
        """Say hello."""
        if self.era == HANDSHAKE:
            hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
            self.request("initialize", hello)
            assert self.post({"method": "notifications/initialized"}).status_code == 202
        else:
            self.request("server/discover")
        return self

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """See `McpClient.request`."""
        self._next += 1
        answer = self.post({"id": self._next, "method": method, "params": self.enveloped(params)}, method)
        self.session = answer.headers.get("mcp-session-id", self.session)
        *notes, message = messages(answer)
        self.notes += notes
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def enveloped(self, params: Mapping[str, Any] | None) -> dict[str, Any]:
        """Parameters as this generation has them."""
        whole = dict(params or {})
        if self.era == STATELESS:
            whole["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": STATELESS,
                "io.modelcontextprotocol/clientInfo": CLIENT,
                "io.modelcontextprotocol/clientCapabilities": {},
                **whole.get("_meta", {}),
            }
        return whole

    def headers(self, message: Mapping[str, Any], method: str = "") -> dict[str, str]:
        """The headers of a message, as this generation has them."""
        if self.era == HANDSHAKE:
            return {"mcp-session-id": self.session} if self.session else {}
        name = message.get("params", {}).get("name") or message.get("params", {}).get("uri")
        named = {"mcp-name": name} if name else {}
        return {"mcp-protocol-version": STATELESS, "mcp-method": method, **named}

    def post(self, message: Mapping[str, Any], method: str = "") -> httpx2.Response:
        """Post any message."""
        return self._client.post("/mcp", json={"jsonrpc": "2.0", **message}, headers=self.headers(message, method))

    def close(self) -> None:
        """See `McpClient.close`."""
        self._client.close()


class Sse:
    """A client over SSE, which knows the handshake alone.

    Attributes:
        notes: Notifications in the order in which they came.
    """

    def __init__(self, server: HttpServer, **headers: str) -> None:
        self.notes: list[dict[str, Any]] = []
        self._client = server.client(**headers)
        self._answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._endpoint: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._next = 0
        self._stream = self._client.stream("GET", "/sse")
        self._response = self._stream.__enter__()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        self.endpoint = self._endpoint.get(timeout=SECONDS)

    def open(self) -> Self:
        """Say hello."""
        hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
        self.request("initialize", hello)
        self.post({"method": "notifications/initialized"})
        return self

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """See `McpClient.request`."""
        self._next += 1
        self.post({"id": self._next, "method": method, "params": dict(params or {})})
        answer = self.answer()
        assert answer["id"] == self._next
        if "error" in answer:
            raise Refused(answer["error"])
        return answer["result"]

    def answer(self) -> dict[str, Any]:
        """The next answer."""
        return self._answers.get(timeout=SECONDS)

    def post(self, message: Mapping[str, Any]) -> httpx2.Response:
        """Post any message."""
        answer = self._client.post(self.endpoint, json={"jsonrpc": "2.0", **message})
        assert answer.status_code == 202
        return answer

    def close(self) -> None:
        """See `McpClient.close`."""
        hang_up(self._response)
        self._listener.join(SECONDS)
        self._response.close()
        self._client.close()

    def _listen(self) -> None:
        try:
            for event, data in events(self._response.iter_lines()):
                if event == "endpoint":
                    self._endpoint.put(data)
                elif "id" in (message := json.loads(data)):
                    self._answers.put(message)
                else:
                    self.notes.append(message)
        except (httpx2.HTTPError, httpx2.StreamError):
            return  # closed


def call(client: McpClient, tool: str, arguments: Mapping[str, Any], **meta: Any) -> dict[str, Any]:
    """The result of a tool call, failed ones included."""
    params: dict[str, Any] = {"name": tool, "arguments": dict(arguments)}
    if meta:
        params["_meta"] = meta
    return client.request("tools/call", params)


def messages(answer: httpx2.Response) -> Sequence[dict[str, Any]]:
    """The messages of an answer, which is JSON or a stream."""
    if answer.headers["content-type"].startswith("text/event-stream"):
        return [json.loads(data) for _, data in events(iter(answer.text.splitlines())) if data]
    return [answer.json()]


def hang_up(response: httpx2.Response) -> None:
    """Close the connection of a stream that a thread waits for, at once."""
    with contextlib.suppress(OSError):
        response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def events(lines: Iterator[str]) -> Iterator[tuple[str, str]]:
    """The name and the data of each event of a stream."""
    event, data = "message", ""
    for line in lines:
        if line.startswith("event:"):
            event = line.removeprefix("event:").strip()
        elif line.startswith("data:"):
            data = line.removeprefix("data:").strip()
        elif not line and data:
            yield event, data
            event, data = "message", ""

"""The ways to a tool: in process, and over each real transport, in both protocol generations where it has both."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import pytest

from pincite.app import App
from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.settings import load
from support.http_wire import HttpServer, McpClient, Sse, StreamableHttp, call, serving
from support.waiting import wait_for
from support.wire import ERAS, HANDSHAKE, STATELESS, Wire

SLOW_NAMES = (f"http {HANDSHAKE}", "sse", "rest")
"""Faces over HTTP share all their code with a default one but a route: they are tried in the slow tier."""

NAMES = ("toolbox", *(f"stdio {era}" for era in ERAS), f"http {STATELESS}", *SLOW_NAMES)
PARAMETERS = tuple(pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW_NAMES)) for name in NAMES)

EXACT = {
    "EMBEDDING_PROVIDER": "hash",
    "PINCITE_MODEL_GRACE": "inf",
    "PINCITE_FRESH_BUDGET": "inf",
    "LOG_LEVEL": "WARNING",
    "MCP_RATE_LIMIT_RPM": "0",
}
"""Settings under which every answer repeats exactly, also on a busy machine."""


Folders = Path | Mapping[str, Path] | None


class Failed(Exception):
    """A tool said why it cannot answer."""


class Face(Protocol):
    """One way to the tools of a served folder."""

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The tool's answer.

        Raises:
            Failed: With the tool's message.
        """
        ...

    def close(self) -> None:
        """Stop serving."""
        ...


class InProcess:
    """The toolbox itself."""

    def __init__(self, folder: Folders, settings: Mapping[str, str], toolsets: Sequence[str]) -> None:
        self._app = App(load(settings), folder, toolsets=toolsets)

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """See `Face.call`."""
        try:
            return self._app.toolbox.call(tool, arguments, Call()).model_dump(mode="json")
        except PinciteError as error:
            raise Failed(error.message) from None

    def close(self) -> None:
        """See `Face.close`."""
        self._app.close()


class Stdio:
    """A server process."""

    def __init__(self, folder: Folders, settings: Mapping[str, str], toolsets: Sequence[str], era: str) -> None:
        command = serving(folder, *_named(toolsets), transport="stdio")
        self.wire = Wire(command, {**os.environ, **settings}, era=era).open()

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """See `Face.call`."""
        result = self.wire.call(tool, arguments)
        text = result["content"][0]["text"]
        if result["isError"]:
            raise Failed(text)
        assert json.loads(text) == result["structuredContent"]
        return result["structuredContent"]

    def close(self) -> None:
        """See `Face.close`; nothing but messages came, and the end was clean."""
        assert self.wire.end() == 0
        assert not self.wire.stray


class McpOverHttp:
    """A server process on a port, by an MCP client."""

    def __init__(self, folder: Folders, settings: Mapping[str, str], toolsets: Sequence[str], name: str) -> None:
        command = serving(folder, *_named(toolsets))
        self.server = HttpServer(command, {**os.environ, **settings, "LOG_LEVEL": "INFO"})
        if name == "sse":
            self.client: McpClient = Sse(self.server).open()
        else:
            self.client = StreamableHttp(self.server, name.removeprefix("http ")).open()

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """See `Face.call`."""
        result = call(self.client, tool, arguments)
        text = result["content"][0]["text"]
        if result["isError"]:
            raise Failed(text)
        assert json.loads(text) == result["structuredContent"]
        return result["structuredContent"]

    def close(self) -> None:
        """See `Face.close`; the end was clean."""
        self.client.close()
        assert self.server.end() == 0
        assert not self.server.lines


class Rest:
    """A server process on a port, by REST."""

    def __init__(self, folder: Folders, settings: Mapping[str, str], toolsets: Sequence[str]) -> None:
        command = serving(folder, *_named(toolsets))
        self.server = HttpServer(command, {**os.environ, **settings, "LOG_LEVEL": "INFO"})
        self.client = self.server.client()

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """See `Face.call`."""
        answer = self.client.post(f"/api/tools/{tool}", json=arguments)
        if answer.is_error:
            raise Failed(answer.json()["error"])
        return answer.json()

    def close(self) -> None:
        """See `Face.close`; the end was clean."""
        self.client.close()
        assert self.server.end() == 0
        assert not self.server.lines


def _named(toolsets: Sequence[str]) -> list[str]:
    return ["--toolsets", ",".join(toolsets)] if toolsets else []


def serve(name: str, folder: Folders, cache: Path, toolsets: Sequence[str] = (), **settings: str) -> Face:
    """Serve a folder, or toolsets that need none, by the face of this name, with its index in this cache."""
    given = {**EXACT, "PINCITE_CACHE": str(cache), **settings}
    if name == "toolbox":
        return InProcess(folder, given, toolsets)
    if name == "rest":
        return Rest(folder, given, toolsets)
    if name == "sse" or name.startswith("http "):
        return McpOverHttp(folder, given, toolsets, name)
    return Stdio(folder, given, toolsets, name.removeprefix("stdio "))


def settled(face: Face, seconds: float = 60.0) -> dict[str, Any]:
    """The status once words and vectors are complete."""
    assert wait_for(lambda: face.call("get_status")["index"]["indexing"] is None, seconds)
    return face.call("get_status")


def write(folder: Path, pages: Mapping[str, str | bytes]) -> Path:
    """Write pages below a folder."""
    for name, text in pages.items():
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder

"""The engine `claude` with its tools on a tool server (MCP_TOOLS_URL): the same, and no more, than in process.

The server is real and speaks MCP over HTTP; only the model is scripted.
"""

import json
import logging
import os
import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, cast

import httpx2
import pytest

from pincite.agents.claude.desk import BUILD, SEARCH, TOOLS
from pincite.app import App
from pincite.errors import ConnectionFailed
from pincite.model.call import Call
from pincite.runtime.imports import import_once
from pincite.services.extraction import tool_server
from pincite.services.extraction.capabilities import Capabilities
from pincite.services.extraction.tool_server import RemoteTools
from pincite.settings import load
from pincite.transports.http.app import Interfaces
from pincite.transports.served import ServedApp
from support.agents import DILIGENT, Bench, answer, bench, right, tool
from support.http_wire import messages
from support.scripted_model import Said, Step, Text, ToolUse, following
from support.task_server import serving_here

KEY = "a-key-of-the-tool-server"
FOUND = {
    "original_file": "my sheet.md",
    "general": {"weight": "25kg", "supplier": None},
    "certificates": ["IEC 62109", "VDE 4105"],
    "nominal_ac_power_per_model": {"SS-5K": "5kW", "SS-8K": "8kW"},
}


@dataclass(frozen=True)
class Place:
    """A server of tools with a data folder, and a bench that uses it."""

    bench: Bench
    folder: Path
    url: str

    def tokens(self) -> list[Path]:
        """The tokens that open something."""
        return list((self.folder / "capabilities").glob("*"))

    def granted(self, file: str = "uploads/original.md", seconds: float = 60.0) -> str:
        """A token for a file of the folder."""
        return Capabilities(self.folder).grant(TOOLS, "its-index", PurePosixPath(file), seconds)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("data")
    variables = {"DATA_DIR": str(folder), "PINCITE_CACHE": str(folder / "models"), "EMBEDDING_PROVIDER": "hash"}
    # A limit that nobody's tasks should meet, and a key that no task should need.
    settings = load({**variables, "PORT": "0", "MCP_API_KEY": KEY, "MCP_RATE_LIMIT_RPM": "1"})
    with ExitStack() as stack:
        made = stack.enter_context(bench(folder))
        tools = stack.enter_context(closing(App(settings, None, toolsets=["extraction"])))
        yield Place(made, folder, stack.enter_context(serving_here(cast("ServedApp", tools), Interfaces(rest=False))))


@pytest.fixture(params=["api", pytest.param("sdk", marks=pytest.mark.slow)])
def runner(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    for name in [name for name in os.environ if name.startswith(("ANTHROPIC_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    return request.param


def script(runner: str, *steps: Step) -> list[Step]:
    """The steps, with the tools named as this runner names them."""
    prefix = "mcp__doc-tools__" if runner == "sdk" else ""

    def named(step: Step) -> Step:
        def said(results: Sequence[str]) -> Said:
            found = step([result.partition("\n\n<system-reminder>")[0] for result in results])
            return ToolUse(prefix + found.name, found.arguments) if isinstance(found, ToolUse) else found

        return said

    return [named(step) for step in steps]


def saying(said: Said) -> Step:
    return lambda _: said


def nothing(results: Sequence[str]) -> Text:
    del results
    return answer({"general": {"weight": None}}, {"general": {"weight": None}})


@pytest.mark.parametrize("path", ["", "/mcp", "/sse"])
def test_the_tools_of_the_server_find_what_those_here_find(
    place: Place, runner: str, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with following(script(runner, *DILIGENT, right)) as model:
        result = place.bench.extract(place.bench.engine(model.url, runner, MCP_TOOLS_URL=place.url + path))
    assert result.data == FOUND
    assert result.usage["tool_calls"] == len(DILIGENT)
    sent = json.dumps(model.asked)
    assert "uploads" not in sent and "document.md" in sent
    assert place.tokens() == [], "a token outlasts its attempt"
    assert "pincite-task-" not in sent + caplog.text


@pytest.mark.parametrize("remote", [False, True], ids=["in process", "over HTTP"])
def test_a_prompt_in_the_document_that_wants_a_neighbours_upload_gets_not_found(
    place: Place, runner: str, remote: bool
) -> None:
    """The model obeys the document, and asks for the neighbour by every name that it could have."""
    built = place.bench.app.toolbox.call(BUILD, {"file_path": "uploads/neighbour.md", "cache_key": "theirs"}, Call())
    other = built.model_dump()["index_id"]
    paths = ("uploads/neighbour.md", str(place.folder / "uploads" / "neighbour.md"), "neighbour.md", "/etc/passwd")
    calls = [tool(BUILD, file_path=path) for path in paths]
    calls += [ToolUse(SEARCH, {"index_id": key, "query": "password"}) for key in (other, "theirs")]
    steps = [saying(call) for call in calls]
    variables = {"MCP_TOOLS_URL": place.url} if remote else {}
    with following(script(runner, *steps, nothing)) as model:
        result = place.bench.extract(place.bench.engine(model.url, runner, **variables))
    assert len(model.results) == len(steps)
    assert all("not found" in text for text in model.results)
    assert "swordfish" not in json.dumps(model.asked) + json.dumps(dict(result.data))


def test_a_tool_server_that_is_not_there_ends_the_attempt(place: Place, runner: str) -> None:
    with following([nothing]) as model, pytest.raises(ConnectionFailed, match="MCP_TOOLS_URL") as raised:
        place.bench.extract(place.bench.engine(model.url, runner, MCP_TOOLS_URL="http://127.0.0.1:1"))
    assert model.asked == [] and "127.0.0.1" not in raised.value.message
    assert place.tokens() == []


@pytest.mark.parametrize("path", ["", "/sse"])
def test_a_tool_server_that_never_answers_ends_the_attempt(
    place: Place, runner: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tool_server, "CONNECT_SECONDS", 0.5)
    monkeypatch.setattr(tool_server, "CALL_SECONDS", 600.0)  # longer than any test may take
    # It takes connections and says nothing, as a process that hangs does.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}{path}"
        with following([nothing]) as model, pytest.raises(ConnectionFailed, match="MCP_TOOLS_URL") as raised:
            place.bench.extract(place.bench.engine(model.url, runner, MCP_TOOLS_URL=url, AGENT_MAX_RETRIES="0"))
    assert model.asked == [] and "127.0.0.1" not in raised.value.message
    assert place.tokens() == []


def test_the_time_of_a_connection_begins_once_the_client_is_imported(
    monkeypatch: pytest.MonkeyPatch, place: Place
) -> None:
    async def imported(tools: RemoteTools, url: str) -> None:
        del tools, url
        present.append("mcp.client.sse" in sys.modules)

    present: list[bool] = []
    monkeypatch.delitem(sys.modules, "mcp.client.sse", raising=False)
    import_once.cache_clear()
    monkeypatch.setattr(RemoteTools, "_hold", imported)
    with pytest.raises(ConnectionFailed):
        RemoteTools(place.bench.app.toolbox, place.url, "a-token", Call())
    assert present == [True]


def test_a_tool_server_that_is_lost_is_no_empty_result(place: Place, runner: str) -> None:
    def lost(results: Sequence[str]) -> Said:
        for path in place.tokens():
            path.unlink()  # as if its server had forgotten it
        return tool(SEARCH, results, query="weight")

    with following(script(runner, DILIGENT[0], lost, nothing)) as model, pytest.raises(ConnectionFailed):
        place.bench.extract(place.bench.engine(model.url, runner, MCP_TOOLS_URL=place.url))


# What a token opens


def asked(place: Place, token: str, method: str, **params: Any) -> httpx2.Response:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    headers = {
        "authorization": f"Bearer {token}",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        **({"mcp-name": params["name"]} if "name" in params else {}),
    }
    with httpx2.Client(trust_env=False, timeout=30) as client:
        return client.post(f"{place.url}/mcp", json=body, headers=headers)


def test_a_token_opens_its_tools_and_no_resources(place: Place) -> None:
    token = place.granted()
    (listed,) = messages(asked(place, token, "tools/list"))
    assert [each["name"] for each in listed["result"]["tools"]] == list(TOOLS)
    for _ in range(3):  # the limit of calls is not for tasks
        (built,) = messages(
            asked(place, token, "tools/call", name=BUILD, arguments={"file_path": "uploads/neighbour.md"})
        )
        assert "File not found" in built["result"]["content"][0]["text"]
    for method in ("resources/list", "resources/templates/list", "prompts/list"):
        (refused,) = messages(asked(place, token, method))
        assert "error" in refused


def test_a_token_is_for_mcp_alone(place: Place) -> None:
    headers = {"authorization": f"Bearer {place.granted()}"}
    with httpx2.Client(base_url=place.url, trust_env=False, timeout=30, headers=headers) as client:
        assert [client.get(path).status_code for path in ("/tasks", "/api/tools/doc_read", "/")] == [403] * 3
        assert client.get("/health").status_code == 200


@pytest.mark.parametrize("seconds", [-1.0, None], ids=["expired", "never granted"])
def test_a_token_that_opens_nothing_is_refused(place: Place, seconds: float | None) -> None:
    token = "pincite-task-made-up" if seconds is None else place.granted(seconds=seconds)
    assert asked(place, token, "tools/list").status_code == 401

"""What `pincite connect CLIENT --url` writes works: a real server with a key, and the clients that can be installed."""

import json
import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.test_clients import FINDS, QUIET, clients, first_ref, node, run
from pincite.transports.cli.clients.url_entries import BRIDGE
from support.http_wire import HttpServer, serving
from support.scripted_model import Step, Text, ToolUse, following
from support.wire import CLIENT, HANDSHAKE, pincite

__all__ = ["clients"]

INTERFACES = ("/mcp", "/sse")


@pytest.fixture
def key() -> str:
    return secrets.token_hex(16)


@pytest.fixture
def server(tmp_path: Path, key: str) -> Iterator[HttpServer]:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Alpha\n\nIntro.\n\n## Beta\n\nA zebra crossing.\n")
    own = {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", "PINCITE_MODEL_GRACE": "inf"}
    with HttpServer(serving(docs), {**os.environ, **own, "MCP_API_KEY": key}) as started:
        yield started


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


def tell(home: Path, *arguments: str, code: int = 0, **env: str) -> dict[str, Any]:
    """What a command of ours prints as JSON, away from everything of the user's."""
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "PINCITE_CACHE": str(home / "cache")}
    kept = {name: value for name, value in os.environ.items() if name not in {"HOST", "PORT", "MCP_API_KEY"}}
    ended = subprocess.run(
        pincite(*arguments, "--json"),
        env={**kept, **own, "EMBEDDING_PROVIDER": "hash", **env},
        cwd=home,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    return json.loads(ended.stdout)


def checks(home: Path, code: int = 0, **env: str) -> dict[str, Any]:
    return {check["name"]: check for check in tell(home, "doctor", code=code, **env)["checks"]}


def test_a_server_says_that_it_needs_a_key_and_doctor_where_it_is_missing(
    server: HttpServer, home: Path, key: str
) -> None:
    told = tell(home, "connect", "claude-code", "--url", server.url, "--write", MCP_API_KEY=key)
    assert told["configuration"]["mcpServers"]["pincite"]["headers"] == {"x-api-key": "${MCP_API_KEY}"}
    assert key not in (home / ".mcp.json").read_text()
    assert checks(home, MCP_API_KEY=key)["client claude-code"]["state"] == "ok"
    assert "MCP_API_KEY is not set here" in checks(home)["client claude-code"]["found"]


def test_doctor_says_what_listens(server: HttpServer, home: Path) -> None:
    port = server.url.rpartition(":")[2]
    found = checks(home, PORT=port)["http"]["found"]
    assert found == f"{server.url}: pincite, with a key; reachable from this machine alone"
    server.end()
    assert "Nothing answers at" in checks(home, PORT=port)["http"]["found"]


def test_doctor_fails_where_others_can_read_the_documents(tmp_path: Path, home: Path) -> None:
    everywhere = "0.0.0.0"  # noqa: S104 - an empty folder
    (tmp_path / "docs").mkdir()
    own = {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", "MCP_API_KEY": ""}
    with HttpServer(serving(tmp_path / "docs", "--host", everywhere, "--insecure"), {**os.environ, **own}) as started:
        port = started.url.rpartition(":")[2]
        check = checks(home, code=1, PORT=port)["http"]
        assert check["state"] == "failure" and "others can read the documents" in check["found"]
        assert checks(home, PORT=port, HOST=everywhere, PINCITE_INSECURE="true")["http"]["state"] == "warning"


def test_the_bridge_that_is_tried_is_the_one_that_is_written() -> None:
    pinned = json.loads((Path(__file__).parent / "clients" / "package.json").read_text(encoding="utf-8"))
    assert f"mcp-remote@{pinned['dependencies']['mcp-remote']}" == BRIDGE


# The clients


@pytest.mark.slow
@pytest.mark.parametrize("path", INTERFACES)
def test_claude_code_calls_a_tool_by_what_is_written(
    clients: Path,
    server: HttpServer,
    home: Path,
    key: str,
    path: str,
) -> None:
    tell(home, "connect", "claude-code", "--url", server.url + path, "--write")
    script: list[Step] = [
        lambda _: ToolUse(FINDS, {"query": "zebra"}),
        lambda results: Text(first_ref(results)),
    ]
    options = ["--mcp-config", home / ".mcp.json", "--strict-mcp-config", "--tools", "", "--setting-sources", ""]
    allowed = ["--allowedTools", "mcp__pincite", "--permission-mode", "dontAsk"]
    with following(script) as model:
        said = run(
            [clients / ".bin" / "claude", "-p", "Where do zebras cross?", *options, *allowed],
            home,
            ANTHROPIC_BASE_URL=model.url,
            ANTHROPIC_API_KEY="scripted",
            CLAUDE_CONFIG_DIR=str(home / "claude"),
            MCP_API_KEY=key,
            **QUIET,
        )
    assert said.startswith("a.md@") and not model.failed


@pytest.mark.slow
def test_the_shell_line_connects_claude_code(
    clients: Path,
    server: HttpServer,
    home: Path,
    key: str,
) -> None:
    ended = subprocess.run(
        pincite("connect", "claude-code", "--url", server.url), cwd=home, capture_output=True, check=True
    )
    (line,) = [line for line in ended.stdout.decode().splitlines() if line.startswith("claude mcp add")]
    own = {"CLAUDE_CONFIG_DIR": str(home / "claude"), "MCP_API_KEY": key, **QUIET}
    run(["sh", "-c", f"{clients}/.bin/{line}"], home, **own)
    assert "Connected" in run([clients / ".bin" / "claude", "mcp", "list"], home, **own)
    kept = [file.read_text(errors="replace") for file in (home / "claude").rglob("*.json")]
    assert kept and not any(key in text for text in kept)


@pytest.mark.slow
@pytest.mark.parametrize("path", INTERFACES)
def test_the_bridge_of_claude_desktop_calls_a_tool(
    clients: Path,
    server: HttpServer,
    home: Path,
    key: str,
    path: str,
) -> None:
    if not (clients / "mcp-remote").is_dir():
        pytest.skip("mcp-remote is not here: `make clients`")
    told = tell(home, "connect", "claude-desktop", "--url", server.url + path, "--write")
    _, package, *arguments = told["configuration"]["mcpServers"]["pincite"]["args"]
    assert package == BRIDGE
    with Path(arguments[-1]).open("a", encoding="utf-8") as key_file:
        key_file.write(f"x-api-key: {key}\n")
    hello = {"protocolVersion": HANDSHAKE, "capabilities": {}, "clientInfo": CLIENT}
    calls = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "search_docs", "arguments": {"query": "zebra"}}},
    ]
    bridge = subprocess.Popen(
        [node(clients), clients / "mcp-remote" / "dist" / "proxy.js", *arguments],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        cwd=home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    assert bridge.stdin is not None and bridge.stdout is not None
    try:
        for call in calls:
            bridge.stdin.write(json.dumps({"jsonrpc": "2.0", **call}) + "\n")
            bridge.stdin.flush()
        answers = (json.loads(line) for line in bridge.stdout)
        answer = next(answer for answer in answers if answer.get("id") == len(calls) - 1)
    finally:
        bridge.kill()
        bridge.communicate()
    assert answer["result"]["structuredContent"]["results"][0]["content"] == "## Beta\n\nA zebra crossing.\n"

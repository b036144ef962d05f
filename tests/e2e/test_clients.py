"""Programs that others wrote talk to pincite: the MCP conformance suite, the Inspector, Claude Code.

`make clients` installs them; PINCITE_CLIENTS names another folder that has them.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support.http_wire import HttpServer, serving
from support.scripted_model import ScriptedModel, Step, Text, ToolUse, following
from support.wire import ERAS, HANDSHAKE, STATELESS, pincite

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the clients are started by their POSIX paths"),
]

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 90.0

RELEASED, NEXT = "conformance-2025-11-25", "@modelcontextprotocol/conformance"
"""The suite's last release, which knows the handshake generation alone, and its next one, which knows both."""

BASIC = ["server-initialize", "ping", "tools-list", "resources-list", "resources-subscribe", "resources-unsubscribe"]

SCENARIOS: list[tuple[str, str, str, set[str]]] = [
    *((suite, HANDSHAKE, scenario, set[str]()) for suite in (RELEASED, NEXT) for scenario in BASIC),
    (NEXT, HANDSHAKE, "server-session-lifecycle", set()),
    (NEXT, HANDSHAKE, "server-sse-multiple-streams", set()),
    *((suite, HANDSHAKE, "dns-rebinding-protection", set[str]()) for suite in (RELEASED, NEXT)),
    (NEXT, STATELESS, "dns-rebinding-protection", set()),
    (NEXT, STATELESS, "http-header-validation", set()),
    (NEXT, STATELESS, "server-sse-multiple-streams", set()),
    (NEXT, STATELESS, "tools-list", set()),
    (NEXT, STATELESS, "resources-list", set()),
    (NEXT, STATELESS, "sep-2164-resource-not-found", set()),
    (NEXT, STATELESS, "caching", set()),
    (
        NEXT,
        STATELESS,
        "server-stateless",
        {
            # These four call tools that only the suite's own example server has.
            "sep-2575-server-rejects-undeclared-capability",
            "sep-2575-missing-capability-http-400",
            "sep-2575-http-server-no-independent-requests-on-stream",
            "sep-2575-server-no-log-without-loglevel",
            # And these a tool that adds tools or prompts; ours stay as they are.
            "sep-2575-server-sends-tools-list-changed-on-subscription",
            "sep-2575-server-sends-prompts-list-changed-on-subscription",
        },
    ),
]
"""Suite, generation, scenario, and the checks of it that do not apply. Left out: scenarios that need the tools,
prompts or resources of the suite's example server, or features that a server may leave out and ours does."""


@pytest.fixture(scope="session")
def clients() -> Path:
    """The folder of installed clients; the test is skipped where there is none."""
    folder = Path(os.environ.get("PINCITE_CLIENTS", ROOT / ".clients")) / "node_modules"
    if not (folder / ".bin").is_dir():
        pytest.skip("the clients are not here: `make clients`, or set PINCITE_CLIENTS to the folder that has them")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "docs"
    root.mkdir()
    (root / "a.md").write_text("# Alpha\n\nIntro.\n\n## Beta\n\nA zebra crossing.\n")
    return root


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    return {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", "PINCITE_MODEL_GRACE": "inf"}


@pytest.fixture
def configuration(folder: Path, settings: dict[str, str], tmp_path: Path) -> Path:
    """A client's file that names the server."""
    command, *arguments = pincite("serve", str(folder))
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"pincite": {"command": command, "args": arguments, "env": settings}}}))
    return file


def run(command: Sequence[str | Path], home: Path, **env: str) -> str:
    """What a client prints, started away from everything of the user's."""
    home.mkdir(exist_ok=True)
    ended = subprocess.run(
        command,
        env={"PATH": os.environ["PATH"], "HOME": str(home), **env},
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, f"{ended.stdout[-2000:]}\n{ended.stderr[-2000:]}"
    return ended.stdout


def node(clients: Path) -> Path:
    """A Node that is new enough for all of them."""
    return clients / "node" / "bin" / "node"


# The conformance suite


@pytest.fixture
def url(folder: Path, settings: dict[str, str]) -> Iterator[str]:
    """The suite tests URLs alone."""
    with HttpServer(serving(folder), {**os.environ, **settings, "MCP_RATE_LIMIT_RPM": "0"}) as server:
        yield f"{server.url}/mcp"


@pytest.mark.parametrize(("suite", "era", "scenario", "other"), SCENARIOS)
def test_a_scenario_of_the_conformance_suite_finds_nothing(
    clients: Path, url: str, suite: str, era: str, scenario: str, other: set[str], tmp_path: Path
) -> None:
    script = clients / suite / "dist" / "index.js"
    out = tmp_path / "out"
    command = [node(clients), script, "server", "--url", url, "--scenario", scenario, "--spec-version", era, "-o", out]
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run(command, env={"HOME": str(home)}, cwd=home, capture_output=True, timeout=SECONDS, check=False)
    (report,) = out.glob("*/checks.json")
    checks: list[dict[str, Any]] = json.loads(report.read_text())
    assert any(check["status"] == "SUCCESS" for check in checks)
    found = [check for check in checks if check["status"] in {"FAILURE", "WARNING"}]
    assert {check["id"] for check in found} == other, found


# The Inspector

NO_KEYCHAIN = {"MCP_INSPECTOR_SECRET_STORE": "memory"}


@pytest.fixture(params=[(way, era) for way in ("stdio", "http") for era in ERAS], ids=" ".join)
def inspect(clients: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., dict[str, Any]]:
    """Ask by the Inspector's command line, over one transport, in one generation of the protocol."""
    script = clients / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
    way, version = request.param
    era = "legacy" if version == HANDSHAKE else "modern"
    if way == "stdio":
        file = request.getfixturevalue("configuration")
    else:
        file = tmp_path / "mcp.json"
        server = {"type": "streamable-http", "url": request.getfixturevalue("url")}
        file.write_text(json.dumps({"mcpServers": {"pincite": server}}))
    fixed = ["--cli", "--config", file, "--server", "pincite", "--quiet", "--protocol-era", era]

    def ask(method: str, *arguments: str) -> dict[str, Any]:
        command = [node(clients), script, *fixed, "--method", method, *arguments]
        return json.loads(run(command, tmp_path / "home", **NO_KEYCHAIN))

    return ask


def test_the_inspector_finds_every_schema_portable(inspect: Callable[..., dict[str, Any]]) -> None:
    assert "search_docs" in {tool["name"] for tool in inspect("tools/list", "--strict")["tools"]}


def test_the_inspector_calls_a_tool(inspect: Callable[..., dict[str, Any]]) -> None:
    found = inspect("tools/call", "--tool-name", "search_docs", "--tool-arg", "query=zebra")
    assert found["structuredContent"]["results"][0]["content"] == "## Beta\n\nA zebra crossing.\n"


def test_the_inspector_lists_and_reads_resources(inspect: Callable[..., dict[str, Any]], folder: Path) -> None:
    (listed,) = inspect("resources/list")["resources"]
    (content,) = inspect("resources/read", "--uri", listed["uri"])["contents"]
    assert content["text"] == (folder / "a.md").read_text()
    (template,) = inspect("resources/templates/list")["resourceTemplates"]
    assert template["uriTemplate"] == "pincite://docs/{path}"


# Claude Code

FINDS = "mcp__pincite__search_docs"
OPENS = "mcp__pincite__open_citation"
CHECKS = "mcp__pincite__verify_quote"

QUIET = {
    "CLAUDE_CODE_MAX_RETRIES": "0",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_AUTOUPDATER": "1",
    "MCP_CONNECTION_NONBLOCKING": "0",
}


def configured(configuration: Path) -> list[str | Path]:
    return ["--mcp-config", configuration, "--strict-mcp-config"]


def first_ref(results: Sequence[str]) -> str:
    return json.loads(results[0])["results"][0]["ref"]


def claude(
    clients: Path, model: ScriptedModel, servers: Sequence[str | Path], home: Path, **env: str
) -> list[dict[str, Any]]:
    """What Claude Code says on its way to an answer, with no tools but the server's."""
    options = [*servers, "--tools", "", "--setting-sources", ""]
    allowed = ["--allowedTools", "mcp__pincite", "mcp__plugin_pincite_pincite", "--permission-mode", "dontAsk"]
    shown = ["--output-format", "stream-json", "--verbose"]
    said = run(
        [clients / ".bin" / "claude", "-p", "Where do zebras cross?", *options, *allowed, *shown],
        home,
        ANTHROPIC_BASE_URL=model.url,
        ANTHROPIC_API_KEY="scripted",
        CLAUDE_CONFIG_DIR=str(home / "claude"),
        **{**QUIET, **env},
    )
    return [json.loads(line) for line in said.splitlines()]


def test_claude_code_searches_opens_the_citation_and_checks_its_quote(
    clients: Path, configuration: Path, tmp_path: Path
) -> None:
    script: list[Step] = [
        lambda _: ToolUse(FINDS, {"query": "zebra"}),
        lambda results: ToolUse(OPENS, {"ref": first_ref(results)}),
        lambda results: ToolUse(CHECKS, {"ref": first_ref(results), "quote": "A zebra crossing."}),
        lambda results: Text(f"{json.loads(results[1])['content']} {json.loads(results[2])['verdict']}"),
    ]
    with following(script) as model:
        first, *_, last = claude(clients, model, configured(configuration), tmp_path / "home")
    assert [(server["name"], server["status"]) for server in first["mcp_servers"]] == [("pincite", "connected")]
    assert {FINDS, OPENS, CHECKS} <= set(model.tools)
    assert not model.failed
    assert (last["subtype"], last["is_error"]) == ("success", False)
    assert last["result"] == "## Beta\n\nA zebra crossing.\n exact"


def test_a_wrong_reference_comes_to_claude_code_as_an_error_it_can_act_on(
    clients: Path, configuration: Path, tmp_path: Path
) -> None:
    script: list[Step] = [lambda _: ToolUse(OPENS, {"ref": "b.md@7f19653a#h2-c1"}), lambda results: Text(results[0])]
    with following(script) as model:
        *_, last = claude(clients, model, configured(configuration), tmp_path / "home")
    assert model.failed
    assert last["result"] == "No document 'b.md' here. Nearest: a.md."


# What `make packages` writes


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("packages")
    script = [sys.executable, ROOT / "scripts" / "packages.py", out, "--namespace", "io.github.example"]
    subprocess.run(script, check=True, capture_output=True, timeout=SECONDS)
    return out


def test_the_bundler_of_mcp_bundles_accepts_the_manifest(clients: Path, packages: Path, tmp_path: Path) -> None:
    (bundle,) = packages.glob("*.mcpb")
    bundler = clients / "@anthropic-ai" / "mcpb" / "dist" / "cli" / "cli.js"
    run([node(clients), bundler, "unpack", bundle, tmp_path / "bundle"], tmp_path / "home")
    said = run([node(clients), bundler, "validate", tmp_path / "bundle" / "manifest.json"], tmp_path / "home")
    assert "validation passes" in said


@pytest.mark.parametrize(("part", "options"), [(".", ["--strict"]), ("pincite", ["--profile", "directory"])])
def test_claude_code_accepts_the_marketplace_and_the_plugin(
    clients: Path, packages: Path, part: str, options: list[str], tmp_path: Path
) -> None:
    command = [clients / ".bin" / "claude", "plugin", "validate", packages / "claude-code" / part]
    run([*command, *options], tmp_path / "home", **QUIET)


def test_the_plugin_brings_claude_code_the_server_a_skill_and_a_command(
    clients: Path, packages: Path, folder: Path, settings: dict[str, str], tmp_path: Path
) -> None:
    starter = tmp_path / "bin" / "uvx"  # what uvx does once the version is on the index
    starter.parent.mkdir()
    starter.write_text(f'#!/bin/sh\nshift\nexec {shlex.join(pincite())} "$@"\n')
    starter.chmod(0o755)
    script: list[Step] = [
        lambda _: ToolUse("mcp__plugin_pincite_pincite__search_docs", {"query": "zebra"}),
        lambda results: Text(first_ref(results)),
    ]
    path = f"{starter.parent}{os.pathsep}{os.environ['PATH']}"
    plugin = ["--plugin-dir", packages / "claude-code" / "pincite"]
    with following(script) as model:
        first, *_, last = claude(clients, model, plugin, folder, PATH=path, **settings)
    assert {"pincite:cite", "pincite:check"} <= set(first["slash_commands"])
    assert last["result"].startswith("a.md@")

import stat
from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.transports.cli.clients import known
from pincite.transports.cli.clients.endpoints import endpoint
from pincite.transports.cli.clients.url_entries import BRIDGE, key_file_of, prepare_key_file, shell_line, url_entry

FAR = endpoint("https://docs.example/mcp")
NEAR_SSE = endpoint("http://localhost:8000/sse")


def test_claude_code_gets_the_key_from_its_environment() -> None:
    added = url_entry(known.find("claude-code"), FAR, with_key=True)
    assert added.entry == {
        "type": "http",
        "url": "https://docs.example/mcp",
        "headers": {"x-api-key": "${MCP_API_KEY}"},
    }
    assert "MCP_API_KEY" in added.hint


def test_cursor_names_no_transport_and_expands_in_its_own_form() -> None:
    added = url_entry(known.find("cursor"), FAR, with_key=True)
    assert added.entry == {"url": "https://docs.example/mcp", "headers": {"x-api-key": "${env:MCP_API_KEY}"}}


def test_vs_code_asks_for_the_key_of_each_server_and_hides_it() -> None:
    added = url_entry(known.find("vscode"), FAR, with_key=True)
    assert added.entry["headers"] == {"x-api-key": "${input:pincite-key-docs.example}"}
    (asked,) = added.inputs
    assert (asked["type"], asked["id"], asked["password"]) == ("promptString", "pincite-key-docs.example", True)


def test_claude_desktop_starts_a_bridge_that_reads_the_key_from_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/config")
    added = url_entry(known.find("claude-desktop"), FAR, with_key=True)
    assert added.entry["command"] == "npx"
    assert added.entry["args"][:5] == ["-y", BRIDGE, FAR.url, "--transport", "http-only"]
    assert added.key_file is not None and added.key_file.name == "docs.example.headers"
    assert key_file_of(added.entry) == added.key_file


def test_the_bridge_is_told_that_http_is_meant_where_it_would_refuse_it() -> None:
    desktop = known.find("claude-desktop")
    far = url_entry(desktop, endpoint("http://docs.example:8000/sse"), with_key=False)
    assert far.entry["args"][3:] == ["--transport", "sse-only", "--allow-http"]
    assert "--allow-http" not in url_entry(desktop, NEAR_SSE, with_key=False).entry["args"]
    assert key_file_of(far.entry) is None


@pytest.mark.parametrize("client", known.CLIENTS, ids=lambda client: client.name)
def test_without_a_key_nothing_refers_to_one(client: known.Client) -> None:
    added = url_entry(client, NEAR_SSE, with_key=False)
    assert "key" not in str(added.entry).lower() and not added.inputs and added.key_file is None and not added.hint
    assert added.entry.get("type", "sse") == "sse"


@pytest.mark.parametrize(
    ("client", "entry"),
    [
        ("codex", {"url": FAR.url, "env_http_headers": {"x-api-key": "MCP_API_KEY"}}),
        ("gemini", {"httpUrl": FAR.url, "headers": {"x-api-key": "${MCP_API_KEY}"}}),
        ("windsurf", {"serverUrl": FAR.url, "headers": {"x-api-key": "${env:MCP_API_KEY}"}}),
    ],
)
def test_a_client_has_its_own_members_for_url_and_key(client: str, entry: dict[str, object]) -> None:
    assert url_entry(known.find(client), FAR, with_key=True).entry == entry


@pytest.mark.parametrize("client", ["zed", "cline", "continue"])
def test_a_client_that_expands_no_variable_calls_a_url_without_a_key_and_bridges_to_one_with_a_key(client: str) -> None:
    assert url_entry(known.find(client), FAR, with_key=False).entry["url"] == FAR.url
    assert url_entry(known.find(client), FAR, with_key=True).entry["command"] == "npx"


def test_codex_speaks_no_sse() -> None:
    assert url_entry(known.find("codex"), NEAR_SSE, with_key=False).entry["command"] == "npx"


def test_the_shell_line_leaves_the_variable_to_claude_code() -> None:
    line = shell_line("guide", FAR, with_key=True)
    assert line == (
        "claude mcp add --transport http guide https://docs.example/mcp --header 'x-api-key: ${MCP_API_KEY}'"
    )
    assert "--header" not in shell_line("guide", FAR, with_key=False)


def test_a_key_file_is_its_owners_and_an_existing_one_stays(tmp_path: Path) -> None:
    file = tmp_path / "pincite" / "docs.headers"
    assert prepare_key_file(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("x-api-key: mine\n")
    assert not prepare_key_file(file)
    assert file.read_text() == "x-api-key: mine\n"


def test_a_key_file_that_cannot_be_created_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be created"):
        prepare_key_file(tmp_path / "file" / "docs.headers")

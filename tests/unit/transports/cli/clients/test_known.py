from pathlib import Path

import pytest

from pincite.errors import InvalidInput
from pincite.transports.cli.clients import known


def test_every_client_is_found_by_its_name_in_any_case() -> None:
    assert [known.find(client.name.upper()) for client in known.CLIENTS] == list(known.CLIENTS)
    assert known.find("gemini-cli") is known.find("gemini") and known.find("VS-Code") is known.find("vscode")


def test_an_unknown_client_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="claude-desktop, claude-code, cursor, vscode"):
        known.find("emacs")


@pytest.mark.parametrize(
    ("client", "file"),
    [
        ("claude-code", "project/.mcp.json"),
        ("cursor", "project/.cursor/mcp.json"),
        ("vscode", "project/.vscode/mcp.json"),
        ("gemini", "project/.gemini/settings.json"),
        ("continue", "project/.continue/mcpServers/pincite.json"),
        ("codex", "home/.codex/config.toml"),
        ("windsurf", "home/.codeium/windsurf/mcp_config.json"),
        ("cline", "home/.cline/data/settings/cline_mcp_settings.json"),
        ("zed", "home/.config/zed/settings.json"),
        ("claude-desktop", "home/.config/Claude/claude_desktop_config.json"),
    ],
)
def test_a_client_reads_its_file(client: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLINE_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert known.find(client).file(tmp_path / "project") == tmp_path / file


def test_a_folder_that_a_variable_names_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    assert known.find("codex").file(tmp_path / "project") == tmp_path / "config.toml"

"""The clients that `connect` knows, one row each: where a client keeps its servers, and the form of an entry there."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from pincite.errors import InvalidInput

WORKSPACE = "${workspaceFolder}"
"""The project's folder, as Cursor and VS Code expand it."""

BY_URL = {"http": "url", "sse": "url"}
MCP_TYPES = {"stdio": "stdio", "http": "http", "sse": "sse"}


@dataclass(frozen=True, slots=True)
class Client:
    """A client and the form of its configuration.

    Attributes:
        name: The argument of `connect`.
        title: The name to print.
        file: Returns its file, given the working directory; None if it is not known.
        key: The member of its file with the servers.
        types: What an entry's `type` calls each transport; without one that it does not name.
        url: The member of an entry with the URL, by transport; without one that the client does not speak.
        headers: The member of an entry with the headers of requests to a URL.
        key_form: The header's value that refers to the key of a server; empty if the client expands none.
        root: The project's folder in a file that people share, so that paths below it hold for all; empty for a file
            of one person.
        is_toml: Whether its file is TOML, not JSON.
    """

    name: str
    title: str
    file: Callable[[Path], Path | None]
    key: str = "mcpServers"
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    url: Mapping[str, str] = field(default_factory=dict[str, str])
    headers: str = "headers"
    key_form: str = ""
    root: str = ""
    is_toml: bool = False

    def entry(self, command: Sequence[str]) -> dict[str, Any]:
        """Return the entry of a server that is started by this command."""
        return {**self.type_of("stdio"), "command": command[0], "args": list(command[1:])}

    def type_of(self, transport: str) -> dict[str, str]:
        """Return the member of an entry that names its transport; nothing if this client's entries name none."""
        return {"type": self.types[transport]} if transport in self.types else {}


def _in_project(*parts: str) -> Callable[[Path], Path]:
    return lambda here: here.joinpath(*parts)


def _in_home(*parts: str, variable: str = "", default: str = "") -> Callable[[Path], Path]:
    """Return a function that returns a file below the home folder, or below a folder that a variable names."""
    return lambda _: Path(os.environ.get(variable) or Path.home() / default).joinpath(*parts)


def _in_config(name: str, file: str) -> Callable[[Path], Path]:
    return lambda _: user_config_path(name, appauthor=False, roaming=True) / file


def _zed_file(_: Path) -> Path:
    # Zed keeps to XDG's folder on macOS, too.
    folder = user_config_path("Zed", appauthor=False, roaming=True) if os.name == "nt" else None
    return (folder or Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config", "zed")) / "settings.json"


CLIENTS: tuple[Client, ...] = (
    Client("claude-desktop", "Claude Desktop", _in_config("Claude", "claude_desktop_config.json")),
    Client(
        "claude-code",
        "Claude Code",
        _in_project(".mcp.json"),
        types=MCP_TYPES,
        url=BY_URL,
        key_form="${MCP_API_KEY}",
        root=".",
    ),
    Client(
        "cursor",
        "Cursor",
        _in_project(".cursor", "mcp.json"),
        url=BY_URL,
        key_form="${env:MCP_API_KEY}",
        root=WORKSPACE,
    ),
    Client(
        "vscode",
        "VS Code",
        _in_project(".vscode", "mcp.json"),
        key="servers",
        types=MCP_TYPES,
        url=BY_URL,
        key_form="${input:pincite-key-{server}}",
        root=WORKSPACE,
    ),
    Client(
        "codex",
        "Codex",
        _in_home("config.toml", variable="CODEX_HOME", default=".codex"),
        key="mcp_servers",
        url={"http": "url"},
        headers="env_http_headers",
        key_form="MCP_API_KEY",
        is_toml=True,
    ),
    Client(
        "gemini",
        "Gemini CLI",
        _in_project(".gemini", "settings.json"),
        url={"http": "httpUrl", "sse": "url"},
        key_form="${MCP_API_KEY}",
        root=".",
    ),
    Client(
        "windsurf",
        "Windsurf",
        _in_home(".codeium", "windsurf", "mcp_config.json"),
        url={"http": "serverUrl", "sse": "serverUrl"},
        key_form="${env:MCP_API_KEY}",
    ),
    Client("zed", "Zed", _zed_file, key="context_servers", url=BY_URL),
    Client(
        "cline",
        "Cline",
        _in_home("data", "settings", "cline_mcp_settings.json", variable="CLINE_DIR", default=".cline"),
        types={"http": "streamableHttp", "sse": "sse"},
        url=BY_URL,
    ),
    Client(
        "continue",
        "Continue",
        _in_project(".continue", "mcpServers", "pincite.json"),
        types={"http": "http", "sse": "sse"},
        url=BY_URL,
    ),
    Client("other", "Another client", lambda _: None, url=BY_URL),
)


def find(name: str) -> Client:
    """Return the client of this name, or of this title with hyphens, as `gemini-cli`.

    Raises:
        InvalidInput: The client is unknown; the message lists the known ones.
    """
    for client in CLIENTS:
        if name.lower() in {client.name, client.title.lower().replace(" ", "-")}:
            return client
    raise InvalidInput(
        f"Unknown client {name!r}. Known: {', '.join(client.name for client in CLIENTS)} (prints an entry to copy)."
    )

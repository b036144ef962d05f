"""The entry of a server over HTTP in each client's file, with the key by reference."""

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from pincite.errors import ConfigError
from pincite.transports.cli.clients.endpoints import Endpoint
from pincite.transports.cli.clients.known import Client

KEY_HEADER = "x-api-key"
KEY_VARIABLE = "MCP_API_KEY"

BRIDGE = "mcp-remote@0.15.1"
"""Serves a URL over stdio (npm, MIT). Pinned: it is run without asking, and this release is the one that was tried."""

PRIVATE_MODE = 0o600


@dataclass(frozen=True, slots=True)
class UrlEntry:
    """What a client's file needs for a server over HTTP.

    Attributes:
        entry: The server's entry.
        inputs: Values for which the client asks (VS Code).
        key_file: A file of the owner's from which the key is read; None if none is needed.
        hint: What to do about the key; empty if there is none.
    """

    entry: Mapping[str, Any]
    inputs: tuple[Mapping[str, Any], ...] = ()
    key_file: Path | None = None
    hint: str = ""


def url_entry(client: Client, endpoint: Endpoint, *, with_key: bool) -> UrlEntry:
    """Return the entry of a server.

    Args:
        client: The client.
        endpoint: The server.
        with_key: Whether it needs a key.
    """
    if endpoint.transport not in client.url or (with_key and not client.key_form):
        return _bridged(endpoint, with_key=with_key)
    entry: dict[str, Any] = {**client.type_of(endpoint.transport), client.url[endpoint.transport]: endpoint.url}
    if not with_key:
        return UrlEntry(entry)
    reference = client.key_form.replace("{server}", endpoint.label)
    entry[client.headers] = {KEY_HEADER: reference}
    if not reference.startswith("${input:"):
        return UrlEntry(entry, hint=f"Set {KEY_VARIABLE} in the environment that {client.title} is started from.")
    prompt = {
        "type": "promptString",
        "id": reference.removeprefix("${input:").removesuffix("}"),
        "description": f"Key of the pincite server at {endpoint.label} ({KEY_VARIABLE})",
        "password": True,
    }
    return UrlEntry(entry, (prompt,), hint=f"{client.title} asks for the key once and keeps it encrypted.")


def shell_line(name: str, endpoint: Endpoint, *, with_key: bool) -> str:
    """Return the shell command that adds the server to Claude Code, which expands the variable when it starts."""
    header = ["--header", f"{KEY_HEADER}: ${{{KEY_VARIABLE}}}"] if with_key else []
    return shlex.join(["claude", "mcp", "add", "--transport", endpoint.transport, name, endpoint.url, *header])


def prepare_key_file(file: Path) -> bool:
    """Create a file for a key that only its owner can read; return False if there is one.

    Raises:
        ConfigError: It cannot be created.
    """
    text = f"# One line: {KEY_HEADER}: and the server's {KEY_VARIABLE} after it.\n"
    if file.is_file():
        return False
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_MODE)
    except OSError as error:
        raise ConfigError(f"{file} cannot be created: {error.strerror}.") from error
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    return True


def key_file_of(entry: Mapping[str, Any]) -> Path | None:
    """Return the file from which an entry's bridge reads its key; None without."""
    arguments = [str(argument) for argument in entry.get("args") or ()]
    if "--header-file" not in arguments[:-1]:
        return None
    return Path(arguments[arguments.index("--header-file") + 1])


def _bridged(endpoint: Endpoint, *, with_key: bool) -> UrlEntry:
    """Return an entry that starts a bridge: the client starts commands, passes on no variable and expands none."""
    arguments = ["-y", BRIDGE, endpoint.url, "--transport", f"{endpoint.transport}-only"]
    if not endpoint.is_encrypted and not endpoint.is_loopback:
        arguments.append("--allow-http")
    if not with_key:
        return UrlEntry({"command": "npx", "args": arguments})
    file = user_config_path("pincite", appauthor=False) / f"{endpoint.label}.headers"
    hint = f"Write one line into {file}, which only you may read: {KEY_HEADER}: and the key."
    return UrlEntry({"command": "npx", "args": [*arguments, "--header-file", str(file)]}, key_file=file, hint=hint)

"""What `doctor` says of the clients' entries: whether the server of an entry can start, or answers."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from pincite.errors import ConfigError, InvalidInput
from pincite.text.excerpt import excerpt
from pincite.transports.cli.checks.installation import Check, State
from pincite.transports.cli.clients import files as clients
from pincite.transports.cli.clients.endpoints import Listener, Probe, endpoint, probe
from pincite.transports.cli.clients.known import Client
from pincite.transports.cli.clients.url_entries import KEY_HEADER, KEY_VARIABLE, key_file_of

OTHERS = 0o077
"""The permissions of everybody but the owner."""


def client_checks(client: Client) -> Iterator[Check]:
    """Yield a check for each server of ours in a client's file."""
    file = client.file(Path.cwd())
    if file is None:
        return
    name = f"client {client.name}"
    try:
        servers: dict[str, Any] = clients.read(client, file).get(client.key, {})
    except ConfigError as error:
        yield Check(name, State.WARNING, error.message, "Correct the file.")
        return
    for server, entry in servers.items():
        if not isinstance(entry, dict):
            continue
        line = cast("dict[str, Any]", entry)
        served = clients.served_by(line)
        if isinstance(served, str) and clients.is_url(served):
            if _is_ours(server, line):
                yield _by_url(client, file, server, served, line)
        elif any(Path(part).name == "pincite" for part in _command(line)):
            folders = [served] if isinstance(served, str) else _folders(_command(line))
            yield _by_command(client, file, server, _command(line)[0], folders)


def _command(entry: Mapping[str, Any]) -> list[str]:
    return [str(part) for part in (entry.get("command", ""), *(entry.get("args") or ()))]


def _folders(command: list[str]) -> list[str]:
    """Return the folders that a command serves by names of their own."""
    return [path for part in command for name, _, path in [part.partition("=")] if path and not name.startswith("-")]


def _is_ours(server: str, entry: Mapping[str, Any]) -> bool:
    """Whether an entry by URL is ours to check: by its name, as `connect` gives it, or by the key that it refers to."""
    is_named = server == clients.DEFAULT_NAME or server.startswith(f"{clients.DEFAULT_NAME}-")
    return is_named or KEY_VARIABLE in _key(entry)


def _by_command(client: Client, file: Path, server: str, program: str, folders: list[str]) -> Check:
    name = f"client {client.name}"
    paths = [program] if Path(program).name != program else []  # a program without a folder is looked up in PATH
    missing = [path for path in (*paths, *folders) if not clients.path_of(path).exists()]
    if missing:
        fix = f"Write it again: pincite connect {client.name} FOLDER --name {server} --write"
        return Check(name, State.WARNING, f"{file} names {missing[0]}, which does not exist", fix)
    return Check(name, State.OK, f"{file}: {server!r}")


def _by_url(client: Client, file: Path, server: str, url: str, entry: Mapping[str, Any]) -> Check:
    """Check that the server at a URL answers, and that the key is where the client will find it, and nobody else."""
    name, what = f"client {client.name}", f"{file}: {server!r} at {excerpt(url)}"
    again = f"Write it again: pincite connect {client.name} --url URL --name {server} --replace --write"
    try:
        root = endpoint(url).root
    except InvalidInput as error:
        return Check(name, State.WARNING, f"{what}: {error.message}", again)
    for problem, fix in (_exposed_key(file, entry, again), _no_answer(probe(root), entry, again)):
        if problem:
            return Check(name, State.WARNING, f"{what}: {problem}", fix)
    return Check(name, State.OK, what)


def _no_answer(answer: Probe, entry: Mapping[str, Any], again: str) -> tuple[str, str]:
    """Return why the client will get no answer, and the fix; empty if it will."""
    listener = answer.listener
    if listener is Listener.NOTHING:
        return f"nothing answers there: {answer.reason}", "Start the server, or correct the URL."
    if listener is Listener.OTHER:
        return "what answers there is not pincite", again
    if listener is Listener.STRICT:
        return "the server refuses calls under this name", "Add the name to PINCITE_ALLOWED_HOSTS of the server."
    if listener is Listener.KEYED:
        return _missing_key(entry, again)
    return "", ""


def _missing_key(entry: Mapping[str, Any], again: str) -> tuple[str, str]:
    file = key_file_of(entry)
    if file is not None:
        if _holds_key(file):
            return "", ""
        return f"it needs a key, and {file} holds none", f"Write one line into it: {KEY_HEADER}: and the key."
    if not _key(entry):
        return "it needs a key, and the entry sends none", again
    if KEY_VARIABLE in _key(entry) and not os.environ.get(KEY_VARIABLE):
        return f"it needs a key, and {KEY_VARIABLE} is not set here", "Set it where the client is started from."
    return "", ""


def _exposed_key(file: Path, entry: Mapping[str, Any], again: str) -> tuple[str, str]:
    """Return where others can read the key, and the fix; empty if they cannot."""
    key_file = key_file_of(entry)
    if key_file is not None and _others_read(key_file):
        return f"others can read the key in {key_file}", f"Make it yours alone: chmod 600 {key_file}"
    if _key(entry) and "${" not in _key(entry) and _others_read(file):
        return "the key itself is in that file, which others can read", again
    return "", ""


def _key(entry: Mapping[str, Any]) -> str:
    """Return the key that an entry sends, which should be a reference; empty if it sends none."""
    for member, form in (("headers", "{}"), ("env_http_headers", "${{{}}}")):
        headers = entry.get(member)
        named = cast("dict[str, Any]", headers) if isinstance(headers, dict) else {}
        for name, value in named.items():
            if name.lower() in {KEY_HEADER, "authorization"}:
                return form.format(value)
    return ""


def _holds_key(file: Path) -> bool:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return False
    return any(line.lower().startswith(f"{KEY_HEADER}:") and line.partition(":")[2].strip() for line in lines)


def _others_read(file: Path) -> bool:
    try:
        return os.name == "posix" and bool(file.stat().st_mode & OTHERS)
    except OSError:
        return False

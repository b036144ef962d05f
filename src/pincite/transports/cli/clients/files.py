"""The configuration files of clients: their servers, and an entry more without touching anything else."""

import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from typing import Any, cast

from pincite.errors import ConfigError
from pincite.text.names.paths import shown
from pincite.transports.cli.clients.formats import as_json, parsed, with_table
from pincite.transports.cli.clients.known import CLIENTS, WORKSPACE, Client
from pincite.transports.cli.folders import arguments_of

NEW_FILE_MODE = 0o644
"""The usual mode; `mkstemp` creates files that only their owner can read."""

DEFAULT_NAME = "pincite"


def command(docs: Path | Mapping[str, Path], root: str = "") -> list[str]:
    """Return the command that serves folders.

    Args:
        docs: The folders.
        root: What the file calls the working directory if it is shared: then folders below it, and an interpreter
            below it, are named relative to it. Otherwise all paths are absolute, and hold in any directory.

    Raises:
        ConfigError: A path is not UTF-8, so that no client's configuration can name it.
    """
    named = _named(docs, root) if isinstance(docs, Path) else {name: _named(docs[name], root) for name in docs}
    return [*_launcher(root), "serve", *arguments_of(named)]


def _launcher(root: str) -> list[str]:
    """Return what starts pincite: for a shared file the command `pincite` if it is installed for every project."""
    launcher, environment = Path(shutil.which(DEFAULT_NAME) or "."), Path(sys.prefix)
    is_ours = launcher.resolve().is_relative_to(environment.resolve())
    if root and is_ours and not launcher.absolute().is_relative_to(environment):  # as pipx and uv link it
        return [DEFAULT_NAME]
    return [_below(Path(sys.executable), root), "-m", DEFAULT_NAME]


def _named(docs: Path, root: str) -> Path:
    # A link in the project is named as the link, which others have, too.
    path = Path(os.path.abspath(docs))  # noqa: PTH100 - without following links
    below = _below(path, root)
    return Path(below) if below != str(path) == shown(path) else _utf8(docs)


def _below(path: Path, root: str) -> str:
    """Return a path relative to the working directory as a shared file names it; any other path as it is."""
    for here in (Path.cwd(), Path.cwd().resolve()):
        if root and path.is_relative_to(here):
            return str(Path(root) / path.relative_to(here))
    return str(path)


def _utf8(docs: Path) -> Path:
    """Return the absolute path of a folder, in UTF-8."""
    # If the resolved path is not UTF-8, a link to the folder may be.
    for path in (docs.resolve(), docs.absolute()):
        if shown(path) == str(path):
            return path
    raise ConfigError(
        "The path of the folder is not UTF-8, so that no client's configuration can name it. Create a symbolic link to "
        "the folder under a UTF-8 path, and connect that."
    )


def shell_line(name: str, docs: Path | Mapping[str, Path]) -> str:
    """Return the shell command that adds the server to Claude Code."""
    return shlex.join(["claude", "mcp", "add", name, "--", *command(docs)])


def read(client: Client, file: Path) -> dict[str, Any]:
    """Return a client's configuration; empty if there is no file.

    Raises:
        ConfigError: The file cannot be read, or no entry can be added to it.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read: {error}. It was not touched.") from error
    if not text.strip():
        return {}
    fix = "It was not touched. Correct it, or add the entry by hand: without --write it is printed."
    try:
        content = parsed(text, is_toml=client.is_toml)
    except ValueError as error:
        raise ConfigError(f"{file} cannot be read: {error}. {fix}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{file} is not a JSON object. {fix}")
    configuration = cast("dict[str, Any]", content)
    if not isinstance(configuration.get(client.key, {}), dict):
        raise ConfigError(f"{client.key!r} in {file} is not a JSON object. {fix}")
    inputs: object = configuration.get("inputs", [])
    if not isinstance(inputs, list) or not all(isinstance(prompt, dict) for prompt in cast("list[object]", inputs)):
        raise ConfigError(f"'inputs' in {file} is not a list of JSON objects. {fix}")
    return configuration


def server_name(
    client: Client, file: Path, name: str | None, label: str, entry: Mapping[str, Any], *, replace: bool
) -> str:
    """Return the name of a server in the client.

    Args:
        client: The client.
        file: Its file.
        name: The requested name; None for the first free one of `pincite`, `pincite-<label>`, `pincite-<label>-2`
            and so on. A name is free if it is unused, or used for this folder or URL or for a deleted folder.
        label: What tells the server from others: its folder's name, or its host.
        entry: The server's entry.
        replace: Allow the requested name even if another server has it.

    Raises:
        ConfigError: The file cannot be read, or another server has the requested name.
    """
    servers: dict[str, Any] = read(client, file).get(client.key, {})

    def is_free(candidate: str) -> bool:
        served, wanted = served_by(servers.get(candidate, entry)), served_by(entry)
        if served == wanted:
            return True
        if not isinstance(served, str) or is_url(served):
            return False
        folder = path_of(served)
        return not folder.is_dir() or (isinstance(wanted, str) and folder.resolve() == path_of(wanted).resolve())

    if name is not None:
        if replace or is_free(name):
            return name
        raise ConfigError(
            f"{file} already has another server called {name!r}. Choose another --name, or replace it with --replace."
        )
    numbered = (f"pincite-{label}-{number}" for number in count(2))
    return next(filter(is_free, chain((DEFAULT_NAME, f"pincite-{label}"), numbered)))


def path_of(part: str) -> Path:
    """Return the path that an entry names; in a shared file it may be relative to the working directory."""
    return Path(part.replace(WORKSPACE, "."))


def folder_label(docs: Path | Mapping[str, Path]) -> str:
    """Return a folder's name, or the names of several, as a part of a server's name."""
    if isinstance(docs, Mapping):
        return "-".join(docs)
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in docs.resolve().name).strip("-") or "root"


def is_url(served: str) -> bool:
    """Whether what an entry serves is a URL, and no folder."""
    return served.startswith(("http://", "https://"))


def url_of(entry: Mapping[str, Any]) -> str:
    """Return the URL that an entry names; empty if it names none."""
    members = {member for client in CLIENTS for member in client.url.values()}
    return next((entry[member] for member in sorted(members) if isinstance(entry.get(member), str)), "")


def served_by(entry: object) -> object:
    """Return what identifies a server: the URL or the one folder of an entry of ours, else the whole entry."""
    if not isinstance(entry, dict):
        return entry
    line = cast("dict[str, Any]", entry)
    if url := url_of(line):
        return url
    arguments = cast("list[object]", line["args"]) if isinstance(line.get("args"), list) else []
    if any(str(argument).startswith("mcp-remote") for argument in arguments):
        return next((argument for argument in arguments if is_url(str(argument))), line)
    return arguments[-1] if arguments[-2:-1] == ["serve"] else line


def write(
    client: Client, file: Path, name: str, entry: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]] = ()
) -> Path | None:
    """Add an entry to a client's file, atomically, and keep all other content.

    Args:
        client: The client.
        file: Its file.
        name: The server's name.
        entry: Its entry.
        inputs: Values for which the client asks; one that is there already stays as it is.

    Returns:
        The backup of the previous file; None if there was no file, or nothing to change.

    Raises:
        ConfigError: The file cannot be read or written; it was not touched.
    """
    file = file.resolve()  # replacing a symbolic link would detach it from the file in a dotfiles repository
    configuration = read(client, file)
    changed = {**configuration, **_missing_inputs(configuration, inputs)}
    changed[client.key] = {**configuration.get(client.key, {}), name: dict(entry)}
    if changed == configuration:
        return None
    try:
        text = with_table(_text(file), client.key, name, entry) if client.is_toml else f"{as_json(changed)}\n"
        data = text.encode()
        file.parent.mkdir(parents=True, exist_ok=True)
        backup = _backup(file)
        _replace(file, data)
    except (OSError, UnicodeEncodeError) as error:
        raise ConfigError(f"{file} cannot be written: {error}. Add the entry by hand.") from error
    return backup


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8-sig") if file.exists() else ""


def _missing_inputs(
    configuration: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]]
) -> dict[str, list[Mapping[str, Any]]]:
    """Return the member `inputs` with those added that it lacks; nothing if it lacks none."""
    present: list[Mapping[str, Any]] = configuration.get("inputs", [])
    known = {prompt.get("id") for prompt in present}
    missing = [dict(prompt) for prompt in inputs if prompt["id"] not in known]
    return {"inputs": [*present, *missing]} if missing else {}


def _backup(file: Path) -> Path | None:
    """Copy a file to an unused name; None if there is no file."""
    if not file.exists():
        return None
    data, mode = file.read_bytes(), file.stat().st_mode & 0o777
    number = 0
    while True:
        copy = file.with_name(f"{file.name}.bak{number or ''}")
        try:
            handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        return copy


def _replace(file: Path, data: bytes) -> None:
    mode = file.stat().st_mode & 0o777 if file.exists() else NEW_FILE_MODE
    handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())  # before the rename, or a crash could leave an empty file
        Path(temporary).chmod(mode)
        Path(temporary).replace(file)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise

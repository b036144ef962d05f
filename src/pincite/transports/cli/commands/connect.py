"""`pincite connect`: configure a client to start the server, or to call one over HTTP."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.errors import ConfigError, InvalidInput
from pincite.transports.cli.clients import files as clients
from pincite.transports.cli.clients.endpoints import Endpoint, Listener, endpoint, probe
from pincite.transports.cli.clients.formats import as_json, as_toml
from pincite.transports.cli.clients.known import CLIENTS, Client, find
from pincite.transports.cli.clients.url_entries import UrlEntry, prepare_key_file, shell_line, url_entry
from pincite.transports.cli.folders import folders_of, served_folders
from pincite.transports.cli.opening.places import existing
from pincite.transports.cli.parameters import Folders, Json
from pincite.transports.cli.printing.output import Output
from pincite.transports.cli.program import new_program

program = new_program()

Url = Annotated[
    str | None,
    typer.Option(
        "--url",
        help="Instead of a folder, the URL of a server over HTTP: /mcp (also if no path is given) or /sse.",
        show_default=False,
    ),
]
Key = Annotated[
    bool | None,
    typer.Option(
        "--key/--no-key",
        help="Whether the server at --url needs a key. It is referred to as MCP_API_KEY, never written. Default: ask "
        "the server.",
        show_default=False,
    ),
]


@dataclass(frozen=True, slots=True)
class _Server:
    """A server to connect.

    Attributes:
        added: What the client's file needs.
        label: What tells it from others in a name.
        endpoint: Its URL; None for a folder.
        with_key: Whether it needs a key.
        notes: What to know about it.
    """

    added: UrlEntry
    label: str
    endpoint: Endpoint | None = None
    with_key: bool = False
    notes: tuple[str, ...] = ()


@program.command(
    epilog="Example: pincite connect claude-code ./docs --write; pincite connect cursor --url "
    "https://docs.example.com/mcp, for a server on another machine."
)
def connect(
    client: Annotated[str, typer.Argument(metavar="CLIENT", help=f"{', '.join(client.name for client in CLIENTS)}.")],
    docs: Folders = None,
    url: Url = None,
    key: Key = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="Name of the server in the client. Default: pincite, or pincite-FOLDER or pincite-HOST for a further "
            "one.",
            show_default=False,
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace an existing server of that name.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Write it to the client's file. Other entries stay; a backup is kept.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Connect a client to a folder or to a server: print the configuration that it needs, or write it.

    Without DOCS it is connected to the working directory.
    """
    output = Output(as_json=as_json)
    known = find(client)
    if key is not None and url is None:
        raise InvalidInput("--key and --no-key are for a server at --url: a folder is served without one.")
    folders = served_folders(docs or ()) or Path()
    server = _folder(known, folders) if url is None else _url(known, url, docs, key=key)
    file = known.file(Path.cwd())
    name = _name(known, file, name, server, replace=replace, write=write)
    configuration = _configuration(known, name, server.added)
    backup = _write(output, known, file, name, server.added) if write and file else None
    if not write:
        _show(output, known, file, configuration)
        _show_shell_line(output, known, name, folders, server)
    notes = [note for note in (*server.notes, server.added.hint) if note]
    for note in notes:
        output.note(note)
    output.data(
        {
            "client": known.name,
            "file": file and str(file),
            "name": name,
            "configuration": configuration,
            "written": write,
            "backup": str(backup) if backup else None,
            "notes": notes,
        }
    )
    return 0


def _name(client: Client, file: Path | None, name: str | None, server: _Server, *, replace: bool, write: bool) -> str:
    """Return the name of a server in a client's file.

    Raises:
        InvalidInput: It is to be written, and where the client keeps its servers is not known.
        ConfigError: It is to be written, and the file cannot be edited or has another server of this name.
    """
    if file is None and write:
        raise InvalidInput(f"Where {client.name} keeps its servers is not known. Leave --write out; copy the entry.")
    if file is None:
        return name or clients.DEFAULT_NAME
    try:
        return clients.server_name(client, file, name, server.label, server.added.entry, replace=replace or not write)
    except ConfigError:
        if write:
            raise
        # Nothing is written: a person resolves the conflict when adding the entry by hand.
        return name or clients.DEFAULT_NAME


def _configuration(client: Client, name: str, added: UrlEntry) -> dict[str, Any]:
    """Return what a client's file contains for a server alone."""
    inputs = {"inputs": [dict(prompt) for prompt in added.inputs]} if added.inputs else {}
    return {**inputs, client.key: {name: dict(added.entry)}}


def _folder(client: Client, docs: Path | Mapping[str, Path]) -> _Server:
    for folder in folders_of(docs):
        existing(folder)
    command = clients.command(docs, client.root)
    own = [part for part in command if client.root and Path(part.rpartition("=")[2]).is_absolute()]
    notes = [f"The file is shared with everybody in the project; {part} is of this machine." for part in own]
    return _Server(UrlEntry(client.entry(command)), clients.folder_label(docs), notes=tuple(notes))


def _url(client: Client, url: str, docs: Sequence[str] | None, *, key: bool | None) -> _Server:
    if docs:
        raise InvalidInput("Name a folder or a --url: a server over HTTP has its folder already.")
    server = endpoint(url)
    probed = probe(server.root)
    with_key = _needs_key(server, probed.listener) if key is None else key
    notes: list[str] = []
    if probed.listener is Listener.NOTHING:
        notes.append(f"Nothing answers at {server.url} at present ({probed.reason}).")
    elif probed.listener is Listener.OTHER:
        notes.append(f"What answers at {server.url} is not pincite.")
    elif probed.listener is Listener.STRICT:
        notes.append("The server refuses calls under this name: add it to PINCITE_ALLOWED_HOSTS there.")
    if with_key and not server.is_encrypted and not server.is_loopback:
        notes.append("The key travels unencrypted over http: let a reverse proxy serve https before the server.")
    return _Server(url_entry(client, server, with_key=with_key), server.label, server, with_key, tuple(notes))


def _needs_key(server: Endpoint, listener: Listener) -> bool:
    """Return True if a server needs a key: by its answer or, without one, because it is on another machine."""
    if listener in {Listener.OPEN, Listener.KEYED}:
        return listener is Listener.KEYED
    return not server.is_loopback


def _write(output: Output, client: Client, file: Path, name: str, added: UrlEntry) -> Path | None:
    backup = clients.write(client, file, name, added.entry, added.inputs)
    output.line(f"{client.title} is connected by {file}, as {name!r}. Restart it, or reload its servers.")
    if backup:
        output.line(f"Backup of the file: {backup}")
    if added.key_file and prepare_key_file(added.key_file):
        output.line(f"Created for the key: {added.key_file}")
    return backup


def _show(output: Output, client: Client, file: Path | None, configuration: Mapping[str, Any]) -> None:
    if file is None:
        output.line("Add this to the configuration of your client, in the form that it takes:")
    else:
        output.line(f"{client.title} reads {file}. Add this to it, or run the command again with --write:")
    output.line(as_toml(configuration) if client.is_toml else as_json(configuration))


def _show_shell_line(
    output: Output, client: Client, name: str, docs: Path | Mapping[str, Path], server: _Server
) -> None:
    if client.name != "claude-code":
        return
    output.line("Or run this once:")
    if server.endpoint is None:
        output.line(clients.shell_line(name, docs))
    else:
        output.line(shell_line(name, server.endpoint, with_key=server.with_key))

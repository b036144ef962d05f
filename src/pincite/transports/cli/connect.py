"""`pincite connect`: configure a client to start the server."""

import json
from pathlib import Path

from pincite.errors import ConfigError
from pincite.transports.cli import clients
from pincite.transports.cli.output import Output


def run(*, client: str, docs: Path, name: str | None, replace: bool, write: bool, as_json: bool) -> int:
    """Print a client's configuration, or write it.

    Without a name the server is called `pincite`, or `pincite-<folder>` if that name serves another folder.

    Raises:
        InvalidInput: The client is unknown.
        ConfigError: The folder does not exist, the client's file cannot be edited, or it has another server of this
            name.
    """
    output = Output(as_json=as_json)
    known = clients.find(client)
    if not docs.is_dir():
        raise ConfigError(f"There is no folder {str(docs)!r}. Name one: pincite connect {known.name} ./docs")
    entry = known.entry(clients.command(docs))
    file = known.file(Path.cwd())
    try:
        name = clients.server_name(known, file, name, docs, entry, replace=replace or not write)
    except ConfigError:
        if write:
            raise
        name = (
            name or clients.DEFAULT_NAME
        )  # nothing is written: a person resolves the conflict when adding the entry by hand
    configuration = {known.key: {name: entry}}
    backup = None
    if write:
        backup = clients.write(known, file, name, entry)
        output.line(f"{known.title} is connected by {file}, as {name!r}. Restart it, or reload its servers.")
        if backup:
            output.line(f"Backup of the file: {backup}")
    else:
        output.line(f"{known.title} reads {file}. Add this entry to it, or run the command again with --write:")
        output.line(json.dumps(configuration, ensure_ascii=False, indent=2))
        if known.name == "claude-code":
            output.line("Or run this once:")
            output.line(clients.shell_line(name, docs))
    output.data(
        {
            "client": known.name,
            "file": str(file),
            "name": name,
            "configuration": configuration,
            "written": write,
            "backup": str(backup) if backup else None,
        }
    )
    return 0

"""`pincite connect`: how a client finds the server."""

import json
from pathlib import Path

from pincite.errors import ConfigError
from pincite.transports.cli import clients
from pincite.transports.cli.output import Output


def run(*, client: str, docs: Path, name: str | None, replace: bool, write: bool, as_json: bool) -> int:
    """Print a client's configuration, or write it.

    Without a name the server is called `pincite`, or `pincite-<folder>` where that serves another folder.

    Raises:
        InvalidInput: There is no such client.
        ConfigError: There is no such folder, the client's file cannot be added to, or it has another server of this
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
        name = name or clients.DEFAULT_NAME  # what is printed is added by hand
    configuration = {known.key: {name: entry}}
    backup = None
    if write:
        backup = clients.write(known, file, name, entry)
        output.line(f"{known.title} is connected by {file}, as {name!r}. Restart it, or reload its servers.")
        if backup:
            output.line(f"The file as it was before: {backup}")
    else:
        output.line(f"{known.title} reads {file}. It shall hold this (--write puts it there):")
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

"""`pincite connect`: how a client finds the server."""

import json
from pathlib import Path

from pincite.errors import ConfigError
from pincite.transports.cli import clients
from pincite.transports.cli.output import Output


def run(*, client: str, docs: Path, name: str, write: bool, as_json: bool) -> int:
    """Print a client's configuration, or write it.

    Raises:
        InvalidInput: There is no such client.
        ConfigError: There is no such folder, or the client's file cannot be added to.
    """
    output = Output(as_json=as_json)
    known = clients.find(client)
    if not docs.is_dir():
        raise ConfigError(f"There is no folder {str(docs)!r}. Name one: pincite connect {known.name} ./docs")
    entry = known.entry(clients.command(docs))
    file = known.file(Path.cwd())
    configuration = {known.key: {name: entry}}
    backup = None
    if write:
        backup = clients.write(known, file, name, entry)
        output.line(f"{known.title} is connected by {file}. Restart it, or reload its servers.")
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
            "configuration": configuration,
            "written": write,
            "backup": str(backup) if backup else None,
        }
    )
    return 0

"""`pincite connect`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import HERE, Json

program = typer.Typer()


@program.command(epilog="Example: pincite connect claude-code ./docs --write")
def connect(
    client: Annotated[str, typer.Argument(help="claude-desktop, claude-code, cursor or vscode.")],
    docs: Annotated[Path, typer.Argument(metavar="DOCS", help="Folder to serve.")] = HERE,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="Name of the server in the client. Default: pincite, or pincite-FOLDER for a further folder.",
            show_default=False,
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace an existing server of that name.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Write it to the client's file. Other entries stay; a backup is kept.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Connect a client to a folder: print the configuration that it needs, or write it."""
    run("connect", client=client, docs=docs, name=name, replace=replace, write=write, as_json=as_json)

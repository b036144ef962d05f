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
    docs: Annotated[Path, typer.Argument(metavar="DOCS", help="The folder to serve.")] = HERE,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            help="What the client shall call the server; pincite, or pincite-FOLDER beside another folder.",
            show_default=False,
        ),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace a server of that name, whatever it serves.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Put it into the client's file, beside what is there; a backup is kept.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the configuration that connects a client to a folder, or write it."""
    run("connect", client=client, docs=docs, name=name, replace=replace, write=write, as_json=as_json)

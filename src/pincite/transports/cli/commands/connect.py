"""`pincite connect`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import Json

program = typer.Typer()


@program.command(
    epilog="Example: pincite connect claude-code ./docs --write; pincite connect cursor --url "
    "https://docs.example.com/mcp, for a server on another machine."
)
def connect(
    client: Annotated[str, typer.Argument(help="claude-desktop, claude-code, cursor or vscode.")],
    docs: Annotated[
        Path | None,
        typer.Argument(metavar="DOCS", help="Folder to serve. Default: the working directory.", show_default=False),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            "--url",
            help="Instead of a folder, the URL of a server over HTTP: /mcp (also if no path is given) or /sse.",
            show_default=False,
        ),
    ] = None,
    key: Annotated[
        bool | None,
        typer.Option(
            "--key/--no-key",
            help="Whether the server at --url needs a key. It is referred to as MCP_API_KEY, never written. Default: "
            "ask the server.",
            show_default=False,
        ),
    ] = None,
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
) -> None:
    """Connect a client to a folder or to a server: print the configuration that it needs, or write it."""
    run(
        "connect",
        client=client,
        docs=docs,
        url=url,
        key=key,
        name=name,
        replace=replace,
        write=write,
        as_json=as_json,
    )

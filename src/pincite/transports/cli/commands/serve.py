"""`pincite serve`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import Database, EnvFile, LogLevel

program = typer.Typer()

Folder = Annotated[Path | None, typer.Argument(metavar="DOCS", help="Folder of documents.", show_default=False)]
Toolsets = Annotated[
    str | None,
    typer.Option(
        "--toolsets",
        metavar="NAMES",
        help="Toolsets to serve, with commas between, or all. Default: docs, citations.",
        show_default=False,
    ),
]
Transport = Annotated[
    str | None,
    typer.Option(
        "--transport",
        metavar="NAME",
        help="stdio (default with a folder), or http: REST, MCP over streamable HTTP and MCP over SSE on one port; "
        "or one of these alone: rest, streamable-http, sse; or mcp: both transports of MCP.",
        show_default=False,
    ),
]
Host = Annotated[
    str | None,
    typer.Option("--host", help="Address to listen on over HTTP (HOST). Default: 127.0.0.1.", show_default=False),
]
Port = Annotated[
    int | None,
    typer.Option("--port", help="Port to listen on; 0 for a free one (PORT). Default: 8000.", show_default=False),
]


@program.command(
    epilog="Example: pincite serve ./docs, for an MCP client on this machine; pincite serve ./docs --transport http, "
    "for clients on the network."
)
def serve(
    folder: Folder = None,
    docs: Annotated[Path | None, typer.Option("--docs", metavar="FOLDER", help="The same as DOCS.")] = None,
    toolsets: Toolsets = None,
    transport: Transport = None,
    host: Host = None,
    port: Port = None,
    sse: Annotated[
        bool, typer.Option("--sse/--no-sse", help="With http, serve the deprecated SSE transport too.")
    ] = True,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Listen on another address than loopback without MCP_API_KEY.")
    ] = False,
    workers: Annotated[int, typer.Option("--workers", help="Only 1: one process serves a port.", hidden=True)] = 1,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
) -> None:
    """Serve a folder of documents to AI agents: over MCP on standard input and output, or over HTTP.

    MCP clients start this command; `pincite connect` configures them. With a folder over stdio a .env file is
    read only with --env-file.
    """
    settings = {
        "HOST": host,
        "PORT": port,
        "PINCITE_SSE": None if sse else False,
        "PINCITE_INSECURE": insecure or None,
        "LOG_LEVEL": log_level,
    }
    run(
        "serve",
        folder=folder,
        docs=docs,
        toolsets=toolsets,
        transport=transport,
        workers=workers,
        db=db,
        env_file=env_file,
        settings=settings,
    )

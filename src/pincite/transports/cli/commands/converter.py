"""`pincite converter`."""

from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, LogLevel

program = typer.Typer()


@program.command(
    epilog="Example: pincite converter --port 8002; then MARKITDOWN_URL=http://127.0.0.1:8002 for a server."
)
def converter(
    host: Annotated[
        str | None, typer.Option("--host", help="Address to listen on (HOST). Default: 127.0.0.1.", show_default=False)
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", help="Port to listen on; 0 for a free one (PORT). Default: 8002.", show_default=False),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Listen on another address than loopback without MCP_API_KEY.")
    ] = False,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
) -> None:
    """Convert documents to Markdown for servers elsewhere, over HTTP, until it is stopped.

    POST /tasks takes a file, GET /tasks/ID says how far it is, GET /tasks/ID/files/NAME is the Markdown, with a line
    <!-- page N --> before each page. A finished conversion is kept for an hour.
    """
    settings = {"HOST": host, "PORT": port, "PINCITE_INSECURE": insecure or None, "LOG_LEVEL": log_level}
    run("converter", env_file=env_file, settings=settings)

"""`pincite converter`: serve the conversion of documents to Markdown."""

from contextlib import closing
from logging import getLogger
from pathlib import Path
from typing import Annotated

import typer

from pincite.app import App
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.parameters import EnvFile, LogLevel
from pincite.transports.cli.program import new_program
from pincite.transports.problems import SUCCESS

program = new_program()

log = getLogger("pincite.settings")

TOOLSET = "extraction"
"""The toolset that converters serve; none of its tools is served here."""

PORT = 8002
"""By contract 3."""


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
) -> int:
    """Convert documents to Markdown for servers elsewhere, over HTTP, until it is stopped.

    POST /tasks takes a file, GET /tasks/ID says how far it is, GET /tasks/ID/files/NAME is the Markdown, with a line
    <!-- page N --> before each page. A finished conversion is kept for an hour.
    """
    from pincite.transports.http.app import Surface  # noqa: PLC0415 - as above
    from pincite.transports.http.converter import build_converter_app  # noqa: PLC0415 - not for `--help`
    from pincite.transports.http.server import serve  # noqa: PLC0415 - as above

    env_file = env_file or configuration.find_env_file(Path.cwd(), None)
    given = {"HOST": host, "PORT": port, "PINCITE_INSECURE": insecure or None, "LOG_LEVEL": log_level}
    loaded = configuration.for_server(env_file, given, "json")
    if "port" not in loaded.http.model_fields_set:
        loaded = loaded.model_copy(update={"http": loaded.http.model_copy(update={"port": PORT})})
    with closing(App(loaded, None, toolsets=[TOOLSET])) as app:
        conversions = app.conversions
        serve(app, lambda: Surface(build_converter_app(conversions, loaded.http), _nothing, conversions))
    return SUCCESS


def _nothing() -> None:
    """No stream stays open here."""

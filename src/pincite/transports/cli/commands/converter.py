"""`pincite converter`: serve the conversion of documents to Markdown."""

from contextlib import closing
from logging import getLogger
from pathlib import Path

from pincite.app import App
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.parameters import EnvFile, Host, Insecure, JsonAtStart, LogLevel, Port
from pincite.transports.cli.printing.output import Output
from pincite.transports.cli.program import new_program
from pincite.transports.problems import INTERRUPTED, SUCCESS

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
    host: Host = None,
    port: Port = None,
    insecure: Insecure = False,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: JsonAtStart = False,
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
        serve(
            app,
            lambda: Surface(build_converter_app(conversions, loaded.http), lambda: None, conversions),
            lambda url: Output(as_json=as_json).row({"url": url}),
            INTERRUPTED,
        )
    return SUCCESS

"""`pincite converter`: serve the conversion of documents to Markdown."""

from collections.abc import Mapping
from logging import getLogger
from pathlib import Path

from pincite.app import App
from pincite.transports import logging
from pincite.transports.cli import configuration

log = getLogger("pincite.settings")

TOOLSET = "extraction"
"""The toolset that converters serve; none of its tools is served here."""

PORT = 8002
"""By contract 3."""


def run(*, env_file: Path | None, settings: Mapping[str, object]) -> int:
    """Serve until the process receives SIGTERM or SIGINT.

    Args:
        env_file: The named `.env` file; None to search for one.
        settings: Variable to value, from the command line; None for those that were not given.

    Raises:
        ConfigError: A setting is invalid, the address cannot be used, or the database cannot be opened.
    """
    from pincite.transports.http.converter import build_converter_app  # noqa: PLC0415 - not for `--help`
    from pincite.transports.http.server import Surface, serve  # noqa: PLC0415 - as above

    env_file = env_file or configuration.find_env_file(Path.cwd(), None)
    given = {variable: value for variable, value in settings.items() if value is not None}
    loaded = configuration.for_server(env_file, given)
    if "port" not in loaded.http.model_fields_set:
        loaded = loaded.model_copy(update={"http": loaded.http.model_copy(update={"port": PORT})})
    logging.configure(loaded.logging.level, loaded.logging.format or "json")
    for warning in configuration.warnings(loaded, env_file):
        log.warning("setting.ignored", extra={"problem": warning})
    app = App(loaded, None, toolsets=[TOOLSET])
    try:
        conversions = app.conversions
        serve(app, lambda: Surface(build_converter_app(conversions, loaded.http), _nothing, conversions))
    finally:
        app.close()
    return 0


def _nothing() -> None:
    """No stream stays open here."""

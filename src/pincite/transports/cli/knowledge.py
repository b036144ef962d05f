"""The console scripts `knowledge-ingest` and `knowledge-mcp`, with the options and exit codes of contract 2."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli import run as run_program
from pincite.transports.cli.opening.configuration import find_env_file
from pincite.transports.cli.parameters import Force, LogLevel, Recursive, Verbose
from pincite.transports.cli.program import new_program
from pincite.transports.problems import CONFIGURATION, INTERRUPTED, SUCCESS

DEFAULT_PATTERN = "*.pdf,*.docx,*.md"

START_FAILED = 1
"""Exit code of a server that could not start, for any other reason than its configuration."""


def ingest_main() -> None:
    """Run `knowledge-ingest` and exit with its code."""
    sys.exit(run_program(lambda: _program(_ingest), "knowledge-ingest"))


def mcp_main() -> None:
    """Run `knowledge-mcp` and exit with 0 after a clean shutdown, 1 if it could not start, 3 for its configuration."""
    code = run_program(lambda: _program(_serve), "knowledge-mcp") or SUCCESS
    codes: Mapping[object, int] = {SUCCESS: SUCCESS, INTERRUPTED: SUCCESS, CONFIGURATION: CONFIGURATION}
    sys.exit(codes.get(code, START_FAILED))


def _program(command: Callable[..., int]) -> typer.Typer:
    made = new_program()
    made.command()(command)
    return made


def _ingest(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="File or folder.", show_default=False)],
    recursive: Recursive = True,
    pattern: Annotated[
        str, typer.Option("--pattern", metavar="GLOBS", help="Names of files to ingest, with commas between.")
    ] = DEFAULT_PATTERN,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be ingested, and write nothing.")] = False,
    force: Force = False,
    verbose: Verbose = False,
) -> int:
    """Add files to the library in DATA_DIR. `pincite ingest` does the same with more options."""
    from pincite.transports.cli.commands.ingest import ingest  # noqa: PLC0415 - not for `--help`

    return ingest([str(source)], recursive, pattern, dry_run=dry_run, force=force, verbose=verbose)


def _serve(
    transport: Annotated[str, typer.Option("--transport", metavar="NAME", help="stdio, sse or http.")] = "stdio",
    log_level: LogLevel = None,
) -> int:
    """Serve the library in DATA_DIR to AI agents. `pincite serve --toolsets knowledge` does the same."""
    from pincite.app import App  # noqa: PLC0415 - as above
    from pincite.transports.cli.commands.serve import run_server  # noqa: PLC0415 - as above

    given, env_file = {"LOG_LEVEL": log_level}, find_env_file(Path.cwd())
    return run_server(lambda settings: App(settings, None), transport, env_file, given, interrupted=SUCCESS)

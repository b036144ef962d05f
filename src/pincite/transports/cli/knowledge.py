"""The console scripts `knowledge-ingest` and `knowledge-mcp`, with the options and exit codes of contract 2."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli import run as run_program
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
    codes = {SUCCESS: SUCCESS, INTERRUPTED: SUCCESS, CONFIGURATION: CONFIGURATION}
    sys.exit(codes.get(code, START_FAILED) if isinstance(code, int) else START_FAILED)


def _program(command: Callable[..., int]) -> typer.Typer:
    made = new_program()
    made.command()(command)
    return made


def _ingest(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="File or folder.", show_default=False)],
    recursive: Annotated[
        bool, typer.Option("--recursive/--no-recursive", help="Ingest the files of sub-folders, too.")
    ] = True,
    pattern: Annotated[
        str, typer.Option("--pattern", metavar="GLOBS", help="Names of files to ingest, with commas between.")
    ] = DEFAULT_PATTERN,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be ingested, and write nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Read and cut unchanged documents again.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print a line for each file.")] = False,
) -> int:
    """Add files to the library in DATA_DIR. `pincite ingest` does the same with more options."""
    from pincite.transports.cli.commands.ingest import ingest  # noqa: PLC0415 - not for `--help`

    return ingest([str(source)], recursive, pattern, dry_run=dry_run, force=force, verbose=verbose)


def _serve(
    transport: Annotated[str, typer.Option("--transport", metavar="NAME", help="stdio, sse or http.")] = "stdio",
    log_level: Annotated[
        str | None,
        typer.Option("--log-level", metavar="LEVEL", help="Minimum log level. Default: INFO.", show_default=False),
    ] = None,
) -> int:
    """Serve the library in DATA_DIR to AI agents. `pincite serve --toolsets knowledge` does the same."""
    from pincite.transports.cli.commands.serve import serve  # noqa: PLC0415 - as above

    return serve(toolsets="knowledge,citations", transport=transport, log_level=log_level)

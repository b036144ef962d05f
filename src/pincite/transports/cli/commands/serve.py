"""`pincite serve`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import Database, EnvFile, LogLevel

program = typer.Typer()


@program.command(epilog="Example: pincite serve ./docs")
def serve(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DOCS", help="Folder of documents.", show_default=False)
    ] = None,
    docs: Annotated[Path | None, typer.Option("--docs", metavar="FOLDER", help="The same as DOCS.")] = None,
    toolsets: Annotated[
        str,
        typer.Option(
            "--toolsets", metavar="NAMES", help="Toolsets to serve, with commas between: docs, citations or all."
        ),
    ] = "all",
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
) -> None:
    """Serve a folder of documents to an AI agent, over MCP on standard input and output.

    MCP clients start this command; `pincite connect` configures them. A .env file is read only with --env-file.
    """
    run("serve", folder=folder, docs=docs, toolsets=toolsets, db=db, env_file=env_file, log_level=log_level)

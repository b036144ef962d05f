"""`pincite status`."""

from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import HERE, Database, Docs, EnvFile, Json, Library, LogLevel

program = typer.Typer()


@program.command(epilog="Example: pincite status --docs ./docs")
def status(
    docs: Docs = HERE,
    library: Library = False,
    every: Annotated[bool, typer.Option("--all", help="List every cached index with its folder and size.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Delete the cached indexes whose folder no longer exists.")
    ] = False,
    failed: Annotated[
        bool, typer.Option("--failed", help="List every document that could not be read, and why.")
    ] = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Show what is indexed, what was skipped and why, and whether the index is up to date."""
    if library:
        run("library", "status", env_file=env_file, log_level=log_level, as_json=as_json)
    if every or prune:
        run("indexes", prune=prune, env_file=env_file, as_json=as_json)
    run("status", docs=docs, failed=failed, db=db, env_file=env_file, log_level=log_level, as_json=as_json)

"""`pincite read`."""

from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import HERE, Database, Docs, EnvFile, Json, Library, LogLevel

program = typer.Typer()


@program.command(epilog="Example: pincite read guide/setup.md@9f31c2aa#h4-c1 --docs ./docs")
def read(
    ref: Annotated[str, typer.Argument(help="Reference, as pincite search prints it after `ref`.")],
    docs: Docs = HERE,
    library: Library = False,
    context: Annotated[
        int, typer.Option("--context", min=0, max=20, help="Number of neighbouring chunks to add on each side.")
    ] = 0,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Print the text that a reference cites."""
    run(
        "read",
        ref=ref,
        docs=None if library else docs,
        context=context,
        db=db,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )

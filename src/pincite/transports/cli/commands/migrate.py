"""`pincite migrate`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import Database, EnvFile, Json, Library, LogLevel

program = typer.Typer()


@program.command(
    epilog="Example: pincite migrate ./docs --to postgresql://pincite@db.example/pincite, then set PINCITE_STORE_URL "
    "to the same for every server; and back: pincite migrate ./docs --from postgresql://pincite@db.example/pincite"
)
def migrate(
    docs: Annotated[
        Path,
        typer.Argument(metavar="DOCS", help="Folder whose index is moved. Default: the working directory."),
    ] = Path(),
    library: Library = False,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="DSN", help="Copy the index file into this PostgreSQL.", show_default=False),
    ] = None,
    origin: Annotated[
        str | None,
        typer.Option("--from", metavar="DSN", help="Copy out of this PostgreSQL into the file.", show_default=False),
    ] = None,
    older: Annotated[
        str | None,
        typer.Option(
            "--upgrade",
            metavar="DSN",
            help="Give the collection in this PostgreSQL, made by an older pincite, the tables of this one.",
            show_default=False,
        ),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the collection that is there already.")] = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Move a folder's index, or the library, between its SQLite file and PostgreSQL, embeddings included.

    Every row of the copy is compared with its original before it is put in place; the original stays, but for
    --upgrade. Interrupted, the same command goes on where it ended, unless documents changed meanwhile: stop the
    servers first.
    """
    run(
        "migrate",
        docs=docs,
        library=library,
        to=to,
        origin=origin,
        older=older,
        replace=replace,
        db=db,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )

"""`pincite migrate`: move a collection between SQLite and PostgreSQL, or to newer tables in PostgreSQL."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.app.collections import folder_spec, library_spec
from pincite.app.migration import from_postgres, to_postgres, upgrade
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.parameters import Database, EnvFile, Json, Library, LogLevel
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import SUCCESS

program = new_program()


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
        str | None, typer.Option("--to", metavar="DSN", help="Copy the index file into this PostgreSQL.")
    ] = None,
    origin: Annotated[
        str | None, typer.Option("--from", metavar="DSN", help="Copy out of this PostgreSQL into the file.")
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
) -> int:
    """Move a folder's index, or the library, between its SQLite file and PostgreSQL, embeddings included.

    Every row of the copy is compared with its original before it is put in place; the original stays, but for
    --upgrade. Interrupted, the same command goes on where it ended, unless documents changed meanwhile: stop the
    servers first.
    """
    if [to, origin, older].count(None) != 2:  # noqa: PLR2004 - one of three
        raise InvalidInput(
            "Give --to DSN to move an index into PostgreSQL, --from DSN to move it back, or --upgrade DSN to give the "
            "tables of an older pincite those of this one."
        )
    output = Output(as_json=as_json)
    settings = configuration.for_shell(env_file, log_level, docs)
    configuration.check_database(db)
    spec = library_spec(settings) if library else folder_spec(settings, docs, db)
    with output.progress() as progress:
        call = Call(progress=progress)
        if older is not None:
            migrated = upgrade(settings, spec, older, call)
        else:
            move, dsn = (to_postgres, to) if to is not None else (from_postgres, origin or "")
            migrated = move(settings, spec, dsn, call, replace=replace)
    output.data({"rows": migrated.counts, "place": migrated.place})
    for table, count in migrated.counts.items():
        output.line(f"{count:>9}  {table}")
    output.line(f"Every row is the same. {safe(spec.name)} is in {safe(migrated.place)}")
    if older is not None:
        output.note("Start the servers of this version; those of the older one cannot read it any more.")
    elif to is not None:
        output.note("Set PINCITE_STORE_URL for every server of it; the file stays, and is not used then.")
    else:
        output.note("Unset PINCITE_STORE_URL for every server of it; what is in the database stays.")
    return SUCCESS

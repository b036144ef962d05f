"""`pincite migrate`: move a collection between SQLite and PostgreSQL, or to newer tables in PostgreSQL."""

from pathlib import Path

from pincite.app.collections import folder_spec, library_spec
from pincite.app.migration import from_postgres, to_postgres, upgrade
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.transports import logging
from pincite.transports.cli import configuration
from pincite.transports.cli.exit_codes import SUCCESS
from pincite.transports.cli.output import Output, safe


def run(
    *,
    docs: Path,
    library: bool,
    to: str | None,
    origin: str | None,
    older: str | None,
    replace: bool,
    db: Path | None,
    env_file: Path | None,
    log_level: str | None,
    as_json: bool,
) -> int:
    """Move a collection, and print how many rows were compared.

    Raises:
        InvalidInput: Not exactly one of `to`, `origin` and `older` is given.
        PinciteError: See `to_postgres`.
    """
    if [to, origin, older].count(None) != 2:  # noqa: PLR2004 - one of three
        raise InvalidInput(
            "Give --to DSN to move an index into PostgreSQL, --from DSN to move it back, or --upgrade DSN to give the "
            "tables of an older pincite those of this one."
        )
    output = Output(as_json=as_json)
    settings = configuration.for_shell(env_file, log_level, docs)
    logging.configure(log_level or "CRITICAL", settings.logging.format or "text")
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

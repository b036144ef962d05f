"""`pincite extract`."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.transports.cli.dispatch import run
from pincite.transports.cli.parameters import EnvFile, Json, LogLevel

program = typer.Typer()


@program.command(epilog="Example: pincite extract invoice.pdf --schema fields.json > invoice.json")
def extract(
    file: Annotated[Path, typer.Argument(help="Document, in any supported format.", show_default=False)],
    schema: Annotated[
        Path,
        typer.Option(
            "--schema", metavar="FILE", help="Your fields: a JSON skeleton or a JSON Schema.", show_default=False
        ),
    ],
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="NAME",
            help="What finds the values: rules, without a model; claude, a model that is sent what it finds in the "
            "document; auto, claude where a key is set.",
        ),
    ] = "rules",
    keep_ungrounded: Annotated[
        bool, typer.Option("--keep-ungrounded", help="Keep values that the document does not confirm, marked as such.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each field's candidates, their scores and why none was taken.")
    ] = False,
    table: Annotated[bool, typer.Option("--table", help="Print the table, not JSON, into a file or pipe too.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="OUT",
            help="Write the evidence as one HTML file: pages and values, each leading to the other.",
        ),
    ] = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> None:
    """Fill your own JSON from a document, each value with the place that proves it.

    Prints a table on a terminal and JSON in a pipe. Exit code 1 if a field was not found.
    """
    run(
        "extract",
        file=file,
        schema=schema,
        engine=engine,
        keep_ungrounded=keep_ungrounded,
        explain=explain,
        table=table,
        html=html,
        env_file=env_file,
        log_level=log_level,
        as_json=as_json,
    )

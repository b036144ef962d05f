"""Arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

Docs = Annotated[Path, typer.Option("--docs", metavar="FOLDER", help="The folder of documents.")]
Database = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="Where the index lies; in the user's cache folder if left out."),
]
EnvFile = Annotated[Path | None, typer.Option("--env-file", metavar="FILE", help="A .env file to read settings from.")]
LogLevel = Annotated[
    str | None, typer.Option("--log-level", metavar="LEVEL", help="DEBUG, INFO, WARNING or ERROR; to standard error.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for machines.")]

HERE = Path()

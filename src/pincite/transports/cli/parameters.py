"""Arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

Docs = Annotated[
    Path | None,
    typer.Option(
        "--docs",
        metavar="FOLDER",
        help="Folder of documents, or a file in it. Default: the working directory.",
        show_default=False,
    ),
]
Folder = Annotated[Path | None, typer.Argument(metavar="DOCS", help="The same as --docs.", show_default=False)]
CitedDocs = Annotated[
    Path | None,
    typer.Option(
        "--docs",
        metavar="FOLDER",
        help="Folder of documents, or a file in it. Default: the library in DATA_DIR if it has the document, else the "
        "working directory.",
        show_default=False,
    ),
]
Database = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="Index file. Default: one in the user's cache folder."),
]
EnvFile = Annotated[Path | None, typer.Option("--env-file", metavar="FILE", help="Read settings from this .env file.")]
LogLevel = Annotated[
    str | None, typer.Option("--log-level", metavar="LEVEL", help="Minimum log level: DEBUG, INFO, WARNING or ERROR.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Index the folder without asking, whatever its size.")]
Out = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the result to this file.", show_default=False),
]

Library = Annotated[
    bool, typer.Option("--library", help="Use the library in DATA_DIR, which pincite ingest fills, not a folder.")
]

HERE = Path()

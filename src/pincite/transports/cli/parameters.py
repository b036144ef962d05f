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
Folders = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DOCS",
        help="Folder of documents; several as NAME=FOLDER, which tools tell apart by `collection`.",
        show_default=False,
    ),
]
Toolsets = Annotated[
    str | None,
    typer.Option(
        "--toolsets",
        metavar="NAMES",
        help="Toolsets to serve, with commas between, or all. Default: docs,citations; without DOCS "
        "knowledge,citations, which serve the library.",
        show_default=False,
    ),
]
Host = Annotated[
    str | None,
    typer.Option("--host", help="Address to listen on over HTTP (HOST). Default: 127.0.0.1.", show_default=False),
]
Port = Annotated[
    int | None,
    typer.Option(
        "--port",
        help="Port to listen on; 0 for a free one (PORT). Default: 8000, of a converter 8002.",
        show_default=False,
    ),
]
Insecure = Annotated[
    bool, typer.Option("--insecure", help="Listen on another address than loopback without MCP_API_KEY.")
]
JsonAtStart = Annotated[bool, typer.Option("--json", help="Print one JSON object, on one line, when it has started.")]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help="What finds the values: rules, without a model; claude or openai, a model that is sent what it finds "
        "in the document; auto, one of these where its key or address is set.",
    ),
]
Recursive = Annotated[bool, typer.Option("--recursive/--no-recursive", help="Ingest the files of sub-folders, too.")]
Force = Annotated[bool, typer.Option("--force", help="Read and cut unchanged documents again.")]
Verbose = Annotated[bool, typer.Option("--verbose", help="Print a line for each file.")]
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

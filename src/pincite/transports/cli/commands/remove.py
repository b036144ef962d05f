"""`pincite remove`: remove documents from the library."""

from pathlib import Path
from typing import Annotated

import typer

from pincite.errors import NotFound
from pincite.model.call import Call
from pincite.transports.cli import mirrors
from pincite.transports.cli.opening.applications import LIST_IDS, opened
from pincite.transports.cli.parameters import EnvFile, Json, LogLevel
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import NOTHING, PARTIAL, SUCCESS

program = new_program()


@program.command(epilog="Example: pincite remove nist-800-63b")
def remove(
    documents: Annotated[
        list[str],
        typer.Argument(metavar="DOCUMENT...", help="Ids, as pincite status --library lists them.", show_default=False),
    ],
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Remove documents from the library in DATA_DIR. Their files stay where they are, but for uploads and downloads.

    Exit code 1 if an id is unknown, 2 if all are.
    """
    output = Output(as_json=as_json)
    removed: dict[str, Path | None] = {}
    unknown: dict[str, str] = {}
    with opened(None, None, env_file, log_level) as app, output.progress() as progress:
        library = app.library_collection()
        mirrors.adopt(library)
        for name in documents:
            try:
                removed[name] = app.library_uploads.remove(name, Call(progress=progress))
            except NotFound as error:
                unknown[name] = error.message
        problem = mirrors.copy(library, progress, takes_over=False)
    output.data(
        {
            "removed": list(removed),
            "unknown": [{"document_id": name, "reason": reason} for name, reason in unknown.items()],
            "warnings": list(filter(None, [problem])),
        }
    )
    for name, file in removed.items():
        output.line(safe(f"removed: {name}" + (f"; its file stays: {file}" if file else " and its file in DATA_DIR")))
    for reason in unknown.values():
        output.line(safe(f"failed: {reason}"))
    for note in filter(None, (problem, LIST_IDS if unknown else "")):
        output.note(note)
    return NOTHING if not removed else PARTIAL if unknown or problem else SUCCESS

"""`pincite remove`: remove documents from the library."""

from typing import Annotated

import typer

from pincite.errors import PinciteError
from pincite.index.view import View
from pincite.model.call import Call
from pincite.services.library.ingestion import file_of
from pincite.transports.cli import mirrors
from pincite.transports.cli.exit_codes import NOTHING, PARTIAL, SUCCESS
from pincite.transports.cli.opening.applications import opened
from pincite.transports.cli.parameters import EnvFile, Json, LogLevel
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program

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
    """Remove documents from the library in DATA_DIR. Their files stay where they are.

    Exit code 1 if an id is unknown, 2 if all are.
    """
    output = Output(as_json=as_json)
    with opened(None, None, env_file, log_level) as app, output.progress() as progress:
        library = app.library_collection()
        with library.view(Call(progress=progress), semantic=False) as view:
            keys, unknown = _keys(view, documents)
        mirrors.adopt(library)
        library.ingestion.remove(keys.values())
        problem = mirrors.copy(library, progress, takes_over=False)
    output.data(
        {
            "removed": list(keys),
            "unknown": [{"document_id": name, "reason": reason} for name, reason in unknown.items()],
            "warnings": list(filter(None, [problem])),
        }
    )
    for name, key in keys.items():
        output.line(safe(f"removed: {name}; its file stays: {file_of(key)}"))
    for reason in unknown.values():
        output.line(safe(f"failed: {reason}"))
    if problem:
        output.note(problem)
    return NOTHING if not keys else PARTIAL if unknown or problem else SUCCESS


def _keys(view: View, names: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the source keys of documents, and why the others are unknown, both by id."""
    keys: dict[str, str] = {}
    unknown: dict[str, str] = {}
    for name in names:
        try:
            document = view.document(name)
        except PinciteError as error:
            unknown[name] = error.message
        else:
            keys[document.name] = document.source_key
    return keys, unknown

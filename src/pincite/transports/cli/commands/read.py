"""`pincite read`: print the text that a reference cites."""

import os
from typing import Annotated

import typer

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.model.call import Call
from pincite.text.excerpt import excerpt
from pincite.tools.citations import OpenedCitation, open_whole
from pincite.transports.cli.opening.applications import answer_of
from pincite.transports.cli.opening.running import page_of
from pincite.transports.cli.parameters import CitedDocs, Database, EnvFile, Folder, Json, Library, LogLevel, Out, Yes
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.printing.passages import note_stale
from pincite.transports.cli.program import new_program

program = new_program()


@program.command(epilog="Example: pincite read guide/setup.md@9f31c2aa#h4-c1 --docs ./docs")
def read(
    ref: Annotated[str, typer.Argument(metavar="REF", help="Reference, as pincite search prints it after `ref`.")],
    folder: Folder = None,
    docs: CitedDocs = None,
    library: Library = False,
    context: Annotated[
        int, typer.Option("--context", min=0, max=20, help="Number of neighbouring chunks to add on each side.")
    ] = 0,
    yes: Yes = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    out: Out = None,
    as_json: Json = False,
) -> int:
    """Print the text that a reference cites."""
    output = Output(as_json=as_json, file=out)
    if os.path.isfile(ref):  # noqa: PTH113 - which is False for a name that is too long
        raise InvalidInput(f"{excerpt(ref)!r} is a file, not a reference to a passage. Print it: pincite convert FILE")

    def opened(app: App) -> OpenedCitation:
        call = Call(page=page_of(app), progress=progress)
        return open_whole(lambda tool, arguments: app.toolbox.call(tool, arguments, call), ref, context)

    with output.progress() as progress:
        answer = answer_of(opened, folder or docs, db, env_file, log_level, library=library, yes=yes)
    output.data(answer.model_dump(mode="json"))
    output.line(safe(answer.content).rstrip("\n"))
    source = " > ".join(part for part in (answer.source.path, answer.source.section) if part)
    output.note(safe(f"From {source}."))
    if answer.link:
        output.note(safe(f"See it in its document: {answer.link}"))
    if answer.incomplete:
        output.note(safe(answer.incomplete))
    if answer.newer_ref:
        output.note(f"The document has changed since, but not here: {safe(answer.newer_ref)}")
    return note_stale(output, answer)

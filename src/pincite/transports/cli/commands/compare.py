"""`pincite compare`: what two editions of a standard require differently."""

from typing import Annotated

import typer

from pincite.model.call import Call
from pincite.tools.answers.editions import comparison
from pincite.tools.answers.knowledge import Requirement
from pincite.transports.cli.opening.applications import opened
from pincite.transports.cli.parameters import Database, EnvFile, Json, LogLevel
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import SUCCESS

program = new_program()


@program.command(epilog="Example: pincite compare asvs-4.0.2 asvs-4.0.3; pincite status --library lists the ids.")
def compare(
    old: Annotated[str, typer.Argument(metavar="OLD", help="document_id of the old edition, in the library.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="document_id of the new edition, in the library.")],
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Compare two editions of a standard: which requirements and recommendations were added, removed, changed or
    renumbered, each with its reference.
    """
    output = Output(as_json=as_json)
    with opened(None, db, env_file, log_level) as app, app.library_collection().view(Call(), semantic=False) as view:
        answer = comparison(view, Call(), old, new)
    output.data(answer.model_dump(mode="json", exclude_none=True))
    for each in answer.changes:
        output.line(output.style(each.change, "bold"))
        for mark, edition in (("-", each.old), ("+", each.new)):
            if edition:
                output.line(safe(f"{mark} {_shown(edition)}"))
    counts = ", ".join(f"{count} {name}" for name, count in answer.counts.items())
    output.line(safe(f"{answer.old} > {answer.new}: {counts}"))
    return SUCCESS


def _shown(edition: Requirement) -> str:
    text = " ".join(edition.requirement_text.split())
    return f"{edition.requirement_id or '(no clause)'}  {text}\n  ref {edition.ref}"

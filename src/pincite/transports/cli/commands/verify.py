"""`pincite verify`: check a quote against a reference, or find where it is."""

from functools import partial
from pathlib import Path
from typing import Annotated, cast

import typer

from pincite.app import App
from pincite.errors import NotFound
from pincite.evidence.quotes import Verdict
from pincite.model.call import Call, Progress
from pincite.model.locator import is_reference
from pincite.text.names.glob import matcher
from pincite.tools.citations import VerifiedQuote
from pincite.transports.cli.opening.applications import answer_of, opened, quote_in, text_argument
from pincite.transports.cli.opening.places import filter_of, is_place
from pincite.transports.cli.opening.running import page_of
from pincite.transports.cli.parameters import HERE, CitedDocs, Database, EnvFile, Folder, Json, Library, LogLevel, Yes
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.printing.passages import note_stale
from pincite.transports.cli.program import new_program
from pincite.transports.problems import PARTIAL, SUCCESS

program = new_program()

EXPLANATIONS = {
    Verdict.EXACT: "the document has these characters",
    Verdict.NORMALISED: "the document has these words, in another typography",
    Verdict.MOVED: "the document has it, but not where the reference leads",
    Verdict.STITCHED: "the document has its parts, but not in one piece",
    Verdict.ABSENT: "the document does not have it",
}


@program.command(epilog='Example: pincite verify "Rotate the keys monthly." guide/setup.md@9f31c2aa#h4-c1')
def verify(
    quote: Annotated[
        str, typer.Argument(metavar="QUOTE", help="The words to be quoted; - reads them from standard input.")
    ],
    ref: Annotated[
        str | None,
        typer.Argument(
            metavar="REF",
            help="Reference that the quote is attributed to; it may come first. Without it the folder, or the library, "
            "is searched.",
            show_default=False,
        ),
    ] = None,
    folder: Folder = None,
    docs: CitedDocs = None,
    library: Library = False,
    yes: Yes = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Check word for word whether a quote is in the text that a reference cites; without one, find where it is.

    Exit code 0 if the document has the quote there, exactly or in another typography; else 1.
    """
    output = Output(as_json=as_json)
    quote, docs = text_argument(quote), folder or docs
    if ref is not None and is_reference(quote) and not is_reference(ref):
        quote, ref = ref, quote  # the order of `verify_quote`
    if ref is not None and docs is None and is_place(ref):
        ref, docs = None, Path(ref).expanduser()
    with output.progress() as progress:
        if ref is None:
            docs = docs or HERE
            with opened(None if library else docs, db, env_file, log_level, yes=yes) as app:
                only = filter_of(docs, None)
                call = Call(page=page_of(app), progress=progress)
                answer = quote_in(app, quote, None if only is None else matcher(only), call)
        else:
            check = partial(_verified, quote, ref, progress)
            try:
                answer = answer_of(check, docs, db, env_file, log_level, library=library, yes=yes)
            except NotFound as error:  # what is not there does not have the quote
                output.problem(error)
                return PARTIAL
    output.data(answer.model_dump(mode="json"))
    explanation = EXPLANATIONS[answer.verdict] if ref or answer.at else "no document here has it"
    output.line(f"{output.style(answer.verdict, 'bold')}: {explanation}")
    if answer.at:
        output.line(f"   ref {safe(answer.at)}")
        if answer.link:
            output.line(f"   see {safe(answer.link)}")
        output.line()
        output.passage(safe(answer.content), (), "   | ")
    for note in filter(None, (answer.incomplete, answer.ocr)):
        output.note(note)
    note_stale(output, answer)
    return SUCCESS if answer.verdict in {Verdict.EXACT, Verdict.NORMALISED} else PARTIAL


def _verified(quote: str, ref: str, progress: Progress, app: App) -> VerifiedQuote:
    arguments = {"ref": ref, "quote": quote}
    call = Call(page=page_of(app), progress=progress)
    return cast("VerifiedQuote", app.toolbox.call("verify_quote", arguments, call))

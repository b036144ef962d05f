"""`pincite read`: print the text that a reference cites."""

from pathlib import Path

from pincite.model.call import Call
from pincite.tools.citations import open_whole
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.indexing import opened
from pincite.transports.cli.library import opened_library
from pincite.transports.cli.output import Output, safe
from pincite.transports.cli.running import page_of


def run(
    *,
    ref: str,
    docs: Path | None,
    context: int,
    db: Path | None,
    env_file: Path | None,
    log_level: str | None,
    as_json: bool,
) -> int:
    """Open a reference and print the complete text that it cites.

    Args:
        ref: The reference.
        docs: The folder; None for the library.
        context: Number of neighbouring chunks to add on each side.
        db: The folder's index file.
        env_file: The named `.env` file.
        log_level: The value of `--log-level`.
        as_json: Whether to print one JSON object.

    Returns:
        1 if the answer may miss a change, else 0.

    Raises:
        PinciteError: See `Toolbox.call`.
    """
    output = Output(as_json=as_json)
    app_of = opened_library(env_file, log_level) if docs is None else opened(docs, db, env_file, log_level)
    with app_of as app:
        page = page_of(app)
        answer = open_whole(lambda tool, arguments: app.toolbox.call(tool, arguments, Call(page=page)), ref, context)
    output.data(answer.model_dump(mode="json"))
    output.line(safe(answer.content).rstrip("\n"))
    place = " > ".join(part for part in (answer.source.path, answer.source.section) if part)
    output.note(safe(f"From {place}."))
    if answer.link:
        output.note(safe(f"See it in its document: {answer.link}"))
    if answer.incomplete:
        output.note(safe(answer.incomplete))
    if answer.newer_ref:
        output.note(f"The document has changed since, but not here: {safe(answer.newer_ref)}")
    stale = answer.index is not None and answer.index.stale
    if stale and answer.index is not None:
        output.note(f"This answer may miss a change: {answer.index.reason}")
    return PARTIAL if stale else SUCCESS

"""`pincite status`: what of a folder is indexed."""

from pathlib import Path

from pincite.app import App
from pincite.model.call import Call
from pincite.model.units import MEGABYTE
from pincite.tools.answers.docs import IndexStatusState, StatusAnswer
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.indexing import opened, status_of
from pincite.transports.cli.output import Output, safe


def run(
    *, docs: Path, failed: bool, db: Path | None, env_file: Path | None, log_level: str | None, as_json: bool
) -> int:
    """Print the status, or with `failed` the documents that could not be read.

    Returns:
        1 if the answer may miss a change, else 0.

    Raises:
        PinciteError: See `Toolbox.call`.
    """
    output = Output(as_json=as_json)
    with opened(docs, db, env_file, log_level) as app, output.progress() as progress:
        if failed:
            return _failed(app, output, Call(progress=progress))
        answer = status_of(app, Call(progress=progress))
    output.data(answer.model_dump(mode="json"))
    for label, value in _rows(answer):
        output.line(f"{output.style(f'{label:<12}', 'dim')}{safe(value)}")
    index = answer.index
    return PARTIAL if index is not None and index.stale else SUCCESS


def _failed(app: App, output: Output, call: Call) -> int:
    with app.collection().view(call, semantic=False) as view:
        found = [(document.name, document.failure) for document in view.failures()]
        stale = view.freshness.stale
    output.data({"failed": [{"file_path": name, "reason": reason} for name, reason in found], "stale": stale})
    for name, reason in found:
        output.line(safe(f"{name}: {reason}"))
    if not found:
        output.line("Every document could be read.")
    return PARTIAL if stale else SUCCESS


def _rows(answer: StatusAnswer) -> list[tuple[str, str]]:
    rows = [("folder", answer.server.docs_root)]
    if answer.index is not None:
        rows += _index_rows(answer.index)
    model = answer.embedding
    rows.append(("model", f"{model.model}, {model.dimensions} dimensions, {model.provider}: {model.state}"))
    if model.note:
        rows.append(("", model.note))
    if answer.git is not None:
        dirty = "uncommitted changes in the folder" if answer.git.dirty else "the folder is clean"
        rows.append(("git", f"{answer.git.head_commit or 'no commit'}, {dirty}"))
    return rows


def _index_rows(index: IndexStatusState) -> list[tuple[str, str]]:
    rows = [
        ("pages", f"{index.total_pages} in {index.total_chunks} chunks"),
        ("indexed", index.last_indexed or "never"),
        ("index", f"{index.db_path} ({index.db_size_bytes / MEGABYTE:.1f} MB)"),
        ("freshness", f"{index.freshness.method}: {index.freshness.reason}"),
    ]
    if index.indexing is not None:
        # Everything was read: this command computes no vectors.
        missing = (
            "" if index.pending else " have vectors; the others are found by keyword until a search computes theirs"
        )
        rows.append(("indexing", f"{index.indexing.done} of {index.indexing.total} documents{missing}"))
    if index.rereading:
        rows.append(("rereading", f"{index.rereading} documents, after an upgrade or with other settings"))
    if index.skipped:
        rows.append(("skipped", ", ".join(f"{reason} {count}" for reason, count in sorted(index.skipped.items()))))
    rows += [("failed", f"{count}: {reason}") for reason, count in index.failed.items()]
    rows += [("incomplete", f"{count}: {reason}") for reason, count in index.incomplete.items()]
    if index.reason:
        rows.append(("stale", index.reason))
    rows += [("warning", warning) for warning in index.warnings]
    return rows

"""`pincite status`: what of a folder, or of the library, is indexed; which indexes are in the cache."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from pincite.app import App, index_path
from pincite.model.call import Call
from pincite.model.sizes import MEGABYTE
from pincite.sources.paths import unseen
from pincite.store.sqlite.opening import Description, describe, remove
from pincite.text.counts import counted
from pincite.text.names.paths import shown
from pincite.tools.answers.docs import IndexStatusState, StatusAnswer
from pincite.tools.answers.knowledge import StatsAnswer
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.applications import opened, status_of
from pincite.transports.cli.parameters import HERE, Database, Docs, EnvFile, Folder, Json, Library, LogLevel, Yes
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.printing.passages import LIBRARY, note_stale
from pincite.transports.cli.program import new_program
from pincite.transports.problems import PARTIAL, SUCCESS

program = new_program()


@program.command(epilog="Example: pincite status ./docs")
def status(
    folder: Folder = None,
    docs: Docs = None,
    library: Library = False,
    every: Annotated[bool, typer.Option("--all", help="List every cached index with its folder and size.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Delete the cached indexes whose folder no longer exists.")
    ] = False,
    failed: Annotated[
        bool, typer.Option("--failed", help="List every document that could not be read, and why.")
    ] = False,
    yes: Yes = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Show what is indexed, what was skipped and why, and whether the index is up to date."""
    output = Output(as_json=as_json)
    if (every or prune) and not library:
        return _indexes(output, configuration.for_shell(env_file, log_level).storage.cache, prune=prune)
    with (
        opened(None if library else folder or docs or HERE, db, env_file, log_level, yes=yes) as app,
        output.progress() as progress,
    ):
        call = Call(progress=progress)
        if library:
            return _library(app, output, call)
        return _failed(app, output, call) if failed else _folder(app, output, call)


def _folder(app: App, output: Output, call: Call) -> int:
    answer = status_of(app, call)
    output.data(answer.model_dump(mode="json"))
    _print_rows(output, _rows(answer))
    return PARTIAL if answer.index is not None and answer.index.stale else SUCCESS


def _failed(app: App, output: Output, call: Call) -> int:
    with app.collection().view(call, semantic=False) as view:
        failures = [(document.name, document.failure) for document in view.failures()]
        stale = view.freshness.stale
    output.data({"failed": [{"file_path": name, "reason": reason} for name, reason in failures], "stale": stale})
    for name, reason in failures:
        output.line(safe(f"{name}: {reason}"))
    if not failures:
        output.line("Every document could be read.")
    return PARTIAL if stale else SUCCESS


def _library(app: App, output: Output, call: Call) -> int:
    answer = cast("StatsAnswer", app.toolbox.call("knowledge_stats", {}, call))
    library = app.library_collection()
    output.data(answer.model_dump(mode="json"))
    base = answer.knowledge_base
    chunks = counted(base.total_chunks, "chunk")
    rows = [
        ("library", f"{library.store.place()} ({base.storage_bytes / MEGABYTE:.1f} MB)"),
        ("documents", f"{base.total_documents:,} in {chunks}, {counted(base.total_tokens, 'token')}"),
        ("model", f"{answer.embedding.model}, {answer.embedding.dimensions} dimensions"),
        ("tokens", f"counted by {library.embedder.embedder.tokenizer.identity}"),
    ]
    for document in answer.documents:
        kind = f"{document.document_type}, {counted(document.chunk_count, 'chunk')}"
        rows.append(("", f"{document.document_id}: {document.document_title} ({kind})"))
    _print_rows(output, rows)
    for document in answer.documents:
        if document.incomplete:
            output.note(f"{document.document_id}: {document.incomplete}")
    return note_stale(output, answer, LIBRARY)


def _print_rows(output: Output, rows: list[tuple[str, str]]) -> None:
    for label, value in rows:
        output.entry(f"{label:<12}", value)


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
        ("pages", f"{index.total_pages:,} in {counted(index.total_chunks, 'chunk')}"),
        ("indexed", index.last_indexed or "never"),
        ("index", f"{index.db_path} ({index.db_size_bytes / MEGABYTE:.1f} MB)"),
        ("freshness", f"{index.freshness.method}: {index.freshness.reason}"),
    ]
    if index.indexing is not None:
        # Everything was read: this command computes no vectors.
        missing = (
            "" if index.pending else " have vectors; the others are found by keyword until a search computes theirs"
        )
        rows.append(("indexing", f"{index.indexing.done} of {counted(index.indexing.total, 'document')}{missing}"))
    if index.rereading:
        rows.append(("rereading", f"{counted(index.rereading, 'document')}, after an upgrade or with other settings"))
    if index.skipped:
        rows.append(("skipped", ", ".join(f"{reason} {count}" for reason, count in sorted(index.skipped.items()))))
    rows += [("failed", f"{count}: {reason}") for reason, count in index.failed.items()]
    rows += [("incomplete", f"{count}: {reason}") for reason, count in index.incomplete.items()]
    if index.reason:
        rows.append(("stale", index.reason))
    rows += [("warning", warning) for warning in index.warnings]
    return rows


def _indexes(output: Output, cache: Path, *, prune: bool) -> int:
    """List the cached indexes; with `prune`, delete those whose folder no longer exists.

    Delete only files that pincite recognises as its own, and none that a server has open: its folder may come back (an
    unmounted disk, another branch).
    """
    folder = index_path(cache, Path()).parent
    indexes = [
        (path, description) for path in sorted(folder.glob("*.db")) if (description := describe(path)) is not None
    ]
    rows = [_index_row(path, description, prune=prune) for path, description in indexes]
    output.data({"indexes": rows})
    for row in rows:
        mark = "  removed" if row["removed"] else "  folder is gone" if row["gone"] else ""
        mark += ", kept: a server uses it" if row["in_use"] else ""
        mark += f"  kept: {row['problem']}" if row["problem"] else ""
        output.line(f"{row['size_bytes'] / MEGABYTE:8.1f} MB  {safe(row['folder'])}{mark}")
    if not rows:
        output.line("The cache has no index.")
    return SUCCESS


def _index_row(path: Path, description: Description, *, prune: bool) -> dict[str, Any]:
    problem = unseen(description.source)
    gone = problem == ""
    removed = gone and prune and remove(path)
    return {
        "folder": shown(description.source),
        "db_path": shown(path),
        "size_bytes": description.size_bytes,
        "gone": gone,
        "problem": problem or "",
        "removed": removed,
        "in_use": gone and prune and not removed,
    }

"""`pincite ingest`: add files to the library."""

import os
import time
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from pincite.app import App
from pincite.app.collections import has_library
from pincite.app.plugins import is_remote
from pincite.errors import (
    ConnectionFailed,
    DownloadFailed,
    InternalError,
    InvalidInput,
    PinciteError,
    RateLimited,
    TimeoutExceeded,
)
from pincite.index.collection import Collection
from pincite.index.updating.ingestion import Added, Outcome
from pincite.model.call import Call
from pincite.services.library import downloads
from pincite.services.library.chunk_records import chunk_records
from pincite.services.library.ingestion import (
    Plan,
    Selection,
    SourceFiles,
    path_of,
    plan,
    same_contents,
)
from pincite.settings import Settings
from pincite.text.counts import counted
from pincite.text.excerpt import excerpt, excerpts
from pincite.transports.cli import mirrors
from pincite.transports.cli.clients.files import is_url
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.applications import GO_ON, POLL_SECONDS, passages_of
from pincite.transports.cli.parameters import EnvFile, Force, LogLevel, Recursive, Verbose
from pincite.transports.cli.printing import streams
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.printing.stages import Stages
from pincite.transports.cli.program import new_program
from pincite.transports.problems import CONFIGURATION, NOTHING, PARTIAL, SUCCESS, exit_code

program = new_program()

Pattern = Annotated[
    str | None,
    typer.Option(
        "--pattern",
        metavar="GLOBS",
        help="Names of files to ingest, with commas between, as '*.pdf,*.md'. Default: every supported format.",
        show_default=False,
    ),
]
FromMirror = Annotated[
    bool, typer.Option("--from-mirror", help="Make the library from what VECTOR_STORE holds, as on another machine.")
]
ToMirror = Annotated[
    bool, typer.Option("--to-mirror", help="Make VECTOR_STORE a copy of the library, even if it holds another one.")
]

MAX_SHOWN_FAILURES = 20
"""Failures that are printed without `--verbose`; `--json` has them all."""


@dataclass(slots=True)
class Summary:
    """What an ingestion did.

    Attributes:
        library: Where the library is kept.
        outcomes: The paths of the files, by what became of them.
        failures: Why a file could not be read, by path.
        incomplete: What of a document was not read, by path.
        chunks: The number of chunks of all documents that are in the library now, of these files.
        vanished: Names of documents whose files are gone.
        removed: Whether they were removed.
        left_out: Why a file was left out, by path.
        warnings: Messages for the user.
        waiting: The number of passages without a vector, by path.
        copy_problem: Why the vector store has not got what was ingested; empty if it has, or if there is none.
    """

    library: str
    outcomes: dict[Outcome, list[str]] = field(default_factory=lambda: {outcome: [] for outcome in Outcome})
    failures: dict[str, str] = field(default_factory=dict[str, str])
    incomplete: dict[str, str] = field(default_factory=dict[str, str])
    chunks: int = 0
    vanished: Sequence[str] = ()
    removed: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict[str, str])
    warnings: list[str] = field(default_factory=list[str])
    waiting: Mapping[str, int] = field(default_factory=dict[str, int])
    copy_problem: str = ""

    @property
    def exit_code(self) -> int:
        """0 if all went well, 1 if some files failed or are not in the vector store, 2 if none was processed."""
        processed = sum(map(len, self.outcomes.values())) - len(self.outcomes[Outcome.FAILED])
        return NOTHING if not processed else PARTIAL if self.failures or self.copy_problem else SUCCESS

    def note(self, added: Added) -> None:
        """Count a file."""
        path = path_of(added.addition.source_key)
        self.outcomes[added.outcome].append(path)
        self.chunks += added.chunks
        if added.outcome is Outcome.FAILED:
            self.failures[path] = added.reason
        if added.incomplete:
            self.incomplete[path] = added.incomplete

    def as_json(self) -> dict[str, Any]:
        """Return the summary as one object."""
        return {
            "library": self.library,
            "files": sum(map(len, self.outcomes.values())),
            "chunks": self.chunks,
            "errors": len(self.failures),
            **{outcome.value: self.outcomes[outcome] for outcome in Outcome if outcome is not Outcome.FAILED},
            "failed": [{"path": path, "reason": reason} for path, reason in self.failures.items()],
            "incomplete": [{"path": path, "reason": reason} for path, reason in self.incomplete.items()],
            "vanished": list(self.vanished),
            "removed": self.removed,
            "skipped": dict(Counter(self.left_out.values())),
            "left_out": [{"path": path, "reason": reason} for path, reason in self.left_out.items()],
            "warnings": self.warnings,
        }


@program.command(epilog="Example: pincite ingest ./standards https://www.rfc-editor.org/rfc/rfc9110.html")
def ingest(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="SOURCE...", help="Files, folders or URLs.", show_default=False)
    ] = None,
    recursive: Recursive = True,
    pattern: Pattern = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Write nothing; with --json, print each chunk with its tags, one a line."),
    ] = False,
    force: Force = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove documents whose files are gone; --dry-run lists them.")
    ] = False,
    from_mirror: FromMirror = False,
    to_mirror: ToMirror = False,
    verbose: Verbose = False,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object instead of text; with --dry-run, one a chunk.")
    ] = False,
) -> int:
    """Add files to the library in DATA_DIR, which `pincite serve --toolsets knowledge` answers from.

    Unchanged files are skipped, so the same command indexes what changed, or continues where it was interrupted.
    """
    sources = sources or []
    output = Output(as_json=as_json)
    settings = configuration.for_shell(env_file, log_level)
    _check_sources(sources, from_mirror=from_mirror, to_mirror=to_mirror)
    traceless = _traceless(settings) if dry_run and not from_mirror else nullcontext(settings)
    with traceless as used, closing(App(used, None, toolsets=["knowledge"])) as app:
        library = app.opened_library()
        if not dry_run:
            mirrors.adopt(library)
        if from_mirror:
            return mirrors.restore(app, output, prune=prune)
        if not sources:
            return mirrors.send(app, output)
        with output.progress() as progress, TemporaryDirectory() as temporary:
            with library.view(Call(), semantic=False) as view:
                stored = view.snapshot.documents()
            downloaded = Path(temporary) if dry_run else app.library_uploads.folder
            patterns = [name.strip() for name in (pattern or "").split(",") if name.strip()]
            selection = Selection(recursive, patterns)
            stages = Stages(progress, lambda: passages_of(library))
            app.model_progress = stages.fetched
            files = [_files_of(app, source, selection, downloaded, Call(progress=progress)) for source in sources]
            planned = plan(files, stored, forced=force)
            if dry_run:
                return _preview(library, planned, output, prune=prune)
            # Vectors can be computed later.
            with suppress(ConnectionFailed, InternalError, RateLimited, TimeoutExceeded):
                app.check_embedding(Call())
            summary = _ingest(library, planned, output if verbose else None, stages, prune=prune)
            summary.copy_problem = mirrors.copy(library, progress, takes_over=to_mirror)
        return _show(output, summary, library)


@contextmanager
def _traceless(settings: Settings) -> Generator[Settings]:
    """Yield settings with which opening a library that is not there makes none."""
    if has_library(settings):
        yield settings
        return
    with TemporaryDirectory() as folder:
        storage = settings.storage.model_copy(update={"data": Path(folder)})
        yield settings.model_copy(update={"storage": storage})


def _check_sources(sources: Sequence[str], *, from_mirror: bool, to_mirror: bool) -> None:
    if from_mirror and (sources or to_mirror):
        raise InvalidInput("--from-mirror takes no SOURCE and no --to-mirror: it makes the library from VECTOR_STORE.")
    if not (sources or from_mirror or to_mirror):
        raise InvalidInput("Name the files, folders or URLs to add: pincite ingest ./standards")
    if missing := next((source for source in sources if not is_url(source) and not os.path.lexists(source)), None):
        raise InvalidInput(f"There is no file or folder {excerpt(missing)!r} here. Check the path.")


def _files_of(app: App, source: str, selection: Selection, folder: Path, call: Call) -> SourceFiles:
    """Return the files of a source: of a URL, its document, which is kept below this folder."""
    if not is_url(source):
        return app.source_files(Path(source), selection)
    try:
        fetched = app.downloads.fetch(source, call, argument="The URL")
    except DownloadFailed as error:
        return SourceFiles(source, [], {}, unreadable={source: error.message.rstrip(".")})
    return app.source_files(downloads.keep(folder, fetched.url, fetched.blob), selection)


def _ingest(library: Collection, planned: Plan, output: Output | None, stages: Stages, *, prune: bool) -> Summary:
    """Add the files, and compute the vectors of all that is in the library."""
    can_refuse = is_remote(library.spec.embedder)
    retried = _retry_refused(library) if can_refuse else []
    waiting = _waiting(library)
    summary = _add(library, planned, output, stages, prune=prune)
    summary.warnings += retried
    _embed(library, stages)
    summary.waiting = _waiting(library)
    if completed := [path for path in waiting if path not in summary.waiting]:
        named = excerpts(completed[:MAX_SHOWN_FAILURES])
        summary.warnings.append(f"Vectors that an earlier run had not computed are there now: {named}.")
    if can_refuse:
        _note_refused(library, summary)
    return summary


def _add(library: Collection, planned: Plan, output: Output | None, stages: Stages, *, prune: bool) -> Summary:
    summary = Summary(
        library.store.place(),
        failures=dict(planned.failures),
        left_out=planned.left_out,
        warnings=list(planned.warnings),
    )
    total, done = len(planned.additions), 0

    def pages(read: float, of: float | None, message: str) -> None:
        if of:
            path = path_of(planned.additions[done].source_key)
            stages.documents(done, total, f"{path}: {read:g} of {of:g} {message}")

    library.start()  # vectors are computed while the next file is read
    try:
        for added in library.ingestion.each(planned.additions, Call(progress=pages)):
            summary.note(added)
            done += 1
            stages.documents(done, total, path_of(added.addition.source_key))
            if output is not None:
                output.line(safe(_line(added)))
    except KeyboardInterrupt:
        streams.say(f"Interrupted: {done} of {counted(total, 'file')} in the library. {GO_ON}\n")
        raise
    summary.vanished = list(planned.vanished)
    if prune and planned.vanished:
        library.ingestion.remove(planned.vanished.values())
        summary.removed = True
    with library.view(Call(), semantic=False) as view:
        names = [addition.name for addition in planned.additions]
        kept = [document for document in view.snapshot.documents() if document.name not in planned.vanished]
        summary.warnings += same_contents(kept, names, view.text)
    return summary


def _embed(library: Collection, stages: Stages) -> None:
    """Wait until every chunk has a vector, or none can be computed."""
    try:
        while passages_of(library)[1] and not library.background_failure and not library.embedder.failure:
            stages.show()
            time.sleep(POLL_SECONDS)
    except KeyboardInterrupt:
        waiting = counted(passages_of(library)[1], "passage")
        streams.say(f"Interrupted: every file is in the library; {waiting} found by keyword alone. {GO_ON}\n")
        raise


def _retry_refused(library: Collection) -> list[str]:
    """Send again what the service refused in an earlier run; return a sentence that says so, if there was any."""
    with suppress(PinciteError):  # the embedding that follows says why
        before = _refused(library)
        if count := library.retry_refused(Call()):
            refused = _refused(library)
            accepted = [
                f"{path}: {passage}"
                for path, passages in before.items()
                for passage in passages
                if passage not in refused.get(path, ())
            ]
            named = f": {excerpts(accepted[:MAX_SHOWN_FAILURES])}" if accepted else ""
            sent = counted(count, "passage")
            return [f"Sent again after an earlier refusal: {sent}, {len(accepted)} of them accepted now{named}."]
    return []


def _refused(library: Collection) -> Mapping[str, Sequence[str]]:
    """Return the clause or the heading of each passage that the service refused, by file."""
    refused: defaultdict[str, list[str]] = defaultdict(list)
    with library.store.snapshot() as snapshot:
        for stored in library.refused():
            document = snapshot.document(stored.document)
            clause = stored.chunk.tags.clause
            named = f"clause {clause}" if clause else stored.chunk.heading or stored.chunk.locator
            refused[path_of(document.source_key) if document else stored.document].append(named)
    return refused


def _waiting(library: Collection) -> Mapping[str, int]:
    """Return the number of passages without a vector, by file."""
    with library.store.snapshot() as snapshot:
        counts = snapshot.waiting_chunks()
        return {path_of(each.source_key): counts[each.id] for each in snapshot.documents() if counts.get(each.id)}


def _note_refused(library: Collection, summary: Summary) -> None:
    """Name what the service refused."""
    for path, passages in _refused(library).items():
        named = excerpts(list(passages)[:MAX_SHOWN_FAILURES])
        reason = f"The embedding service refused {counted(len(passages), 'passage')}, found by keywords alone: {named}."
        summary.failures[path] = " ".join(filter(None, (summary.failures.get(path, ""), reason)))


def _show(output: Output, summary: Summary, library: Collection) -> int:
    """Print what was done, and return the exit code: files whose vectors could not be computed are found by keyword."""
    failure = library.background_failure
    if problem := library.embedder.failure or (failure.message if failure else ""):
        of = [f"{path} ({count})" for path, count in summary.waiting.items()][:MAX_SHOWN_FAILURES]
        named = f" They are in {excerpts(of)}; the same command goes on with them." if of else ""
        summary.warnings.append(f"Some passages have no vectors and are found by keywords alone: {problem}{named}")
    if summary.copy_problem:
        summary.warnings.append(summary.copy_problem)
    output.data(summary.as_json())
    outcomes = {outcome: len(paths) for outcome, paths in summary.outcomes.items()}
    output.line(_totals(sum(outcomes.values()), outcomes, summary.chunks, len(summary.failures)))
    output.line(output.style(f"library {safe(summary.library)}", "dim"))
    for path, reason in list(summary.failures.items())[:MAX_SHOWN_FAILURES]:
        output.line(safe(f"failed: {path}: {reason}"))
    if len(summary.failures) > MAX_SHOWN_FAILURES:
        output.line(f"failed: {len(summary.failures) - MAX_SHOWN_FAILURES} more; --json lists all.")
    for path, reason in summary.incomplete.items():
        output.note(f"{path}: {reason}")
    if not output.as_json:
        _show_vanished(summary.vanished, "removed" if summary.removed else "kept; --prune removes them")
    _show_left_out(output, summary.left_out)
    for warning in summary.warnings:
        output.note(warning)
    if failure is None:
        return summary.exit_code
    return max(summary.exit_code, CONFIGURATION if exit_code(failure) == CONFIGURATION else PARTIAL)


def _show_left_out(output: Output, left_out: Mapping[str, str]) -> None:
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for path, reason in left_out.items():
        by_reason[reason].append(path)
    for reason, paths in by_reason.items():
        more = f", {len(paths) - MAX_SHOWN_FAILURES} more" if len(paths) > MAX_SHOWN_FAILURES else ""
        output.note(f"skipped: {reason} {len(paths)}: {excerpts(sorted(paths)[:MAX_SHOWN_FAILURES])}{more}")


def _show_vanished(names: Iterable[str], what: str) -> None:
    if listed := list(names):
        streams.say(safe(f"note: {len(listed)} without a file any more ({what}): {', '.join(listed)}\n"))


def _preview(library: Collection, planned: Plan, output: Output, *, prune: bool) -> int:
    """Print what would become of each file, or each chunk as JSON; and what would be left out and removed."""
    model, failed, chunks = library.embedder.embedder.model, len(planned.failures), 0
    for path, reason in planned.failures.items():
        streams.say(safe(f"failed: {path}: {reason}\n"))
    outcomes: Counter[Outcome] = Counter()
    for added, new in library.ingestion.preview(planned.additions, Call()):
        path = path_of(added.addition.source_key)
        if added.outcome is Outcome.FAILED:
            failed += 1
            streams.say(safe(f"failed: {path}: {added.reason}\n"))
            continue
        outcomes[added.outcome] += 1
        for record in chunk_records(new, model, time.time()):
            output.row(record)
        chunks += added.chunks
        title = f"{new.row.title}, id {added.addition.name}, {counted(added.chunks, 'chunk')}"
        output.line(safe(f"{added.outcome.value}: {path}: {title}"))
    output.line(f"{_totals(len(planned.additions), outcomes, chunks, failed)}; nothing was written")
    _show_left_out(output, planned.left_out)
    for warning in planned.warnings:
        output.note(warning)
    _show_vanished(planned.vanished, "would be removed" if prune else "kept; --prune removes them")
    return NOTHING if not outcomes else PARTIAL if failed else SUCCESS


def _totals(files: int, outcomes: Mapping[Outcome, int], chunks: int, errors: int) -> str:
    counts = ", ".join(f"{number} {outcome.value}" for outcome, number in outcomes.items() if number)
    of_files = f"{counted(files, 'file')}{f' ({counts})' if counts else ''}"
    return f"{of_files}, {counted(chunks, 'chunk')}, {counted(errors, 'error')}"


def _line(added: Added) -> str:
    detail = added.reason if added.outcome is Outcome.FAILED else counted(added.chunks, "chunk")
    return f"{added.outcome.value}: {path_of(added.addition.source_key)} ({detail})"

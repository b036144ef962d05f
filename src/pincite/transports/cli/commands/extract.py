"""`pincite extract`: fill a schema from a document, and show where each value comes from."""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from pincite.app import App
from pincite.errors import Cancelled, ConfigError, InvalidInput, PinciteError
from pincite.formats.base import Blob
from pincite.model.call import Call, Progress
from pincite.model.document import Document
from pincite.model.schema import Path as FieldPath
from pincite.model.schema import Schema, dotted
from pincite.services.extraction.extraction import Extraction
from pincite.services.extraction.schemas import MAX_SCHEMA_CHARS, as_json, read_schema
from pincite.services.extraction.spreadsheets import leaves
from pincite.services.library.ingestion import Selection, SourceFile
from pincite.services.reading.reading import Reading
from pincite.settings import Settings
from pincite.text.counts import counted
from pincite.text.json_values import from_utf8
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.applications import file_bytes, local_file, opened_for_extraction, read_blob
from pincite.transports.cli.parameters import Engine, EnvFile, Json, LogLevel
from pincite.transports.cli.printing import streams
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.cli.results import Journal, is_complete
from pincite.transports.problems import NOTHING, PARTIAL, SUCCESS

program = new_program()

Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="OUT",
        help="Write the evidence as one HTML file: pages and values, each leading to the other.",
    ),
]
MinConfidence = Annotated[
    float, typer.Option("--min-confidence", metavar="SHARE", help="Leave out less confident values.", min=0, max=1)
]
Results = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="Write the results of all documents into one file, .jsonl, .csv or .xlsx; run again to go on.",
    ),
]

_HEADER = ("field", "value", "status", "page", "from the document")
_MAX_COLUMN_CHARS = (36, 32, 10, 5)
"""Widths of all columns but the last, which takes what the line has left."""
_JOB_DIGITS = 16
_MIN_SNIPPET_CHARS = 20
_PIPE_COLUMNS = 120
"""Width of the table where there is no terminal."""


@program.command(epilog="Example: pincite extract ./invoices --schema fields.json -o invoices.csv")
def extract(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="Documents in any format: files, folders of them, URLs, or - for standard input.",
            show_default=False,
        ),
    ],
    schema: Annotated[
        str,
        typer.Option(
            "--schema",
            metavar="FILE",
            help="Your fields: names, a JSON skeleton or a JSON Schema, in a file or written here.",
        ),
    ],
    engine: Engine = "rules",
    strict: Annotated[
        bool,
        typer.Option(
            "--strict/--keep-ungrounded", help="Leave out values that the document does not confirm, or mark them."
        ),
    ] = True,
    min_confidence: MinConfidence = 0.0,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each field's candidates, their scores and why none was taken.")
    ] = False,
    table: Annotated[bool, typer.Option("--table", help="Print the table, not JSON, into a file or pipe too.")] = False,
    html: Html = None,
    out: Results = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Fill your own JSON from documents, each value with the place that proves it.

    Prints a table on a terminal and JSON in a pipe; several documents need --output. Exit code 0 if every field has a
    verified value, 2 if no document was read, else 1; notes do not count.
    """
    output = Output(as_json=as_json or not (table or sys.stdout.isatty()))
    settings = configuration.for_shell(env_file, log_level)
    fields = _fields(schema)
    form = read_schema(fields)

    def extracted(app: App, file: Path, blob: Blob, call: Call) -> tuple[Document, Extraction]:
        return app.extract(engine, file, blob, form, call, strict=strict, min_confidence=min_confidence)

    if out is not None or len(files) > 1 or Path(files[0]).is_dir():
        if out is None or html is not None or explain:
            raise InvalidInput("Several documents need a file for their results, without --html and --explain: -o OUT.")
        made = f"{engine} {not strict} {min_confidence} {fields}".encode("utf-8", "replace")
        batch = _Batch(form, extracted, Journal(out, hashlib.sha256(made).hexdigest()[:_JOB_DIGITS]))
        return batch.run(files, settings, output)
    with (
        output.progress() as progress,
        local_file(files[0], settings, call := Call(progress=progress)) as file,
        opened_for_extraction(settings, file.parent) as app,
    ):
        blob = read_blob(file, settings)
        document, result = extracted(app, file, blob, call)
        if html is not None:
            _write_page(html, app, blob, document, result, call)
    _print_result(output, result, explain=explain)
    return SUCCESS if is_complete(result.data, result.evidence) else PARTIAL


def _fields(schema: str) -> str:
    """Return a schema as JSON text: as it is written, or that of the file that it names."""
    is_written = schema.lstrip().startswith("{") or ("," in schema and not os.path.exists(schema))  # noqa: PTH110 - `Path.exists` raises for a long text
    return as_json(schema if is_written else from_utf8(file_bytes(Path(schema), 4 * MAX_SCHEMA_CHARS), "schema"))


def _print_result(output: Output, result: Extraction, *, explain: bool) -> None:
    output.data(result.as_json() | ({"explanation": list(result.explanation)} if explain else {}))
    _print_table(output, result)
    if explain:
        _print_explanation(output, result)
    for warning in result.warnings:
        output.note(warning)


@dataclass(slots=True)
class _Batch:
    """Many documents, one after the other.

    Attributes:
        form: The fields.
        extracted: Returns a document as it was read, and what was extracted from it.
        journal: Keeps the results.
        done: Number of documents with a result, now or of an earlier run.
        failures: Why a document has none.
        complete: Whether each field of each document has a verified value.
    """

    form: Schema
    extracted: Callable[[App, Path, Blob, Call], tuple[Document, Extraction]]
    journal: Journal
    done: int = 0
    failures: dict[str, str] = field(default_factory=dict[str, str])
    complete: bool = True

    def run(self, sources: Sequence[str], settings: Settings, output: Output) -> int:
        """Extract from each file that has no result yet, print what was done, and return the exit code."""
        with output.progress() as progress:
            self._extract_all(sources, settings, progress)
        output.data({"output": str(self.journal.out), "documents": self.done, "failed": self.failures})
        errors = counted(len(self.failures), "error")
        output.line(f"{counted(self.done, 'document')} in {safe(str(self.journal.out))}, {errors}")
        for name, reason in self.failures.items():
            output.note(f"{name}: {reason}")
        return NOTHING if not self.done else SUCCESS if self.complete and not self.failures else PARTIAL

    def _extract_all(self, sources: Sequence[str], settings: Settings, progress: Progress) -> None:
        with ExitStack() as stack:
            paths: dict[str, Path] = {}
            for source in sources:
                with self._noting(source):
                    paths[source] = stack.enter_context(local_file(source, settings, Call(progress=progress)))
            app = stack.enter_context(opened_for_extraction(settings, _common_folder(paths.values() or [Path()])))
            files: dict[str, tuple[Path, SourceFile]] = {}
            for source, path in paths.items():
                listed = app.source_files(path, Selection())
                self.failures |= {str(path / name): reason for name, reason in listed.unreadable.items()}
                for entry in listed.files:
                    file = path / entry.path if path.is_dir() else path
                    files[str(file) if path == Path(source) else source] = file, entry
            for number, (name, (file, entry)) in enumerate(files.items()):
                progress(number, len(files), name)
                with self._noting(name):
                    self._extract(app, name, file, entry.read().data)
        self.journal.finish(self.form)

    @contextmanager
    def _noting(self, name: str) -> Generator[None]:
        """Note the error of one document, and let the others go on."""
        try:
            yield
        except PinciteError as error:
            if isinstance(error, Cancelled | ConfigError):
                raise
            self.failures[name] = error.message
            self.journal.add(name, b"", {"error": {"code": error.code, "message": error.message}})

    def _extract(self, app: App, name: str, file: Path, data: bytes) -> None:
        if not self.journal.has(name, data):
            _, result = self.extracted(app, file, Blob(file.name, data), Call())
            self.journal.add(name, data, result.as_json())
        self.done += 1
        record = self.journal.records[name]
        self.complete = self.complete and is_complete(record["data"], record["evidence"])


def _common_folder(files: Iterable[Path]) -> Path:
    return Path(os.path.commonpath([file.absolute() if file.is_dir() else file.absolute().parent for file in files]))


def _write_page(out: Path, app: App, blob: Blob, document: Document, result: Extraction, call: Call) -> None:
    """Write the evidence as one HTML file.

    Raises:
        InvalidInput: The file cannot be written.
    """
    from pincite.services.viewer.address import document_to_show, locator_starts  # noqa: PLC0415 - only for the page
    from pincite.services.viewer.pages import Pages  # noqa: PLC0415 - as above
    from pincite.transports.http.viewer.standalone import evidence_payload, standalone  # noqa: PLC0415 - as above

    shown, pages = document_to_show(blob, document), Pages(lambda: Reading(app.reader_pool))
    payload = evidence_payload(result.as_json(), shown, locator_starts(document, call), pages, call)
    with streams.writing(out):
        out.write_text(standalone(blob.name, payload), encoding="utf-8")


def _print_table(output: Output, result: Extraction) -> None:
    if output.as_json:
        return
    rows = [_HEADER, *(_row(value, record, path) for path, value, record in leaves(result.data, result.evidence))]
    width = shutil.get_terminal_size((_PIPE_COLUMNS, 24)).columns if sys.stdout.isatty() else _PIPE_COLUMNS
    widths = [min(limit, max(len(row[column]) for row in rows)) for column, limit in enumerate(_MAX_COLUMN_CHARS)]
    last = max(_MIN_SNIPPET_CHARS, width - sum(widths) - 2 * len(widths))
    for number, row in enumerate(rows):
        name, *further = zip(row, [*widths, last], strict=True)
        cells = [_end_of(*name).ljust(name[1]), *(_cut(text, limit).ljust(limit) for text, limit in further)]
        line = "  ".join(cells).rstrip()
        output.line(output.style(line, "bold") if number == 0 else line)


def _row(value: Any, record: Mapping[str, Any], path: FieldPath) -> tuple[str, ...]:
    page = record.get("page")
    snippet = record["snippet"] or record.get("rule") or ""
    return dotted(path), _shown(value), record["status"], "" if page is None else str(page), " ".join(snippet.split())


def _shown(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(map(str, cast("Sequence[Any]", value))) or "-"
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _end_of(path: str, width: int) -> str:
    """Return the end of a path: sections share their beginnings, and a model's name comes last."""
    return path if len(path) <= width else "…" + path[1 - width :]


def _cut(text: str, width: int) -> str:
    plain = safe(text).replace("\n", " ")
    return plain if len(plain) <= width else plain[: width - 1] + "…"


def _print_explanation(output: Output, result: Extraction) -> None:
    if any(row["reason"] for row in result.explanation):
        output.line()
        output.line("A field is found by its name and description: write there what the document calls it.")
    for row in result.explanation:
        output.line()
        output.line(output.style(safe(row["field"]), "bold") + (f": {safe(row['reason'])}" if row["reason"] else ""))
        for candidate in row["candidates"]:
            mark = "*" if candidate["chosen"] else " "
            label, value = safe(str(candidate["label"])), safe(str(candidate["value"]))
            output.line(f"  {mark} {candidate['score']:.2f}  {label} = {value}  ({candidate['source']})")

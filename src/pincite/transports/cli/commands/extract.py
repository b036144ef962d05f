"""`pincite extract`: fill a schema from a document, and show where each value comes from."""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.model.schema import Path as FieldPath
from pincite.model.schema import dotted
from pincite.services.extraction import extraction
from pincite.services.extraction.extraction import Extraction
from pincite.services.extraction.schemas import MAX_SCHEMA_CHARS, read_schema
from pincite.services.reading.reading import Reading
from pincite.text.excerpt import excerpt
from pincite.text.json_values import from_utf8
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.applications import file_bytes, opened_for_extraction, read_blob
from pincite.transports.cli.parameters import EnvFile, Json, LogLevel
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program

program = new_program()

_HEADER = ("field", "value", "status", "page", "from the document")
_MAX_COLUMN_CHARS = (36, 32, 10, 5)
"""Widths of all columns but the last, which takes what the line has left."""
_MIN_SNIPPET_CHARS = 20
_PIPE_COLUMNS = 120
"""Width of the table where there is no terminal."""


@program.command(epilog="Example: pincite extract invoice.pdf --schema fields.json > invoice.json")
def extract(
    file: Annotated[Path, typer.Argument(help="Document, in any supported format.", show_default=False)],
    schema: Annotated[
        Path,
        typer.Option(
            "--schema", metavar="FILE", help="Your fields: a JSON skeleton or a JSON Schema.", show_default=False
        ),
    ],
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="NAME",
            help="What finds the values: rules, without a model; claude or openai, a model that is sent what it finds "
            "in the document; auto, one of these where its key or address is set.",
        ),
    ] = "rules",
    keep_ungrounded: Annotated[
        bool, typer.Option("--keep-ungrounded", help="Keep values that the document does not confirm, marked as such.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show each field's candidates, their scores and why none was taken.")
    ] = False,
    table: Annotated[bool, typer.Option("--table", help="Print the table, not JSON, into a file or pipe too.")] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="OUT",
            help="Write the evidence as one HTML file: pages and values, each leading to the other.",
        ),
    ] = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Fill your own JSON from a document, each value with the place that proves it.

    Prints a table on a terminal and JSON in a pipe. Exit code 1 if a field was not found.
    """
    output = Output(as_json=as_json or not (table or sys.stdout.isatty()))
    settings = configuration.for_shell(env_file, log_level)
    form = read_schema(from_utf8(file_bytes(schema, 4 * MAX_SCHEMA_CHARS), "schema"))
    blob = read_blob(file, settings)
    with output.progress() as progress, opened_for_extraction(settings, file.parent) as app:
        call = Call(progress=progress)
        chosen = app.engine(engine, file.resolve())
        document = Reading(app.reader_pool).read(blob, call)
        revision = app.revision(blob, document)
        result = extraction.extract(document, form, chosen, call, strict=not keep_ungrounded, revision=revision)
        if html is not None:
            _write_page(html, app, blob, document, result, call)
    answer = result.as_json() | ({"explanation": list(result.explanation)} if explain else {})
    output.data(answer)
    _print_table(output, result)
    if explain:
        _print_explanation(output, result)
    for warning in result.warnings:
        output.note(warning)
    return PARTIAL if result.warnings else SUCCESS


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
    try:
        out.write_text(standalone(blob.name, payload), encoding="utf-8")
    except OSError as fault:
        raise InvalidInput(f"{excerpt(str(out))} cannot be written: {fault.strerror}.") from fault


def _print_table(output: Output, result: Extraction) -> None:
    if output.as_json:
        return
    rows = [_HEADER, *_rows(result.data, result.evidence, ())]
    width = shutil.get_terminal_size((_PIPE_COLUMNS, 24)).columns if sys.stdout.isatty() else _PIPE_COLUMNS
    widths = [min(limit, max(len(row[column]) for row in rows)) for column, limit in enumerate(_MAX_COLUMN_CHARS)]
    last = max(_MIN_SNIPPET_CHARS, width - sum(widths) - 2 * len(widths))
    for number, row in enumerate(rows):
        field, *further = zip(row, [*widths, last], strict=True)
        cells = [_end_of(*field).ljust(field[1]), *(_cut(text, limit).ljust(limit) for text, limit in further)]
        line = "  ".join(cells).rstrip()
        output.line(output.style(line, "bold") if number == 0 else line)


def _rows(data: Any, evidence: Any, path: FieldPath) -> Iterator[tuple[str, ...]]:
    """Yield a row for each leaf: field, value, status, page, snippet."""
    if isinstance(evidence, Mapping) and "locator" in evidence and "snippet" in evidence:
        yield _row(data, cast("Mapping[str, Any]", evidence), path)
    elif isinstance(evidence, Mapping) and isinstance(data, Mapping):
        trees, values = cast("Mapping[str, Any]", evidence), cast("Mapping[str, Any]", data)
        for key, tree in trees.items():
            yield from _rows(values.get(key), tree, (*path, key))
    elif isinstance(evidence, list) and isinstance(data, list):
        pairs = zip(cast("list[Any]", data), cast("list[Any]", evidence), strict=True)
        for number, (value, tree) in enumerate(pairs):
            yield from _rows(value, tree, (*path, number))


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
    if any(field["reason"] for field in result.explanation):
        output.line()
        output.line("A field is found by its name and description: write there what the document calls it.")
    for field in result.explanation:
        output.line()
        output.line(
            output.style(safe(field["field"]), "bold") + (f": {safe(field['reason'])}" if field["reason"] else "")
        )
        for candidate in field["candidates"]:
            mark = "*" if candidate["chosen"] else " "
            label, value = safe(str(candidate["label"])), safe(str(candidate["value"]))
            output.line(f"  {mark} {candidate['score']:.2f}  {label} = {value}  ({candidate['source']})")

"""`pincite extract`: fill a schema from a document, and show where each value comes from."""

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.model.schema import Path as FieldPath
from pincite.model.schema import dotted
from pincite.model.units import MEGABYTE
from pincite.services.extraction.extraction import Extraction, extract
from pincite.services.extraction.schemas import MAX_SCHEMA_CHARS, read_schema
from pincite.services.reading.reading import Reading
from pincite.settings import Settings
from pincite.text.excerpt import excerpt
from pincite.text.json_values import from_utf8
from pincite.transports import logging
from pincite.transports.cli import configuration
from pincite.transports.cli.convert import file_bytes
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.output import Output, safe

_HEADER = ("field", "value", "status", "page", "from the document")
_MAX_COLUMN_CHARS = (36, 32, 10, 5)
"""Widths of all columns but the last, which takes what the line has left."""
_MIN_SNIPPET_CHARS = 20
_PIPE_COLUMNS = 120
"""Width of the table where there is no terminal."""


def run(
    *,
    file: Path,
    schema: Path,
    engine: str,
    keep_ungrounded: bool,
    explain: bool,
    table: bool,
    html: Path | None,
    env_file: Path | None,
    log_level: str | None,
    as_json: bool,
) -> int:
    """Extract and print.

    Returns:
        1 if a field was not found or a part of the document was not read, else 0.

    Raises:
        PinciteError: The schema or the document cannot be read, there is no such engine, or the HTML file cannot be
            written.
    """
    output = Output(as_json=as_json or not (table or sys.stdout.isatty()))
    settings = configuration.for_shell(env_file, log_level)
    level = settings.logging.level if "level" in settings.logging.model_fields_set else "CRITICAL"
    logging.configure(level, settings.logging.format or "text")
    form = read_schema(from_utf8(file_bytes(schema, 4 * MAX_SCHEMA_CHARS), "schema"))
    data = file_bytes(file, int(max(settings.limits.max_file) * MEGABYTE))
    with output.progress() as progress, closing(_app(settings, file)) as app:
        call = Call(progress=progress)
        chosen = app.engine(engine, file.resolve())
        blob = Blob(file.name, data)
        document = Reading(app.reader_pool).read(blob, call)
        result = extract(document, form, chosen, call, strict=not keep_ungrounded, file_name=file.name)
        if html is not None:
            _write_page(html, app, blob, document, result, call)
    found = result.as_json() | ({"explanation": list(result.explanation)} if explain else {})
    output.data(found)
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


def _app(settings: Settings, file: Path) -> App:
    """Return an application whose tools may read one file: an agent's, wherever the file is."""
    roots = {"allowed_roots": (file.resolve().parent,)}
    own = settings.model_copy(update={"extraction": settings.extraction.model_copy(update=roots)})
    return App(own, None, toolsets=["extraction"])


def _print_table(output: Output, result: Extraction) -> None:
    if output.as_json:
        return
    rows = [_HEADER, *_rows(result.data, result.evidence, ())]
    width = shutil.get_terminal_size((_PIPE_COLUMNS, 24)).columns if sys.stdout.isatty() else _PIPE_COLUMNS
    widths = [min(limit, max(len(row[column]) for row in rows)) for column, limit in enumerate(_MAX_COLUMN_CHARS)]
    last = max(_MIN_SNIPPET_CHARS, width - sum(widths) - 2 * len(widths))
    for number, row in enumerate(rows):
        field, *others = zip(row, [*widths, last], strict=True)
        cells = [_end_of(*field).ljust(field[1]), *(_cut(text, limit).ljust(limit) for text, limit in others)]
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
    if any(one["reason"] for one in result.explanation):
        output.line()
        output.line("A field is found by its name and description: write there what the document calls it.")
    for one in result.explanation:
        output.line()
        output.line(output.style(safe(one["field"]), "bold") + (f": {safe(one['reason'])}" if one["reason"] else ""))
        for candidate in one["candidates"]:
            mark = "*" if candidate["chosen"] else " "
            label, value = safe(str(candidate["label"])), safe(str(candidate["value"]))
            output.line(f"  {mark} {candidate['score']:.2f}  {label} = {value}  ({candidate['source']})")

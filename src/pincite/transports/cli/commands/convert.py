"""`pincite convert`: print a document as canonical Markdown, or as its blocks."""

from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, fields, replace
from pathlib import Path
from textwrap import indent
from typing import Annotated, Any

import typer

from pincite.app import build_reader_pool
from pincite.errors import InvalidInput, NotFound, Unsupported
from pincite.model.call import Call
from pincite.model.document import AsideKind, Block, Document, PageFailure, Section, Table
from pincite.services.reading.reading import Reading
from pincite.text.counts import counted
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.applications import local_file, read_blob
from pincite.transports.cli.parameters import EnvFile, Json, LogLevel, Out
from pincite.transports.cli.printing import streams
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import PARTIAL, SUCCESS

program = new_program()

_DEFAULT_REASON = "it is not drawn"
"""Reason for hidden text if the reader names none."""

_LEFT_OUT = (AsideKind.HIDDEN, AsideKind.SURROUNDINGS)
"""Kinds of text that `--hidden` shows; comments and running heads are with the blocks, see `--json`."""


@program.command(epilog="Example: pincite convert report.docx > report.md")
def convert(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="File to convert, in any supported format; a URL; or - for standard input.",
            show_default=False,
        ),
    ],
    page: Annotated[int | None, typer.Option("--page", help="Convert only this page.", show_default=False)] = None,
    boxes: Annotated[
        Path | None,
        typer.Option("--boxes", metavar="PNG", help="Write an image of that PDF page with its blocks outlined."),
    ] = None,
    hidden: Annotated[
        bool,
        typer.Option(
            "--hidden",
            help="Print only what is not indexed, and why: hidden text, and the surroundings of a web page's content.",
        ),
    ] = False,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    out: Out = None,
    as_json: Json = False,
) -> int:
    """Print a document as Markdown, as it is indexed and cited; --json prints its blocks and tables."""
    output = Output(as_json=as_json, file=out)
    if boxes is not None and page is None:
        raise InvalidInput("--boxes draws one page. Name it: --page 1 --boxes page.png")
    settings = configuration.for_shell(env_file, log_level)
    with output.progress() as progress, closing(build_reader_pool(settings)) as pool:
        call = Call(progress=progress)
        with local_file(file, settings, call) as path:
            blob = read_blob(path, settings)
        # Nothing is kept: the document is printed once.
        document = Reading(pool).read(blob, call)
    if page is not None:
        document = page_of(document, page)
    if page is not None and boxes is not None:
        _draw(output, blob.data, document, page, boxes)
    elif hidden:
        _print_hidden(output, document)
    else:
        output.document(document.text)
        output.data(described(document))
        if document.coverage.hidden_spans:
            spans = counted(document.coverage.hidden_spans, "span")
            output.note(f"{spans} of hidden text left out. Show hidden text: --hidden")
        if any(aside.kind is AsideKind.SURROUNDINGS for aside in document.asides):
            output.note("Text around the page's main content was left out. Show it: --hidden")
    for note in (*document.warnings, *map(_failure_note, document.coverage.failed)):
        output.note(note)
    if document.coverage.limits_hit:
        output.note(f"Cut off by a limit: {', '.join(document.coverage.limits_hit)}.")
    return SUCCESS if document.coverage.complete else PARTIAL


def page_of(document: Document, page: int) -> Document:
    """Return a document with the blocks of one page; their spans count in the text of that page.

    Raises:
        NotFound: The page does not exist.
    """
    known = document.coverage.pages
    if known is None or not 1 <= page <= known:
        raise NotFound(f"There is no page {page}. " + (f"It has {known}." if known else "The format has no pages."))
    parts: list[str] = []
    sections: list[Section] = []
    length = 0
    for section in document.sections:
        start, blocks = length, list[Block]()
        for block in section.blocks:
            if block.page == page:
                text = document.text[block.start : block.end] + "\n\n"
                blocks.append(replace(block, start=length, end=length + len(text) - 2))
                parts.append(text)
                length += len(text)
        if blocks:
            sections.append(replace(section, start=start, end=length, blocks=tuple(blocks)))
    asides = tuple(aside for aside in document.asides if aside.page == page)
    return replace(document, text="".join(parts), sections=tuple(sections), asides=asides)


def _draw(output: Output, data: bytes, document: Document, page: int, target: Path) -> None:
    from pincite.formats.pdf.render import colour, page_picture  # noqa: PLC0415 - a slow import, needed only for an image

    blocks = [block for section in document.sections for block in section.blocks]
    if document.media_type != "application/pdf":
        raise Unsupported("Only pages of a PDF can be drawn.")
    with streams.writing(target):
        target.write_bytes(page_picture(data, page, blocks))
    output.data(described(document))
    counts = Counter(block.kind for block in blocks)
    for kind, count in counts.items():
        output.line(f"{count} {kind} ({colour(kind)})")


def _print_hidden(output: Output, document: Document) -> None:
    spans = [aside for aside in document.asides if aside.kind in _LEFT_OUT]
    hidden = [{"page": aside.page, "place": aside.place, "reason": aside.reason, "text": aside.text} for aside in spans]
    output.data({"name": document.name, "hidden": hidden})
    for aside in spans:
        page = f"page {aside.page}" if aside.page is not None else ""
        where = ", ".join(filter(None, (page, aside.place))) or document.name
        output.line(output.style(safe(f"{where}: {aside.reason or _DEFAULT_REASON}"), "bold"))
        output.line(indent(safe(aside.text), "  "))
    if not spans:
        output.note("The document has no hidden text.")


def described(document: Document) -> dict[str, Any]:
    """Return a document as plain data: its Markdown, and its blocks with their spans in it."""
    return {
        "name": document.name,
        "title": document.title,
        "media_type": document.media_type,
        "language": document.language,
        "fingerprint": document.fingerprint,
        "properties": dict(document.properties),
        "coverage": {**asdict(document.coverage), "complete": document.coverage.complete},
        "warnings": list(document.warnings),
        "markdown": document.text,
        "blocks": [_block(block) for section in document.sections for block in section.blocks],
        "asides": [asdict(aside) for aside in document.asides],
    }


def _block(block: Block) -> Mapping[str, Any]:
    return {
        "kind": block.kind,
        "level": block.level,
        "title": block.title,
        "span": [block.start, block.end],
        "page": block.page,
        "boxes": [[box.x0, box.y0, box.x1, box.y1] for box in block.boxes],
        "box_starts": list(block.box_starts),
        "language": block.language,
        "anchors": list(block.anchors),
        "table": None if block.table is None else _table(block.table),
    }


def _table(table: Table) -> Mapping[str, Any]:
    plain = {field.name: getattr(table, field.name) for field in fields(table) if field.name != "cells"}
    return {**plain, "cells": [asdict(cell) for cell in table.cells]}


def _failure_note(failure: PageFailure) -> str:
    where = "Not all was read" if failure.page is None else f"Page {failure.page} was not read"
    return f"{where}: {failure.reason}."

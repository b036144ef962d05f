"""`pincite export`: a library, or a folder, as files that other programs read."""

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.errors import Unsupported
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.search import Hit, Parts
from pincite.model.status import iso
from pincite.model.store import StoredChunk, StoredDocument
from pincite.services.citations.bibliography import bibtex, csl_item
from pincite.services.citations.page_boxes import line_boxes
from pincite.services.library.downloads import origin_of
from pincite.services.library.editions import statements
from pincite.services.library.requirement_files import reqif, write_csv
from pincite.text.counts import counted
from pincite.tools.answers.cited import document_of, passage_of, requirement_of
from pincite.transports.cli.opening.applications import index_all, opened
from pincite.transports.cli.parameters import Database, EnvFile, Json, LogLevel
from pincite.transports.cli.printing import streams
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.program import new_program
from pincite.transports.problems import PARTIAL, SUCCESS

program = new_program()


@program.command(epilog="Example: pincite export ./out, then ./out/chunks.jsonl has every passage with its ref.")
def export(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Folder for the files; made if it is not there.")],
    docs: Annotated[
        Path | None,
        typer.Option("--docs", metavar="FOLDER", help="Export this folder, not the library.", show_default=False),
    ] = None,
    parquet: Annotated[bool, typer.Option("--parquet", help="Write documents and chunks as Parquet, too.")] = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    as_json: Json = False,
) -> int:
    """Write the library in DATA_DIR as files: documents and chunks with their references as JSON Lines, requirements as
    CSV and ReqIF, and the documents as CSL-JSON and BibTeX.
    """
    output = Output(as_json=as_json)
    with opened(docs, db, env_file, log_level) as app:
        if docs is not None:
            index_all(app, output)
        collection = app.library_collection() if docs is None else app.collection()
        with collection.view(Call(), semantic=False) as view:
            documents = view.documents()
            items = [csl_item(document) for document in documents]
            with streams.writing(out):
                out.mkdir(parents=True, exist_ok=True)
                counts = {
                    "documents": _write_lines(out / "documents.jsonl", (_document(view, each) for each in documents)),
                    "chunks": _write_lines(out / "chunks.jsonl", _chunks(view, documents)),
                }
                if docs is None:
                    counts["requirements"] = _write_requirements(out, view, documents)
                (out / "citations.json").write_text(json.dumps(items, indent=2) + "\n", encoding="utf-8")
                (out / "citations.bib").write_text(bibtex(items), encoding="utf-8", errors="replace")
                if parquet:
                    _write_parquet(out, ("documents", "chunks"))
            failed = {document.name: document.failure for document in view.failures()}
    output.data({"out": str(out), **counts, "failed": failed})
    output.line(f"{counted(counts['documents'], 'document')}, {counted(counts['chunks'], 'chunk')} in {safe(str(out))}")
    for name, reason in failed.items():
        output.note(f"{name} could not be read and is left out: {reason}")
    return PARTIAL if failed else SUCCESS


def _document(view: View, document: StoredDocument) -> Mapping[str, Any]:
    return {
        **document_of(view, document).model_dump(mode="json"),
        "source_path": origin_of(document.source_key),
        "revision": document.revision,
        "sha256": document.fingerprint,
        "properties": dict(document.properties),
    }


def _chunks(view: View, documents: Iterable[StoredDocument]) -> Iterator[Mapping[str, Any]]:
    for document in documents:
        for stored in view.chunks(document):
            passage = passage_of(view, Hit(stored, 0.0, None, Parts(0.0, 0.0))).model_dump(
                mode="json", exclude={"score"}
            )
            boxes = [box.model_dump() for box in line_boxes(stored.chunk.boxes)]
            yield {
                "ref": passage.pop("ref"),
                **passage.pop("source"),
                **passage.pop("metadata"),
                **passage,
                "boxes": boxes,
            }


def _write_lines(file: Path, rows: Iterable[Mapping[str, Any]]) -> int:
    """Write JSON Lines; return their number."""
    with file.open("w", encoding="utf-8") as lines:
        return sum(1 for row in rows if lines.write(json.dumps(row) + "\n"))


def _write_requirements(out: Path, view: View, documents: Iterable[StoredDocument]) -> int:
    """Write the requirements and recommendations as CSV and ReqIF; return their number."""
    rows = [_requirement(view, stored) for document in documents for stored in statements(view.chunks(document))]
    with (out / "requirements.csv").open("w", encoding="utf-8", errors="replace", newline="") as file:
        write_csv(rows, file)
    (out / "requirements.reqif").write_text(reqif(rows, iso(time.time())), encoding="utf-8")
    return len(rows)


def _requirement(view: View, stored: StoredChunk) -> Mapping[str, str]:
    found = requirement_of(view, Hit(stored, 0.0, None, Parts(0.0, 0.0)))
    tags, pages = stored.chunk.tags, stored.chunk.pages
    return {
        "document_id": found.source.document_id,
        "document_title": found.source.document_title,
        "requirement_id": found.requirement_id or "",
        "kind": tags.chunk_type,
        "text": found.requirement_text,
        "page_numbers": ", ".join(map(str, pages)),
        "references": "; ".join(tags.references),
        "citation": found.source.citation,
        "ref": found.ref,
    }


def _write_parquet(out: Path, names: Iterable[str]) -> None:
    """Write each file of JSON Lines as Parquet, too.

    Raises:
        Unsupported: pandas or pyarrow is not installed.
    """
    try:
        from pandas import read_json  # noqa: PLC0415 - an extra

        for name in names:
            read_json(out / f"{name}.jsonl", lines=True, dtype=False).to_parquet(out / f"{name}.parquet")
    except ImportError as error:
        raise Unsupported("Parquet needs pandas and pyarrow: pip install 'pincite[pandas]'") from error

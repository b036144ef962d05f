"""What the Office files of a folder hold, counted in their XML, against what the readers give.

    python eval/reading/office.py FOLDER

A column is `given/held`. A workbook does not say what its tables are, and its sheets are no pages. Runs are the pieces
of text between two marks; a run is given when its text stands in the document or in what was kept apart from it. The
counting knows nothing of the readers: it looks for element names in the parts that a person sees.
"""

import argparse
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from pincite.errors import PinciteError
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, BlockKind, Document

SEEN = re.compile(
    r"(?:ppt/(?:slides|notesSlides|charts|diagrams|comments)/(?!.*(?:colors|style|layout|quickStyle|drawing))"
    r"|word/(?:document|footnotes|endnotes|comments|header|footer)|xl/(?:worksheets/|sharedStrings))[^/]*\.xml$"
)
SPACE = re.compile(r"\s+")
COLUMNS = ("runs", "tables", "cells", "notes", "alt texts", "charts", "comments", "hidden", "pages")


class Counts(NamedTuple):
    """How often each kind of content is there; the fields are `COLUMNS`."""

    runs: int
    tables: int
    cells: int
    notes: int
    alternatives: int
    charts: int
    comments: int
    hidden: int
    pages: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of .docx, .pptx and .xlsx files")
    folder: Path = parser.parse_args().folder
    print("| file | " + " | ".join(COLUMNS) + " | runs that are missing |")
    print("|---" * (len(COLUMNS) + 2) + "|")
    for path in sorted(folder.iterdir()):
        row = detect(path.name, path.read_bytes()) if path.suffix in (".pptx", ".docx", ".xlsx") else None
        if row is None:
            continue
        try:
            found = read_document(row, Blob(path.name, path.read_bytes()), ReadOptions(), Call())
        except PinciteError as error:
            print(f"| {path.name} | {error.message} |")
            continue
        parts = list(_parts(path))
        runs = list(_runs(parts))
        missing = list(_missing(runs, found))
        held, given = _held(parts, len(runs)), _given(found, len(runs) - len(missing))
        cells = (f"{one}/{other}" for one, other in zip(given, held, strict=True))
        print(f"| {path.name} | " + " | ".join(cells) + f" | {', '.join(missing[:5])} |")


def _parts(path: Path) -> Iterator[tuple[str, etree._Element]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if SEEN.match(name):
                yield name, etree.fromstring(archive.read(name))


def _runs(parts: Iterable[tuple[str, etree._Element]]) -> Iterator[str]:
    """The texts of the slides, pages and sheets; numbers of cells and charts are counted as cells."""
    for _, root in parts:
        for element in root.iter("{*}t"):
            place = element.getparent()
            field = place is not None and place.get("type") == "slidenum"
            if element.text and element.text.strip() and not field:
                yield SPACE.sub(" ", element.text.strip())


def _missing(runs: Iterable[str], found: Document) -> Iterator[str]:
    whole = SPACE.sub(" ", "\n".join([found.text, *(aside.text for aside in found.asides)]).replace("\\|", "|"))
    whole = whole.replace("\n> ", " ")
    yield from (run for run in runs if run not in whole)


def _count(parts: Iterable[tuple[str, etree._Element]], prefix: str, path: str) -> int:
    return sum(int(root.xpath(f"count({path})")) for name, root in parts if name.startswith(prefix))


def _held(parts: list[tuple[str, etree._Element]], runs: int) -> Counts:
    named = "*[local-name()='{}']"
    notes = "//*[local-name()='sp'][.//*[local-name()='ph'][@type='body']][.//*[local-name()='t']]"
    full = "[.//*[local-name()='t'][normalize-space()]]"
    drawn = "//*[local-name()='{}'][@descr!='']"
    return Counts(
        runs,
        _count(parts, "", f"//{named.format('tbl')}"),
        _count(parts, "", f"//{named.format('tc')}{full}")
        + _count(parts, "xl/worksheets/", f"//{named.format('c')}[*[local-name()='v' or local-name()='is']]"),
        _count(parts, "ppt/notesSlides/", notes),
        _count(parts, "ppt/slides/", drawn.format("cNvPr")) + _count(parts, "word/document", drawn.format("docPr")),
        sum(1 for _, root in parts if root.tag.endswith("chartSpace")),
        _count(parts, "", f"//{named.format('cm')} | //{named.format('comment')}"),
        _count(parts, "ppt/slides/", "/*[@show='0']"),
        sum(1 for name, _ in parts if name.startswith(("ppt/slides/", "xl/worksheets/"))),
    )


def _given(found: Document, runs: int) -> Counts:
    blocks = [block for section in found.sections for block in section.blocks]
    tables = [block.table for block in blocks if block.table]
    texts = [found.text[block.start : block.end] for block in blocks]
    charts = [table for table in tables if table.cells and not any(c.row == c.column == 0 for c in table.cells)]
    return Counts(
        runs,
        len(tables) - len(charts),
        sum(1 for table in tables if table not in charts for cell in table.cells if cell.text.strip()),
        sum(text.startswith("> Notes: ") for text in texts),
        sum(block.kind is BlockKind.FIGURE for block in blocks),
        len(charts),
        sum(aside.kind is AsideKind.COMMENT for aside in found.asides),
        found.coverage.hidden_spans,
        found.coverage.pages or 0,
    )


if __name__ == "__main__":
    main()

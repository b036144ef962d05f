"""The finders that are scored: ours, and the tools that another interpreter has."""

import ctypes
import json
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import pypdfium2 as pdfium
from pypdfium2 import raw
from table_scores import Grid

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.page.page import open_page
from pincite.formats.pdf.page.rules import page_rules
from pincite.formats.pdf.page.words import page_words, visual_lines
from pincite.formats.pdf.reader import read_pages
from pincite.formats.pdf.tables.find import find_tables
from pincite.model.call import Call
from pincite.model.document import Page, Table

PEERS = Path(__file__).resolve().parent / "table_peers.py"


class Finder(Protocol):
    """What finds tables on a page (from 1) of a file."""

    name: str

    def grids(self, path: Path, page: int) -> list[Grid]:
        """The tables of a page."""
        ...

    def pages(self, path: Path) -> int:
        """How many pages a file has."""
        ...

    def headings(self, path: Path) -> Iterator[tuple[int, list[str]]]:
        """Its tagged headings, by page."""
        ...

    def ms_a_page(self) -> float:
        """Mean time."""
        ...


@lru_cache(maxsize=4)
def opened(path: Path) -> pdfium.PdfDocument:
    return pdfium.PdfDocument(path)


class Ours:
    """pincite's own, without the tags; the time is for the tables alone, words and lines are given."""

    name = "pincite"

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._seen: dict[tuple[Path, int], list[Grid]] = {}

    def grids(self, path: Path, page: int) -> list[Grid]:
        """The tables of a page; asked once."""
        if (path, page) not in self._seen:
            found, seconds = page_tables_of(opened(path), page)
            self._seconds.append(seconds)
            self._seen[path, page] = [grid(table) for table in found]
        return self._seen[path, page]

    def pages(self, path: Path) -> int:
        """How many pages a file has."""
        return len(opened(path))

    def headings(self, path: Path) -> Iterator[tuple[int, list[str]]]:
        """Its tagged headings, by page."""
        yield from tagged_headings(path)

    def ms_a_page(self) -> float:
        """Mean time of a page."""
        return 1000 * sum(self._seconds) / max(1, len(self._seconds))


class Peer(Ours):
    """A tool in an interpreter of its own, asked line by line."""

    def __init__(self, python: str, tool: str) -> None:
        super().__init__()
        self.name = tool
        self._process = subprocess.Popen(  # noqa: S603
            [python, str(PEERS), tool], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def grids(self, path: Path, page: int) -> list[Grid]:
        """The tables of a page; asked once."""
        if (path, page) in self._seen:
            return self._seen[path, page]
        if self._process.stdin is None or self._process.stdout is None:
            return []
        start = time.perf_counter()
        self._process.stdin.write(json.dumps([str(path), page]) + "\n")
        self._process.stdin.flush()
        found = [Grid(rows) for rows in json.loads(self._process.stdout.readline())]
        self._seconds.append(time.perf_counter() - start)
        self._seen[path, page] = found
        return found


def finders(peers: str | None) -> Iterator[Finder]:
    yield Ours()
    if peers:
        tools = subprocess.run([peers, str(PEERS)], capture_output=True, text=True, check=True)  # noqa: S603
        for tool in tools.stdout.splitlines():
            yield Peer(peers, tool)


def page_tables_of(document: pdfium.PdfDocument, number: int) -> tuple[list[Table], float]:
    with open_page(document.raw, number) as page:
        given = visual_lines(page_words(page).words)
        start = time.process_time()
        found = find_tables(given, page_rules(page))
        return [one.table for one in found], time.process_time() - start


@lru_cache(maxsize=1)
def tagged_tables(path: Path) -> list[tuple[int, Table]]:
    """The tables of a tagged file that have a header, with their pages."""
    pages = read_pages(Blob(path.name, path.read_bytes()), ReadOptions(), Call(), by_tags=True)
    return [
        (page.number, block.table)
        for page in pages
        if isinstance(page, Page) and page.number
        for block in page.blocks
        if block.table and block.table.header_rows
    ]


def grid(table: Table) -> Grid:
    """A table's texts by row and column; a header that spans columns stands in each of them."""
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        span = cell.column_span if cell.row < table.header_rows else 1
        for column in range(cell.column, min(cell.column + span, table.columns)):
            rows[cell.row][column] = cell.text
    return Grid(rows)


@lru_cache(maxsize=4)
def tagged_headings(path: Path) -> list[tuple[int, list[str]]]:
    """The headings of a tagged file, by page."""
    document = opened(path)
    found: list[tuple[int, list[str]]] = []
    for number in range(len(document)):
        page = document[number]
        text = page.get_textpage()
        tree = raw.FPDF_StructTree_GetForPage(page.raw)
        if not tree:
            continue
        marked = _marked(text)
        headings: list[str] = []
        for index in range(raw.FPDF_StructTree_CountChildren(tree)):
            _headings(raw.FPDF_StructTree_GetChildAtIndex(tree, index), marked, headings)
        raw.FPDF_StructTree_Close(tree)
        found.append((number + 1, headings))
    return found


def _marked(text: pdfium.PdfTextPage) -> dict[int, str]:
    by_object: dict[int, int] = {}
    found: dict[int, list[str]] = defaultdict(list)
    for index in range(raw.FPDFText_CountChars(text.raw)):
        item = raw.FPDFText_GetTextObject(text.raw, index)
        key = ctypes.cast(item, ctypes.c_void_p).value or 0
        if key not in by_object:
            by_object[key] = raw.FPDFPageObj_GetMarkedContentID(item) if key else -1
        found[by_object[key]].append(chr(raw.FPDFText_GetUnicode(text.raw, index)))
    return {key: "".join(characters) for key, characters in found.items()}


def _headings(element: object, marked: dict[int, str], found: list[str], depth: int = 0) -> None:
    if not element or depth > 50:  # noqa: PLR2004
        return
    buffer = ctypes.create_string_buffer(64)
    length = raw.FPDF_StructElement_GetType(element, buffer, 64)
    kind = buffer.raw[: max(0, length - 2)].decode("utf-16-le")
    if kind == "H" or (len(kind) == 2 and kind[0] == "H" and kind[1].isdigit()):  # noqa: PLR2004
        found.append("".join(_texts(element, marked)))
        return
    for index in range(raw.FPDF_StructElement_CountChildren(element)):
        _headings(raw.FPDF_StructElement_GetChildAtIndex(element, index), marked, found, depth + 1)


def _texts(element: object, marked: dict[int, str], depth: int = 0) -> Iterator[str]:
    for index in range(raw.FPDF_StructElement_CountChildren(element)):
        content = raw.FPDF_StructElement_GetChildMarkedContentID(element, index)
        if content >= 0:
            yield marked.get(content, "")
        child = raw.FPDF_StructElement_GetChildAtIndex(element, index)
        if child and depth < 50:  # noqa: PLR2004
            yield from _texts(child, marked, depth + 1)

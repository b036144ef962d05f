"""Pages with rules drawn: boxes around cells, and the tables found in them."""

import contextlib
from collections.abc import Generator, Sequence

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import PdfPage, open_page
from pincite.formats.pdf.page.rules import Rules, page_rules
from pincite.formats.pdf.page.words import Line, page_words, visual_lines
from pincite.formats.pdf.tables.draft import DetectedTable, TableDraft
from pincite.formats.pdf.tables.find import find_tables
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
from pincite.formats.pdf.tables.ruled import merged_rules
from support.drawn_pdfs import text

LEFT, TOP, WIDE, HIGH = 50, 700, 100, 20


@contextlib.contextmanager
def opened(data: bytes) -> Generator[PdfPage]:
    document = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    try:
        with open_page(document, 1) as page:
            yield page
    finally:
        pdfium.FPDF_CloseDocument(document)


def tables(data: bytes) -> tuple[DetectedTable, ...]:
    with opened(data) as page:
        return find_tables(visual_lines(page_words(page).words), page_rules(page))


def boxed(rows: int, columns: int, operator: str = "S") -> str:
    """Rectangles, one a cell, from the page's left top."""
    return "".join(
        f"{LEFT + WIDE * column} {TOP - HIGH * (row + 1)} {WIDE} {HIGH} re {operator}\n"
        for row in range(rows)
        for column in range(columns)
    )


def filled(*rows: tuple[str, ...]) -> str:
    return "".join(
        text(said, LEFT + 5 + WIDE * column, TOP - 14 - HIGH * row)
        for row, cells in enumerate(rows)
        for column, said in enumerate(cells)
        if said
    )


CELLS = (("Name", "Kind", "Meaning"), ("USER", "text", "who it is"), ("HOST", "text", "where it is"))


VALUES = (("Name", "2022", "2021"), ("Cash", "1,234", "987"), ("Debt", "200", "100"), ("Loans", "20", "10"))


def partly_ruled(lines: Sequence[Line], rules: Rules, *, by_rows: bool = False) -> list[TableDraft]:
    return find_partly_ruled(lines, merged_rules(rules), by_rows=by_rows)

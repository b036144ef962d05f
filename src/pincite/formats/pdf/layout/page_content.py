"""Content of an untagged page as plain data, which outlives the open page."""

from dataclasses import dataclass

from pincite.formats.pdf.layout.running_heads import EdgeRow, edge_rows
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.quality import text_problem
from pincite.formats.pdf.page.visibility import is_ocr_layer, visible_words, with_ocr_layer
from pincite.formats.pdf.page.words import Line, PageWords, Word, lines_of, visual_lines

OCR_LAYER_WARNING = "Pages of it are scans; their text is what a program recognised in them, and may have errors."


@dataclass(frozen=True, slots=True)
class PageContent:
    """Words and rows of an untagged page.

    Attributes:
        number: Page number from 1.
        width: Width as displayed, in points.
        height: Height as displayed, in points.
        rows: Visual lines, from the top.
        words: Visible words in file order.
        hidden: Runs of hidden text.
        edges: Rows that may be running heads.
        problem: Why the text cannot be used; empty if it can.
        warning: Note for the reader of the document; empty for none.
    """

    number: int
    width: float
    height: float
    rows: tuple[Line, ...]
    words: tuple[Word, ...]
    hidden: tuple[str, ...]
    edges: tuple[EdgeRow, ...]
    problem: str = ""
    warning: str = ""


def read_words(page: PdfPage) -> tuple[PageWords, str]:
    """Return a page's words, and a warning if they come from an OCR layer."""
    extracted = visible_words(page)
    return (with_ocr_layer(extracted), OCR_LAYER_WARNING) if is_ocr_layer(page, extracted) else (extracted, "")


def page_content(page: PdfPage) -> PageContent:
    """Read an untagged page."""
    extracted, warning = read_words(page)
    rows = tuple(visual_lines(extracted.words))
    return PageContent(
        page.number,
        page.space.width,
        page.space.height,
        rows,
        tuple(extracted.words),
        tuple(hidden_runs(extracted)),
        edge_rows(rows, page.number, page.space.height),
        text_problem(page, extracted),
        warning,
    )


def hidden_runs(extracted: PageWords) -> list[str]:
    """Return hidden words as texts, joined by line."""
    return [line.text for line in lines_of(extracted.hidden)]

"""What is kept of an untagged page once it is closed: plain data, from which its blocks are made."""

from dataclasses import dataclass

from pincite.formats.pdf.layout.running_heads import Edge, edges
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.quality import text_problem
from pincite.formats.pdf.page.visibility import is_ocr_layer, visible_words, with_ocr_layer
from pincite.formats.pdf.page.words import Line, PageWords, Word, lines_of, visual_lines

LAYER = "Pages of it are scans; their text is what a program recognised in them, and may have errors."


@dataclass(frozen=True, slots=True)
class PageContent:
    """An untagged page, read.

    Attributes:
        rows: Its visual lines, from the top.
        words: In the file's order.
        hidden: Runs of text that nobody can see.
        edges: Its rows that may be running heads.
        problem: Why its text cannot be used; empty where it can.
        warning: What a person should know of it; empty for nothing.
    """

    number: int
    width: float
    height: float
    rows: tuple[Line, ...]
    words: tuple[Word, ...]
    hidden: tuple[str, ...]
    edges: tuple[Edge, ...]
    problem: str = ""
    warning: str = ""


def read_words(page: PdfPage) -> tuple[PageWords, str]:
    """A page's words, and a warning where they are a scan's own text layer."""
    found = visible_words(page)
    return (with_ocr_layer(found), LAYER) if is_ocr_layer(page, found) else (found, "")


def page_content(page: PdfPage) -> PageContent:
    """Read an untagged page."""
    found, warning = read_words(page)
    rows = tuple(visual_lines(found.words))
    return PageContent(
        page.number,
        page.space.width,
        page.space.height,
        rows,
        tuple(found.words),
        tuple(hidden_runs(found)),
        edges(rows, page.number, page.space.height),
        text_problem(page, found),
        warning,
    )


def hidden_runs(found: PageWords) -> list[str]:
    """Hidden words that follow each other, as texts."""
    return [line.text for line in lines_of(found.hidden)]

"""A page of a PDF, open: its handles, and the way from its space to the page as it is displayed."""

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput

Handle = Any
"""A pointer of pdfium's."""
DAMAGED = "the page is damaged"


@dataclass(frozen=True, slots=True)
class PageSpace:
    """Where a page's space lies on the page as it is displayed: crop box and rotation.

    Attributes:
        left: The crop box, in the page's own space (y upwards).
        bottom: As `left`.
        right: As `left`.
        top: As `left`.
        turns: Quarter turns clockwise by which the page is shown.
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int = 0

    @property
    def width(self) -> float:
        """Of the page as it is displayed, in points."""
        return self.top - self.bottom if self.turns % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """Of the page as it is displayed, in points."""
        return self.right - self.left if self.turns % 2 else self.top - self.bottom

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page's space, in points from the top left of the page as displayed."""
        match self.turns:
            case 0:
                return x - self.left, self.top - y
            case 1:
                return y - self.bottom, x - self.left
            case 2:
                return self.right - x, y - self.bottom
            case _:
                return self.top - y, self.right - x

    def rectangle(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """A rectangle of the page's space, as x0, y0, x1, y1 of the page as displayed."""
        ax, ay = self.point(left, bottom)
        bx, by = self.point(right, top)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


@dataclass(frozen=True, slots=True)
class PdfPage:
    """An open page.

    Attributes:
        document: pdfium's document.
        raw: pdfium's page.
        text: pdfium's text page.
        number: From 1.
        space: How its space is displayed.
    """

    document: Handle
    raw: Handle
    text: Handle
    number: int
    space: PageSpace


@contextmanager
def open_page(document: Handle, number: int) -> Generator[PdfPage]:
    """A page and its text, closed at the end.

    Args:
        document: pdfium's document.
        number: Of the page, from 1.

    Raises:
        InvalidInput: The page cannot be loaded.
    """
    raw = pdfium.FPDF_LoadPage(document, number - 1)
    if not raw:
        raise InvalidInput(DAMAGED)
    try:
        text = pdfium.FPDFText_LoadPage(raw)
        if not text:
            raise InvalidInput("the page's text is damaged")
        try:
            yield PdfPage(document, raw, text, number, _page_space(raw))
        finally:
            pdfium.FPDFText_ClosePage(text)
    finally:
        pdfium.FPDF_ClosePage(raw)


def _page_space(raw: Handle) -> PageSpace:
    box = pdfium.FS_RECTF()
    if not pdfium.FPDF_GetPageBoundingBox(raw, ctypes.byref(box)):
        return PageSpace(0.0, 0.0, pdfium.FPDF_GetPageWidthF(raw), pdfium.FPDF_GetPageHeightF(raw))
    turns = pdfium.FPDFPage_GetRotation(raw) % 4
    return PageSpace(box.left, box.bottom, box.right, box.top, turns)

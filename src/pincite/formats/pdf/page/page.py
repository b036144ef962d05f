"""Open PDF pages: pdfium's handles, and the transformation from page space to the page as displayed."""

import ctypes
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.errors import InvalidInput
from pincite.formats.pdf.page.pdfium import ADDRESS, POINTER, Handle, address, fast_binding, pointer, untyped_binding

DAMAGED = "the page is damaged"
MAX_ANNOTATIONS = 5000
"""Annotations read on a page; bounds the time for crafted pages."""
MAX_OBJECTS = 20_000
"""Objects of a page that are examined; later ones are ignored, which bounds the time for drawings and crafted pages."""

_TEXT = pdfium.FPDF_PAGEOBJ_TEXT
_DRAWING_ANNOTATIONS = (
    pdfium.FPDF_ANNOT_WIDGET,
    pdfium.FPDF_ANNOT_FREETEXT,
    pdfium.FPDF_ANNOT_STAMP,
    pdfium.FPDF_ANNOT_WATERMARK,
)
"""Annotations whose appearance may be text: values of fields, signatures, typed text, stamps."""
_count_objects = fast_binding(pdfium.FPDFPage_CountObjects, POINTER)
_object = untyped_binding(pdfium.FPDFPage_GetObject, ADDRESS)
object_kind = fast_binding(pdfium.FPDFPageObj_GetType, POINTER)
"""Type of the page object at an address."""


@dataclass(frozen=True, slots=True)
class PageSpace:
    """Crop box and rotation: what maps page space to the page as displayed.

    Attributes:
        left: Left edge of the crop box in page space, in points, y upwards.
        bottom: Bottom edge.
        right: Right edge.
        top: Top edge.
        turns: Clockwise quarter turns of the page's rotation.
    """

    left: float
    bottom: float
    right: float
    top: float
    turns: int = 0

    @property
    def width(self) -> float:
        """Width of the page as displayed, in points."""
        return self.top - self.bottom if self.turns % 2 else self.right - self.left

    @property
    def height(self) -> float:
        """Height of the page as displayed, in points."""
        return self.right - self.left if self.turns % 2 else self.top - self.bottom

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Map a point of page space to points from the top left of the page as displayed."""
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
        """Map a rectangle of page space to x0, y0, x1, y1 on the page as displayed."""
        ax, ay = self.point(left, bottom)
        bx, by = self.point(right, top)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


@dataclass(frozen=True)
class PdfPage:
    """pdfium's handles of an open page.

    Attributes:
        document: pdfium's document.
        raw: pdfium's page; what annotations draw is part of it if it was opened flattened.
        text: pdfium's text page.
        number: Page number from 1.
        space: Mapping to the page as displayed; pdfium itself reports unrotated coordinates.
        annotated: pdfium's page with its annotations.
    """

    document: Handle
    raw: Handle
    text: Handle
    number: int
    space: PageSpace
    annotated: Handle

    @property
    def is_flattened(self) -> bool:
        """True if what its annotations draw is part of its text."""
        return self.annotated is not self.raw

    @cached_property
    def own_characters(self) -> int:
        """Number of characters of its text before those that its annotations draw."""
        if not self.is_flattened:
            return pdfium.FPDFText_CountChars(self.text)
        text = pdfium.FPDFText_LoadPage(self.annotated)
        try:
            return max(0, pdfium.FPDFText_CountChars(text))
        finally:
            pdfium.FPDFText_ClosePage(text)

    @cached_property
    def text_pointer(self) -> Any:
        """Its text page as an argument of the functions of characters in `pdfium`."""
        return pointer(address(self.text))

    @cached_property
    def drawings(self) -> list[tuple[int, int]]:
        """Addresses and types of its objects other than text, in the order in which they are drawn."""
        items, kinds = self._objects
        # Thousands of a page's objects are text, and dozens are not.
        return [(items[number], int(kinds[number])) for number in np.flatnonzero(kinds != _TEXT).tolist()]

    @property
    def objects(self) -> list[int]:
        """Addresses of its objects, in the order in which they are drawn."""
        return self._objects[0]

    @cached_property
    def texts(self) -> set[int]:
        """Addresses of its text objects, without those in forms."""
        items, kinds = self._objects
        return {items[number] for number in np.flatnonzero(kinds == _TEXT).tolist()}

    @cached_property
    def _objects(self) -> tuple[list[int], "np.ndarray[Any, np.dtype[np.int32]]"]:
        handle = address(self.raw)
        items = list(map(_object, repeat(pointer(handle)), range(min(_count_objects(handle), MAX_OBJECTS))))
        return items, np.fromiter(map(object_kind, items), np.int32, len(items))


@contextmanager
def open_page(
    document: Handle, number: int, turns: int = 0, copy: Callable[[], Handle] | None = None
) -> Generator[PdfPage]:
    """Open a page and its text for the duration of a `with` block.

    Args:
        document: pdfium's document.
        number: Page number from 1.
        turns: Clockwise quarter turns by which the page is to be seen turned: a scan may lie on its side.
        copy: Returns a second document of the same bytes, in which annotations become text of the page; None to
            leave them.

    Raises:
        InvalidInput: The page cannot be loaded.
    """
    with ExitStack() as stack:
        raw = annotated = stack.enter_context(loaded_page(document, number))
        if copy is not None and _annotations_draw(annotated) and copy() and _flatten(copy(), number):
            document = copy()
            raw = stack.enter_context(loaded_page(document, number))
        text = pdfium.FPDFText_LoadPage(raw)
        if not text:
            raise InvalidInput("the page's text is damaged")
        stack.callback(pdfium.FPDFText_ClosePage, text)
        yield PdfPage(document, raw, text, number, _page_space(raw, turns), annotated)


@contextmanager
def open_annotation(raw: Handle, index: int) -> Generator[Handle]:
    """Open an annotation of a page for the duration of a `with` block."""
    annotation = pdfium.FPDFPage_GetAnnot(raw, index)
    try:
        yield annotation
    finally:
        pdfium.FPDFPage_CloseAnnot(annotation)


def _annotations_draw(raw: Handle) -> bool:
    count = min(pdfium.FPDFPage_GetAnnotCount(raw), MAX_ANNOTATIONS)
    return any(_draws_text(raw, index) for index in range(count))


def _draws_text(raw: Handle, index: int) -> bool:
    with open_annotation(raw, index) as annotation:
        is_text = pdfium.FPDFAnnot_GetSubtype(annotation) in _DRAWING_ANNOTATIONS
        return is_text and bool(pdfium.FPDFAnnot_HasKey(annotation, b"AP"))


def _flatten(document: Handle, number: int) -> bool:
    """Make annotations of a page part of its content; return False if that fails."""
    with loaded_page(document, number) as raw:
        # What marks up text, as highlights, would cover it.
        for index in reversed(range(pdfium.FPDFPage_GetAnnotCount(raw))):
            if not _draws_text(raw, index):
                pdfium.FPDFPage_RemoveAnnot(raw, index)
        return pdfium.FPDFPage_Flatten(raw, pdfium.FLAT_NORMALDISPLAY) != pdfium.FLATTEN_FAIL


@contextmanager
def loaded_page(document: Handle, number: int) -> Generator[Handle]:
    """Open a page without its text, which takes as long again, for the duration of a `with` block.

    Args:
        document: pdfium's document.
        number: Page number from 1.

    Raises:
        InvalidInput: The page cannot be loaded.
    """
    raw = pdfium.FPDF_LoadPage(document, number - 1)
    if not raw:
        raise InvalidInput(DAMAGED)
    try:
        yield raw
    finally:
        pdfium.FPDF_ClosePage(raw)


def _page_space(raw: Handle, turns: int) -> PageSpace:
    box = pdfium.FS_RECTF()
    if not pdfium.FPDF_GetPageBoundingBox(raw, ctypes.byref(box)):
        return PageSpace(0.0, 0.0, pdfium.FPDF_GetPageWidthF(raw), pdfium.FPDF_GetPageHeightF(raw), turns % 4)
    return PageSpace(box.left, box.bottom, box.right, box.top, (pdfium.FPDFPage_GetRotation(raw) + turns) % 4)

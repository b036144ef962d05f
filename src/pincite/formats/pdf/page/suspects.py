"""Words that something may hide: their own colour, what is drawn over them, a clip, or a layer that may be off.

Cheap signs alone: pictures of the page decide (`drawn`).
"""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import ADDRESS, INDEX, POINTER, RowFunction, fast_binding
from pincite.formats.pdf.page.words import Word

MIN_WHITE_LEVEL = 0xF0
"""Colour level per channel, of 255, from which text may have the colour of the paper."""
CLIP_TOLERANCE_PT = 1.0
"""How far text may reach beyond its clip: boxes of glyphs do by their bearings."""
MAX_CLIP_POINTS = 40
"""Points of a clip that are read; one with more is no rectangle, and may hide anything."""

MAX_FORM_OBJECTS = 50
"""Objects of a form among which another one is sought: those that wrap one have few."""

_clip_of = fast_binding(pdfium.FPDFPageObj_GetClipPath, POINTER, result=ADDRESS)
_count_paths = fast_binding(pdfium.FPDFClipPath_CountPaths, POINTER)
_count_segments = fast_binding(pdfium.FPDFClipPath_CountPathSegments, POINTER, INDEX)
_segment = fast_binding(pdfium.FPDFClipPath_GetPathSegment, POINTER, INDEX, INDEX, result=ADDRESS)
_point = RowFunction(pdfium.FPDFPathSegment_GetPoint, np.float32, 2, (0, 1))
_bounds = RowFunction(pdfium.FPDFPageObj_GetBounds, np.float32, 4, (0, 1, 2, 3))
"""Left, bottom, right and top of objects, in the space of what holds them."""
_count_marks = fast_binding(pdfium.FPDFPageObj_CountMarks, POINTER)
_mark = fast_binding(pdfium.FPDFPageObj_GetMark, POINTER, INDEX, result=ADDRESS)

Boxes = np.ndarray[Any, np.dtype[np.float64]]


def suspects(page: PdfPage, words: Sequence[Word]) -> list[Word]:
    """Return the words of a page that something may hide."""
    objects = list({word.object for word in words if word.object})
    boxes = dict(zip(objects, _bounds.read_objects(objects).tolist(), strict=True))
    odd = {item for item in objects if _is_clipped(item, boxes[item]) or _is_in_layer(item)}
    covered = _are_drawn_over(page, words)
    if any(_is_clipped(form, box) or _holds_forms(form) for form, box in _forms(page)):
        odd |= set(objects) - page.texts
    return [
        word
        for word, is_covered in zip(words, covered, strict=True)
        if is_covered or word.object in odd or _is_white(word.colour)
    ]


def _forms(page: PdfPage) -> Iterator[tuple[int, list[float]]]:
    forms = [item for item, kind in page.drawings if kind == pdfium.FPDF_PAGEOBJ_FORM]
    return zip(forms, _bounds.read_objects(forms).tolist(), strict=True)


def _is_white(colour: int) -> bool:
    return min(colour >> 16, colour >> 8 & 0xFF, colour & 0xFF) >= MIN_WHITE_LEVEL


def _is_clipped(item: int, box: Sequence[float]) -> bool:
    """Return True if a text reaches beyond its clip."""
    clip = _clip_of(item)
    left, bottom, right, top = box
    for path in range(max(0, _count_paths(clip)) if clip else 0):
        count = _count_segments(clip, path)
        if count > MAX_CLIP_POINTS:
            return True
        if count > 0:
            points = _point.read_objects([_segment(clip, path, index) for index in range(count)])
            (x0, y0), (x1, y1) = points.min(axis=0) - CLIP_TOLERANCE_PT, points.max(axis=0) + CLIP_TOLERANCE_PT
            if left < x0 or bottom < y0 or right > x1 or top > y1:
                return True
    return False


def _holds_forms(form: int) -> bool:
    """Return True for a form with forms in it, whose clips their text does not tell."""
    handle = ctypes.cast(form, pdfium.FPDF_PAGEOBJECT)
    count = min(pdfium.FPDFFormObj_CountObjects(handle), MAX_FORM_OBJECTS)
    parts = (pdfium.FPDFFormObj_GetObject(handle, index) for index in range(count))
    return any(pdfium.FPDFPageObj_GetType(part) == pdfium.FPDF_PAGEOBJ_FORM for part in parts)


def _is_in_layer(item: int) -> bool:
    """Return True if a text is marked as optional content."""
    return any(_name(_mark(item, index)) == "OC" for index in range(_count_marks(item)))


def _name(mark: int) -> str:
    buffer, length = (ctypes.c_ushort * 3)(), ctypes.c_ulong()
    handle = ctypes.cast(mark, pdfium.FPDF_PAGEOBJECTMARK)
    pdfium.FPDFPageObjMark_GetName(handle, buffer, ctypes.sizeof(buffer), ctypes.byref(length))
    return bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")


def _are_drawn_over(page: PdfPage, words: Sequence[Word]) -> list[bool]:
    """Return, for each word, whether a filled shape or a form that is drawn later covers its middle."""
    order = {item: number for number, item in enumerate(page.objects)}
    covers = [item for item, kind in page.drawings if _may_cover(item, kind)]
    if not covers or not words:
        return [False] * len(words)
    x = np.array([(word.x0 + word.x1) / 2 for word in words])
    y = np.array([(word.y0 + word.y1) / 2 for word in words])
    # Text in a form has no position of its own in the order; only its clip is examined.
    drawn = np.array([order.get(word.object, len(order)) for word in words])
    covered = np.zeros(len(words), np.bool_)
    for item, box in zip(covers, _bounds.read_objects(covers).tolist(), strict=True):
        x0, y0, x1, y1 = page.space.rectangle(*box)
        covered |= (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1) & (drawn < order[item])
    return covered.tolist()


def _may_cover(item: int, kind: int) -> bool:
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        mode, stroked = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(
            ctypes.cast(item, pdfium.FPDF_PAGEOBJECT), ctypes.byref(mode), ctypes.byref(stroked)
        )
        return mode.value != pdfium.FPDF_FILLMODE_NONE
    return kind in (pdfium.FPDF_PAGEOBJ_FORM, pdfium.FPDF_PAGEOBJ_SHADING)

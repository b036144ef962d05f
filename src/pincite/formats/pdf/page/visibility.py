"""Hidden text: words off the page, in the colour of their background, unpainted, or too small."""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import MAX_OBJECTS, PageSpace, PdfPage
from pincite.formats.pdf.page.pdfium import Handle
from pincite.formats.pdf.page.words import PageWords, Word, is_legible, page_words

MIN_WHITE_LEVEL = 0xF0
"""Colour level per channel, of 255, from which text on white paper is checked for contrast."""
MAX_LEVEL_DIFFERENCE = 16
"""Difference per channel, of 255, up to which two colours look the same."""
MAX_LAYER_VISIBLE_CHARS = 100
"""A scan with fewer visible characters has its text in an invisible OCR layer; the same limit as for a sparse scan
(`quality`), which raised no false alarm on 956 pages."""
MIN_LAYER_COVER_SHARE = 0.5
"""Share of the page that images must cover for an OCR layer; as for a sparse scan."""
_MAX_FORM_DEPTH = 8
"""Nesting depth of form XObjects; a crafted form may contain itself."""


@dataclass(frozen=True, slots=True)
class FilledArea:
    """A filled path, form or image.

    Attributes:
        rectangle: x0, y0, x1, y1 on the page as displayed.
        colour: 0xRRGGBB; None for an image, a shading or a form, whose colours are unknown.
    """

    rectangle: tuple[float, float, float, float]
    colour: int | None


def visible_words(page: PdfPage) -> PageWords:
    """Return the words of a page, with all invisible ones among the hidden."""
    extracted = page_words(page)
    extracted = _hide(extracted, _off_page(extracted.words, page.space))
    # Only near-white text is checked: to lose visible text is the worse mistake (docs/decisions/0010).
    white = {colour for colour in {word.colour for word in extracted.words} if _is_white(colour)}
    if white:
        pale = [word for word in extracted.words if word.colour in white]
        areas = list(_filled_areas(page))
        extracted = _hide(extracted, {word.first for word in pale if not _has_contrast(word, areas)})
    return extracted


def is_ocr_layer(page: PdfPage, extracted: PageWords) -> bool:
    """Return True if a page is a scan with an invisible OCR text layer."""
    if not extracted.hidden or sum(len(word.text) for word in extracted.words) >= MAX_LAYER_VISIBLE_CHARS:
        return False
    return image_cover(page) > MIN_LAYER_COVER_SHARE


def with_ocr_layer(extracted: PageWords) -> PageWords:
    """Return a scan's words with those of its OCR layer made visible."""
    readable = [word for word in extracted.hidden if is_legible(word)]
    words = sorted([*extracted.words, *readable], key=lambda word: word.first)
    hidden = [word for word in extracted.hidden if not is_legible(word)]
    return PageWords(words, hidden, extracted.characters)


def image_cover(page: PdfPage) -> float:
    """Return the share of the page that images cover; above 1 if they overlap."""
    page_area = page.space.width * page.space.height
    covered = sum(_area(area.rectangle) for area in _filled_areas(page) if area.colour is None)
    return covered / page_area if page_area else 0.0


def _hide(extracted: PageWords, hidden_firsts: set[int]) -> PageWords:
    if not hidden_firsts:
        return extracted
    hidden = sorted(
        [*extracted.hidden, *(word for word in extracted.words if word.first in hidden_firsts)],
        key=lambda word: word.first,
    )
    return PageWords(
        [word for word in extracted.words if word.first not in hidden_firsts],
        hidden,
        extracted.characters,
    )


def _off_page(words: Iterable[Word], space: PageSpace) -> set[int]:
    """Return the words whose centre is off the page, by index of the first character."""
    width, height = 2 * space.width, 2 * space.height
    return {word.first for word in words if not (0 <= word.x0 + word.x1 <= width and 0 <= word.y0 + word.y1 <= height)}


def _centre(word: Word) -> tuple[float, float]:
    return (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2


def _is_white(colour: int) -> bool:
    return min(_channels(colour)) >= MIN_WHITE_LEVEL


def _channels(colour: int) -> tuple[int, int, int]:
    return colour >> 16, colour >> 8 & 0xFF, colour & 0xFF


def _has_contrast(word: Word, areas: Sequence[FilledArea]) -> bool:
    """Return True if a word's background has or may have another colour; the page itself is white."""
    x, y = _centre(word)
    beneath = [
        area
        for area in areas
        if area.rectangle[0] <= x <= area.rectangle[2] and area.rectangle[1] <= y <= area.rectangle[3]
    ]
    if any(area.colour is None for area in beneath):
        return True
    # Objects are in drawing order: the last one is on top.
    colour = beneath[-1].colour or 0 if beneath else 0xFFFFFF
    return any(
        abs(a - b) > MAX_LEVEL_DIFFERENCE for a, b in zip(_channels(colour), _channels(word.colour), strict=True)
    )


def _filled_areas(page: PdfPage) -> Iterator[FilledArea]:
    count = pdfium.FPDFPage_CountObjects(page.raw)
    if count <= MAX_OBJECTS:
        items = [ctypes.cast(item, pdfium.FPDF_PAGEOBJECT) for item, _ in page.drawings]
    else:
        # An area that is not looked at must not hide the text that is printed on it.
        items = [pdfium.FPDFPage_GetObject(page.raw, index) for index in range(count)]
    for item in items:
        rectangle = _bounds(item, page.space)
        if rectangle is not None:
            colour = _fill(item, 0)
            if colour != ():
                yield FilledArea(rectangle, colour[0] if colour else None)


def _fill(item: Handle, depth: int) -> tuple[int, ...] | None:
    """Return an object's fill colour; None if unknown, an empty tuple if it fills nothing.

    A form has an unknown colour if anything in it is filled.
    """
    kind = pdfium.FPDFPageObj_GetType(item)
    if kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
        return None
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        mode, stroked = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(item, ctypes.byref(mode), ctypes.byref(stroked))
        return (_colour(item),) if mode.value else ()
    if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_FORM_DEPTH:
        inner = (pdfium.FPDFFormObj_GetObject(item, index) for index in range(pdfium.FPDFFormObj_CountObjects(item)))
        return None if any(_fill(one, depth + 1) != () for one in inner) else ()
    return ()


def _colour(item: Handle) -> int:
    parts = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(item, *(ctypes.byref(part) for part in parts))
    red, green, blue, _ = (part.value for part in parts)
    return red << 16 | green << 8 | blue


def _bounds(page_object: Handle, space: PageSpace) -> tuple[float, float, float, float] | None:
    edges = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(page_object, *(ctypes.byref(edge) for edge in edges)):
        return None
    left, bottom, right, top = (edge.value for edge in edges)
    return space.rectangle(left, bottom, right, top)


def _area(rectangle: tuple[float, float, float, float]) -> float:
    return max(0.0, rectangle[2] - rectangle[0]) * max(0.0, rectangle[3] - rectangle[1])

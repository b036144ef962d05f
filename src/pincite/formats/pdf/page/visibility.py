"""Words that a reader of the page cannot see: off the page, in its own colour, invisible, or too small."""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import Handle, PageSpace, PdfPage
from pincite.formats.pdf.page.words import PageWords, Word, has_room, page_words

WHITE = 0xF0
"""A colour is the page's own if none of its parts is darker."""
NEAR = 16
"""Parts of two colours that differ by no more are one colour to the eye."""
LAYER_CHARACTERS = 100
"""Visible characters below which a scan's invisible text is the text that a program recognised in it (`measured`)."""
LAYER_COVER = 0.5
"""Share of the page that the scan's picture covers then (`measured`)."""
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Patch:
    """A filled area or a picture.

    Attributes:
        rectangle: x0, y0, x1, y1 on the page as displayed.
        colour: 0xRRGGBB; None for a picture or a shading.
    """

    rectangle: tuple[float, float, float, float]
    colour: int | None


def seen_words(page: PdfPage) -> PageWords:
    """The words of a page; those that nobody can see are among its hidden ones."""
    found = page_words(page)
    found = _apart(found, {word.first for word in _off_page(found.words, page.space)})
    white = {colour for colour in {word.colour for word in found.words} if _is_white(colour)}
    if white:
        pale = [word for word in found.words if word.colour in white]
        patches = list(_patches(page))
        found = _apart(found, {word.first for word in pale if not _stands_out(word, patches)})
    return found


def is_layer(page: PdfPage, found: PageWords) -> bool:
    """Whether a page is a scan whose invisible text is what a program recognised in it."""
    if not found.hidden or sum(len(word.text) for word in found.words) >= LAYER_CHARACTERS:
        return False
    return image_cover(page) > LAYER_COVER


def layer(found: PageWords) -> PageWords:
    """A scan's words, the invisible ones among them."""
    readable = [word for word in found.hidden if has_room(word)]
    words = sorted([*found.words, *readable], key=lambda word: word.first)
    hidden = [word for word in found.hidden if not has_room(word)]
    return PageWords(words, hidden, found.characters, found.unmapped)


def image_cover(page: PdfPage) -> float:
    """Share of the page that pictures cover."""
    area = page.space.width * page.space.height
    covered = sum(_area(patch.rectangle) for patch in _patches(page) if patch.colour is None)
    return covered / area if area else 0.0


def _apart(found: PageWords, gone: set[int]) -> PageWords:
    if not gone:
        return found
    hidden = sorted([*found.hidden, *(word for word in found.words if word.first in gone)], key=lambda word: word.first)
    return PageWords([word for word in found.words if word.first not in gone], hidden, found.characters, found.unmapped)


def _off_page(words: Iterable[Word], space: PageSpace) -> Iterator[Word]:
    """The words whose middle does not stand on the page."""
    width, height = 2 * space.width, 2 * space.height
    return (word for word in words if not (0 <= word.x0 + word.x1 <= width and 0 <= word.y0 + word.y1 <= height))


def _centre(word: Word) -> tuple[float, float]:
    return (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2


def _is_white(colour: int) -> bool:
    return min(_parts(colour)) >= WHITE


def _parts(colour: int) -> tuple[int, int, int]:
    return colour >> 16, colour >> 8 & 0xFF, colour & 0xFF


def _stands_out(word: Word, patches: Sequence[Patch]) -> bool:
    """Whether what lies under a word has another colour; the page itself is white."""
    x, y = _centre(word)
    under = [
        patch
        for patch in patches
        if patch.rectangle[0] <= x <= patch.rectangle[2] and patch.rectangle[1] <= y <= patch.rectangle[3]
    ]
    if any(patch.colour is None for patch in under):
        return True
    colour = under[-1].colour or 0 if under else 0xFFFFFF
    return any(abs(a - b) > NEAR for a, b in zip(_parts(colour), _parts(word.colour), strict=True))


def _patches(page: PdfPage) -> Iterator[Patch]:
    for index in range(pdfium.FPDFPage_CountObjects(page.raw)):
        item = pdfium.FPDFPage_GetObject(page.raw, index)
        rectangle = _bounds(item, page.space)
        if rectangle is not None:
            colour = _fill(item, 0)
            if colour != ():
                yield Patch(rectangle, colour[0] if colour else None)


def _fill(item: Handle, depth: int) -> tuple[int, ...] | None:
    """The colour that an object fills its place with; None for a picture; nothing where it fills none.

    A form counts as a picture if anything in it fills its place.
    """
    kind = pdfium.FPDFPageObj_GetType(item)
    if kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
        return None
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        mode, stroked = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(item, ctypes.byref(mode), ctypes.byref(stroked))
        return (_colour(item),) if mode.value else ()
    if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
        inner = (pdfium.FPDFFormObj_GetObject(item, index) for index in range(pdfium.FPDFFormObj_CountObjects(item)))
        return None if any(_fill(one, depth + 1) != () for one in inner) else ()
    return ()


def _colour(item: Handle) -> int:
    parts = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(item, *(ctypes.byref(part) for part in parts))
    red, green, blue, _ = (part.value for part in parts)
    return red << 16 | green << 8 | blue


def _bounds(item: Handle, space: PageSpace) -> tuple[float, float, float, float] | None:
    edges = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(item, *(ctypes.byref(edge) for edge in edges)):
        return None
    left, bottom, right, top = (edge.value for edge in edges)
    return space.rectangle(left, bottom, right, top)


def _area(rectangle: tuple[float, float, float, float]) -> float:
    return max(0.0, rectangle[2] - rectangle[0]) * max(0.0, rectangle[3] - rectangle[1])

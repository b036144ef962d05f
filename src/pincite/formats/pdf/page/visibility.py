"""Hidden text: words off the page, unpainted, too small, covered, or without which the page would look the same."""

import ctypes
from collections import deque
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.characters import text_objects
from pincite.formats.pdf.page.images import images
from pincite.formats.pdf.page.page import MAX_OBJECTS, PageSpace, PdfPage
from pincite.formats.pdf.page.pdfium import ADDRESS, INDEX, POINTER, RowFunction, fast_binding, font_of
from pincite.formats.pdf.page.words import PageWords, Word, is_legible, is_on_baseline, overlaps_half, page_words
from pincite.model.document import Box

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
PIXELS_PER_POINT = 1.5
"""Resolution of the pictures: 108 dpi."""
MAX_PICTURE_PIXELS = 8_000_000
"""Pixels of a picture: a larger page, as a plan is, is drawn at a lower resolution."""
MIN_STEP = 8
"""Difference of a pixel, of 255, that a reader sees."""
MIN_SHOWN_SHARE = 0.25
"""Share of the columns of a visible word that differ. Words that others are drawn over have what these leave there."""
COLUMNS = 40
"""Positions along a word at which others may cover it."""
MOSTLY_COVERED_SHARE = 0.6
"""Share of a word's length that others cover from which it is the shorter one."""
Pixels = np.ndarray[Any, np.dtype[np.uint8]]
_set_active = fast_binding(pdfium.FPDFPageObj_SetIsActive, POINTER, ctypes.c_int)
MAX_LAYER_VISIBLE_CHARS = 100
"""A scan with fewer visible characters has its text in an invisible OCR layer; the same limit as for a sparse scan
(`quality`), which raised no false alarm on 956 pages."""
MIN_LAYER_COVER_SHARE = 0.5
"""Share of the page that images must cover for an OCR layer; as for a sparse scan."""


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


def unseen_words(page: PdfPage, words: Sequence[Word]) -> list[Word]:
    """Return the words without which the page looks the same, of those that something may hide.

    Images are left out of the pictures, since decoding them takes longer than all else: words upon them count as seen.
    """
    doubtful = [word for word in suspects(page, words) if _can_be_judged(word)]
    if not doubtful or len(page.objects) >= MAX_OBJECTS:
        return []
    covers = _covered_shares(words, doubtful)
    # What may be drawn at one position is drawn apart: text of the page and of figures, long words and short ones.
    groups: dict[tuple[bool, bool], list[Word]] = {}
    for word, covered in zip(doubtful, covers, strict=True):
        groups.setdefault((word.object in page.texts, covered > MOSTLY_COVERED_SHARE), []).append(word)
    unseen: set[int] = set()
    scale = _scale(page)
    with _without([item for item, kind in page.drawings if kind == pdfium.FPDF_PAGEOBJ_IMAGE]):
        shown = _picture(page, scale)
        for group in groups.values():
            own = _Drawn(page, _objects_of(page, group), shown, scale)
            unseen |= {word.first for word in group if own.share(word) < MIN_SHOWN_SHARE}
        # Of texts that are drawn twice, as letters upon their halo, pdfium has the characters of one.
        twins = _Drawn(page, _without_characters(page), shown, scale) if unseen else None
    if twins is None:
        return []
    pictures = [box for _, box in images(page)]
    return [
        word
        for word in doubtful
        if word.first in unseen
        and twins.share(word) < MIN_SHOWN_SHARE
        and not any(_is_inside(word, box) for box in pictures)
    ]


class _Drawn:
    """The pixels of a page that some objects change."""

    def __init__(self, page: PdfPage, objects: Collection[int], shown: Pixels, scale: float) -> None:
        self._scale = scale
        with _without(objects):
            rest = _picture(page, scale)
        self._marks = np.maximum(shown, rest) - np.minimum(shown, rest) > MIN_STEP

    def share(self, word: Word) -> float:
        """Return the share of a word's columns (rows of one that is turned sideways) that have a changed pixel."""
        x0, y0, x1, y1 = (max(0, int(edge * self._scale)) for edge in _ink_box(word))
        box = self._marks[y0 : y1 + 1, x0 : x1 + 1]
        return float(box.any(axis=word.turns % 2).mean()) if box.size else 0.0


def _covered_shares(words: Sequence[Word], some: Sequence[Word]) -> list[float]:
    """Return, for some words, the share of their length that others on the same line cover."""
    boxes = np.array([_ink_box(word) for word in words])
    shares: list[float] = []
    for word in some:
        x0, y0, x1, y1 = _ink_box(word)
        is_near = (boxes[:, 0] < x1) & (boxes[:, 2] > x0) & (boxes[:, 1] < y1) & (boxes[:, 3] > y0)
        others = [words[number] for number in np.flatnonzero(is_near).tolist() if words[number].first != word.first]
        columns = np.linspace(x0, x1, COLUMNS)
        covered = np.zeros(COLUMNS, np.bool_)
        for other in others:
            if overlaps_half(y0, y1, *_ink_box(other)[1::2]):
                covered |= (columns >= other.x0) & (columns <= other.x1)
        shares.append(float(covered.mean()))
    return shares


def _scale(page: PdfPage) -> float:
    """Return the pixels per point of a page's pictures."""
    longer, area = max(page.space.width, page.space.height, 1.0), max(1.0, page.space.width * page.space.height)
    # A page of a hostile file may be a line of any length.
    return min(PIXELS_PER_POINT, (MAX_PICTURE_PIXELS / area) ** 0.5, MAX_PICTURE_PIXELS / longer)


def _picture(page: PdfPage, scale: float) -> Pixels:
    """Return a grey picture of a page as displayed."""
    width, height = max(1, round(page.space.width * scale)), max(1, round(page.space.height * scale))
    pixels: Pixels = np.full((height, width), 255, np.uint8)
    target = pixels.ctypes.data_as(ctypes.c_void_p)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, target, width)
    try:
        turns = (page.space.turns - pdfium.FPDFPage_GetRotation(page.raw)) % 4
        pdfium.FPDF_RenderPageBitmap(bitmap, page.raw, 0, 0, width, height, turns, pdfium.FPDF_GRAYSCALE)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return pixels


def _ink_box(word: Word) -> tuple[float, float, float, float]:
    """Return the box of a word's glyphs."""
    if word.turns % 2:
        return max(word.x0, word.above), word.y0, min(word.x1, word.below), word.y1
    return word.x0, max(word.y0, word.above), word.x1, min(word.y1, word.below)


@contextmanager
def _without(objects: Collection[int]) -> Generator[None]:
    """Leave objects out of pictures for the duration of a `with` block."""
    deque(map(_set_active, objects, repeat(0)), maxlen=0)
    try:
        yield
    finally:
        deque(map(_set_active, objects, repeat(1)), maxlen=0)


def _without_characters(page: PdfPage) -> set[int]:
    """Return the texts of a page of which pdfium has no characters."""
    return page.texts - set(text_objects(page, range(pdfium.FPDFText_CountChars(page.text))))


def _objects_of(page: PdfPage, words: Iterable[Word]) -> set[int]:
    return {item for word in words for item in text_objects(page, range(word.first, word.last + 1)) if item}


def _can_be_judged(word: Word) -> bool:
    """Return True for letters and digits in a font that the file holds, or that every machine has."""
    font = font_of(word.object) if word.object else 0
    is_embedded = font != 0 and pdfium.FPDFFont_GetIsEmbedded(ctypes.cast(font, pdfium.FPDF_FONT)) == 1
    return (is_embedded or word.text.isascii()) and any(map(str.isalnum, word.text))


def _is_inside(word: Word, box: Box) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1


def visible_words(page: PdfPage) -> PageWords:
    """Return the words of a page, with all invisible ones among the hidden."""
    extracted = page_words(page)
    extracted = _hide(extracted, _off_page(extracted.words, page.space))
    unseen = unseen_words(page, extracted.words)
    if unseen:
        extracted = _hide(extracted, {word.first for word in unseen})
        extracted.words = _cut_at_next(extracted.words, suspects(page, extracted.words))
    return extracted


def _cut_at_next(words: Sequence[Word], clipped: Sequence[Word]) -> list[Word]:
    """Return words with those that may be clipped ending where another one is drawn over them."""
    cut = {word.first for word in clipped}
    return [
        replace(word, x1=next((other.x0 for other in words if _is_drawn_over(word, other)), word.x1))
        if word.first in cut
        else word
        for word in words
    ]


def _is_drawn_over(word: Word, other: Word) -> bool:
    """Return True if another word begins within a word, a letter or more behind its beginning."""
    return word.x0 + word.size < other.x0 < word.x1 and is_on_baseline(word, other)


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
    covered = sum((box.x1 - box.x0) * (box.y1 - box.y0) for _, box in images(page))
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

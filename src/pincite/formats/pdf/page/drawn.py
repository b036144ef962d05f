"""Words without which the page looks the same, as pdfium's own pictures of it tell.

Whatever hides a word needs no rule: the colour of the paper, a box that is drawn over it, a clip that cuts it away, a
layer that is switched off.
"""

import ctypes
from collections import deque
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.characters import text_objects
from pincite.formats.pdf.page.images import images
from pincite.formats.pdf.page.page import MAX_OBJECTS, PdfPage
from pincite.formats.pdf.page.pdfium import POINTER, fast_binding, font_of
from pincite.formats.pdf.page.suspects import suspects
from pincite.formats.pdf.page.words import Word, overlaps_half
from pincite.model.document import Box

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

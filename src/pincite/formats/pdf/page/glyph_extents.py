"""How far the shapes of words reach across their lines.

A box that is no taller holds nothing of the lines around it.
"""

import ctypes
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import repeat

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import POINTER, address, columns, fast_binding
from pincite.formats.pdf.page.rectangles import Rectangle, around, displayed, rectangles

AHEAD = 40
"""Text objects that are looked at for the one of the next word."""
_NEAR = 1.0
_WITHIN = 0.7
_TALL = 2.0
"""A shape this many times as tall as its font's line is that of a damaged font."""

_char_box = fast_binding(pdfium.FPDFText_GetCharBox, POINTER, ctypes.c_int, *[POINTER] * 4)
_rectangle = fast_binding(pdfium.FPDFText_GetRect, POINTER, ctypes.c_int, *[POINTER] * 4)


def extents(
    page: PdfPage, firsts: Sequence[int], lasts: Sequence[int], places: Sequence[Rectangle], turns: Sequence[int]
) -> list[tuple[float, float]]:
    """From where to where the shapes of words reach across their lines; their own boxes where pdfium does not tell.

    The shapes of a whole text object are those of its words; in a file whose text objects are single characters a
    word's own characters tell.

    Args:
        page: The page.
        firsts: The words' first characters, in order.
        lasts: Their last ones.
        places: Around them, on the page as displayed; loose boxes.
        turns: Quarter turns clockwise of their lines.
    """
    count = lasts[-1] + 1 if lasts else 0
    objects = max(0, pdfium.FPDFText_CountRects(page.text, 0, count))
    if objects <= len(places):
        return list(_of_objects(page, objects, places, turns))
    shapes = _of_characters(page, firsts, lasts)
    found = zip(places, turns, shapes, strict=True)
    return [_extent(place, turn, shape) or _across(place, turn) for place, turn, shape in found]


def _of_characters(page: PdfPage, firsts: Sequence[int], lasts: Sequence[int]) -> list[Rectangle]:
    """Around the shapes of the characters from each first to its last."""
    boxes = np.zeros((lasts[-1] + 1, 4))
    left, top, right, bottom = columns(boxes)
    deque(map(_char_box, repeat(address(page.text)), range(len(boxes)), left, right, bottom, top), maxlen=0)
    return around(displayed(boxes, page.space), firsts, lasts)


def _of_objects(
    page: PdfPage, objects: int, places: Sequence[Rectangle], turns: Sequence[int]
) -> Iterator[tuple[float, float]]:
    """The extents of words by the shapes of so many text objects."""
    boxes = np.zeros((objects, 4))
    deque(map(_rectangle, repeat(address(page.text)), range(objects), *columns(boxes)), maxlen=0)
    shapes, at = rectangles(displayed(boxes, page.space)), 0
    for place, turn in zip(places, turns, strict=True):
        found = None
        # Words and shapes come in the same order: the search goes on where the word before was found.
        for number in range(at, min(at + AHEAD, objects)):
            found = _extent(place, turn, shapes[number])
            if found:
                at = number
                break
        yield found or _across(place, turn)


def _extent(place: Rectangle, turn: int, shape: Rectangle) -> tuple[float, float] | None:
    """How far a shape reaches across the line of a word that stands on it; None where it is another word's."""
    left, top, right, bottom = place
    x0, y0, x1, y1 = shape
    if turn % 2:
        begin, middle, end, low, high, start, stop = y0, (top + bottom) / 2, y1, left, right, x0, x1
    else:
        begin, middle, end, low, high, start, stop = x0, (left + right) / 2, x1, top, bottom, y0, y1
    if not begin - _NEAR <= middle <= end + _NEAR:
        return None
    tall = stop - start
    if not min(stop, high) - max(start, low) >= _WITHIN * tall > 0:
        return None
    return (start, stop) if tall < _TALL * (high - low) else (low, high)


def _across(place: Rectangle, turn: int) -> tuple[float, float]:
    left, top, right, bottom = place
    return (left, right) if turn % 2 else (top, bottom)

"""Upper and lower edges of the glyphs of words.

Loose boxes are as tall as the font's line and overlap the neighbouring lines; boxes of the glyphs do not.
"""

import ctypes
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.characters import Run
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import character_origins, glyph_boxes, object_boxes
from pincite.formats.pdf.page.rectangles import Rectangle, bounding_boxes, displayed, range_indices, rectangles

MAX_OBJECTS_AHEAD = 40
"""Text objects searched ahead for the one of the next word; bounds the search on pages with text out of order."""
_SIDE_TOLERANCE_PT = 1.0
"""Distance along the line by which a word's middle may lie outside its glyphs."""
_MIN_HEIGHT_SHARE = 0.7
"""Share of the glyphs' height within the word's box; less means that the glyphs are of another line."""
_MAX_HEIGHT_RATIO = 2.0
"""Glyph height relative to the font's line from which the font is damaged and its glyph boxes are ignored."""
_MIN_SIZE_STEP = 0.1
"""Difference of the heights of two lines, as a share, from which one is an index of the other."""
MIN_DESCENT_EM = 0.1
"""Least depth of a text font below its baseline; TeX's fonts have .19, most others .2 to .25."""
MAX_ASCENT_EM = 1.0
"""Height from which a font has another unit than the em."""
MIN_LETTERS = 4
"""Letters of a word that a font of symbols has none of."""
ASCENT_EM, DESCENT_EM = 0.75, 0.2
"""Height of a line above and below its baseline."""


def glyph_extents(
    page: PdfPage, firsts: Sequence[int], lasts: Sequence[int], boxes: Sequence[Rectangle], turns: Sequence[int]
) -> list[tuple[float, float]]:
    """Return upper and lower glyph edges for each word; of its loose box where pdfium has no matching glyphs.

    Glyph boxes come by text object, which takes far fewer calls. In a file whose text objects are single characters
    they come by character, so that all words of a line get the height of every letter; as do words of two sizes
    without a space, an index and its base, which pdfium may put into one object.

    Args:
        page: The page.
        firsts: Indices of the words' first characters, ascending.
        lasts: Indices of their last characters.
        boxes: Loose boxes of the words on the page as displayed.
        turns: Clockwise quarter turns of the words.
    """
    count = lasts[-1] + 1 if lasts else 0
    objects = max(0, pdfium.FPDFText_CountRects(page.text, 0, count))
    # More text objects than words means that they are single characters.
    if objects > len(boxes):
        return _character_extents(page, firsts, lasts, boxes, turns, range(len(boxes)))
    extents = list(_object_extents(page, objects, boxes, turns))
    numbers = _of_two_sizes(firsts, lasts, boxes)
    own = _character_extents(page, firsts, lasts, boxes, turns, numbers) if numbers else []
    for number, extent in zip(numbers, own, strict=True):
        extents[number] = extent
    return extents


def _of_two_sizes(firsts: Sequence[int], lasts: Sequence[int], boxes: Sequence[Rectangle]) -> list[int]:
    """Return the numbers of the words that adjoin one in a font of another height."""
    heights = [bottom - top for _, top, _, bottom in boxes]
    found = {
        number + beside
        for number in range(len(firsts) - 1)
        if firsts[number + 1] == lasts[number] + 1
        and abs(heights[number] - heights[number + 1]) > _MIN_SIZE_STEP * heights[number]
        for beside in (0, 1)
    }
    return sorted(found)


def _character_extents(
    page: PdfPage,
    firsts: Sequence[int],
    lasts: Sequence[int],
    boxes: Sequence[Rectangle],
    turns: Sequence[int],
    numbers: Sequence[int],
) -> list[tuple[float, float]]:
    """Return the glyph edges of words, by their numbers, each by its characters."""
    first, last = [firsts[number] for number in numbers], [lasts[number] for number in numbers]
    # Of the words alone: a sixth of the characters are spaces.
    glyphs = glyph_boxes.read(page.text_pointer, range_indices(first, last).tolist())
    ends = np.cumsum(np.subtract(last, first) + 1)
    starts = np.append(0, ends[:-1])
    shapes = bounding_boxes(displayed(glyphs, page.space), starts.tolist(), (ends - 1).tolist())
    words = ((boxes[number], turns[number], shape) for number, shape in zip(numbers, shapes, strict=True))
    return [_shape_extent(box, turn, shape) or _own_extent(box, turn) for box, turn, shape in words]


def _object_extents(
    page: PdfPage, objects: int, word_boxes: Sequence[Rectangle], turns: Sequence[int]
) -> Iterator[tuple[float, float]]:
    """Yield the glyph edges of each word, by the page's first `objects` text objects."""
    boxes = object_boxes.read(page.text_pointer, range(objects))
    shapes, start = rectangles(displayed(boxes, page.space)), 0
    for word_box, turn in zip(word_boxes, turns, strict=True):
        extent = None
        # Words and text objects come in the same order, so the search continues at the previous word's object.
        for index in range(start, min(start + MAX_OBJECTS_AHEAD, objects)):
            extent = _shape_extent(word_box, turn, shapes[index])
            if extent:
                start = index
                break
        yield extent or _own_extent(word_box, turn)


def _shape_extent(box: Rectangle, turn: int, glyphs: Rectangle) -> tuple[float, float] | None:
    """Return the glyph edges across the text direction; None if the glyphs are of another word."""
    left, top, right, bottom = box
    x0, y0, x1, y1 = glyphs
    if turn % 2:
        begin, middle, end, low, high, start, stop = y0, (top + bottom) / 2, y1, left, right, x0, x1
    else:
        begin, middle, end, low, high, start, stop = x0, (left + right) / 2, x1, top, bottom, y0, y1
    if not begin - _SIDE_TOLERANCE_PT <= middle <= end + _SIDE_TOLERANCE_PT:
        return None
    height = stop - start
    # No calls to min() and max(): this runs for every word of a page.
    shared = (stop if stop < high else high) - (start if start > low else low)  # noqa: FURB136
    if not shared >= _MIN_HEIGHT_SHARE * height > 0:
        return None
    return (start, stop) if height < _MAX_HEIGHT_RATIO * (high - low) else (low, high)


def _own_extent(box: Rectangle, turn: int) -> tuple[float, float]:
    left, top, right, bottom = box
    return (left, right) if turn % 2 else (top, bottom)


def with_line_heights(page: PdfPage, text: str, runs: Sequence[Run], boxes: Sequence[Rectangle]) -> list[Rectangle]:
    """Return the boxes of words, those of upright words in text fonts without a descent with the height of a line.

    Args:
        page: The page.
        text: Its characters.
        runs: Its words.
        boxes: Their loose boxes on the page as displayed.
    """
    flat = {face for face in _text_faces(text, runs) if _is_flat(face)}
    if not flat:
        return list(boxes)
    chosen = [n for n, run in enumerate(runs) if run.style.face in flat and not (run.style.turns or run.style.slant)]
    if not chosen:
        return list(boxes)
    origins = character_origins.read(page.text_pointer, [runs[number].first for number in chosen])
    places = np.hstack((origins, origins))
    result = list(boxes)
    for number, baseline in zip(chosen, displayed(places, page.space)[1].tolist(), strict=True):
        size = runs[number].style.size
        x0, _, x1, _ = boxes[number]
        result[number] = (x0, baseline - ASCENT_EM * size, x1, baseline + DESCENT_EM * size)
    return result


def _text_faces(text: str, runs: Iterable[Run]) -> set[int]:
    """Return the fonts with words of letters: symbols and the primes of formulas are as high as they are drawn."""
    faces = {0}
    for run in runs:
        face, is_long = run.style.face, run.last - run.first + 1 >= MIN_LETTERS
        if face not in faces and is_long and text[run.first : run.first + MIN_LETTERS].isalpha():
            faces.add(face)
    return faces - {0}


def _is_flat(face: int) -> bool:
    """Return True if a font has next to no descent."""
    font = ctypes.cast(face, pdfium.FPDF_FONT)
    ascent, descent = ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFFont_GetAscent(font, 1.0, ctypes.byref(ascent))
    pdfium.FPDFFont_GetDescent(font, 1.0, ctypes.byref(descent))
    return -descent.value < MIN_DESCENT_EM and ascent.value < MAX_ASCENT_EM

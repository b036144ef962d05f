"""Heights of words in fonts without a descent: office programs write 0, and pdfium takes that of some glyph instead.

The boxes of such words end at the deepest of their own glyphs, so that lines with and without a `g` are at different
distances from their neighbours.
"""

import ctypes
from collections.abc import Iterable, Sequence

import numpy as np
import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.characters import Run
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import character_origins
from pincite.formats.pdf.page.rectangles import Rectangle, displayed

MIN_DESCENT_EM = 0.1
"""Least depth of a text font below its baseline; TeX's fonts have .19, most others .2 to .25."""
MAX_ASCENT_EM = 1.0
"""Height from which a font has another unit than the em."""
MIN_LETTERS = 4
"""Letters of a word that a font of symbols has none of."""
ASCENT_EM, DESCENT_EM = 0.75, 0.2
"""Height of a line above and below its baseline."""


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

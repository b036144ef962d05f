"""Spaces that a file draws and takes back: groff moves left behind one that it put within a word, `dev elopment`."""

import re

import numpy as np

from pincite.formats.pdf.page.accents import FILLER
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import character_origins
from pincite.formats.pdf.page.rectangles import Grid

MAX_GAP_EM, MIN_GAP_EM = 0.03, -0.2
"""Distance of the letters at the sides of a space that is not seen, relative to their height."""
LEVEL_TOLERANCE_PT = 0.1
MAX_CANCELLED_SHARE = 0.1
"""Share of such spaces among a page's; of more, the font's widths are wrong."""
MAX_ADVANCE_SHARE = 0.5
"""Part of a space's width by which the next letter is behind its beginning."""
_SPACE = re.compile(r" (?<=[^\W\d_] )(?=[^\W\d_])")
"""A space between letters. The expression begins with the space, as the engine leaps to it then."""


def without_cancelled_spaces(page: PdfPage, text: str, edges: Grid) -> str:
    """Return the characters of a page with `FILLER` for spaces between letters that touch.

    Args:
        page: The page.
        text: The characters.
        edges: Their boxes on the page as displayed; shape (4, characters).
    """
    cancelled = touched_spaces(text, edges)
    if not cancelled:
        return text
    # Boxes of slanted letters reach over the space before them, which their origins do not.
    indices = [index for space in cancelled for index in (space, space + 1)]
    origins = character_origins.read(page.text_pointer, indices)
    advances = np.hypot(*(origins[1::2] - origins[::2]).T)
    widths = (edges[2] - edges[0])[cancelled]
    characters = list(text)
    for index, advance, width in zip(cancelled, advances.tolist(), widths.tolist(), strict=True):
        if advance < MAX_ADVANCE_SHARE * width:
            characters[index] = FILLER
    return "".join(characters)


def touched_spaces(text: str, edges: Grid) -> list[int]:
    """Return the indices of spaces whose letters at both sides touch; none if many of a page are such."""
    spaces = np.array([found.start() for found in _SPACE.finditer(text)], np.int64)
    if not spaces.size:
        return []
    x0, y0, x1, y1 = edges
    before, after = spaces - 1, spaces + 1
    gaps, heights = x0[after] - x1[before], y1[before] - y0[before]
    is_level = (np.abs(y1[after] - y1[before]) <= LEVEL_TOLERANCE_PT) & (x1[spaces] > x0[spaces])
    touched = spaces[is_level & (gaps <= MAX_GAP_EM * heights) & (gaps >= MIN_GAP_EM * heights)]
    indices: list[int] = touched.tolist()
    return indices if touched.size <= MAX_CANCELLED_SHARE * spaces.size else []

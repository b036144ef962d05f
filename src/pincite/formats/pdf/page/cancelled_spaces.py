"""Spaces within words: groff draws one and takes it back, `dev elopment`, and pdfium adds some, `compan y`."""

import re
from typing import Any

import numpy as np

from pincite.formats.pdf.page.accents import FILLER
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import character_origins
from pincite.formats.pdf.page.rectangles import Grid

Indices = np.ndarray[Any, np.dtype[np.int64]]
MAX_GAP_EM, MIN_GAP_EM = 0.03, -0.2
"""Distance of the letters at the sides of a space that is not seen, relative to their height."""
LEVEL_TOLERANCE_PT = 0.1
MAX_CANCELLED_SHARE = 0.1
"""Share of such spaces among a page's; of more, the font's widths are wrong."""
MAX_ADVANCE_SHARE = 0.5
"""Part of a space's width by which the next letter is behind its beginning."""
MIN_TYPED_SHARE, MIN_ADDED_SHARE = 0.3, 0.15
"""Shares of a page's spaces that are in its file and that pdfium adds within words. The former has all that split words
then; the latter are nearly none unless a file sets parts of words one by one, as some OCR layers do."""
MAX_ADDED_GAP_EM = 0.18
"""Distance of two letters that are one word where pdfium adds a space, relative to their height."""
_SPACE = re.compile(r" (?<=[^\W\d_] )(?=[^\W\d_]|[.,;:!?](?:\s(?!\.)|$))")
"""A space between letters, or before a stop that begins no leader. It begins with the space: the engine leaps to it."""


def without_cancelled_spaces(page: PdfPage, text: str, edges: Grid) -> str:
    """Return the characters of a page with `FILLER` for spaces between letters that touch.

    Args:
        page: The page.
        text: The characters.
        edges: Their boxes on the page as displayed; shape (4, characters).
    """
    spaces = np.array([found.start() for found in _SPACE.finditer(text)], np.int64)
    if not spaces.size:
        return text
    characters = list(text)
    for index in added_spaces(spaces, edges):
        characters[index] = FILLER
    cancelled = touched_spaces(spaces, edges)
    if cancelled:
        # Boxes of slanted letters reach over the space before them, which their origins do not.
        indices = [index for space in cancelled for index in (space, space + 1)]
        origins = character_origins.read(page.text_pointer, indices)
        advances = np.hypot(*(origins[1::2] - origins[::2]).T)
        widths = (edges[2] - edges[0])[cancelled]
        for index, advance, width in zip(cancelled, advances.tolist(), widths.tolist(), strict=True):
            if advance < MAX_ADVANCE_SHARE * width:
                characters[index] = FILLER
    return "".join(characters)


def added_spaces(spaces: Indices, edges: Grid) -> list[int]:
    """Return the spaces that pdfium added within words; none if the file has no spaces of its own."""
    x0, _, x1, _ = edges
    # Those that pdfium adds have no width.
    is_added = x1[spaces] <= x0[spaces]
    if is_added.sum() > (1 - MIN_TYPED_SHARE) * spaces.size:
        return []
    gaps, heights, is_level = _letters_beside(spaces, edges)
    inner = spaces[is_added & is_level & (gaps <= MAX_ADDED_GAP_EM * heights) & (gaps >= 0)]
    indices: list[int] = inner.tolist()
    return indices if inner.size >= MIN_ADDED_SHARE * spaces.size else []


def touched_spaces(spaces: Indices, edges: Grid) -> list[int]:
    """Return the spaces whose letters at both sides touch; none if many of a page are such."""
    x0, _, x1, _ = edges
    gaps, heights, is_level = _letters_beside(spaces, edges)
    is_touched = (gaps <= MAX_GAP_EM * heights) & (gaps >= MIN_GAP_EM * heights)
    touched = spaces[is_level & (x1[spaces] > x0[spaces]) & is_touched]
    indices: list[int] = touched.tolist()
    return indices if touched.size <= MAX_CANCELLED_SHARE * spaces.size else []


def _letters_beside(spaces: Indices, edges: Grid) -> tuple[Grid, Grid, "np.ndarray[Any, np.dtype[np.bool_]]"]:
    """Return the distance of the letters beside each space, the height of the first, and if they are on one line."""
    x0, y0, x1, y1 = edges
    before, after = spaces - 1, spaces + 1
    is_level = np.abs(y1[after] - y1[before]) <= LEVEL_TOLERANCE_PT
    return x0[after] - x1[before], y1[before] - y0[before], is_level

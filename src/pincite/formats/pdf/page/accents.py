# ruff: noqa: RUF001 - signs that look like letters are what this file is about
"""Accents that are drawn apart from their letters, as `n¨amlich` for `nämlich`, and spaces that are taken back.

pdfium may return them before their letter, or at the end of the line, and take the place where they were for a space.
"""

import re
import unicodedata
from typing import Any

import numpy as np

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import character_origins
from pincite.formats.pdf.page.rectangles import Grid

FILLER = "\u2060"
"""Place of a character that is part of another one; no part of a word's text."""
MAX_SHIFT_SHARE = 0.25
"""Distance of the middles of accent and letter, as a share of the accent's width: TeX centres one above the other."""
MAX_GAP_EM = 0.1
"""Gap between two letters of a word, in heights of a line, which are lower than an em."""
MAX_ACCENTS = 2_000
"""Accents of a page that are examined; each is compared with all its letters."""
MAX_NEAR = 16
"""Characters at one place that an accent is tried on: the nearest ones."""
_MARKS = {
    "`": "\u0300", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "¯": "\u0304", "˘": "\u0306", "˙": "\u0307",
    "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327",
}  # fmt: skip
_ACCENT = re.compile(f"[{''.join(_MARKS)}]")
_DOTLESS = {"ı": "i", "\u0237": "j"}
_GAPS = frozenset((" ", FILLER))
Indices = np.ndarray[Any, np.dtype[np.int64]]
MAX_KERN_EM, MIN_KERN_EM = 0.03, -0.2
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


def join_accents(text: str, boxes: Grid) -> str:
    """Return the characters of a page with accents on their letters; every index keeps its glyph.

    Args:
        text: Characters of the page.
        boxes: Loose boxes of its characters in page space, shape (characters, 4): left, top, right, bottom. Those of
            fillers become empty ones at the edge of the letter before them.
    """
    accents = [match.start() for match in _ACCENT.finditer(text)][:MAX_ACCENTS]
    if not accents:
        return text
    letters = list(text)
    joined = [accent for accent in accents if _join(letters, boxes, accent)]
    for accent in joined:
        _close(letters, boxes, accent)
    return "".join(letters)


def _join(letters: list[str], boxes: Grid, accent: int) -> bool:
    """Put an accent on the letter below it; return False if there is none that can have it."""
    left, top, right, bottom = boxes[accent]
    shifts = np.abs((boxes[:, 0] + boxes[:, 2] - left - right) / 2)
    heights = np.minimum(boxes[:, 1], top) - np.maximum(boxes[:, 3], bottom)
    near = np.flatnonzero((shifts <= MAX_SHIFT_SHARE * (right - left)) & (2 * heights > top - bottom))
    if near.size > MAX_NEAR:
        near = near[np.argpartition(shifts[near], MAX_NEAR)[:MAX_NEAR]]
    for index in sorted(near.tolist(), key=lambda index: (shifts[index], abs(index - accent))):
        base = _DOTLESS.get(letters[index], letters[index])
        composed = unicodedata.normalize("NFC", base + _MARKS[letters[accent]])
        if base.isalpha() and len(composed) == 1:
            letters[index], letters[accent] = composed, FILLER
            return True
    return False


def _close(letters: list[str], boxes: Grid, accent: int) -> None:
    """Close the gap that a joined accent leaves: within a word and at its edges by fillers, elsewhere by a space."""
    before, after = accent - 1, accent + 1
    while before >= 0 and letters[before] in _GAPS:
        before -= 1
    while after < len(letters) and letters[after] in _GAPS:
        after += 1
    has_before = before >= 0 and not letters[before].isspace()
    has_after = after < len(letters) and not letters[after].isspace()
    if has_before and has_after and _are_adjacent(boxes, before, after):
        fill, edge = range(before + 1, after), boxes[before, 2]
    elif has_after and after == accent + 1:
        fill, edge = range(accent, after), boxes[after, 0]
    elif has_before and before == accent - 1:
        fill, edge = range(accent, accent + 1), boxes[before, 2]
    else:
        letters[accent] = " "
        return
    level = before if has_before and edge == boxes[before, 2] else after
    for index in fill:
        letters[index] = FILLER
        boxes[index] = (edge, boxes[level, 1], edge, boxes[level, 3])


def _are_adjacent(boxes: Grid, before: int, after: int) -> bool:
    """Return True if no space is between two characters of a line."""
    height = float(boxes[before, 1] - boxes[before, 3])
    is_level = 2 * (min(boxes[before, 1], boxes[after, 1]) - max(boxes[before, 3], boxes[after, 3])) > height
    return is_level and abs(float(boxes[after, 0] - boxes[before, 2])) <= MAX_GAP_EM * height


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
    is_touched = (gaps <= MAX_KERN_EM * heights) & (gaps >= MIN_KERN_EM * heights)
    touched = spaces[is_level & (x1[spaces] > x0[spaces]) & is_touched]
    indices: list[int] = touched.tolist()
    return indices if touched.size <= MAX_CANCELLED_SHARE * spaces.size else []


def _letters_beside(spaces: Indices, edges: Grid) -> tuple[Grid, Grid, "np.ndarray[Any, np.dtype[np.bool_]]"]:
    """Return the distance of the letters beside each space, the height of the first, and if they are on one line."""
    x0, y0, x1, y1 = edges
    before, after = spaces - 1, spaces + 1
    is_level = np.abs(y1[after] - y1[before]) <= LEVEL_TOLERANCE_PT
    return x0[after] - x1[before], y1[before] - y0[before], is_level

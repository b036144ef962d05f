# ruff: noqa: RUF001 - signs that look like letters are what this file is about
"""Accents that are drawn apart from their letters, as TeX's old fonts do: `n¨amlich` is read as `nämlich`.

pdfium may return them before their letter, or at the end of the line, and take the place where they were for a space.
"""

import re
import unicodedata

import numpy as np

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

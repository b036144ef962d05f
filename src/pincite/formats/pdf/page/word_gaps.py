"""Gaps between characters that end a word without a space in the file."""

from collections.abc import Sequence
from typing import Any

MIN_WORD_GAP_EM = 0.22
"""Gap between two characters that ends a word. Boxes are loose ones: tight ones leave wider gaps inside `5,50`."""
MIN_STYLE_GAP_EM = 0.15
"""The same where font or colour change at one size: parts of a word touch there, and tight lines have narrow spaces."""
MIN_LONE_GAP_EM = 0.15
"""The same between two letters of a word whose other characters touch, as in `ifsuch`."""
MAX_TOUCHING_GAP_EM = 0.05
MIN_LETTERS = 4
"""Characters of a text that show how far apart they are."""


def word_gap_em(look: tuple[Any, ...], other: tuple[Any, ...]) -> float:
    """Return the gap that ends a word between two characters, from their sizes, fonts, bold, italic and colours."""
    return MIN_STYLE_GAP_EM if look[0] == other[0] and look != other else MIN_WORD_GAP_EM


def lone_gap(text: str, gaps: Sequence[float], size: float) -> int | None:
    """Return the index of the letter before the only gap of a text in one style, between two words; None without one.

    Args:
        text: Its characters.
        gaps: Distances between them, one less.
        size: Font size.
    """
    if len(text) < MIN_LETTERS:
        return None
    *others, widest = sorted(gaps)
    index = gaps.index(widest)
    is_lone = widest > MIN_LONE_GAP_EM * size and others[-1] <= MAX_TOUCHING_GAP_EM * size
    return index if is_lone and text[index].isalpha() and text[index + 1].isalpha() else None

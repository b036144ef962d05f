"""Small capitals that are printed as capitals of a smaller size: `A` and `PPLICATION` are one word."""

import re
from collections.abc import Iterable
from dataclasses import replace

from pincite.formats.pdf.page.words import Word

MIN_SIZE_RATIO, MAX_SIZE_RATIO = 0.65, 0.9
"""Size of small capitals relative to that of the capital before them: LaTeX and Word print .8."""
MAX_GAP_EM = 0.15
"""Gap between a capital and the small ones behind it; a space is .25 em."""
MAX_SPACE_EM, MIN_LETTERS = 0.6, 2
"""Space between two words of a title, and letters of each, one in capitals and one in small ones."""
MIN_DEPTH_EM, MAX_DEPTH_EM = 0.1, 0.4
"""Depth of a font's loose box below the baseline: the lower edges of two sizes on one baseline differ by it."""
_SMALL_CAPITALS = re.compile(r"csc\d|small[- ]?cap|[-_]sc\b|smcp", re.IGNORECASE)
"""Names of fonts whose small letters look like capitals, TeX's included."""
MAX_TITLE_WORDS = 40
"""Words on each side of such a word that are looked at; titles are shorter."""
MAX_LEADING_EM = 1.8
"""Distance of two lines of a title."""


def with_small_capitals(words: Iterable[Word]) -> list[Word]:
    """Return words in which a capital and the small capitals behind it are one.

    Words of small capitals alone next to them, `WHAT IS IT`, have the size of the capitals: they are in the same type.
    """
    joined: list[Word] = []
    small_sizes: dict[int, float] = {}
    for word in words:
        # Nearly all words are as large as the one before.
        is_smaller = bool(joined) and word.size < joined[-1].size
        if is_smaller and _are_small_capitals(joined[-1], word):
            last = joined[-1]
            # A font of small capitals may have one glyph, and one letter, for both.
            capital = last.text[:-1] + last.text[-1].upper()
            joined[-1] = replace(last, text=capital + word.text, x1=word.x1, last=word.last)
            small_sizes[len(joined) - 1] = word.size
        else:
            if is_smaller and _are_abbreviation_and_small(joined[-1], word):
                small_sizes[len(joined) - 1] = word.size
            joined.append(word)
    for index, size in small_sizes.items():
        _enlarge(joined, index, size)
    return joined


def _enlarge(words: list[Word], index: int, small_size: float) -> None:
    """Give the words of small capitals alone before and behind a word with a capital the size of the capital."""
    capital = words[index]
    before = range(index - 1, max(index - MAX_TITLE_WORDS, 0) - 1, -1)
    behind = range(index + 1, min(index + MAX_TITLE_WORDS, len(words)))
    for indices, nearer in ((before, 1), (behind, -1)):
        for other in indices:
            word = words[other]
            is_in_type = word.font == capital.font and word.size in {small_size, capital.size}
            is_near = abs(word.y1 - words[other + nearer].y1) <= MAX_LEADING_EM * capital.size
            if not (is_in_type and is_near and _is_in_capitals(word)):
                break
            words[other] = replace(word, size=capital.size)


def _are_small_capitals(one: Word, other: Word) -> bool:
    return (
        _is_smaller_on_baseline(one, other)
        and abs(other.x0 - one.x1) <= MAX_GAP_EM * one.size
        and one.text[-1].isalpha()
        and other.text[0].isalpha()
        and _is_in_capitals(other)
        and (one.text[-1].isupper() or has_small_capitals(one.font))
    )


def _are_abbreviation_and_small(one: Word, other: Word) -> bool:
    """Return True for a word in capitals and one in small capitals behind a space, which has no capital of its own."""
    return (
        _is_smaller_on_baseline(one, other)
        and 0 < other.x0 - one.x1 <= MAX_SPACE_EM * one.size
        and min(len(one.text), len(other.text)) >= MIN_LETTERS
        and all(word.text.isalpha() and word.text.isupper() for word in (one, other))
    )


def _is_smaller_on_baseline(one: Word, other: Word) -> bool:
    difference = one.size - other.size
    return (
        one.font == other.font
        and not (one.turns or other.turns)
        and MIN_SIZE_RATIO * one.size <= other.size <= MAX_SIZE_RATIO * one.size
        and MIN_DEPTH_EM * difference <= one.y1 - other.y1 <= MAX_DEPTH_EM * difference
    )


def _is_in_capitals(word: Word) -> bool:
    return word.text == word.text.upper() or has_small_capitals(word.font)


def has_small_capitals(font: str) -> bool:
    """Return True for the name of a font whose small letters look like capitals."""
    return _SMALL_CAPITALS.search(font) is not None

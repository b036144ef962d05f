"""Hyphens at the ends of lines: pdfium marks them all, those of compound words and those of hyphenation alike."""

from collections.abc import Iterable

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.words import Word

MIN_BROKEN_WORDS, MIN_BROKEN_SHARE = 3, 0.004
"""Number and share of a page's words with a line-end hyphen from which the page counts as hyphenated.

In 16 reports and ASVS, which are not hyphenated, 0.001 of the words have one, and nearly all of 480 belong to the word
(non-GAAP, third-party). Hyphenated text has one in every ten lines, about 0.01 of the words.
"""

_CONJUNCTIONS = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o"})
"""Words after a suspended hyphen, which keeps its space: short- and long-term."""


def breaks_words(words: Iterable[Word]) -> bool:
    """Return True if a page is hyphenated."""
    total = broken = 0
    for word in words:
        total += 1
        broken += word.text.endswith(SOFT_BREAK)
    return broken >= MIN_BROKEN_WORDS and broken >= MIN_BROKEN_SHARE * total


def resolve_soft_break(text: str, following: str, *, breaks: bool) -> str:
    """Replace the trailing `SOFT_BREAK` so that the next line can be appended.

    Args:
        text: Text before the break, ending in `SOFT_BREAK`.
        following: Text of the next line.
        breaks: Whether the page is hyphenated (`breaks_words`).
    """
    stem = text.removesuffix(SOFT_BREAK)
    word = stem.rpartition(" ")[2]
    if following.partition(" ")[0] in _CONJUNCTIONS:
        return f"{stem}- "
    return stem if breaks and following[:1].islower() and word.isalpha() else f"{stem}-"

"""Hyphens at the ends of lines: pdfium tells all of them, whether they belong to the word or only to the break."""

from collections.abc import Iterable

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.words import Word

MIN_BROKEN_WORDS, MIN_BROKEN_SHARE = 3, 0.004
"""Words of a page with such a hyphen, and their share of its words, from which a program breaks its words.

`measured`: in 16 reports and ASVS, whose programs do not, 0.001 of the words have one, and of 480 nearly all belong to
the word (non-GAAP, third-party); a program that breaks words does so in one line of ten, a word of a hundred.
"""

_AND = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou", "y", "o"})
"""What follows a hyphen that stands for the rest of a word: short- and long-term."""


def breaks_words(words: Iterable[Word]) -> bool:
    """Whether the program that made a page breaks words at the ends of lines."""
    total = broken = 0
    for word in words:
        total += 1
        broken += word.text.endswith(SOFT_BREAK)
    return broken >= MIN_BROKEN_WORDS and broken >= MIN_BROKEN_SHARE * total


def mended(text: str, following: str, *, breaks: bool) -> str:
    """A text that ends in `SOFT_BREAK`, such that what follows it can be added.

    Args:
        text: All before the break.
        following: What stands on the next line.
        breaks: See `breaks_words`.
    """
    stem = text.removesuffix(SOFT_BREAK)
    word = stem.rpartition(" ")[2]
    if following.partition(" ")[0] in _AND:
        return f"{stem}- "
    return stem if breaks and following[:1].islower() and word.isalpha() else f"{stem}-"

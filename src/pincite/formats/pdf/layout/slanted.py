"""Slanted text, turned by other angles than quarters: watermarks, stamps, labels of charts."""

import math
from collections.abc import Iterator, Sequence

from pincite.formats.pdf.page.words import Word

MAX_SLANTED_SHARE = 0.5
"""Share of a page's words above which the page itself is askew, as a scan, and its text is laid out as if upright."""
MAX_CHARACTERS_BETWEEN = 3
"""Characters of pdfium between two words of one text: a space, or an end of line that it sees in the slant."""
MAX_DISTANCE_EM, MAX_OFFSET_EM = 6.0, 1.0
"""Distance of the middles of two words of one text beyond half of their lengths, and from the line through both."""


def slanted_words(words: Sequence[Word]) -> list[Word]:
    """Return the slanted words of a page, in file order; none of a page that is askew as a whole."""
    slanted = [word for word in words if word.slant]
    return slanted if len(slanted) <= MAX_SLANTED_SHARE * len(words) else []


def slanted_texts(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words of each text among slanted ones, in file order."""
    text: list[Word] = []
    for word in words:
        if text and not _goes_on(text[-1], word):
            yield text
            text = []
        text.append(word)
    if text:
        yield text


def _goes_on(word: Word, following: Word) -> bool:
    """Return True if a word is the next one on the slanted line of another."""
    if word.slant != following.slant or following.first - word.last > MAX_CHARACTERS_BETWEEN:
        return False
    angle = math.radians(word.slant)
    across, down = math.cos(angle), math.sin(angle)
    (x, y), (next_x, next_y) = _middle(word), _middle(following)
    along = (next_x - x) * across + (next_y - y) * down
    offset = abs((next_y - y) * across - (next_x - x) * down)
    reach = (_length(word) + _length(following)) / 2 + MAX_DISTANCE_EM * word.size
    return 0 < along <= reach and offset <= MAX_OFFSET_EM * word.size


def _middle(word: Word) -> tuple[float, float]:
    return (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2


def _length(word: Word) -> float:
    return math.hypot(word.x1 - word.x0, word.y1 - word.y0)

"""Small capitals that are printed as capitals of a smaller size: `A` and `PPLICATION` are one word."""

from collections.abc import Iterable

from pincite.formats.pdf.page.words import Word

MIN_SIZE_RATIO, MAX_SIZE_RATIO = 0.65, 0.9
"""Size of small capitals relative to that of the capital before them: LaTeX and Word print .8."""
MAX_GAP_EM = 0.15
"""Gap between a capital and the small ones behind it; a space is .25 em."""
MIN_DEPTH_EM, MAX_DEPTH_EM = 0.1, 0.4
"""Depth of a font's loose box below the baseline: the lower edges of two sizes on one baseline differ by it."""


def with_small_capitals(words: Iterable[Word]) -> list[Word]:
    """Return words in which a capital and the small capitals behind it are one."""
    joined: list[Word] = []
    for word in words:
        if joined and _are_small_capitals(joined[-1], word):
            last = joined[-1]
            joined[-1] = last._replace(text=last.text + word.text, x1=word.x1, last=word.last)
        else:
            joined.append(word)
    return joined


def _are_small_capitals(one: Word, other: Word) -> bool:
    difference = one.size - other.size
    if difference <= 0 or one.font != other.font or one.turns or other.turns:
        return False
    return (
        MIN_SIZE_RATIO * one.size <= other.size <= MAX_SIZE_RATIO * one.size
        and abs(other.x0 - one.x1) <= MAX_GAP_EM * one.size
        and MIN_DEPTH_EM * difference <= one.y1 - other.y1 <= MAX_DEPTH_EM * difference
        and one.text[-1].isupper()
        and other.text[0].isupper()
        and other.text == other.text.upper()
    )

"""Lines in left-to-right letters on right-to-left pages, whose words pdfium returns from the right: `1 CHAPTER`."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Word, is_on_baseline, is_rtl


def restore_word_order(words: Sequence[Word]) -> list[Word]:
    """Return the words of a page, with each line without right-to-left letters from left to right."""
    if not any(map(is_rtl, words)):
        return list(words)
    return [word for line in _lines(words) for word in (reversed(line) if _is_reversed(line) else line)]


def _lines(words: Sequence[Word]) -> Iterator[list[Word]]:
    line: list[Word] = []
    for word in words:
        if line and (word.turns != line[-1].turns or not is_on_baseline(line[-1], word)):
            yield line
            line = []
        line.append(word)
    yield line


def _is_reversed(line: Sequence[Word]) -> bool:
    is_upright = not line[0].turns and not any(map(is_rtl, line))
    return is_upright and all(following.x1 <= word.x0 for word, following in pairwise(line))

"""Lines of right-to-left pages whose words come from the wrong side: `1 CHAPTER` by pdfium, Hebrew by tags."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite.formats.pdf.page.words import Word, have_rtl, in_logical_order, is_on_baseline


def restore_word_order(words: Sequence[Word]) -> list[Word]:
    """Return the words of a page, with each line without right-to-left letters from left to right."""
    if not have_rtl(words):
        return list(words)
    return [word for line in _lines(words) for word in (reversed(line) if _is_reversed(line) else line)]


def in_line_order(words: Sequence[Word]) -> list[Word]:
    """Return the words of an element, with each line that has right-to-left letters in the order of the file.

    Tags may have them as they are printed, from the left.
    """
    if not have_rtl(words):
        return list(words)
    return [word for line in _lines(words) for word in in_logical_order(line)]


def _lines(words: Sequence[Word]) -> Iterator[list[Word]]:
    line: list[Word] = []
    for word in words:
        if line and (word.turns != line[-1].turns or not is_on_baseline(line[-1], word)):
            yield line
            line = []
        line.append(word)
    yield line


def _is_reversed(line: Sequence[Word]) -> bool:
    is_upright = not line[0].turns and not have_rtl(line)
    return is_upright and all(following.x1 <= word.x0 for word, following in pairwise(line))

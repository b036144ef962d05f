"""Words of letter-spaced titles, `R E P O R T`, which pdfium parts at each letter."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.words import Word

MIN_LETTERS = 4
"""Letters in a row that are words of their own, of which all but a few are: some pairs are closer than others."""
MIN_SINGLE_SHARE = 0.6
MAX_PIECE_CHARS = 3
"""Letters of such pairs that are one word."""
MAX_RISE_EM = 0.1
"""Difference of the lower edges of letters of one word."""
MAX_GAP_EM = 1.5
"""White between two words of such a title."""
MIN_WORD_GAP_RATIO = 1.6
"""White between two words relative to that between most letters."""
_PIECE_LENGTHS = {length: str(length) for length in range(1, MAX_PIECE_CHARS + 1)}
_SHORT = re.compile("[123]{4,}")
"""`MIN_LETTERS` lengths of such words in a row, or more."""
MIN_DISTINCT_LETTERS = 4
"""Different letters of a single word: `Y N Y N` is none."""
MAX_TITLE_PIECES = 200
"""Pieces of one line."""


def join_spaced_letters(page: PdfPage, words: Sequence[Word]) -> list[Word]:
    """Return words in file order, with the letters of letter-spaced lines joined.

    Letters between which the file itself has spaces stay apart.
    """
    # Lengths of words as digits: nearly all pages have no such row of letters, which is found so in no time.
    lengths = "".join([_PIECE_LENGTHS.get(len(word.text), " ") for word in words])
    joined: list[Word] = []
    end = 0
    for found in _SHORT.finditer(lengths):
        start, stop = found.span()
        if found.group().count("1") < MIN_LETTERS:
            continue
        joined += words[end:start]
        for run in _runs(words[start:stop]):
            joined += _joined(page, run) if _is_spaced(run) and _is_line(run, words, start) else run
            start += len(run)
        end = stop
    return [*joined, *words[end:]]


def _is_line(run: Sequence[Word], words: Sequence[Word], start: int) -> bool:
    """Return True if no word right before or behind a run, which begins at the number `start`, is on its line."""
    stop = start + len(run)
    near = (*words[max(start - 1, 0) : start], *words[stop : stop + 1])
    return not any(_is_in_line(run[0], other) for other in near)


def _runs(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield words, those that may be pieces of letter-spaced ones together."""
    run: list[Word] = []
    for word in words:
        if run and not (len(word.text) <= MAX_PIECE_CHARS and len(run) < MAX_TITLE_PIECES and _adjoins(run[-1], word)):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _adjoins(word: Word, following: Word) -> bool:
    is_alike = word.object == following.object and word.font == following.font and word.size == following.size
    is_near = 0 < following.x0 - word.x1 <= MAX_GAP_EM * word.size
    return is_alike and is_near and len(word.text) <= MAX_PIECE_CHARS and _is_in_line(word, following)


def _is_in_line(word: Word, other: Word) -> bool:
    return not (word.turns or other.turns) and abs(word.y1 - other.y1) < MAX_RISE_EM * word.size


def _is_spaced(run: Sequence[Word]) -> bool:
    """Return True for letters of several words, which wider white parts, or of one that is no list of letters."""
    singles = sum(len(word.text) == 1 for word in run)
    if singles < max(MIN_LETTERS, MIN_SINGLE_SHARE * len(run)) or any(map(str.isdigit, (word.text for word in run))):
        return False
    letters = [character for word in run for character in word.text.casefold() if character.isalpha()]
    gaps = [following.x0 - word.x1 for word, following in pairwise(run)]
    has_words = max(gaps) > MIN_WORD_GAP_RATIO * median(gaps)
    return len(set(letters)) >= MIN_DISTINCT_LETTERS and (has_words or letters != sorted(letters))


def _joined(page: PdfPage, run: Sequence[Word]) -> Iterator[Word]:
    gaps = [following.x0 - word.x1 for word, following in pairwise(run)]
    widest = MIN_WORD_GAP_RATIO * median(gaps)
    word = run[0]
    for following, gap in zip(run[1:], gaps, strict=True):
        # A space that pdfium adds is in no file.
        is_typed = following.first - word.last > 1 and not pdfium.FPDFText_IsGenerated(page.text, word.last + 1)
        if gap > widest or is_typed:
            yield word
            word = following
        else:
            word = replace(word, text=word.text + following.text, x1=following.x1, last=following.last)
    yield word

"""Repairs of words that a page sets in pieces: small capitals, spaced letters, hyphens at line ends, reversed lines."""

import ctypes
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from statistics import median

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.characters import KEPT_BREAK, LONE_BREAK, SOFT_BREAK, SOFT_HYPHEN, text_objects
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import Handle, font_of, read_utf16
from pincite.formats.pdf.page.words import Word, have_rtl, in_logical_order, is_on_baseline

MAX_INNER_HYPHENS = 50
"""Hyphens within lines that are examined on a page."""
MAX_MARKS = 8
"""Marked-content sequences around an object that are searched for a replacement text."""
MIN_WHOLE_LETTERS = 2
"""Letters before a hyphen that must be one object, so that the hyphen's own object tells something."""
_HYPHENS = ("-", "\u2010", SOFT_BREAK)
MIN_SPACED_LETTERS = 4
"""Letters in a row that are words of their own, of which all but a few are: some pairs are closer than others."""
MIN_SINGLE_SHARE = 0.6
MAX_PIECE_CHARS = 3
"""Letters of such pairs that are one word."""
MAX_RISE_EM = 0.1
"""Difference of the lower edges of letters of one word."""
MAX_SPACED_GAP_EM = 1.5
"""White between two words of such a title."""
MIN_WORD_GAP_RATIO = 1.6
"""White between two words relative to that between most letters."""
_PIECE_LENGTHS = {length: str(length) for length in range(1, MAX_PIECE_CHARS + 1)}
_SHORT = re.compile("[123]{4,}")
"""`MIN_SPACED_LETTERS` lengths of such words in a row, or more."""
MIN_DISTINCT_LETTERS = 4
"""Different letters of a single word: `Y N Y N` is none."""
MAX_TITLE_PIECES = 200
"""Pieces of one line."""
MIN_SIZE_RATIO, MAX_SIZE_RATIO = 0.65, 0.9
"""Size of small capitals relative to that of the capital before them: LaTeX and Word print .8."""
MAX_GAP_EM = 0.15
"""Gap between a capital and the small ones behind it; a space is .25 em."""
MAX_SPACE_EM, MIN_LETTERS = 0.6, 2
"""Space between two words of a title, and letters of each, one in capitals and one in small ones."""
MIN_DEPTH_EM, MAX_DEPTH_EM = 0.1, 0.4
"""Depth of a font's loose box below the baseline: the lower edges of two sizes on one baseline differ by it."""
MAX_TITLE_WORDS = 40
"""Words on each side of such a word that are looked at; titles are shorter."""
MAX_LEADING_EM = 1.8
"""Distance of two lines of a title."""


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


def mark_hyphens(page: PdfPage, words: Sequence[Word]) -> list[Word]:
    """Return the words of a page with the kind of the hyphens that end them, as far as the file tells it."""
    marked = list(words)
    for number, word in enumerate(words):
        if word.text.endswith(_HYPHENS) and word.text[-2:-1].isalpha():
            # The one letter between two breaks: oblig-a-tion.
            is_between = (
                number > 0
                and len(word.text) == len("a-")
                and marked[number - 1].text.endswith((LONE_BREAK, SOFT_HYPHEN))
            )
            kind = _kind(page, word.last, 1 if is_between else MIN_WHOLE_LETTERS)
            if kind:
                marked[number] = replace(word, text=word.text[:-1] + kind)
    return marked


def inner_hyphens(page: PdfPage, words: Iterable[Word]) -> frozenset[str]:
    """Return how hyphens within words, which are their own, are drawn: `-` for one with its letters, else a code."""
    examined = islice(_inner_hyphens(words), MAX_INNER_HYPHENS)
    return frozenset(kind for index in examined if (kind := _kind(page, index) or _drawn_with(page, index)))


def _inner_hyphens(words: Iterable[Word]) -> Iterator[int]:
    """Yield the indices of hyphens within words; not of folded words, whose letters are no characters of the file."""
    for word in words:
        position = word.text.find("-", MIN_WHOLE_LETTERS, -1)
        if position > 0 and len(word.text) == word.last - word.first + 1 and word.text[position - 1].isalpha():
            yield word.first + position


def _kind(page: PdfPage, index: int, min_letters: int = MIN_WHOLE_LETTERS) -> str:
    """Return what a hyphen is: `KEPT_BREAK`, `SOFT_HYPHEN` or `LONE_BREAK`; empty if nothing tells.

    Args:
        page: The page.
        index: Index of the hyphen.
        min_letters: Letters before it that must be one object.
    """
    *letters, hyphen, following = text_objects(page, range(max(0, index - min_letters), index + 2))
    replacement = _replacement(hyphen)
    if replacement is not None:
        return SOFT_HYPHEN if replacement in ("", SOFT_HYPHEN) else KEPT_BREAK if replacement == "-" else ""
    are_one = len(letters) == min_letters and len(set(letters)) == 1 and 0 not in letters
    if not are_one or hyphen in (0, following, *letters):
        return ""
    # After a word in another font, `code-like`, the word's own hyphen is drawn by itself, too, where it ends a line.
    return LONE_BREAK if font_of(hyphen) == font_of(letters[-1]) else ""


def _drawn_with(page: PdfPage, index: int) -> str:
    letter, hyphen = text_objects(page, (index - 1, index))
    return "-" if letter == hyphen != 0 else ""


def _replacement(item: int) -> str | None:
    """Return the replacement text of an object; None without one."""
    handle = ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)
    for index in range(min(max(0, pdfium.FPDFPageObj_CountMarks(handle)), MAX_MARKS) if item else 0):
        mark, length = pdfium.FPDFPageObj_GetMark(handle, index), ctypes.c_ulong()
        if pdfium.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", None, 0, ctypes.byref(length)):
            # pdfium returns UTF-16 byte by byte, and nothing for codes that PDFDocEncoding lacks, as the soft hyphen's.
            return _text(mark, length.value).lstrip("\ufeff").replace("\0", "")
    return None


def _text(mark: Handle, length: int) -> str:
    def read(buffer: Handle, size: int) -> int:
        return pdfium.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", buffer, size, ctypes.c_ulong())

    return read_utf16(length, read)


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
        if found.group().count("1") < MIN_SPACED_LETTERS:
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
    is_near = 0 < following.x0 - word.x1 <= MAX_SPACED_GAP_EM * word.size
    return is_alike and is_near and len(word.text) <= MAX_PIECE_CHARS and _is_in_line(word, following)


def _is_in_line(word: Word, other: Word) -> bool:
    return not (word.turns or other.turns) and abs(word.y1 - other.y1) < MAX_RISE_EM * word.size


def _is_spaced(run: Sequence[Word]) -> bool:
    """Return True for letters of several words, which wider white parts, or of one that is no list of letters."""
    singles = sum(len(word.text) == 1 for word in run)
    if singles < max(MIN_SPACED_LETTERS, MIN_SINGLE_SHARE * len(run)) or any(
        map(str.isdigit, (word.text for word in run))
    ):
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
            joined[-1] = replace(last, text=last.text + word.text, x1=word.x1, last=word.last)
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
        and one.text[-1].isupper()
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
    return word.text == word.text.upper()

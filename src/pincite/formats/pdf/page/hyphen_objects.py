"""Hyphens at the ends of lines by how the file stores them: with the text that they replace, or as own objects.

A printer that breaks a word adds a hyphen that is not in its text. Some say so by a replacement text (`ActualText`,
ISO 32000-1, 14.9.4): a soft hyphen or nothing for one of the print, a hyphen where the font's map would make a soft
one of the word's own. Typst draws the hyphen of the print by itself, too, and the word's own with its letters.
"""

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.characters import (
    KEPT_BREAK,
    LONE_BREAK,
    SOFT_BREAK,
    SOFT_HYPHEN,
    text_objects,
)
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import Handle, font_of, read_utf16
from pincite.formats.pdf.page.words import Word

MAX_INNER_HYPHENS = 50
"""Hyphens within lines that are examined on a page."""
MAX_MARKS = 8
"""Marked-content sequences around an object that are searched for a replacement text."""
MIN_LETTERS = 2
"""Letters before a hyphen that must be one object, so that the hyphen's own object tells something."""
_HYPHENS = ("-", "\u2010", SOFT_BREAK)


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
            kind = _kind(page, word.last, 1 if is_between else MIN_LETTERS)
            if kind:
                marked[number] = replace(word, text=word.text[:-1] + kind)
    return marked


def inner_hyphens(page: PdfPage, words: Iterable[Word]) -> frozenset[str]:
    """Return how hyphens within words, which are their own, are drawn: `-` for one with its letters, else a code."""
    examined = islice(_inner_hyphens(words), MAX_INNER_HYPHENS)
    return frozenset(kind for index in examined if (kind := _kind(page, index) or _joined(page, index)))


def _inner_hyphens(words: Iterable[Word]) -> Iterator[int]:
    """Yield the indices of hyphens within words; not of folded words, whose letters are no characters of the file."""
    for word in words:
        position = word.text.find("-", MIN_LETTERS, -1)
        if position > 0 and len(word.text) == word.last - word.first + 1 and word.text[position - 1].isalpha():
            yield word.first + position


def _kind(page: PdfPage, index: int, min_letters: int = MIN_LETTERS) -> str:
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


def _joined(page: PdfPage, index: int) -> str:
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

"""Whether a page's text can be used, and what to say where it cannot."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import chain, islice

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.visibility import image_cover
from pincite.formats.pdf.page.words import PageWords, Word

EMPTY_PAGE_CHARS, SPARSE_PAGE_CHARS = 16, 100
EMPTY_PAGE_COVER, SPARSE_PAGE_COVER = 0.25, 0.5
"""A page of fewer characters on which pictures cover more than this share is a scan (`measured`)."""
MOST_ERRORS = 0.2
MOST_BAD = 0.05
MOST_CIDS = 3
"""Shares of characters without a Unicode value, or that mean nothing, from which a text is in doubt (`measured`)."""
SAMPLE = 200
"""Characters of a page that are looked at."""

_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")
SCAN = "the page is a picture of text, which was not read: this version has no text recognition (OCR)"
GARBAGE = "the page's text may be garbage: its fonts do not say which characters they print"


def problem(page: PdfPage, found: PageWords) -> str:
    """Why a page's text cannot be used; empty where it can."""
    characters = sum(len(word.text) for word in found.words)
    if characters < SPARSE_PAGE_CHARS:
        cover = image_cover(page)
        if (characters < EMPTY_PAGE_CHARS and cover > EMPTY_PAGE_COVER) or cover > SPARSE_PAGE_COVER:
            return SCAN
    if characters and _is_garbage(page, found.words, characters):
        return GARBAGE
    return ""


def _is_garbage(page: PdfPage, words: Sequence[Word], characters: int) -> bool:
    bad = sum(map(_is_bad, _BEYOND_ASCII.findall("".join(word.text for word in words))))
    if bad > MOST_BAD * characters or sum(word.text.count("(cid:") for word in words) > MOST_CIDS:
        return True
    indices = chain.from_iterable(range(word.first, word.last + 1) for word in words)
    sample = list(islice(indices, 0, None, max(1, sum(word.last - word.first + 1 for word in words) // SAMPLE)))
    return sum(pdfium.FPDFText_HasUnicodeMapError(page.text, index) > 0 for index in sample) > MOST_ERRORS * len(sample)


def _is_bad(character: str) -> bool:
    """Whether a character is the replacement character, or of a category that no text has."""
    return character == "\ufffd" or unicodedata.category(character) in ("Cn", "Co", "Cc", "Cs")

"""Hidden text: words off the page, unpainted, too small, or without which the page would look the same."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pincite.formats.pdf.page.drawn import unseen_words
from pincite.formats.pdf.page.images import images
from pincite.formats.pdf.page.page import PageSpace, PdfPage
from pincite.formats.pdf.page.suspects import suspects
from pincite.formats.pdf.page.words import PageWords, Word, is_legible, is_on_baseline, page_words

MAX_LAYER_VISIBLE_CHARS = 100
"""A scan with fewer visible characters has its text in an invisible OCR layer; the same limit as for a sparse scan
(`quality`), which raised no false alarm on 956 pages."""
MIN_LAYER_COVER_SHARE = 0.5
"""Share of the page that images must cover for an OCR layer; as for a sparse scan."""


def visible_words(page: PdfPage) -> PageWords:
    """Return the words of a page, with all invisible ones among the hidden."""
    extracted = page_words(page)
    extracted = _hide(extracted, _off_page(extracted.words, page.space))
    unseen = unseen_words(page, extracted.words)
    if unseen:
        extracted = _hide(extracted, {word.first for word in unseen})
        extracted.words = _cut_at_next(extracted.words, suspects(page, extracted.words))
    return extracted


def _cut_at_next(words: Sequence[Word], clipped: Sequence[Word]) -> list[Word]:
    """Return words with those that may be clipped ending where another one is drawn over them."""
    cut = {word.first for word in clipped}
    return [
        replace(word, x1=next((other.x0 for other in words if _is_drawn_over(word, other)), word.x1))
        if word.first in cut
        else word
        for word in words
    ]


def _is_drawn_over(word: Word, other: Word) -> bool:
    """Return True if another word begins within a word, a letter or more behind its beginning."""
    return word.x0 + word.size < other.x0 < word.x1 and is_on_baseline(word, other)


def is_ocr_layer(page: PdfPage, extracted: PageWords) -> bool:
    """Return True if a page is a scan with an invisible OCR text layer."""
    if not extracted.hidden or sum(len(word.text) for word in extracted.words) >= MAX_LAYER_VISIBLE_CHARS:
        return False
    return image_cover(page) > MIN_LAYER_COVER_SHARE


def with_ocr_layer(extracted: PageWords) -> PageWords:
    """Return a scan's words with those of its OCR layer made visible."""
    readable = [word for word in extracted.hidden if is_legible(word)]
    words = sorted([*extracted.words, *readable], key=lambda word: word.first)
    hidden = [word for word in extracted.hidden if not is_legible(word)]
    return PageWords(words, hidden, extracted.characters)


def image_cover(page: PdfPage) -> float:
    """Return the share of the page that images cover; above 1 if they overlap."""
    page_area = page.space.width * page.space.height
    covered = sum((box.x1 - box.x0) * (box.y1 - box.y0) for _, box in images(page))
    return covered / page_area if page_area else 0.0


def _hide(extracted: PageWords, hidden_firsts: set[int]) -> PageWords:
    if not hidden_firsts:
        return extracted
    hidden = sorted(
        [*extracted.hidden, *(word for word in extracted.words if word.first in hidden_firsts)],
        key=lambda word: word.first,
    )
    return PageWords(
        [word for word in extracted.words if word.first not in hidden_firsts],
        hidden,
        extracted.characters,
    )


def _off_page(words: Iterable[Word], space: PageSpace) -> set[int]:
    """Return the words whose centre is off the page, by index of the first character."""
    width, height = 2 * space.width, 2 * space.height
    return {word.first for word in words if not (0 <= word.x0 + word.x1 <= width and 0 <= word.y0 + word.y1 <= height)}

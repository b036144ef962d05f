"""Content of an untagged page as plain data, which outlives the open page."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from pincite.formats.pdf.layout.headings import Look, count_looks
from pincite.formats.pdf.layout.running_heads import PageEdges, page_edges
from pincite.formats.pdf.page.characters import AS_HYPHENS
from pincite.formats.pdf.page.drawn_signs import with_drawn_signs, with_underscores
from pincite.formats.pdf.page.margin_numbers import without_line_numbers
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.quality import SCAN, TextSource, agrees, overrules, recognised_words, text_problem
from pincite.formats.pdf.page.rules import Rules, page_rules
from pincite.formats.pdf.page.visibility import is_ocr_layer, visible_words, with_ocr_layer
from pincite.formats.pdf.page.word_repairs import (
    inner_hyphens,
    join_spaced_letters,
    mark_hyphens,
    restore_word_order,
    with_small_capitals,
)
from pincite.formats.pdf.page.words import Line, PageWords, Word, lines_of, visual_lines
from pincite.model.recognition import RecognisedPage

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


@dataclass(frozen=True, slots=True)
class PageContent:
    """Words and rows of an untagged page.

    Attributes:
        number: Page number from 1.
        width: Width as displayed, in points.
        height: Height as displayed, in points.
        rows: Visual lines, from the top, without slanted words.
        words: Visible words in file order.
        slanted: Those of them that are slanted, unless the page is askew as a whole.
        hidden: Runs of hidden text.
        edges: Rows that may be running heads.
        source: Where the text is from, and why it cannot be used.
        rules: Its ruling lines.
        looks: Characters of its visible words by look.
        line_numbers: Numbers of its lines of prose, which are no text.
    """

    number: int
    width: float
    height: float
    rows: tuple[Line, ...]
    words: tuple[Word, ...]
    slanted: tuple[Word, ...]
    hidden: tuple[str, ...]
    edges: PageEdges
    source: TextSource
    rules: Rules
    looks: Counter[Look]
    line_numbers: tuple[str, ...] = ()


def read_words(page: PdfPage, recognised: RecognisedPage | None = None) -> TextSource:
    """Return a page's words: its own, those of its OCR layer, or recognised ones where its own are no text.

    Args:
        page: The open page, turned as its recognised text is.
        recognised: Text that was recognised in its picture; None without any.
    """
    own = visible_words(page)
    if page.is_flattened:
        own.words = _beside_labels(own.words, page.own_characters)
    own.words = with_small_capitals(join_spaced_letters(page, restore_word_order(own.words)))
    own.words, own.inner_hyphens = mark_hyphens(page, own.words), inner_hyphens(page, own.words)
    if is_ocr_layer(page, own):
        return _layer_text(page, with_ocr_layer(own), recognised)
    problem = text_problem(page, own)
    if recognised is None or (own.words and not problem):
        return TextSource(own, problem)
    if recognised.problem:
        return TextSource(own, recognised.problem)
    if problem == SCAN or not own.words or overrules(own.words, recognised):
        words = recognised_words(recognised)
        return TextSource(PageWords(words.words, own.hidden, words.characters), is_recognised=bool(words.words))
    return TextSource(own, "" if agrees(own.words, recognised) else problem)


def _beside_labels(words: Sequence[Word], count: int) -> list[Word]:
    """Return words in file order, but what annotations draw behind what is at its left: a field's value by its label.

    Args:
        words: Words of a page, those of annotations behind the others.
        count: Number of characters of the others.
    """
    own, drawn = ([word for word in words if (word.first < count) == is_own] for is_own in (True, False))
    if not drawn:
        return own
    x1, y0, y1 = np.array([(word.x1, word.y0, word.y1) for word in own]).reshape(-1, 3).T
    behind: dict[int, list[Word]] = {}
    for line in lines_of(drawn):
        shared = np.minimum(y1, line.y1) - np.maximum(y0, line.y0)
        left = np.flatnonzero((x1 <= line.x0) & (2 * shared > np.minimum(y1 - y0, line.y1 - line.y0)))
        label = int(left[np.argmax(x1[left])]) if left.size else len(own) - 1
        behind.setdefault(label, []).extend(line.words)
    return [*behind.get(-1, ()), *chain.from_iterable((word, *behind.get(n, ())) for n, word in enumerate(own))]


def _layer_text(page: PdfPage, own: PageWords, recognised: RecognisedPage | None) -> TextSource:
    """Return the words of an OCR layer; of one with hardly any those that were recognised, if these are more."""
    problem = text_problem(page, own)
    if problem != SCAN or recognised is None or recognised.problem:
        return TextSource(own, problem, is_layer=True)
    words = recognised_words(recognised)
    if len(words.words) > len(own.words):
        return TextSource(PageWords(words.words, own.hidden, words.characters), is_recognised=True)
    # The picture has no more text than its layer says.
    return TextSource(own, is_layer=True)


def page_content(page: PdfPage, recognised: RecognisedPage | None = None) -> PageContent:
    """Read an untagged page; see `read_words`."""
    source, rules = read_words(page, recognised), page_rules(page)
    extracted = source.words
    extracted.words = with_drawn_signs(with_underscores(extracted.words, rules.horizontal), rules)
    numbered = without_line_numbers(extracted.words)
    extracted.words = numbered.words
    slanted = slanted_words(extracted.words)
    firsts = {word.first for word in slanted}
    rows = tuple(visual_lines(word for word in extracted.words if word.first not in firsts))
    return PageContent(
        page.number,
        page.space.width,
        page.space.height,
        rows,
        tuple(extracted.words),
        tuple(slanted),
        tuple(hidden_runs(extracted)),
        page_edges(rows, page.number, page.space.height),
        source,
        rules,
        count_looks(extracted.words),
        tuple(numbered.lines),
    )


def hidden_runs(extracted: PageWords) -> list[str]:
    """Return hidden words as texts, joined by line."""
    return [line.text.translate(AS_HYPHENS) for line in lines_of(extracted.hidden)]

"""Content of an untagged page as plain data, which outlives the open page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from pincite.formats.pdf.layout.headings import Look, count_looks
from pincite.formats.pdf.layout.running_heads import PageEdges, page_edges
from pincite.formats.pdf.layout.slanted import slanted_words
from pincite.formats.pdf.page.characters import AS_HYPHENS
from pincite.formats.pdf.page.drawn_signs import with_drawn_signs
from pincite.formats.pdf.page.drawn_underscores import with_underscores
from pincite.formats.pdf.page.hyphen_objects import inner_hyphens, mark_hyphens
from pincite.formats.pdf.page.letter_spacing import join_spaced_letters
from pincite.formats.pdf.page.margin_numbers import without_line_numbers
from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.quality import SCAN, text_problem
from pincite.formats.pdf.page.recognised import TextSource, agrees, overrules, recognised_words
from pincite.formats.pdf.page.reversed_lines import restore_word_order
from pincite.formats.pdf.page.rules import Rules, page_rules
from pincite.formats.pdf.page.small_capitals import with_small_capitals
from pincite.formats.pdf.page.visibility import is_ocr_layer, visible_words, with_ocr_layer
from pincite.formats.pdf.page.words import Line, PageWords, Word, lines_of, visual_lines
from pincite.model.recognition import RecognisedPage


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

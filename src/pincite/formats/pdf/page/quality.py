"""Detection of scanned pages and of garbage text layers, and the words that were recognised instead.

The thresholds found 5 of 5 image-only pages and 2 of 2 real scans without a false alarm on 956 real pages; of 21 files
whose fonts had lost their Unicode maps they found all, with 4 readable pages of 3 odd files raised wrongly.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from statistics import median

from pincite.formats.pdf.page.page import PdfPage
from pincite.formats.pdf.page.pdfium import has_map_error
from pincite.formats.pdf.page.rectangles import range_indices
from pincite.formats.pdf.page.visibility import image_cover
from pincite.formats.pdf.page.words import PageWords, Word
from pincite.model.document import Box
from pincite.model.recognition import RecognisedLine, RecognisedPage
from pincite.text.excerpt import REPLACEMENT
from pincite.text.lexicon import english_words

EMPTY_PAGE_CHARS, SPARSE_PAGE_CHARS = 16, 100
EMPTY_PAGE_COVER_SHARE, SPARSE_PAGE_COVER_SHARE = 0.25, 0.5
"""A page with fewer characters of which images cover more than this share is a scan: nearly empty, or sparse."""
MAX_UNMAPPED_SHARE = 0.2
"""Share of sampled characters without a Unicode map; garbage pages had 0.91 to 0.98."""
MAX_INVALID_SHARE = 0.05
"""Share of replacement, private-use, unassigned and control characters."""
MAX_CID_PLACEHOLDERS = 3
"""Occurrences of `(cid:`, which some converters write for a character that they could not map."""
SAMPLE_CHARS = 200
"""Characters of a page whose Unicode map is checked: each takes a call into pdfium."""
MIN_ENGLISH_WORDS, MIN_ENGLISH_SHARE = 10, 0.5
"""Words of three letters or more, and the share that are English, that prove a text: garbage has hardly any."""
MIN_LONG_WORDS, LONG_WORD_LETTERS = 3, 4
"""Number and length of the English words that prove a shorter text, as of a title page: one in 150 is one by chance."""
_LETTERS = re.compile(r"[a-z]{3,}")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7e]")
"""ASCII characters are never invalid, and most texts have few others to look up."""
_UNMAPPED_RUN = re.compile(f"{REPLACEMENT}{{2,}}")
"""A single one is a bullet or a part of a formula's bracket; text without a map is runs of them."""
MIN_UNMAPPED_CHARS = 8
"""Characters in such runs from which a page lacks some of its text."""
SCAN = "the page is a picture of text, which was not read"
GARBAGE = "the page's text may be garbage: its fonts do not say which characters they print"
PARTLY_UNMAPPED = "{} characters of the page were not read: their font does not say which they are"
SIZE_PER_HEIGHT = 0.9
"""Font size in heights of a line's box."""
MAX_HEIGHT_RATIO = 1.2
"""Ratio of two lines' heights up to which they are of one size: a line without descenders has a lower box."""
MIN_SPACE_EM = 0.3
"""Gap that is kept between the boxes of two words, which an engine draws wider than their glyphs."""
MIN_AGREEMENT = 0.6
"""Share of words that a page's own text and the recognised one share from which its own is right: readable pages have
.98 and more, garbage .04 and less."""
MIN_ARBITER_CONFIDENCE = 0.85
"""Mean confidence below which recognised text overrules nothing."""
MAX_FOREIGN_SHARE = 0.5
"""Share of letters in scripts that the engine has not learned from which it overrules nothing."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEARNED = ("LATIN", "CJK", "HIRAGANA", "KATAKANA")
"""Beginnings of the Unicode names of letters that the engine writes."""


def text_problem(page: PdfPage, page_words: PageWords) -> str:
    """Return why a page's text cannot be used; empty if it can."""
    characters = sum(len(word.text) for word in page_words.words)
    if characters < SPARSE_PAGE_CHARS:
        cover = image_cover(page)
        if (characters < EMPTY_PAGE_CHARS and cover > EMPTY_PAGE_COVER_SHARE) or cover > SPARSE_PAGE_COVER_SHARE:
            return SCAN
    if characters and _is_garbage(page, page_words.words, characters):
        return GARBAGE
    return ""


def unmapped_text(words: Iterable[Word]) -> str:
    """Return that a part of a page's text cannot be read; empty if its words are read.

    Of a page with good text otherwise, as around a figure or a name in another script.
    """
    count = sum(map(len, _UNMAPPED_RUN.findall("\n".join([word.text for word in words]))))
    return PARTLY_UNMAPPED.format(count) if count >= MIN_UNMAPPED_CHARS else ""


def _is_garbage(page: PdfPage, words: Sequence[Word], characters: int) -> bool:
    # With line ends between them, so that no placeholder is made up of two words.
    text = "\n".join([word.text for word in words])
    invalid = sum(map(_is_invalid, _BEYOND_ASCII.findall(text)))
    if invalid > MAX_INVALID_SHARE * characters or text.count("(cid:") > MAX_CID_PLACEHOLDERS:
        return True
    indices = range_indices([word.first for word in words], [word.last for word in words])
    sample: list[int] = indices[:: max(1, len(indices) // SAMPLE_CHARS)].tolist()
    unmapped = sum(error > 0 for error in map(has_map_error, repeat(page.text_pointer), sample))
    return unmapped > MAX_UNMAPPED_SHARE * len(sample) and not is_english(word.text for word in words)


def is_english(texts: Iterable[str]) -> bool:
    """Return True for a text of English words: its fonts number their characters as ASCII does, without saying so."""
    words = [word for text in texts for word in _LETTERS.findall(text.lower())]
    known = [word for word in words if word in english_words()]
    has_enough = len(words) >= MIN_ENGLISH_WORDS or sum(map(_is_long, known)) >= MIN_LONG_WORDS
    return has_enough and len(known) >= MIN_ENGLISH_SHARE * len(words)


def _is_long(word: str) -> bool:
    return len(word) >= LONG_WORD_LETTERS


def _is_invalid(character: str) -> bool:
    """Return True for the replacement character and for categories that occur in no text."""
    return character == "\ufffd" or unicodedata.category(character) in ("Cn", "Co", "Cc", "Cs")


@dataclass(frozen=True, slots=True)
class TextSource:
    """The words of a page and where they are from.

    Attributes:
        words: Its words.
        problem: Why they cannot be used; empty if they can.
        is_layer: True if they are an OCR layer, which the program that made the file recognised.
        is_recognised: True if we recognised them in the picture of the page.
    """

    words: PageWords
    problem: str = ""
    is_layer: bool = False
    is_recognised: bool = False


def recognised_words(page: RecognisedPage) -> PageWords:
    """Return the words of a recognised page, in its order, with sizes by the heights of their lines."""
    sizes = _sizes([line.height for line in page.lines])
    words: list[Word] = []
    for line, size in zip(page.lines, sizes, strict=True):
        boxes = _spaced(line, size)
        for word, box in zip(line.words, boxes, strict=True):
            index = len(words)
            edges = (box.x0, box.y0, box.x1, box.y1)
            words.append(Word(word.text, *edges, size, "", False, False, 0, index, index, -1, 0, 0, box.y0, box.y1))  # noqa: FBT003
    return PageWords(words, characters=sum(len(word.text) for word in words))


def overrules(layer: Sequence[Word], page: RecognisedPage) -> bool:
    """Return True if recognised text is to be used instead of a page's own, which may be garbage."""
    if not page.lines or page.confidence < MIN_ARBITER_CONFIDENCE or _is_foreign(word.text for word in layer):
        return False
    return not agrees(layer, page)


def agrees(layer: Sequence[Word], page: RecognisedPage) -> bool:
    """Return True if recognised text confirms a page's own."""
    return agreement(layer, page) >= MIN_AGREEMENT


def agreement(layer: Sequence[Word], page: RecognisedPage) -> float:
    """Return the share of the words of the shorter text that the other has, 0 to 1."""
    own, recognised = _counts(word.text for word in layer), _counts([page.text])
    total = min(own.total(), recognised.total())
    return (own & recognised).total() / total if total else 0.0


def _counts(texts: Iterable[str]) -> Counter[str]:
    return Counter(_WORD.findall(" ".join(texts).lower()))


def _is_foreign(texts: Iterable[str]) -> bool:
    letters = [character for character in "".join(texts) if character.isalpha()]
    foreign = sum(not unicodedata.name(letter, _LEARNED[0]).startswith(_LEARNED) for letter in letters)
    return foreign > MAX_FOREIGN_SHARE * len(letters)


def _sizes(heights: Sequence[float]) -> list[float]:
    """Return a font size for each line; lines of about one height share theirs."""
    by_height = sorted(set(heights))
    groups: list[list[float]] = []
    for height in by_height:
        if groups and height <= MAX_HEIGHT_RATIO * groups[-1][0]:
            groups[-1].append(height)
        else:
            groups.append([height])
    # The size of a group is that of its lines, not of its distinct heights.
    size_of = {
        height: round(SIZE_PER_HEIGHT * median(one for one in heights if group[0] <= one <= group[-1]), 1)
        for group in groups
        for height in group
    }
    return [size_of[height] for height in heights]


def _spaced(line: RecognisedLine, size: float) -> list[Box]:
    """Return the boxes of a line's words with a space between each two."""
    boxes = [word.box for word in line.words]
    starts, ends = [box.x0 for box in boxes], [box.x1 for box in boxes]
    for index, (one, other) in enumerate(pairwise(boxes)):
        lacking = MIN_SPACE_EM * size - (other.x0 - one.x1)
        if lacking > 0:
            ends[index] = max(starts[index], ends[index] - lacking / 2)
            starts[index + 1] = min(ends[index + 1], other.x0 + lacking / 2)
    return [Box(start, box.y0, end, box.y1) for box, start, end in zip(boxes, starts, ends, strict=True)]

"""Words that were recognised in the picture of a page, as words of its text; and whether its own text is as good."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pincite.formats.pdf.page.words import PageWords, Word
from pincite.model.document import Box
from pincite.model.recognition import RecognisedLine, RecognisedPage

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

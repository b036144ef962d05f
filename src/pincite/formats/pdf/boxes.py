"""Words as text with one box a line, such that what stands in the boxes is the text."""

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pypdfium2.raw as pdfium

from pincite.formats.pdf.hyphens import mended
from pincite.formats.pdf.page import PdfPage
from pincite.formats.pdf.words import SOFT_BREAK, WORD_GAP, Word
from pincite.formats.text_boxes import TextBox
from pincite.model.document import Box

DIGITS = 2
"""Decimals of a box's points."""
_BETWEEN_WORDS = 3
"""Most characters between two words that pdfium counts as neighbours: white space that it made."""
_NOTHING: Mapping[int, str] = {}


@dataclass(frozen=True, slots=True)
class Text:
    """A text and where each of its lines stands.

    Attributes:
        text: Lines joined.
        boxes: One a line, with the character at which it begins.
    """

    text: str = ""
    boxes: tuple[TextBox, ...] = ()

    def joined(self, other: "Text", between: str) -> "Text":
        """This text, then another one."""
        if not self.text or not other.text:
            return Text(self.text or other.text, (*self.boxes, *other.boxes))
        by = len(self.text) + len(between)
        moved = (replace(box, start=box.start + by) for box in other.boxes)
        return Text(f"{self.text}{between}{other.text}", (*self.boxes, *moved))

    def beside(self, other: "Text") -> "Text":
        """This text, then another one on the same line: where they meet they have one box."""
        found = self.joined(other, " ")
        place = len(self.boxes)
        if not self.boxes or not other.boxes or not _overlap(self.boxes[-1].box, other.boxes[0].box):
            return found
        one, two = found.boxes[place - 1].box, found.boxes[place].box
        both = Box(min(one.x0, two.x0), min(one.y0, two.y0), max(one.x1, two.x1), max(one.y1, two.y1))
        joint = replace(found.boxes[place - 1], box=both)
        return Text(found.text, (*found.boxes[: place - 1], joint, *found.boxes[place + 1 :]))

    def without(self, count: int) -> "Text":
        """The text without its first characters; boxes stay."""
        boxes = tuple(replace(box, start=max(0, box.start - count)) for box in self.boxes)
        return Text(self.text[count:], boxes)

    def at(self, row: int, column: int = 0) -> Iterator[TextBox]:
        """Its boxes, as those of an item or a cell."""
        for box in self.boxes:
            yield replace(box, row=row, column=column)


def text_of(
    page: PdfPage,
    words: Iterable[Word],
    between: str = " ",
    said: Mapping[int, str] = _NOTHING,
    *,
    breaks: bool = False,
) -> Text:
    """Words as running text, in the order in which they come.

    Args:
        page: The open page.
        words: The words.
        between: What stands between two lines.
        said: What a word says instead of its text, by its first character.
        breaks: Whether words are broken at the ends of lines (`hyphens.breaks_words`).
    """
    text = ""
    boxes: list[TextBox] = []
    for line in rows(words):
        written = _line(line, said)
        broken = text.endswith(SOFT_BREAK)
        text = mended(text, written, breaks=breaks) if broken else text + (between if text and written else "")
        boxes.append(TextBox(line_box(page, line), len(text)))
        text += written
    return Text(text.replace(SOFT_BREAK, "-"), tuple(boxes))


def rows(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Words on one baseline after the other, whichever way they run."""
    line: list[Word] = []
    for word in words:
        if line and not _beside(line[-1], word):
            yield line
            line = []
        line.append(word)
    if line:
        yield line


def line_box(page: PdfPage, words: Sequence[Word]) -> Box:
    """The box around the characters of words; around the room that a font gives them where they have no shape."""
    found = [box for first, last in _runs(words) for box in _rectangles(page, first, last)]
    if not found:
        found = [(word.x0, word.y0, word.x1, word.y1) for word in words]
    lefts, tops, rights, bottoms = zip(*found, strict=True)
    return Box(
        round(min(lefts), DIGITS), round(min(tops), DIGITS), round(max(rights), DIGITS), round(max(bottoms), DIGITS)
    )


def _line(words: Sequence[Word], said: Mapping[int, str]) -> str:
    """The words of a line; two that nothing parts are one."""
    text = ""
    last: Word | None = None
    for word in words:
        written = said.get(word.first, word.text)
        if written:
            text += written if last is None or _touch(last, word) else f" {written}"
            last = word
    return text


def _touch(one: Word, other: Word) -> bool:
    gap = max(other.x0 - one.x1, one.x0 - other.x1)
    return other.first == one.last + 1 and gap <= WORD_GAP * min(one.size, other.size)


def _beside(one: Word, other: Word) -> bool:
    if one.turns != other.turns:
        return False
    if one.turns % 2:
        overlap, least = min(one.x1, other.x1) - max(one.x0, other.x0), min(one.x1 - one.x0, other.x1 - other.x0)
    else:
        overlap, least = min(one.y1, other.y1) - max(one.y0, other.y0), min(one.y1 - one.y0, other.y1 - other.y0)
    return overlap > least / 2


def _overlap(one: Box, other: Box) -> bool:
    return min(one.y1, other.y1) - max(one.y0, other.y0) > min(one.y1 - one.y0, other.y1 - other.y0) / 2


def _runs(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """First and last characters of words that follow each other in the file."""
    ordered = sorted(words, key=lambda word: word.first)
    first, last = ordered[0].first, ordered[0].last
    for word in ordered[1:]:
        if word.first - last > _BETWEEN_WORDS:
            yield first, last
            first = word.first
        last = max(last, word.last)
    yield first, last


def _rectangles(page: PdfPage, first: int, last: int) -> Iterator[tuple[float, float, float, float]]:
    """Around the shapes of a range of characters, on the page as it is displayed."""
    left, top, right, bottom = (ctypes.c_double() for _ in range(4))
    for index in range(max(0, pdfium.FPDFText_CountRects(page.text, first, last - first + 1))):
        pdfium.FPDFText_GetRect(page.text, index, left, top, right, bottom)
        if right.value > left.value and top.value > bottom.value:
            yield page.place.rectangle(left.value, bottom.value, right.value, top.value)

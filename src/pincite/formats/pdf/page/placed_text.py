"""Words as text with one box a line, such that what stands in the boxes is the text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.formats.pdf.page.characters import SOFT_BREAK
from pincite.formats.pdf.page.hyphens import mended
from pincite.formats.pdf.page.words import WORD_GAP, Word, covers_half
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box

MIN_BOX_GAP_EM = 2.0
"""Gap in em on both sides of which a line has boxes of its own: something else may stand between."""

MOST_SHARED = 0.35
"""Share of a box's height up to which it gives way to the line below it."""

_APART = 0.05
DIGITS = 2
"""Decimals of a box's points."""
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
    words: Iterable[Word],
    between: str = " ",
    replacements: Mapping[int, str] = _NOTHING,
    *,
    breaks: bool = False,
) -> Text:
    """Words as running text, in the order in which they come.

    Args:
        words: The words.
        between: What stands between two lines.
        replacements: What a word says instead of its text, by its first character.
        breaks: Whether words are broken at the ends of lines (`hyphens.breaks_words`).
    """
    text = ""
    boxes: list[TextBox] = []
    for line in rows(words):
        written = line_text(line, replacements)
        broken = text.endswith(SOFT_BREAK)
        text = (
            mended(text, written.text, breaks=breaks) if broken else text + (between if text and written.text else "")
        )
        boxes += (replace(box, start=len(text) + box.start) for box in written.boxes)
        text += written.text
    return Text(text.replace(SOFT_BREAK, "-"), tuple(_parted(boxes)))


def line_text(words: Sequence[Word], replacements: Mapping[int, str] = _NOTHING) -> Text:
    """The words of a line, where two that nothing parts are one; a box for each run of them without a wide gap."""
    text = ""
    boxes: list[TextBox] = []
    run: list[Word] = []
    last: Word | None = None
    start = 0
    for word in words:
        written = replacements.get(word.first, word.text) if replacements else word.text
        apart = " " if last is not None and written and not _touch(last, word) else ""
        if run and _gap(run[-1], word) > MIN_BOX_GAP_EM * word.size:
            boxes.append(TextBox(line_box(run), start))
            run, start = [], len(text) + len(apart)
        run.append(word)
        text += apart + written
        last = word if written else last
    return Text(text, (*boxes, TextBox(line_box(run), start)) if run else ())


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


def line_box(words: Sequence[Word]) -> Box:
    """The box around the words of a line: as wide as they are, as tall as the shapes of their characters."""
    if words[0].turns % 2:
        x0, x1 = min([max(word.x0, word.above) for word in words]), max([min(word.x1, word.below) for word in words])
        y0, y1 = min([word.y0 for word in words]), max([word.y1 for word in words])
    else:
        x0, x1 = min([word.x0 for word in words]), max([word.x1 for word in words])
        y0, y1 = min([max(word.y0, word.above) for word in words]), max([min(word.y1, word.below) for word in words])
    return Box(round(x0, DIGITS), round(y0, DIGITS), round(x1, DIGITS), round(y1, DIGITS))


def _parted(boxes: Sequence[TextBox]) -> list[TextBox]:
    """Boxes of lines below each other without the strip that both would hold: descenders reach into accents."""
    found = list(boxes)
    for number, (one, other) in enumerate(pairwise(boxes)):
        upper, lower = one.box, other.box
        shared = upper.y1 - lower.y0
        beside = upper.x1 <= lower.x0 or lower.x1 <= upper.x0
        least = min(upper.y1 - upper.y0, lower.y1 - lower.y0)
        if lower.y0 > upper.y0 and -_APART < shared < MOST_SHARED * least and not beside:
            found[number] = replace(found[number], box=replace(found[number].box, y1=lower.y0 - _APART))
            found[number + 1] = replace(other, box=replace(lower, y0=upper.y1 + _APART))
    return found


def _touch(one: Word, other: Word) -> bool:
    return other.first == one.last + 1 and _gap(one, other) <= WORD_GAP * min(one.size, other.size)


def _gap(one: Word, other: Word) -> float:
    if one.turns % 2:
        return max(other.y0 - one.y1, one.y0 - other.y1)
    return max(other.x0 - one.x1, one.x0 - other.x1)


def _beside(one: Word, other: Word) -> bool:
    if one.turns != other.turns:
        return False
    if one.turns % 2:
        return covers_half(one.x0, one.x1, other.x0, other.x1)
    return covers_half(one.y0, one.y1, other.y0, other.y1)


def _overlap(one: Box, other: Box) -> bool:
    return covers_half(one.y0, one.y1, other.y0, other.y1)

"""Running text with one box for each line, such that the text found inside the boxes is the text itself."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.formats.pdf.page.characters import AS_HYPHENS, BREAKS, SOFT_HYPHEN
from pincite.formats.pdf.page.hyphens import Hyphenation, ends_in_break
from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Point, Rule, Rules
from pincite.formats.pdf.page.words import (
    MAX_MARK_SIZE_RATIO,
    MAX_TOUCHING_GAP_EM,
    MIN_LONE_GAP_EM,
    MIN_WORD_GAP_EM,
    Word,
    is_on_baseline,
    overlaps_half,
    word_gap_em,
)
from pincite.formats.writing.scripts import BASE
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import Box

MIN_SHIFT_EM = 0.08
"""Distance of a power's or index's lower edge from that of its base: TeX lowers by .15 em and raises by .36."""
DESCENDER_EM = 0.2
"""Depth of `p` below the baseline; Computer Modern has .19, Times and Helvetica .21."""
BRACKET_DEPTH_EM = 0.25
"""Depth of brackets below the baseline in Computer Modern; Times and Helvetica have .21."""
_PRIME = "0"
"""The character by which TeX's symbol font encodes a prime: a `p` with a prime is read as `p` and a raised 0."""
_INDEX_BASE = re.compile(r"(?:^|[^\w])[b-hj-np-z]\Z")
_POWER = re.compile(r"[-+−–]?\d{1,2}|\(\d{1,2}\)|\d{1,2}(?:,\d{1,2}){1,3}|[a-df-z]")  # noqa: RUF001 - a minus sign and a dash
"""A power, or marks of notes: `2`, `(2)`, `1,4`, `a`. A raised `e` is the end of a French ordinal."""
_NOTE_MARK = re.compile(r"\d{1,3}|[a-z*†‡§¶]")
"""Mark of a note or of an author's address."""
MAX_ISOTOPE_LETTERS = 2
"""Letters behind a raised number that are the name of an element: `13C`, `18Fe`."""
_INDEX = re.compile(r"\d{1,2}|[a-z]")
MIN_BOX_GAP_EM = 2.0
"""Gap that splits the box of a line: something else may be printed in between."""
MAX_BOX_OVERLAP_SHARE = 0.35
"""Overlap of two lines' boxes, as a share of the smaller height, up to which they are separated: descenders reach into
accents that far."""
_BOX_SEPARATION_PT = 0.05
"""More than boxes are rounded by, so that no rounding makes them overlap again."""
BOX_DECIMALS = 2
"""Decimals of box coordinates in points."""
_UNSPACED = re.compile(r"[\u3000-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff9f\U00020000-\U0003ffff]")
_CLOSING = frozenset(".,;:!?)]}%…’”»")
"""Signs that have no space before them, however far they are from a word in another font."""
_NO_REPLACEMENTS: Mapping[int, str] = {}
_NOT_HYPHENATED = Hyphenation()


def script_mark(text: str, last: Word, word: Word) -> str:
    """Return `^` or `_` if a word is the power or index of the text before it, else nothing.

    Args:
        text: The text before it, in its line.
        last: The word before it, which it adjoins.
        word: The word.
    """
    if last.turns or word.turns or word.size > MAX_MARK_SIZE_RATIO * last.size or math.isinf(word.below - last.below):
        return ""
    shift = _baseline(word) - _baseline(last)
    if shift < -MIN_SHIFT_EM * last.size and _POWER.fullmatch(word.text) and _has_power(text, word.text):
        return "^"
    if shift > MIN_SHIFT_EM * last.size and _INDEX.fullmatch(word.text) and _INDEX_BASE.search(text):
        return "_"
    return ""


def is_note_mark(word: Word, following: Word) -> bool:
    """Return True if a word is the raised mark of a note at the beginning of its text: `1` before `This`."""
    # Two letters are those of an isotope.
    is_text = len(following.text) > MAX_ISOTOPE_LETTERS and following.text[0].isalpha()
    if not is_text or word.size > MAX_MARK_SIZE_RATIO * following.size or word.turns or following.turns:
        return False
    is_raised = _baseline(word) < _baseline(following) - MIN_SHIFT_EM * following.size
    return is_raised and _NOTE_MARK.fullmatch(word.text) is not None


def _has_power(text: str, raised: str) -> bool:
    """Return True if a text ends in what has powers or notes."""
    return bool(BASE.search(text)) and (raised != _PRIME or text[-1].isdigit())


def _baseline(word: Word) -> float:
    """Return the baseline of a word: its lower edge without the depth of its deepest character."""
    depth = max(map(_depth, word.text), default=0.0)
    return word.below - depth * word.size


def _depth(character: str) -> float:
    if character in "gjpqy\u00b5\u03bc":
        return DESCENDER_EM
    return BRACKET_DEPTH_EM if character in "()[]{}|" else 0.0


@dataclass(slots=True, unsafe_hash=True)
class PlacedText:
    """Text with the box of each line.

    Nothing changes one; see `Word` for why it is not frozen.

    Attributes:
        text: Lines joined.
        boxes: One for each line or part of a line, with the offset in `text` of its first character.
    """

    text: str = ""
    boxes: tuple[TextBox, ...] = ()

    def joined(self, other: "PlacedText", between: str) -> "PlacedText":
        """Return this text followed by another, with a separator unless one is empty."""
        if not (self.text or self.boxes):
            return other
        if not self.text or not other.text:
            return PlacedText(self.text or other.text, (*self.boxes, *other.boxes))
        offset = len(self.text) + len(between)
        moved = (replace(box, start=box.start + offset) for box in other.boxes)
        return PlacedText(f"{self.text}{between}{other.text}", (*self.boxes, *moved))

    def joined_on_line(self, other: "PlacedText") -> "PlacedText":
        """Return this text followed by another on the same line; the boxes where they meet become one."""
        joined = self.joined(other, " ")
        index = len(self.boxes)
        if not self.boxes or not other.boxes or not _is_level(self.boxes[-1].box, other.boxes[0].box):
            return joined
        one, two = joined.boxes[index - 1].box, joined.boxes[index].box
        merged = replace(joined.boxes[index - 1], box=one.union(two))
        return PlacedText(joined.text, (*joined.boxes[: index - 1], merged, *joined.boxes[index + 1 :]))

    def without_prefix(self, count: int) -> "PlacedText":
        """Return the text without its first characters, with all boxes."""
        boxes = tuple(replace(box, start=max(0, box.start - count)) for box in self.boxes)
        return PlacedText(self.text[count:], boxes)

    def boxes_at(self, row: int, column: int = 0) -> Iterator[TextBox]:
        """Yield the boxes, assigned to a list item or table cell."""
        for box in self.boxes:
            yield TextBox(box.box, box.start, row, column)


def text_of(
    words: Iterable[Word],
    between: str = " ",
    replacements: Mapping[int, str] = _NO_REPLACEMENTS,
    hyphenation: Hyphenation = _NOT_HYPHENATED,
) -> PlacedText:
    """Join words into running text, in the given order.

    Args:
        words: The words.
        between: Separator of lines.
        replacements: Text to use instead of a word's own, by index of its first character.
        hyphenation: What the page shows about hyphens at the ends of lines.
    """
    text = ""
    boxes: list[TextBox] = []
    for line in split_baselines(words):
        written, line_boxes = _line(line, replacements)
        if text and written:
            # Where lines stay apart, only the breaks that pdfium marks are joined.
            if ends_in_break(text, marked=between != " "):
                # A line-end hyphen is resolved once the next line is known.
                text = hyphenation.resolve(text, written)
            elif not (between == " " and is_unspaced(text[-1]) and is_unspaced(written[0])):
                text += between
        start = len(text)
        boxes += [TextBox(box, start + offset) for offset, box in line_boxes]
        text += written
    if text.endswith(SOFT_HYPHEN):
        text = f"{text[:-1]}-"
    # Few texts have a break: `translate` looks each character up if one of them is not ASCII.
    if any(map(text.__contains__, BREAKS)):
        text = text.translate(AS_HYPHENS)
    return PlacedText(text, tuple(_separate(boxes)))


def is_unspaced(character: str) -> bool:
    """Return True for a character of Chinese or Japanese, which have no spaces between words."""
    return not character.isascii() and _UNSPACED.match(character) is not None


def _line(words: Sequence[Word], replacements: Mapping[int, str]) -> tuple[str, list[tuple[int, Box]]]:
    """Join the words of a line, without a space between adjoining ones.

    Returns:
        The text, and for each run without a wide gap the offset of its first character, and its box.
    """
    if not replacements and _are_evenly_apart(words):
        return " ".join([word.text for word in words]), [(0, line_box(words))]
    text = ""
    boxes: list[tuple[int, Box]] = []
    run: list[Word] = []
    last: Word | None = None
    start = 0
    for word in words:
        written = replacements.get(word.first, word.text) if replacements else word.text
        # A word replaced by nothing is part of the replacement before it: it extends the box, not the text.
        space = ""
        if last is not None and written:
            is_joined = _is_adjoining(last, word) and not (text == last.text and is_note_mark(last, word))
            space = (script_mark(text, last, word) if is_joined or _touch(last, word) else "") or " " * (not is_joined)
        if run and _gap(run[-1], word) > MIN_BOX_GAP_EM * word.size:
            boxes.append((start, line_box(run)))
            run, start = [], len(text) + len(space)
        run.append(word)
        text += space + written
        last = word if written else last
    return text, [*boxes, (start, line_box(run))]


def _are_evenly_apart(words: Sequence[Word]) -> bool:
    """Return True if a space and no wide gap is between all words of a line, as of most lines; False if it is turned.

    Without calls: it looks at every word of a page.
    """
    last = words[0]
    for word in words[1:]:
        most = MIN_BOX_GAP_EM * word.size
        if word.first == last.last + 1 or word.x0 - last.x1 > most or last.x0 - word.x1 > most or word.turns:
            return False
        if word.size < last.size and word.x0 - last.x1 <= MAX_TOUCHING_GAP_EM * last.size:
            return False
        last = word
    return True


def split_baselines(words: Iterable[Word]) -> Iterator[list[Word]]:
    """Yield groups of consecutive words on one baseline, in any text direction."""
    line: list[Word] = []
    last: Word | None = None
    for word in words:
        if last is not None:
            # Most words have the height of the one before: no call for these.
            is_level = last.y0 == word.y0 < word.y1 == last.y1 and not (last.turns or word.turns)
            if not is_level and not _is_same_baseline(last, word):
                yield line
                line = []
        line.append(word)
        last = word
    if line:
        yield line


def line_box(words: Sequence[Word]) -> Box:
    """Return the box of a line: the words' extent along it, the glyphs' extent across it."""
    # The tighter of loose boxes and glyphs: glyphs are infinite if unknown, and too tall in some fonts.
    if words[0].turns % 2:
        x0, x1 = min([max(word.x0, word.above) for word in words]), max([min(word.x1, word.below) for word in words])
        y0, y1 = min([word.y0 for word in words]), max([word.y1 for word in words])
    elif len(words) == 1:
        # As most cells of a table have.
        (word,) = words
        x0, y0, x1, y1 = word.x0, max(word.y0, word.above), word.x1, min(word.y1, word.below)
    else:
        x0, x1 = min([word.x0 for word in words]), max([word.x1 for word in words])
        # No calls to min() and max() for every word of a page.
        y0 = min([word.y0 if word.y0 > word.above else word.above for word in words])  # noqa: FURB136
        y1 = max([word.y1 if word.y1 < word.below else word.below for word in words])  # noqa: FURB136
    return Box(round(x0, BOX_DECIMALS), round(y0, BOX_DECIMALS), round(x1, BOX_DECIMALS), round(y1, BOX_DECIMALS))


def _separate(boxes: Sequence[TextBox]) -> list[TextBox]:
    """Shrink boxes of consecutive lines so that they do not overlap."""
    separated = list(boxes)
    for index, (one, other) in enumerate(pairwise(boxes)):
        upper, lower = one.box, other.box
        overlap = upper.y1 - lower.y0
        # Most lines are apart.
        if overlap <= -_BOX_SEPARATION_PT or lower.y0 <= upper.y0:
            continue
        is_side_by_side = upper.x1 <= lower.x0 or lower.x1 <= upper.x0
        height = min(upper.y1 - upper.y0, lower.y1 - lower.y0)
        if overlap < MAX_BOX_OVERLAP_SHARE * height and not is_side_by_side:
            before = separated[index]
            x0, y0, x1 = before.box.x0, before.box.y0, before.box.x1
            separated[index] = _with_box(before, Box(x0, y0, x1, lower.y0 - _BOX_SEPARATION_PT))
            separated[index + 1] = _with_box(other, Box(lower.x0, upper.y1 + _BOX_SEPARATION_PT, lower.x1, lower.y1))
    return separated


def _with_box(placed: TextBox, box: Box) -> TextBox:
    return TextBox(box, placed.start, placed.row, placed.column)


def _is_adjoining(one: Word, other: Word) -> bool:
    # Between most words there is a space.
    if other.first != one.last + 1:
        return False
    # Words in one style are parted where there is a gap.
    look, other_look = one.look, other.look
    is_same = look == other_look and one.mcid == other.mcid
    least = MIN_LONE_GAP_EM if is_same else word_gap_em(look, other_look)
    least = MIN_WORD_GAP_EM if other.text[0] in _CLOSING else least
    return _gap(one, other) <= least * min(one.size, other.size)


def _touch(one: Word, other: Word) -> bool:
    """Return True if no space is to be seen between words: pdfium ends the line before a raised letter."""
    return abs(_gap(one, other)) <= MAX_TOUCHING_GAP_EM * one.size


def _gap(one: Word, other: Word) -> float:
    after, before = (other.y0 - one.y1, one.y0 - other.y1) if one.turns % 2 else (other.x0 - one.x1, one.x0 - other.x1)
    return after if after > before else before  # noqa: FURB136 - see `overlaps_half`


def _is_same_baseline(one: Word, other: Word) -> bool:
    if one.turns != other.turns:
        return False
    if one.turns % 2:
        return overlaps_half(one.x0, one.x1, other.x0, other.x1)
    return is_on_baseline(one, other)


def _is_level(one: Box, other: Box) -> bool:
    return overlaps_half(one.y0, one.y1, other.y0, other.y1)


@dataclass(frozen=True, slots=True)
class Turn:
    """Mapping of the page as displayed to one on which turned text is upright.

    Attributes:
        turns: Clockwise quarter turns of the text, 1 to 3.
        width: Width of the page as displayed, in points.
        height: Height of the page as displayed, in points.
    """

    turns: int
    width: float
    height: float

    def rectangle(self, area: Rectangle) -> Rectangle:
        """Map a rectangle of the page as displayed."""
        x0, y0, x1, y1 = area
        match self.turns:
            case 1:
                return y0, self.width - x1, y1, self.width - x0
            case 2:
                return self.width - x1, self.height - y1, self.width - x0, self.height - y0
            case _:
                return self.height - y1, x0, self.height - y0, x1

    def words(self, words: Iterable[Word]) -> list[Word]:
        """Return words with this turn as upright ones."""
        return [self._word(word) for word in words]

    def rules(self, rules: Rules) -> Rules:
        """Map ruling lines."""
        lines = [self.rectangle((rule.start, rule.position, rule.end, rule.position)) for rule in rules.horizontal]
        lines += [self.rectangle((rule.position, rule.start, rule.position, rule.end)) for rule in rules.vertical]
        return Rules(
            [Rule(y0, x0, x1) for x0, y0, x1, y1 in lines if y0 == y1],
            [Rule(x0, y0, y1) for x0, y0, x1, y1 in lines if x0 == x1],
            [self.rectangle(shade) for shade in rules.shades],
            [self._point(point) for point in rules.slants],
            [self._point(point) for point in rules.curves],
        )

    def text(self, text: PlacedText) -> PlacedText:
        """Return a text with its boxes on the page as displayed."""
        return replace(text, boxes=self.boxes(text.boxes))

    def boxes(self, boxes: Iterable[TextBox]) -> tuple[TextBox, ...]:
        """Map boxes back to the page as displayed."""
        return tuple(replace(box, box=self._back(box.box)) for box in boxes)

    def _word(self, word: Word) -> Word:
        x0, y0, x1, y1 = self.rectangle((word.x0, word.y0, word.x1, word.y1))
        match self.turns:
            case 1:
                above, below = self.width - word.below, self.width - word.above
            case 2:
                above, below = self.height - word.below, self.height - word.above
            case _:
                above, below = word.above, word.below
        return replace(word, x0=x0, y0=y0, x1=x1, y1=y1, turns=0, above=above, below=below)

    def _point(self, point: Point) -> Point:
        x0, y0, *_ = self.rectangle((*point, *point))
        return x0, y0

    def _back(self, box: Box) -> Box:
        width, height = (self.height, self.width) if self.turns % 2 else (self.width, self.height)
        inverse = Turn((4 - self.turns) % 4, width, height)
        return Box(*inverse.rectangle((box.x0, box.y0, box.x1, box.y1)))

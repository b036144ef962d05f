"""Text rows of a page, cut into segments: what stands together in one line, and what is a value."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from pincite.formats.pdf.page.words import Line, Word

GAP = 1.0
"""Words further apart than this (in em) are not of one segment."""
TAIL_GAP = 2.0
"""A closing bracket or a percent sign stands no further from its number (em)."""
NUMBER_GAP = 0.4
"""Numbers no further apart (em) are one, or words of a text: `1 234`, `+33 4 50 44`."""
RANGE_GAP = 0.5
"""The ends of a range stand no further from its dash (em)."""
SIGN_GAP = 12.0
"""A currency sign at the left of its column stands no further from the number (em)."""
SAME_ROW = 0.3
"""The middles of what stands in one row are no further apart (em)."""
COVERED = 0.3
"""Words of which one covers more than this share of the other are not of one row."""
FARTHEST_RAISED = 0.55
MAX_RAISED_WORDS = 3
"""Raised or lowered text is so many words at most, and its middle no further (em) from its row's."""
RAISED = 0.8
"""Text smaller than this share of its neighbour's size may be raised or lowered into its line."""

MOST_SEGMENTS = 100
"""Of one row: with more it is a drawing, and read as one text."""
WRAPPED = 1.45
"""Lines of one text are no further apart (em)."""
ALIGNED = 0.3
"""Edges this close (em) are meant to be under each other."""

_NUMBER = re.compile(
    r"[-+\u2212–]?[($€£¥]*[-\u2212–]?(?:\d{1,3}(?:[.,'’]\d{3})+|\d+)?(?:[.,]\d+)?(?<=\d)[%‰)]*[€$£]?[%)]*(?:x|bps|pts)?"
)
_LONG_NUMBER = re.compile(r"\d{8,}")
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}[/-]\d{2}[/-]\d{2}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DASHES = re.compile(r"[$€£]?[-—–\u2212]+%?")
_MARKS = frozenset({"n/a", "nm", "n.m.", "n.a.", "n/m", "nil", "*", "**", "✓", "✔", "☑", "☒", "x", "\uf0fc", "\u221a"})
_SIGN = re.compile(r"[($€£¥]{1,2}|(?:US|CA|A|HK)\$|EUR|USD|GBP|CHF")
_EITHER_SIDE = frozenset({"€", "EUR", "USD", "GBP", "CHF"})
_TAIL = re.compile(r"[)%‰€$£]{1,2}|EUR|USD|GBP|CHF")
_NUMBER_END = re.compile(r"[\d—–\u2212)%‰€$£-]|EUR|USD|GBP|CHF")
"""What no words are without among which a number ends: asked first, as most words are prose."""
_UNIT = re.compile(r"[^\W\d_]{1,5}[²³.]?")
_NOTE = re.compile(r"\(?(?:\d{1,2}|[a-z]|[*†‡]{1,3})\)?,?", re.IGNORECASE)
_LEADERS = re.compile(r"[.·…_]{3,}|(?:\. ?){3,}")
_INTEGER = re.compile(r"\d{1,4}")


class Kind(Enum):
    """What a segment is."""

    TEXT = "text"
    VALUE = "value"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Segment:
    """Words of one row that stand together, in points from the top left.

    Attributes:
        core: Where its value begins and ends without a sign before or a mark behind it.
    """

    words: tuple[Word, ...]
    kind: Kind
    x0: float
    x1: float
    core: tuple[float, float]

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the page, whatever stands in it.

    Attributes:
        words: All of it, from the left, dots that lead to a value too.
        base: The middle of most of its text, from the top.
    """

    segments: tuple[Segment, ...]
    words: tuple[Word, ...]
    y0: float
    y1: float
    base: float
    size: float
    bold: bool

    @property
    def values(self) -> tuple[Segment, ...]:
        """Its values and years."""
        return tuple(segment for segment in self.segments if segment.kind is not Kind.TEXT)

    @property
    def texts(self) -> tuple[Segment, ...]:
        """What is no value."""
        return tuple(segment for segment in self.segments if segment.kind is Kind.TEXT)

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.segments[0].x0

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(segment.x1 for segment in self.segments)

    @property
    def text(self) -> str:
        """Its segments."""
        return " ".join(segment.text for segment in self.segments)


class _Placed(NamedTuple):
    """Words of one row: the middle of most of them from the top, their size, and they."""

    base: float
    size: float
    words: list[Word]


def _placed(words: list[Word]) -> _Placed:
    return _Placed(middle(words), median(word.size for word in words), words)


def rows_of(lines: Iterable[Line], without: Container[int] = ()) -> tuple[Row, ...]:
    """The rows of a page, from the top; a row may be made of lines that stand side by side.

    Args:
        lines: Of the page, in any order.
        without: First characters of words that are left out.
    """
    placed: list[_Placed] = []
    for line in lines:
        words = [word for word in line.words if not word.turns and word.first not in without]
        if words:
            placed.append(_placed(words))
    rows: list[_Placed] = []
    joined: set[int] = set()
    for part in sorted(placed, key=lambda part: part.base):
        if rows and _same_row(rows[-1], part):
            above = rows[-1]
            larger = part if part.size > above.size else above
            rows[-1] = larger._replace(words=[*above.words, *part.words])
            joined.add(len(rows) - 1)
        else:
            rows.append(part)
    made: list[Row] = []
    for number, placed_row in enumerate(rows):
        row = _row(_placed(placed_row.words) if number in joined else placed_row)
        made.append(_as_text(row) if made and _is_wrapped(row, made[-1]) else row)
    return tuple(made)


def _is_wrapped(row: Row, above: Row) -> bool:
    """Whether a number alone in its row ends the text that begins above it."""
    first, *others = row.segments
    if others or first.kind is Kind.TEXT or row.base - above.base > WRAPPED * row.size:
        return False
    return any(abs(row.x0 - segment.x0) <= ALIGNED * row.size for segment in above.texts)


def _as_text(row: Row) -> Row:
    return replace(row, segments=tuple(replace(segment, kind=Kind.TEXT) for segment in row.segments))


def middle(words: Sequence[Word]) -> float:
    """The middle of most of the words, from the top."""
    return median((word.y0 + word.y1) / 2 for word in words)


def _same_row(row: _Placed, part: _Placed) -> bool:
    apart = abs(part.base - row.base)
    small, large = sorted((part.size, row.size))
    if apart <= SAME_ROW * small:
        return not _overlaps(row.words, part.words)
    raised = small < RAISED * large and apart <= FARTHEST_RAISED * large
    return raised and min(len(part.words), len(row.words)) <= MAX_RAISED_WORDS and not _overlaps(row.words, part.words)


def _overlaps(words: Sequence[Word], others: Sequence[Word]) -> bool:
    """Whether text stands on text: then they are two rows."""
    return any(
        min(one.x1, other.x1) - max(one.x0, other.x0) > COVERED * min(one.x1 - one.x0, other.x1 - other.x0)
        for one in words
        for other in others
    )


def _row(placed: _Placed) -> Row:
    base, size, words = placed
    words.sort(key=lambda word: word.x0)
    has_leaders = _LEADERS.search("".join([word.text for word in words]))
    kept = [word for word in words if not _LEADERS.fullmatch(word.text)] if has_leaders else words
    chunks = [piece for chunk in _chunks(kept or words, size) for piece in _pieces(chunk, size)]
    joined = _with_signs(chunks, size)
    return Row(
        tuple(_kinds(joined if len(joined) <= MOST_SEGMENTS else [words])),
        tuple(words),
        min(word.y0 for word in words),
        max(word.y1 for word in words),
        base,
        size,
        all(word.bold for word in words),
    )


def _chunks(words: Sequence[Word], size: float) -> list[list[Word]]:
    chunks: list[list[Word]] = []
    for word in words:
        gap = word.x0 - chunks[-1][-1].x1 if chunks else 0.0
        if chunks and (gap <= GAP * size or (gap <= 2 * GAP * size and _is_mark(word, size))):
            chunks[-1].append(word)
        else:
            chunks.append([word])
    return chunks


def _pieces(chunk: list[Word], size: float) -> list[list[Word]]:
    """A chunk, cut between numbers that stand side by side; a sign, a unit, a group of digits stays with its number."""
    if not _NUMBER_END.search("".join([word.text for word in chunk])):
        return [chunk]
    pieces: list[list[Word]] = [[chunk[0]]]
    for index, (before, word) in enumerate(pairwise(chunk), 1):
        last = pieces[-1]
        after_number = is_number(before.text) or (_TAIL.fullmatch(before.text) and len(last) > 1)
        joined = not after_number or _is_mark(word, size) or _is_range(chunk, index, size)
        if joined or not _begins_value(chunk, index, size):
            last.append(word)
        else:
            pieces.append([word])
    return pieces


def _begins_value(chunk: Sequence[Word], index: int, size: float) -> bool:
    """Whether the word at `index`, after a number, is the next number or the sign before it."""
    word = chunk[index]
    gap = word.x0 - chunk[index - 1].x1
    if not _SIGN.fullmatch(word.text):
        return is_number(word.text) and gap > NUMBER_GAP * size
    following = chunk[index + 1] if index + 1 < len(chunk) else None
    if word.text in _EITHER_SIDE:
        return following is not None and is_number(following.text) and following.x0 - word.x1 < gap
    return following is None or is_number(following.text)


def _is_mark(word: Word, size: float) -> bool:
    """Whether a word is the raised mark of a note."""
    return word.size < RAISED * size and bool(_NOTE.fullmatch(word.text))


def _is_range(chunk: Sequence[Word], index: int, size: float) -> bool:
    """Whether the word at `index` goes on with a range, `0.75 - 5.82`."""
    for first in (index - 1, index - 2):
        parts = chunk[max(0, first) : first + 3]
        if first >= 0 and len(parts) == 3 and _DASHES.fullmatch(parts[1].text):  # noqa: PLR2004
            gaps = (parts[1].x0 - parts[0].x1, parts[2].x0 - parts[1].x1)
            ends = is_number(parts[0].text) and is_number(parts[2].text) and parts[0].text[-1:].isdigit()
            if ends and max(gaps) <= RANGE_GAP * size:
                return True
    return False


def _with_signs(chunks: list[list[Word]], size: float) -> list[list[Word]]:
    """Signs before a number and marks behind it joined to it, though they stand apart."""
    joined: list[list[Word]] = []
    for chunk in chunks:
        text = "".join(word.text for word in chunk)
        before = joined[-1] if joined else None
        gap = chunk[0].x0 - before[-1].x1 if before else 0.0
        if before and (_is_tail(before, text, gap / size) or _is_sign(before, chunk, gap / size)):
            before.extend(chunk)
        else:
            joined.append(list(chunk))
    return joined


def _is_tail(before: Sequence[Word], text: str, gap: float) -> bool:
    """Whether a text so many em behind others is a bracket or a percent sign that ends their number."""
    return gap <= TAIL_GAP and text[-1] in ")%‰" and bool(_TAIL.fullmatch(text) and value_words(before))


def _is_sign(before: Sequence[Word], chunk: Sequence[Word], gap: float) -> bool:
    """Whether words so many em before a number are its sign."""
    return gap <= SIGN_GAP and bool(_SIGN.fullmatch("".join(word.text for word in before)) and value_words(chunk))


def value_words(words: Sequence[Word]) -> tuple[float, float] | None:
    """Where the number of a value begins and ends; None for text."""
    first, last = 0, len(words)
    while last > 1 and _is_mark(words[last - 1], words[0].size):
        last -= 1
    marked = last
    while first < last - 1 and _SIGN.fullmatch(words[first].text):
        first += 1
    while last > first + 1 and (_TAIL.fullmatch(words[last - 1].text) or _is_unit(words[:marked], last)):
        last -= 1
    if not _is_one_value(words[first:last]):
        return None
    end = words[last] if last < marked and _UNIT.fullmatch(words[last].text) else words[last - 1]
    return words[first].x0, end.x1


def _is_one_value(words: Sequence[Word]) -> bool:
    if len(words) == 3 and _DASHES.fullmatch(words[1].text):  # noqa: PLR2004
        return is_number(words[0].text) and is_number(words[2].text)
    text = "".join(word.text for word in words)
    return is_value(text) and (len(words) == 1 or _all_digits(words))


def _is_unit(words: Sequence[Word], last: int) -> bool:
    return last == len(words) == 2 and bool(_UNIT.fullmatch(words[1].text)) and is_number(words[0].text)  # noqa: PLR2004


def _all_digits(words: Sequence[Word]) -> bool:
    return all(word.text[:1].isdigit() or word.text[:1] in "(-" for word in words)


def is_number(text: str) -> bool:
    """Whether a word is a printed number or a dash."""
    return bool(_NUMBER.fullmatch(text) or _DASHES.fullmatch(text))


def is_value(text: str) -> bool:
    """Whether a word is what a column of values holds; dates, article numbers are text."""
    if _LONG_NUMBER.fullmatch(text) or _DATE.fullmatch(text):
        return False
    return is_number(text) or text.lower() in _MARKS


def is_year(text: str) -> bool:
    """Whether a text is a year of the last or this century."""
    return _YEAR.fullmatch(text) is not None


def _kinds(chunks: Sequence[list[Word]]) -> list[Segment]:
    cores = [value_words(chunk) for chunk in chunks]
    texts = ["".join(word.text for word in chunk) for chunk in chunks]
    kinds: list[Kind] = []
    for text, core in zip(texts, cores, strict=True):
        kinds.append(Kind.TEXT if core is None else Kind.YEAR if is_year(text) else Kind.VALUE)
    if kinds == [Kind.YEAR] or (len(kinds) > 1 and kinds[0] is not Kind.TEXT and _is_key(texts[0], kinds)):
        kinds[0] = Kind.TEXT
    return [
        Segment(tuple(chunk), kind, chunk[0].x0, chunk[-1].x1, core or (chunk[0].x0, chunk[-1].x1))
        for chunk, kind, core in zip(chunks, kinds, cores, strict=True)
    ]


def _is_key(first: str, kinds: Sequence[Kind]) -> bool:
    """Whether a number or a dash at the left counts or marks its row: `1  Chair  2  20.00`, `2024  $173`."""
    if kinds[0] is Kind.YEAR:
        return any(kind is not Kind.YEAR for kind in kinds[1:])
    if _UNIT.fullmatch(first.lstrip("0123456789.,")):
        return True
    return kinds[1] is Kind.TEXT and bool(_INTEGER.fullmatch(first) or _DASHES.fullmatch(first) or first in "*xX")

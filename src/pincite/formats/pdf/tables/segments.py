"""Visual rows of a page, cut into segments of adjoining words, each classified as text, value or year.

The distances were found on 21 statements of annual reports (434 rows) and 30 invoices, and confirmed on 60 pages that
were set aside unseen.
"""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import pairwise
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from pincite.formats.pdf.page.code_text import is_monospaced
from pincite.formats.pdf.page.words import Line, Word
from pincite.formats.writing.numerals import YEAR

MIN_JUSTIFIED_WORDS, MAX_GAP_DIFFERENCE_EM, MIN_WIDTH_DIFFERENCE_EM = 5, 0.03, 1.0
"""Words of a justified line, by how much the white between them differs, and their widths: columns of one width are
as far apart where their texts are of one width, too."""
_EQUATION_NUMBER = re.compile(r"\((?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,2})?[a-z]?\)")
"""Number of an equation at its right: `(12)`, `(A.3)`, `(4a)`."""
_RELATION = re.compile(r"[=\u2243-\u224d\u2260-\u2265\u2208\u2282-\u2287\u2190-\u2194\u21d0-\u21d4]")
"""Signs between the sides of a formula, arrows included."""
_BRACKET_PIECE = re.compile("[\u239b-\u23b3\uf8e5-\uf8fe]")
"""Pieces of brackets over several lines, by Unicode or as Symbol and TeX's fonts of extensions have them."""
MIN_SEGMENT_GAP_EM = 1.0
"""Gap between two words that ends a segment."""
MIN_NUMBER_GAP_EM = 0.4
"""Gap between two numbers that makes them two values; closer ones are groups of digits: `1 234`, `+33 4 50 44`."""
MIN_MONOSPACED_GAP_EM = 1.0
"""The same between words in a monospaced font, whose space is 0.6 em wide."""
MAX_RANGE_GAP_EM = 0.5
"""Distance of a range's ends from its dash: `0.75 - 5.82`."""
MAX_SIGN_GAP_EM = 12.0
"""Distance of a currency sign from its number: statements set `$` at the left edge of a wide column."""
MAX_ROW_SHIFT_EM = 0.3
"""Vertical distance of the middles of lines that are one row."""
MAX_WORD_OVERLAP_SHARE = 0.3
"""Horizontal overlap of two words, as a share of the narrower, above which they are on different rows."""
MAX_RAISED_SHIFT_EM = 0.55
"""Vertical distance of the middle of superscript or subscript text from its row's."""
MAX_RAISED_WORDS = 3
"""Superscript text with more words is a row of small print."""
MAX_RAISED_SIZE_RATIO = 0.8
"""Font size of superscripts and note marks, as a share of their row's."""
MIN_INDEX_OVERLAP_SHARE = 0.25
"""Share of its height by which a row of sub- or superscripts overlaps its formula."""
MAX_ROW_SEGMENTS = 100
"""A row with more segments is a drawing and kept as one text, which bounds the time for crafted pages."""
MAX_WRAPPED_STEP_EM = 1.45
"""Distance of two lines of one text."""
ALIGN_TOLERANCE_EM = 0.3
"""Distance of two edges that counts as aligned."""
_NUMBER = re.compile(
    r"[-+\u2212–]?[($€£¥]*[-\u2212–]?(?:\d{1,3}(?:[.,'’]\d{3})+|\d+)?(?:[.,]\d+)?(?<=\d)[%‰)]*[€$£]?[%)]*(?:x|bps|pts)?"
)
"""A number as printed: sign, currency, groups of digits, brackets for negative ones, percent, multiple."""
_LONG_NUMBER = re.compile(r"\d{8,}")
"""Article and account numbers, which are text."""
_DATE = re.compile(r"\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}[/-]\d{2}[/-]\d{2}")
_DASHES = re.compile(r"[$€£]?[-—–\u2212]+%?")
"""A dash for no value, with or without currency or percent sign."""
_MARKS = frozenset({"n/a", "nm", "n.m.", "n.a.", "n/m", "nil", "*", "**", "✓", "✔", "☑", "☒", "⌧", "□", "x", "\u221a"})
"""Entries of value columns that are no numbers."""
_SIGN = re.compile(r"[($€£¥]{1,2}|(?:US|CA|A|HK)\$|EUR|USD|GBP|CHF")
"""What precedes a number: currencies and an opening bracket for negative ones."""
_EITHER_SIDE = frozenset({"€", "EUR", "USD", "GBP", "CHF"})
"""Currencies written before or after their number."""
_TAIL = re.compile(r"[)%‰€$£]{1,2}|EUR|USD|GBP|CHF")
"""What follows a number: closing brackets, percent signs, currencies."""
_NUMBER_END = re.compile(r"[\d—–\u2212)%‰€$£-]|EUR|USD|GBP|CHF")
"""Required somewhere in any words with a number; checked first, because most words are prose."""
_UNIT = re.compile(r"[^\W\d_]{1,5}[²³.]?")
"""Unit after a number: `pcs`, `m²`."""
_NOTE = re.compile(r"\(?(?:\d{1,2}|[a-z]|[*†‡]{1,3})\)?,?", re.IGNORECASE)
"""Mark of a note: `(1)`, `a`, `†`."""
_LEADERS = re.compile(r"[.·…_](?:[.·…_]{2,}|(?<=\.) ?(?:\. ?){2,})")
"""Dots that lead from a label to its value; what begins with one set of characters is sought fast."""
_INTEGER = re.compile(r"\d{1,4}")


def is_formula(words: Sequence[str]) -> bool:
    """Return True if words from the left are a line of a formula: with its number, or a piece of a tall bracket."""
    if any(map(_BRACKET_PIECE.search, words)):
        return True
    return bool(_EQUATION_NUMBER.fullmatch(words[-1])) and any(map(_RELATION.search, words))


class Kind(Enum):
    """Classification of a segment."""

    TEXT = "text"
    VALUE = "value"
    YEAR = "year"


@dataclass(slots=True, unsafe_hash=True)
class Segment:
    """Adjoining words of one row, in points from the top left.

    Nothing changes one; only that it is not frozen lets it be made in a fraction of the time, as a word.

    Attributes:
        core: Left and right edge of the number, without currency sign and note mark: digits align, signs do not.
    """

    words: tuple[Word, ...]
    kind: Kind
    x0: float
    x1: float
    core: tuple[float, float]

    @property
    def text(self) -> str:
        """The words, joined with spaces."""
        return " ".join(word.text for word in self.words)


@dataclass(slots=True, unsafe_hash=True)
class Row:
    """A visual row of the page, which nothing changes, as a segment.

    Attributes:
        words: All words from the left, dot leaders included.
        base: Median middle of the words, in points from the top.
        values: Segments that are values or years.
    """

    segments: tuple[Segment, ...]
    words: tuple[Word, ...]
    y0: float
    y1: float
    base: float
    size: float
    bold: bool
    values: tuple[Segment, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find the values, which every search of a table looks at again."""
        self.values = tuple([segment for segment in self.segments if segment.kind is not Kind.TEXT])

    @property
    def texts(self) -> tuple[Segment, ...]:
        """Segments that are text."""
        return tuple([segment for segment in self.segments if segment.kind is Kind.TEXT])

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
        """The segments' texts, joined with spaces."""
        return " ".join(segment.text for segment in self.segments)


class _MeasuredWords(NamedTuple):
    """Words of one row with their median middle and size."""

    base: float
    size: float
    words: list[Word]


def _measure(words: list[Word]) -> _MeasuredWords:
    # Nearly all lines have one size.
    sizes = [word.size for word in words]
    return _MeasuredWords(median_middle(words), sizes[0] if len({*sizes}) == 1 else median(sizes), words)


def rows_of(lines: Iterable[Line], without: Container[int] = ()) -> tuple[Row, ...]:
    """Combine the lines of a page into visual rows, from the top; lines side by side become one row.

    Args:
        lines: Lines of the page, in any order.
        without: Words to leave out, by index of their first character.
    """
    measured: list[_MeasuredWords] = []
    for line in lines:
        words = [word for word in line.words if not word.turns and word.first not in without]
        if words:
            measured.append(_measure(words))
    rows: list[_MeasuredWords] = []
    merged: set[int] = set()
    for line_words in sorted(measured, key=lambda line_words: line_words.base):
        if rows and _is_same_row(rows[-1], line_words):
            above = rows[-1]
            larger = line_words if line_words.size > above.size else above
            rows[-1] = larger._replace(words=[*above.words, *line_words.words])
            merged.add(len(rows) - 1)
        else:
            rows.append(line_words)
    result: list[Row] = []
    for number, placed_row in enumerate(rows):
        row = _row(_measure(placed_row.words) if number in merged else placed_row)
        result.append(_as_text(row) if result and _is_wrapped_number(row, result[-1]) else row)
    return tuple(
        _as_text(row)
        if row.values and (is_formula([word.text for word in row.words]) or _has_indexes(result, number))
        else row
        for number, row in enumerate(result)
    )


def _has_indexes(rows: Sequence[Row], number: int) -> bool:
    """Return True if a row is of sub- or superscripts: in small type, and overlapping a neighbour in larger type."""
    row = rows[number]
    return any(
        row.size < MAX_RAISED_SIZE_RATIO * other.size
        and min(row.y1, other.y1) - max(row.y0, other.y0) > MIN_INDEX_OVERLAP_SHARE * (row.y1 - row.y0)
        for other in (*rows[max(0, number - 1) : number], *rows[number + 1 : number + 2])
    )


def _is_wrapped_number(row: Row, above: Row) -> bool:
    """Return True if a number alone in its row is the last line of a text above it."""
    first, *others = row.segments
    if others or first.kind is Kind.TEXT or row.base - above.base > MAX_WRAPPED_STEP_EM * row.size:
        return False
    return any(abs(row.x0 - segment.x0) <= ALIGN_TOLERANCE_EM * row.size for segment in above.texts)


def _as_text(row: Row) -> Row:
    return replace(row, segments=tuple(replace(segment, kind=Kind.TEXT) for segment in row.segments))


def median_middle(words: Sequence[Word]) -> float:
    """Return the median middle of words, in points from the top; superscripts do not move it."""
    return median([(word.y0 + word.y1) / 2 for word in words])


def _is_same_row(row: _MeasuredWords, part: _MeasuredWords) -> bool:
    shift = abs(part.base - row.base)
    small, large = sorted((part.size, row.size))
    if shift <= MAX_ROW_SHIFT_EM * small:
        return not _overlaps(row.words, part.words)
    is_raised = small < MAX_RAISED_SIZE_RATIO * large and shift <= MAX_RAISED_SHIFT_EM * large
    return (
        is_raised and min(len(part.words), len(row.words)) <= MAX_RAISED_WORDS and not _overlaps(row.words, part.words)
    )


def _overlaps(words: Sequence[Word], others: Sequence[Word]) -> bool:
    """Return True if words are printed over or under each other, and therefore on two rows."""
    return any(
        min(one.x1, other.x1) - max(one.x0, other.x0)
        > MAX_WORD_OVERLAP_SHARE * min(one.x1 - one.x0, other.x1 - other.x0)
        for one in words
        for other in others
    )


def _row(measured: _MeasuredWords) -> Row:
    base, size, words = measured
    words.sort(key=attrgetter("x0"))
    has_leaders = _LEADERS.search(_joined(words))
    without_leaders = [word for word in words if not _LEADERS.fullmatch(word.text)] if has_leaders else words
    chunks = _chunks(without_leaders or words, size)
    joined = _join_signs([piece for chunk in chunks for piece in _split_numbers(chunk, size)], size)
    return Row(
        tuple(_classify(joined if len(joined) <= MAX_ROW_SEGMENTS else [words])),
        tuple(words),
        min([word.y0 for word in words]),
        max([word.y1 for word in words]),
        base,
        size,
        all(word.bold for word in words),
    )


def _chunks(words: Sequence[Word], size: float) -> list[list[Word]]:
    if is_justified(words):
        return [list(words)]
    chunks = [[words[0]]]
    nearest = MIN_SEGMENT_GAP_EM * size
    for before, word in pairwise(words):
        gap = word.x0 - before.x1
        # Note marks may be further away, or every footnoted number would be two segments.
        if gap <= nearest or (gap <= 2 * nearest and is_note_mark(word, size)):
            chunks[-1].append(word)
        else:
            chunks.append([word])
    return chunks


def is_justified(words: Sequence[Word]) -> bool:
    """Return True if words of a line are as far apart as each other, whatever their widths: none is a cell."""
    if len(words) < MIN_JUSTIFIED_WORDS:
        return False
    size = words[0].size
    first = words[1].x0 - words[0].x1
    most = MAX_GAP_DIFFERENCE_EM * size
    # No `any`: this runs for every line of a page, several times, and mostly ends with the second word.
    for one, other in pairwise(words):
        if abs(other.x0 - one.x1 - first) > most:
            return False
    widths = [word.x1 - word.x0 for word in words]
    is_text = 2 * sum(word.text[0].isalpha() for word in words) > len(words)
    return is_text and max(widths) - min(widths) > MIN_WIDTH_DIFFERENCE_EM * size


def is_aligned(words: Sequence[Word], others: Sequence[Word], limit: float) -> bool:
    """Return True if two texts share an edge or their middle, up to a distance in points."""
    return alignment_offset((words[0].x0, words[-1].x1), (others[0].x0, others[-1].x1)) <= limit


def alignment_offset(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the least distance of the left edges, the right edges and the middles of two intervals."""
    (x0, x1), (left, right) = one, other
    return min(abs(x0 - left), abs(x1 - right), abs(x0 + x1 - left - right) / 2)


def _joined(words: Sequence[Word]) -> str:
    return "".join([word.text for word in words])


def _split_numbers(chunk: list[Word], size: float) -> list[list[Word]]:
    """Cut a chunk between adjoining numbers; signs, units and groups of digits stay with their number."""
    if len(chunk) == 1 or not _NUMBER_END.search(_joined(chunk)):
        return [chunk]
    pieces: list[list[Word]] = [[chunk[0]]]
    for index, (before, word) in enumerate(pairwise(chunk), 1):
        piece = pieces[-1]
        after_number = is_number(before.text) or (_TAIL.fullmatch(before.text) and len(piece) > 1)
        belongs = not after_number or is_note_mark(word, size) or _is_range(chunk, index, size)
        if belongs or not _begins_value(chunk, index, size):
            piece.append(word)
        else:
            pieces.append([word])
    return pieces


def _begins_value(chunk: Sequence[Word], index: int, size: float) -> bool:
    """Return True if the word at `index`, after a number, begins the next number or is its currency sign."""
    word = chunk[index]
    gap = word.x0 - chunk[index - 1].x1
    if not _SIGN.fullmatch(word.text):
        return is_number(word.text) and gap > _min_number_gap(chunk, word) * size
    following = chunk[index + 1] if index + 1 < len(chunk) else None
    if word.text in _EITHER_SIDE:
        return following is not None and is_number(following.text) and following.x0 - word.x1 < gap
    return following is None or is_number(following.text)


def _min_number_gap(chunk: Sequence[Word], word: Word) -> float:
    """Return the gap in em that parts a number from the one before it; a space may be as wide in typewritten text."""
    is_typed = is_monospaced(word.font) and not all(is_number(other.text) for other in chunk)
    return MIN_MONOSPACED_GAP_EM if is_typed else MIN_NUMBER_GAP_EM


def is_note_mark(word: Word, size: float) -> bool:
    """Return True for the mark of a note behind text of a size, in smaller type."""
    return word.size < MAX_RAISED_SIZE_RATIO * size and bool(_NOTE.fullmatch(word.text))


def _is_range(chunk: Sequence[Word], index: int, size: float) -> bool:
    """Return True if the word at `index` continues a range, `0.75 - 5.82`."""
    for first in (index - 1, index - 2):
        parts = chunk[max(0, first) : first + 3]
        if first >= 0 and len(parts) == 3 and _DASHES.fullmatch(parts[1].text):  # noqa: PLR2004
            gaps = (parts[1].x0 - parts[0].x1, parts[2].x0 - parts[1].x1)
            ends = is_number(parts[0].text) and is_number(parts[2].text) and parts[0].text[-1:].isdigit()
            if ends and max(gaps) <= MAX_RANGE_GAP_EM * size:
                return True
    return False


def _join_signs(chunks: list[list[Word]], size: float) -> list[list[Word]]:
    """Join currency signs that are set apart to their number."""
    joined = [list(chunks[0])]
    for chunk in chunks[1:]:
        previous = joined[-1]
        gap = (chunk[0].x0 - previous[-1].x1) / size
        if _is_sign(previous, chunk, gap):
            previous.extend(chunk)
        else:
            joined.append(list(chunk))
    return joined


def _is_sign(sign: Sequence[Word], chunk: Sequence[Word], gap: float) -> bool:
    """Return True if words `gap` em before a number are its currency sign."""
    return gap <= MAX_SIGN_GAP_EM and bool(_SIGN.fullmatch(_joined(sign)) and value_extent(chunk))


def value_extent(words: Sequence[Word]) -> tuple[float, float] | None:
    """Return left and right edge of the number in a value; None for text."""
    first, last = 0, len(words)
    # Strip from outside in: note marks, signs before, then brackets and units behind; one value must be left.
    while last > 1 and is_note_mark(words[last - 1], words[0].size):
        last -= 1
    unmarked_end = last
    while first < last - 1 and _SIGN.fullmatch(words[first].text):
        first += 1
    while last > first + 1 and (_TAIL.fullmatch(words[last - 1].text) or _is_unit(words[:unmarked_end], last)):
        last -= 1
    if not _is_one_value(words[first:last]):
        return None
    # A unit counts as part of the number; brackets and currencies do not.
    end = words[last] if last < unmarked_end and _UNIT.fullmatch(words[last].text) else words[last - 1]
    return words[first].x0, end.x1


def _is_one_value(words: Sequence[Word]) -> bool:
    if len(words) == 3 and _DASHES.fullmatch(words[1].text):  # noqa: PLR2004
        return is_number(words[0].text) and is_number(words[2].text)
    return (len(words) == 1 or _all_digits(words)) and is_value(_joined(words))


def _is_unit(words: Sequence[Word], last: int) -> bool:
    return last == len(words) == 2 and bool(_UNIT.fullmatch(words[1].text)) and is_number(words[0].text)  # noqa: PLR2004


def _all_digits(words: Sequence[Word]) -> bool:
    return all(word.text[:1].isdigit() or word.text[:1] in "(-" for word in words)


def is_number(text: str) -> bool:
    """Return True if a word is a printed number or a dash."""
    # Most words begin with a letter: the expressions take ten times as long.
    return not text[:1].isalpha() and bool(_NUMBER.fullmatch(text) or _DASHES.fullmatch(text))


def is_value(text: str) -> bool:
    """Return True if a word is a value; dates and numbers of 8 or more digits, such as article numbers, are text."""
    if text[:1].isdigit() and (_LONG_NUMBER.fullmatch(text) or _DATE.fullmatch(text)):
        return False
    return is_number(text) or text.lower() in _MARKS


def is_year(text: str) -> bool:
    """Return True if a text is a year of the last or this century."""
    return YEAR.fullmatch(text) is not None


def _classify(chunks: Sequence[list[Word]]) -> list[Segment]:
    cores = [value_extent(chunk) for chunk in chunks]
    texts = ["" if core is None else _joined(chunk) for chunk, core in zip(chunks, cores, strict=True)]
    kinds: list[Kind] = []
    for text, core in zip(texts, cores, strict=True):
        kinds.append(Kind.TEXT if core is None else Kind.YEAR if is_year(text) else Kind.VALUE)
    # A year alone in its row is a heading; a leading number may be the row's key.
    if kinds == [Kind.YEAR] or (len(kinds) > 1 and kinds[0] is not Kind.TEXT and _is_key(texts[0], kinds)):
        kinds[0] = Kind.TEXT
    return [
        Segment(tuple(chunk), kind, chunk[0].x0, chunk[-1].x1, core or (chunk[0].x0, chunk[-1].x1))
        for chunk, kind, core in zip(chunks, kinds, cores, strict=True)
    ]


def _is_key(first: str, kinds: Sequence[Kind]) -> bool:
    """Return True if the leftmost value labels its row: `1  Chair  2  20.00`, `2024  $173`."""
    if kinds[0] is Kind.YEAR:
        return any(kind is not Kind.YEAR for kind in kinds[1:])
    if _UNIT.fullmatch(first.lstrip("0123456789.,")):
        return True
    return kinds[1] is Kind.TEXT and bool(_INTEGER.fullmatch(first) or _DASHES.fullmatch(first) or first in "*xX")

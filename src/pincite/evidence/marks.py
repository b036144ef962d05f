"""Marks: short hashes that find cited words again in another revision of their document.

A mark is a number of 56 bits in base 36: how many characters the words have, a hash of them all, one each of the
characters before and after them, two of the headings above, and of few words how far they are from the beginning of
their section unless their reference says it, in bits that depend on the length (`_LAYOUTS`). White space and markup do
not count; other characters count as `fold` reads them, in their own case. The number of characters takes the place of
an anchor for the end: words that begin at a position end at one. What surrounds them chooses among several occurrences,
as in Hypothesis' fuzzy anchoring and in text fragments. All hashes but those of the headings are differences of prefix
sums: each position of a text costs a few operations.

Of words that are not in a text, about one in 2^35 positions fits a mark.
"""

import math
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pincite.evidence.boundaries import is_boundary
from pincite.model.chunk import last_heading
from pincite.runtime.imports import import_once
from pincite.text.characters import fold

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]
    Hashes = npt.NDArray[np.uint64]
    Indices = npt.NDArray[np.int64]

Span = tuple[int, int]


class Location(NamedTuple):
    """Where a span is.

    Attributes:
        breadcrumb: The headings above it.
        offset: Its offset in their section.
        is_moved: Whether it is elsewhere in its section, or in another chunk of it, than the cited words were.
        drift: Number of sections between the number of its section and of theirs.
    """

    breadcrumb: str
    offset: int
    is_moved: bool
    drift: int


Locate = Callable[[Span], Location]
"""Returns the location of a span."""

CONTEXT_CHARS = 24
"""Characters on each side of the words that are hashed, too."""

MARGIN_CHARS = 20 * CONTEXT_CHARS
"""Characters of a text beside a span that have its context, as a rule: a wide table is mostly white space."""

_RADIX = 36
_DIGITS = 11
_HASH_BITS = 64
_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << _HASH_BITS)
_MIXER = 0xD6E8FEB86659FD93

_APART = 1 << 32
"""Added to a digit that is apart from the digit before it, by white space or markup: `1 2` is not 12."""

_BLOCK_CHARS = 1 << 16
"""Characters hashed at a time: bounds the memory of a search to the prefix sums and a few megabytes."""

_TABLE_BITS = 12
"""Powers are products of powers from tables of this size, each for so many bits of the exponent."""

_ASCII = "".join(map(chr, range(128)))
_OTHERS = re.compile(r"[^\x00-\x7f]+")
_MARKUP = frozenset("*_`|\\\u2022\u2023\u25e6\u25aa\u25cf")
"""Emphasis, code, borders of cells, escapes, bullets."""

_HYPHEN, _NUMBER_SIGN, _WORD, _DIGIT = 1, 2, 3, 4
"""Classes of characters; 0 for any other."""

_MAX_OCCURRENCES = 20_000
"""Occurrences that are looked up in a block: only a mark made up for it fits more."""

_NEAR, _LINES = 3.0, 3.5
"""Evidence for an occurrence of cited words: the logarithm of its likelihood if it is the cited one over that if it is
another. For one that is `_NEAR_CHARS` from its offset in the section, and for whole lines where the cited words were
whole lines.

All evidence was fitted by conditional logistic regression on edited documents (`eval/retrieval/citations.py`), and
rounded."""

_NEAR_CHARS = 16
"""Characters by which other words before it move a text, as a rule."""

_EMPHASIS = 3
"""Underscores that emphasise a word at most: `___word___`."""

_DRIFT = 1.0
"""Evidence against an occurrence for each time that it is e times as far from the section's old number as another. It
and `_MIN_ODDS` are the least strict of a grid with which none of the given documents' references opened elsewhere."""

_GONE, _GONE_SHORT, _GONE_LONG = -2.0, 0.5, -9.0
"""Evidence for that all occurrences are other ones: of few words, of `_SHORT_CHARS` at most, and of many words, which
are in no text by chance."""

_SHORT_CHARS = 7

_MIN_ODDS = 5.5
"""Minimum of the evidence for an occurrence over that for all else."""

_MIN_BITS = 11
"""Minimum number of bits that are the same, and one more for each doubling of the text."""

_WORDS = re.compile(r"\w+")

_SIGNS = {"-": _HYPHEN, "#": _NUMBER_SIGN}


@dataclass(frozen=True, slots=True)
class _Layout:
    """How the bits of a mark are used.

    Attributes:
        length: Bits of the number of characters; of a greater number its lowest bits.
        words: Bits of the hash of the words.
        side: Bits of each of the hashes of what is before and after.
        heading: Bits of the hash of the heading above.
        path: Bits of the hash of all headings above.
        offset: Bits of the offset in the section; of a greater one its lowest bits. 0 where the reference says it, or
            the words are so many that it is not needed.
        surroundings: Evidence by whether the heading is the same, and the number of sides that are.
        at: Evidence for an occurrence at the offset, or at the same place in its section.
    """

    length: int
    words: int
    side: int
    heading: int
    path: int
    offset: int = 0
    surroundings: tuple[tuple[float, ...], ...] = ((0.0, 1.0, 3.0), (5.0, 6.0, 8.0))
    at: float = 4.0

    @property
    def count(self) -> int:
        """The number of marks of this layout."""
        return 1 << (self.length + self.words + 2 * self.side + self.heading + self.path + self.offset)


class _Occurrence(NamedTuple):
    """An occurrence of the words of a mark, with its evidence, the number of bits that are the same, and its drift."""

    span: Span
    evidence: float
    bits: float
    drift: int


# Together they have fewer marks than 11 digits. Eight words have fewer than 64 characters, as a rule: so few words may
# be in many places, so what surrounds them is needed. Of many it only chooses between copies.
_FEW_WORDS = _Layout(6, 22, 7, 5, 0, 8, ((0.0, 3.5, 5.5), (3.0, 7.0, 9.5)), 6.5)
_MORE_WORDS = _Layout(12, 30, 3, 6, 2)
_MANY_WORDS = _Layout(22, 32, 0, 0, 0)
# Five bits more of the heading are 3.5 of evidence more: log(2^5).
_FEW_WORDS_AT = replace(_FEW_WORDS, heading=10, offset=0, surroundings=((0.0, 3.5, 5.5), (6.5, 10.5, 13.0)))
_LAYOUTS = (_FEW_WORDS, _MORE_WORDS, _MANY_WORDS, _FEW_WORDS_AT)
"""In the order of their marks."""


class Words:
    """The characters of a text that count, so that marks can be made and found. Thread-safe.

    Args:
        text: The text of a document, or a span of it with `MARGIN_CHARS` more on each side.
    """

    def __init__(self, text: str) -> None:
        import_once("numpy")
        import numpy as np  # noqa: PLC0415 - heavy

        self._text = text
        origins: list[Indices] = [np.zeros(0, np.int64)]
        sums: list[Hashes] = [np.zeros(1, np.uint64)]
        apart: list[Flags] = [np.zeros(0, np.bool_)]
        length, last, ends_in_digit = 0, -1, False
        for start in range(0, len(text), _BLOCK_CHARS):
            positions, codes, is_digit = _counted(text, start, min(start + _BLOCK_CHARS, len(text)))
            if len(positions):
                is_apart = is_digit.copy()
                is_apart[1:] &= is_digit[:-1] & (positions[1:] - positions[:-1] > 1)
                is_apart[0] &= ends_in_digit and int(positions[0]) - last > 1
                powers = _powers(_INVERSE, np.arange(length, length + len(positions)))
                terms = (codes + is_apart * np.uint64(_APART)) * powers
                sums.append(sums[-1][-1] + np.cumsum(terms, dtype=np.uint64))
                origins.append(positions)
                apart.append(is_apart)
                length, last, ends_in_digit = length + len(positions), int(positions[-1]), bool(is_digit[-1])
        self._origins = np.concatenate(origins)
        self._sums = np.concatenate(sums)
        self._apart = np.concatenate((*apart, (False,)))

    def indices(self, span: Span) -> tuple[int, int]:
        """Return the number of characters that count before the start of a span of the text, and before its end."""
        start, end = self._origins.searchsorted(span).tolist()
        return start, end

    def with_lines(self, span: Span) -> Span:
        """Return a span with the markup at both its ends: on its lines, and the lines of markup beside them."""
        start, end = self._lines(span)
        first, last = self.indices(span)
        while start and (above := self._lines((start - 1, start - 1))) and self._is_markup(above):
            start = above[0]
        while end < len(self._text) and (below := self._lines((end + 1, end + 1))) and self._is_markup(below):
            end = below[1]
        lines = self.indices((start, end))
        start += len(self._text[start:end]) - len(self._text[start:end].lstrip())
        return start if lines[0] == first else span[0], end if lines[1] == last else span[1]

    def _lines(self, span: Span) -> Span:
        end = self._text.find("\n", span[1])
        return self._text.rfind("\n", 0, span[0]) + 1, len(self._text) if end < 0 else end

    def _is_markup(self, line: Span) -> bool:
        first, last = self.indices(line)
        return first == last and not self._text[slice(*line)].isspace() and line[0] < line[1]

    def mark(self, span: Span, breadcrumb: str, offset: int | None) -> str:
        """Return the mark of a span of the text.

        Args:
            span: The span.
            breadcrumb: The headings above it.
            offset: Its offset in their section; None where its reference says it.
        """
        import numpy as np  # noqa: PLC0415 - heavy

        start, end = self.indices(span)
        few = _FEW_WORDS_AT if offset is None else _FEW_WORDS
        layout = next((each for each in (few, _MORE_WORDS) if end - start < 1 << each.length), _MANY_WORDS)
        starts = np.array((start, max(0, start - CONTEXT_CHARS), end))
        ends = np.array((end, start, min(end + CONTEXT_CHARS, len(self._origins))))
        words, *sides = self._hashes(starts, ends).tolist()
        value = (end - start) % (1 << layout.length) << layout.words | words >> (_HASH_BITS - layout.words)
        for side in sides:
            value = value << layout.side | side >> (_HASH_BITS - layout.side)
        heading, path = _heading_hashes(breadcrumb, layout)
        value = (value << layout.heading | heading) << layout.path | path
        if layout.offset and offset is not None:
            # The first character that counts is at the offset, not markup before it.
            offset += self._span(start, end - start)[0] - span[0]
            value = value << layout.offset | offset % (1 << layout.offset)
        value += sum(each.count for each in _LAYOUTS[: _LAYOUTS.index(layout)])
        return np.base_repr(value, _RADIX).lower().rjust(_DIGITS, "0")

    def find(self, mark: str, locate: Locate, *, lines: bool = False, offset: int = 0) -> Span | None:
        """Return the span of the words that a mark was made of; None if they are not in the text, or in any of several.

        Of several occurrences it is the one that is much more likely than all others together.

        Args:
            mark: From `mark`, in whatever text.
            locate: Looks up an occurrence.
            lines: Whether the words were whole lines: these need no surroundings where no other lines are the same.
            offset: Their offset in their section, of a mark that was made without it.
        """
        value = int(mark, _RADIX)
        for layout in _LAYOUTS:
            if value < layout.count:
                found = self._find(value, layout, locate, lines=lines, offset=offset)
                return _best(list(found), layout, len(self._origins))
            value -= layout.count
        return None

    def _find(self, value: int, layout: _Layout, locate: Locate, *, lines: bool, offset: int) -> Iterator[_Occurrence]:
        """Yield the occurrences of the words of a mark that may be the cited ones."""
        import numpy as np  # noqa: PLC0415 - heavy

        if layout.offset:
            value, offset = divmod(value, 1 << layout.offset)
        value >>= layout.path
        value, heading = divmod(value, 1 << layout.heading)
        value, after = divmod(value, 1 << layout.side)
        value, before = divmod(value, 1 << layout.side)
        length, words = divmod(value, 1 << layout.words)
        for count in self._lengths(length, layout):
            starts = self._starts(count, words, layout)
            ends = starts + count
            befores = self._have(np.maximum(starts - CONTEXT_CHARS, 0), starts, before, layout.side)
            afters = self._have(ends, np.minimum(ends + CONTEXT_CHARS, len(self._origins)), after, layout.side)
            rows = np.stack((starts, befores, afters), axis=1)
            # Of no character nothing but the surroundings is known.
            fitting = rows if count else rows[befores & afters]
            for start, same_before, same_after in fitting[:_MAX_OCCURRENCES].tolist():
                span = self._span(start, count)
                # What surrounds words tells where they begin and end.
                first, last = self._with_emphasis(span)
                if (same_before or is_boundary(self._text, first)) and (same_after or is_boundary(self._text, last)):
                    location = locate(span)
                    same_heading = _heading_hashes(location.breadcrumb, layout)[0] == heading
                    sides = same_before + same_after
                    place, place_bits = _place(location, layout, self._away(span, location, layout, offset))
                    yield _Occurrence(
                        span,
                        layout.surroundings[same_heading][sides] + place + _LINES * (lines and self._are_lines(span)),
                        layout.words + sides * layout.side + same_heading * layout.heading + place_bits,
                        location.drift,
                    )

    def _away(self, span: Span, location: Location, layout: _Layout, offset: int) -> int:
        """Return by how many characters an occurrence is away from the offset of the words."""
        ahead = location.offset - offset
        if layout.offset:
            ahead %= 1 << layout.offset
            return min(ahead, (1 << layout.offset) - ahead)
        # The cited span may have begun with markup, an occurrence does not.
        first, last = self.indices((max(0, span[0] - ahead), span[0]))
        return 0 if first == last and ahead > 0 else abs(ahead)

    def _with_emphasis(self, span: Span) -> Span:
        """Return a span with the underscores at both its ends: `_word_` is the word, as it is in a mark."""
        start, end = span
        before, after = self._text[max(0, start - _EMPHASIS) : start], self._text[end : end + _EMPHASIS]
        return start - len(before) + len(before.rstrip("_")), end + len(after) - len(after.lstrip("_"))

    def _are_lines(self, span: Span) -> bool:
        """Return True if no other words are on the lines of a span."""
        return self.indices(self._lines(span)) == self.indices(span)

    def _lengths(self, length: int, layout: _Layout) -> range:
        """Return the lengths that a mark may be of, as far as the text goes."""
        step = 1 << layout.length
        return range(length, len(self._origins) + 1, step if layout is _MANY_WORDS else len(self._origins) + 1)

    def _starts(self, length: int, words: int, layout: _Layout) -> "Indices":
        """Return the indices at which words of this length and hash begin."""
        import numpy as np  # noqa: PLC0415 - heavy

        stop = len(self._origins) - length + 1
        found: list[Indices] = []
        for first in range(0, stop, _BLOCK_CHARS):
            starts = np.arange(first, min(first + _BLOCK_CHARS, stop))
            found.append(starts[self._have(starts, starts + length, words, layout.words)])
        return np.concatenate(found)

    def _have(self, starts: "Indices", ends: "Indices", expected: int, bits: int) -> "Flags":
        """Return for each two indices whether the hash of the characters between them begins with these bits."""
        import numpy as np  # noqa: PLC0415 - heavy

        if not bits:
            return np.zeros(len(starts), np.bool_)
        return self._hashes(starts, ends) >> np.uint64(_HASH_BITS - bits) == expected

    def _hashes(self, starts: "Indices", ends: "Indices") -> "Hashes":
        """Return a hash of the characters between each two indices, whatever the indices are."""
        import numpy as np  # noqa: PLC0415 - heavy

        hashes = (self._sums[ends] - self._sums[starts]) * _powers(_BASE, starts)
        # What is before the first character is none of the words.
        hashes -= (self._apart[starts] & (starts < ends)) * np.uint64(_APART)
        half = np.uint64(_HASH_BITS // 2)
        for _ in range(2):
            hashes = (hashes ^ hashes >> half) * np.uint64(_MIXER)
        return hashes

    def _span(self, start: int, length: int) -> Span:
        """Return the span of the text of so many characters; of none, what is between two."""
        if length:
            return int(self._origins[start]), int(self._origins[start + length - 1]) + 1
        first = int(self._origins[start - 1]) + 1 if start else 0
        last = int(self._origins[start]) if start < len(self._origins) else len(self._text)
        between = self._text[first:last]
        return last - len(between.lstrip()), max(first + len(between.rstrip()), last - len(between.lstrip()))


def _place(location: Location, layout: _Layout, away: int) -> tuple[float, float]:
    """Return the evidence of an occurrence's place, and the number of bits of it that are the same."""
    if not _is_of_few_words(layout):
        return 0.0 if location.is_moved else layout.at, 0.0
    if away > _NEAR_CHARS:
        return 0.0, 0.0
    bits = _FEW_WORDS.offset
    return (_NEAR, bits - math.log2(2 * _NEAR_CHARS + 1)) if away else (layout.at, bits)


def _is_of_few_words(layout: _Layout) -> bool:
    return layout.length == _FEW_WORDS.length


def _best(found: list[_Occurrence], layout: _Layout, length: int) -> Span | None:
    """Return the occurrence in a text of this length that is the cited one by far more likely than all else."""
    if not found:
        return None
    nearest = 1 + min(each.drift for each in found)
    evidence = [each.evidence - _DRIFT * math.log((1 + each.drift) / nearest) for each in found]
    best = max(range(len(found)), key=evidence.__getitem__)
    span, bits = found[best].span, found[best].bits
    is_few = _is_of_few_words(layout)
    is_short = is_few and span[1] - span[0] <= _SHORT_CHARS
    gone = _GONE_SHORT if is_short else _GONE if is_few else _GONE_LONG
    odds = evidence.pop(best) - math.log(sum(map(math.exp, [gone, *evidence])))
    return span if odds >= _MIN_ODDS and bits >= _MIN_BITS + math.log2(length) else None


def _counted(text: str, start: int, end: int) -> "tuple[Indices, Hashes, Flags]":
    """Return the characters that count of a span of a text: positions in the text, codes, and whether it is a digit."""
    import numpy as np  # noqa: PLC0415 - heavy

    before = max(0, start - 1)
    span = text[before : end + 1]  # with the neighbours of its characters
    known = _characters("".join(sorted({*"".join(_OTHERS.findall(span))})))
    kinds = known.numbers[_codes(span)]
    classes, counts = known.classes[kinds], known.lengths[kinds]
    is_digit, is_word = classes == _DIGIT, classes >= _WORD
    # A hyphen before a digit is a sign or part of a range, any other joins words, or is a bullet or a rule.
    counts[:-1][(classes[:-1] == _HYPHEN) & ~is_digit[1:]] = 0
    # `#` is the markup of a heading where it is beside no word: not in C#.
    is_mark = classes == _NUMBER_SIGN
    is_mark[:-1] &= ~is_word[1:]
    is_mark[1:] &= ~is_word[:-1]
    counts[is_mark] = 0
    counts[: start - before] = counts[end - before :] = 0
    positions = np.arange(len(counts)).repeat(counts)
    firsts = known.firsts[kinds[positions]]
    if known.lengths.max() > 1:  # a ligature counts as its letters
        firsts = firsts + np.arange(len(positions)) - (counts.cumsum() - counts).repeat(counts)
    return positions + before, known.letters[firsts], is_digit[positions]


@dataclass(frozen=True, slots=True)
class _Characters:
    """What counts of the characters of a text.

    Attributes:
        numbers: The number of each character, by its code.
        classes: The class of each, by its number.
        lengths: How many letters each counts as: none for white space and markup.
        firsts: The index of its first letter.
        letters: The codes of all letters.
    """

    numbers: "Indices"
    classes: "Indices"
    lengths: "Indices"
    firsts: "Indices"
    letters: "Hashes"


@lru_cache(maxsize=16)
def _characters(others: str) -> _Characters:
    """Return what counts of the characters of ASCII and of some more."""
    import numpy as np  # noqa: PLC0415 - heavy

    characters = _ASCII + others
    letters = [_folded(character) for character in characters]
    lengths = np.array([len(each) for each in letters])
    numbers = np.zeros(ord(max(characters)) + 1, np.int64)
    numbers[_codes(characters)] = np.arange(len(characters))
    classes = [_class(*pair) for pair in zip(characters, letters, strict=True)]
    codes = _codes("".join(letters)).astype(np.uint64)
    return _Characters(numbers, np.array(classes), lengths, lengths.cumsum() - lengths, codes)


def _codes(text: str) -> "npt.NDArray[np.uint32]":
    import numpy as np  # noqa: PLC0415 - heavy

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _folded(character: str) -> str:
    """Return what counts of a character; empty for white space and markup."""
    return "".join(part for part in fold(character).text if not part.isspace() and part not in _MARKUP)


def _class(character: str, letters: str) -> int:
    return _DIGIT if character.isdigit() else _WORD if character.isalnum() else _SIGNS.get(letters, 0)


def _heading_hashes(breadcrumb: str, layout: _Layout) -> tuple[int, int]:
    """Return a hash of the last heading of a breadcrumb, and one of all of them."""
    heading = last_heading(breadcrumb)
    texts = (" ".join(_WORDS.findall(text)).encode("utf-8", "surrogatepass") for text in (heading, breadcrumb))
    hashes = [zlib.crc32(text) for text in texts]
    return hashes[0] % (1 << layout.heading), hashes[1] % (1 << layout.path)


@lru_cache
def _table(base: int) -> "Hashes":
    """Return the first powers of a number, modulo 2^64."""
    import numpy as np  # noqa: PLC0415 - heavy

    factors = np.full(1 << _TABLE_BITS, base, np.uint64)
    factors[0] = 1
    return np.cumprod(factors, dtype=np.uint64)


def _powers(base: int, exponents: "Indices") -> "Hashes":
    """Return powers of a number, modulo 2^64."""
    mask = (1 << _TABLE_BITS) - 1
    powers = _table(base)[exponents & mask]
    highest, shift = int(exponents.max(initial=0)), _TABLE_BITS
    while highest >> shift:
        powers = powers * _table(pow(base, 1 << shift, 1 << _HASH_BITS))[exponents >> shift & mask]
        shift += _TABLE_BITS
    return powers

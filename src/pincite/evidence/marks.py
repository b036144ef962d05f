"""Marks: short hashes that find cited words again in another revision of their document.

A mark is a number of 56 bits in base 36: how many characters the words have, a hash of them all, one each of the
characters before and after them, two of the headings above, and of few words how far they are from the beginning of
their section, in bits that depend on the length (`_LAYOUTS`). White space and markup do not count; other characters
count as `fold` reads them, in their own case. The number of characters takes the place of an anchor for the end: words
that begin at a position end at one. What surrounds them chooses among several occurrences, as in Hypothesis' fuzzy
anchoring and in text fragments. All hashes but those of the headings are differences of prefix sums: each position of a
text costs a few operations.

Of words that are not in a text, about one in 2^35 positions fits a mark.
"""

import math
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pincite.evidence.boundaries import is_boundary
from pincite.model.chunk import BREADCRUMB_SEPARATOR
from pincite.runtime.imports import import_once
from pincite.text.characters import fold

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Flags = npt.NDArray[np.bool_]
    Hashes = npt.NDArray[np.uint64]
    Indices = npt.NDArray[np.int64]

Span = tuple[int, int]

Distance = tuple[bool, int]
"""Whether a span is elsewhere in its section than expected, and how many characters it is from where it is expected."""


class Location(NamedTuple):
    """The headings above a span, its offset in their section, and its distance from where it is expected."""

    breadcrumb: str
    offset: int
    distance: Distance


Locate = Callable[[Span], Location]
"""Returns the location of a span."""

CONTEXT_CHARS = 24
"""Characters on each side of the words that are hashed, too."""

_BOTH = 2
"""Number of sides of words."""

_AT_PLACE = 2
"""The place of an occurrence that is where it is expected."""

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

_ASCII = frozenset(map(chr, range(128)))
_MARKUP = frozenset("*_`|\\\u2022\u2023\u25e6\u25aa\u25cf")
"""Emphasis, code, borders of cells, escapes, bullets."""

_HYPHEN, _NUMBER_SIGN, _WORD, _DIGIT = 1, 2, 3, 4
"""Classes of characters; 0 for any other."""

_MAX_OCCURRENCES = 20_000
"""Occurrences that are looked up in a block: only a mark made up for it fits more."""

_FEW_OCCURRENCES = 16
"""Occurrences of few words up to which the headings and the place tell one of them where both sides are others."""

_PLACE_CHARS = 40
"""Characters that a few other words near it move a text by, in a section that is otherwise where it was."""

_SIDE, _HEADING, _NEAR, _AT = 8, 6, 6, 9
"""Weight of what is the same of an occurrence of few words: a side, the heading, nearly the place, the place."""

_MIN_WEIGHT, _MIN_BITS = 12, 11
"""Minimum weight of few words, and one more for each doubling of their occurrences from one; minimum number of bits
that are the same, and one more for each doubling of the text. Fitted on two draws of `eval/retrieval/citations.py`."""

_MIN_WEIGHT_ONCE, _MIN_CHARS_ONCE = 8, 8
"""Minimum weight where so many characters are in a text once: a shorter value may be there by chance."""

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
        offset: Bits of the offset in the section; of a greater one its lowest bits.
    """

    length: int
    words: int
    side: int
    heading: int
    path: int
    offset: int = 0

    @property
    def count(self) -> int:
        """The number of marks of this layout."""
        return 1 << (self.length + self.words + 2 * self.side + self.heading + self.path + self.offset)


class _Occurrence(NamedTuple):
    """An occurrence of the words of a mark.

    Attributes:
        span: Where it is.
        sides: Number of sides that are the same.
        heading: Whether the heading above is the same.
        path: Whether all headings above are.
        lines: Whether it is whole lines, as the cited words were.
        place: 2 where it is expected, 1 near that, 0 elsewhere.
        distance: From where it is expected.
        left_out: Number of occurrences that have less in common with it than could be enough.
    """

    span: Span
    sides: int
    heading: bool
    path: bool
    lines: bool
    place: int
    distance: Distance
    left_out: int

    @property
    def same(self) -> tuple[int, bool, int]:
        """What is the same: sides and whole lines, the heading, the place."""
        return self.sides + self.lines, self.heading, self.place

    @property
    def weight(self) -> int:
        """How much speaks for it."""
        sides, heading, place = self.same
        return _SIDE * sides + _HEADING * heading + (0, _NEAR, _AT)[place]

    def bits(self, *, near: float = 0.0) -> float:
        """Return the bits of a mark of few words that are the same, with so many for a place nearby."""
        sides, heading, place = self.same
        return _FEW_WORDS.side * sides + _FEW_WORDS.heading * heading + (0, near, _FEW_WORDS.offset)[place]


# Together they have fewer marks than 11 digits. Eight words have fewer than 64 characters, as a rule: so few words may
# be in many places, so what surrounds them is needed. Of many it only chooses between copies.
_LAYOUTS = (_Layout(6, 22, 7, 5, 0, 8), _Layout(12, 30, 3, 6, 2), _Layout(22, 32, 0, 0, 0))
_FEW_WORDS = _LAYOUTS[0]
_NEAR_BITS = _FEW_WORDS.offset - math.log2(2 * _PLACE_CHARS + 1)


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

    def mark(self, span: Span, breadcrumb: str, offset: int) -> str:
        """Return the mark of a span of the text, with these headings above it, at this offset in their section."""
        import numpy as np  # noqa: PLC0415 - heavy

        start, end = self.indices(span)
        layout = next((each for each in _LAYOUTS if end - start < 1 << each.length), _LAYOUTS[-1])
        starts = np.array((start, max(0, start - CONTEXT_CHARS), end))
        ends = np.array((end, start, min(end + CONTEXT_CHARS, len(self._origins))))
        words, *sides = self._hashes(starts, ends).tolist()
        value = (end - start) % (1 << layout.length) << layout.words | words >> (_HASH_BITS - layout.words)
        for side in sides:
            value = value << layout.side | side >> (_HASH_BITS - layout.side)
        heading, path = _heading_hashes(breadcrumb, layout)
        value = (value << layout.heading | heading) << layout.path | path
        # The first character that counts is at the offset, not markup before it.
        offset += self._span(start, end - start)[0] - span[0]
        value = value << layout.offset | offset % (1 << layout.offset)
        value += sum(each.count for each in _LAYOUTS[: _LAYOUTS.index(layout)])
        return np.base_repr(value, _RADIX).lower().rjust(_DIGITS, "0")

    def find(self, mark: str, locate: Locate, *, lines: bool = False) -> Span | None:
        """Return the span of the words that a mark was made of; None if they are not in the text, or in any of several.

        Of several occurrences it is the one of which most is the same around it, of these the nearest to the place
        where the words are expected.

        Args:
            mark: From `mark`, in whatever text.
            locate: Looks up an occurrence.
            lines: Whether the words were whole lines: these need no surroundings where no other lines are the same.
        """
        value = int(mark, _RADIX)
        for layout in _LAYOUTS:
            if value < layout.count:
                found = list(self._find(value, layout, locate, lines=lines))
                best = _best_of_few(found, len(self._origins)) if layout is _FEW_WORDS else _best(found)
                return best and best.span
            value -= layout.count
        return None

    def _find(self, value: int, layout: _Layout, locate: Locate, *, lines: bool) -> Iterator[_Occurrence]:
        """Yield the occurrences of the words of a mark that may be the cited ones."""
        import numpy as np  # noqa: PLC0415 - heavy

        value, offset = divmod(value, 1 << layout.offset)
        value, path = divmod(value, 1 << layout.path)
        value, heading = divmod(value, 1 << layout.heading)
        value, after = divmod(value, 1 << layout.side)
        value, before = divmod(value, 1 << layout.side)
        length, words = divmod(value, 1 << layout.words)
        for count in self._lengths(length, layout):
            starts = self._starts(count, words, layout)
            ends = starts + count
            befores = self._have(np.maximum(starts - CONTEXT_CHARS, 0), starts, before, layout.side)
            afters = self._have(ends, np.minimum(ends + CONTEXT_CHARS, len(self._origins)), after, layout.side)
            # Of no character nothing but the surroundings is known.
            is_crowded = layout is _FEW_WORDS and len(starts) > _FEW_OCCURRENCES and not lines
            needed = _BOTH if not count else int(is_crowded)
            fitting = befores + afters.astype(int) >= needed
            rows = np.stack((starts, befores, afters))[:, fitting][:, :_MAX_OCCURRENCES].T.tolist()
            for start, same_before, same_after in rows:
                span = self._span(start, count)
                # What surrounds words tells where they begin and end.
                if (same_before or is_boundary(self._text, span[0])) and (
                    same_after or is_boundary(self._text, span[1])
                ):
                    location = locate(span)
                    hashes = _heading_hashes(location.breadcrumb, layout)
                    same_heading, same_path = map(int.__eq__, hashes, (heading, path))
                    yield _Occurrence(
                        span=span,
                        sides=same_before + same_after,
                        heading=same_heading,
                        path=same_path,
                        lines=lines and self._are_lines(span),
                        place=_place(location, layout, offset),
                        distance=location.distance,
                        left_out=int((~fitting).sum()),
                    )

    def _are_lines(self, span: Span) -> bool:
        """Return True if no other words are on the lines of a span."""
        return self.indices(self._lines(span)) == self.indices(span)

    def _lengths(self, length: int, layout: _Layout) -> range:
        """Return the lengths that a mark may be of, as far as the text goes."""
        step = 1 << layout.length
        return range(length, len(self._origins) + 1, step if layout is _LAYOUTS[-1] else len(self._origins) + 1)

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


def _place(location: Location, layout: _Layout, offset: int) -> int:
    """Return 2 for a location where words are expected, 1 for one near that, 0 for any other."""
    is_moved, away = location.distance
    if layout.offset:
        ahead = (location.offset - offset) % (1 << layout.offset)
        away = min(ahead, (1 << layout.offset) - ahead)
        is_moved = away > 0
    return 0 if is_moved and away > _PLACE_CHARS else _AT_PLACE - is_moved


def _best(found: list[_Occurrence]) -> _Occurrence | None:
    """Return the occurrence of many words of which most is the same; None of several that cannot be told apart."""
    if not found:
        return None
    best, *others = sorted(found, key=lambda each: (-each.sides - each.heading, not each.path, each.distance))
    # A section that was moved has other headings above it, but a copy under all of its own may be the cited words.
    if any(each.heading and (each.path, bool(each.sides)) > (best.path, bool(best.place)) for each in others):
        return None
    is_tied = any(each.sides + each.heading == best.sides + best.heading for each in others)
    return best if (best.heading or not others) and (best.place or not is_tied) else None


def _best_of_few(found: list[_Occurrence], length: int) -> _Occurrence | None:
    """Return the occurrence of few words in a text of this length that has enough evidence, and no rival."""
    if not found:
        return None
    best, *others = sorted(found, key=lambda each: -each.weight)
    occurrences = len(found) + best.left_out
    is_once = occurrences == 1 and best.span[1] - best.span[0] >= _MIN_CHARS_ONCE
    if best.weight < (_MIN_WEIGHT_ONCE if is_once else _MIN_WEIGHT + math.log2(max(2, occurrences))):
        return None
    if _FEW_WORDS.words + best.bits(near=_NEAR_BITS) < _MIN_BITS + math.log2(length):
        return None
    return None if any(_may_be_meant(each, best) for each in others) else best


def _may_be_meant(rival: _Occurrence, best: _Occurrence) -> bool:
    """Return True if a rival of the best occurrence of few words may be the cited one.

    An edit changes sides, heading and place of the cited words: another occurrence may keep more of them.
    """
    if best.lines and rival.lines and rival.heading and rival.place == _AT_PLACE:
        return True  # headings of the same words: each is at the beginning of its own section
    sides, heading, place = best.same
    rival_sides, rival_heading, rival_place = rival.same
    if (sides, heading, place) >= (_BOTH, True, _AT_PLACE):
        return rival.same >= best.same
    return (
        best.bits() - rival.bits() < _FEW_WORDS.side
        or rival_sides > sides
        or (rival_heading > heading and bool(rival_sides or rival_place))
        or (rival_place > place and bool(rival_sides or rival_heading))
        or (rival_place > 0 and not (sides and heading))
        or (place < _AT_PLACE and rival_sides > 0 and (rival_heading or (not heading and rival_place > 0)))
    )


def _counted(text: str, start: int, end: int) -> "tuple[Indices, Hashes, Flags]":
    """Return the characters that count of a span of a text: positions in the text, codes, and whether it is a digit."""
    import numpy as np  # noqa: PLC0415 - heavy

    before = max(0, start - 1)
    span = text[before : end + 1]  # with the neighbours of its characters
    known = _characters("" if span.isascii() else "".join(sorted(set(span) - _ASCII)))
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

    characters = "".join(sorted(_ASCII)) + others
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
    heading = breadcrumb.rpartition(BREADCRUMB_SEPARATOR)[2]
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

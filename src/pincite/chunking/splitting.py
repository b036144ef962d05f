"""Split blocks that are too long, at the best boundary that fits."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pincite.chunking.sentences import sentence_ends
from pincite.chunking.tokens import TokenCounter
from pincite.model.document import BlockKind
from pincite.text.lexical import WHITE_SPACE

CHARS_PER_TOKEN = 16
"""Maximum characters of a chunk per token of the limit, which bounds chunks of few tokens: a word of a megabyte is
one unknown token. Of 6,629 chunks of real documents none has more than 8 per token; prose has 4 to 5."""

_LOOKAHEAD = 1.25
"""Characters that a hard split tokenizes, relative to the average that fits."""

_MIN_PIECE_DIVISOR = 8
"""A piece of fewer characters than the tokens of a step divided by this is joined to the next: measuring each line of
one character would take most of the time."""

_BLANK_LINES = r"(?:[ \t\f\v]*(?:\r\n?|\n))*"
_LINE = re.compile(rf"[^\r\n]*(?:\r\n?|\n|\Z){_BLANK_LINES}")
_ITEM = re.compile(r"(?:^|(?<=[\r\n])) {0,3}(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n])")


@dataclass(frozen=True, slots=True)
class Unit:
    """A span of text that is not split, and its number of tokens."""

    start: int
    end: int
    tokens: int


class Splitter:
    """Measures and splits one text in the tokens of one model."""

    def __init__(self, text: str, tokenizer: TokenCounter) -> None:
        self._text = text
        self._tokenizer = tokenizer

    def unit(self, start: int, end: int) -> Unit:
        """Return a span of the text with its tokens."""
        return Unit(start, end, self._tokenizer.count(self._text[start:end]))

    def join(self, one: Unit, other: Unit) -> Unit:
        """Join two neighbours; their tokens are counted again only if no white space separates them."""
        if self._text[other.start - 1] in WHITE_SPACE or self._text[other.start] in WHITE_SPACE:
            return Unit(one.start, other.end, one.tokens + other.tokens)
        return self.unit(one.start, other.end)

    def fits(self, unit: Unit, limit: int) -> bool:
        """Return True if a unit is short enough in tokens and characters; trailing blank lines do not count."""
        if unit.tokens > limit:
            return False
        most = limit * CHARS_PER_TOKEN
        return unit.end - unit.start <= most or not self._text[unit.start + most : unit.end].strip()

    def pack(self, units: Iterable[Unit], limit: int) -> list[Unit]:
        """Join neighbours as long as they fit."""
        packed: list[Unit] = []
        for unit in units:
            joined = self.join(packed[-1], unit) if packed else None
            if joined and self.fits(joined, limit):
                packed[-1] = joined
            else:
                packed.append(unit)
        return packed

    def split(self, block: Unit, kind: BlockKind, limit: int, first: int, step: int) -> Iterator[Unit]:
        """Split a block into units that fit; a block that fits in a step is one unit.

        Args:
            block: With the blank lines after it.
            kind: Decides where it may be split.
            limit: Maximum number of tokens of a unit; only what exceeds it is split within a sentence or line.
            first: Maximum number of tokens of the first unit.
            step: Number of tokens from which a unit is split where a sentence, item or line ends; at most `limit`.
        """
        return self._pieces(block, _LEVELS.get(kind, _LINES), limit, first, step)

    def split_at(self, whole: Unit, levels: "tuple[Ends, ...]", limit: int) -> Iterator[Unit]:
        """Split a span into units that fit, at the first level's boundaries, what is longer at the next level's.

        What has none of these boundaries is split at white space, or between characters.
        """
        return self._pieces(whole, levels, limit, limit, limit)

    def _pieces(self, whole: Unit, levels: "tuple[Ends, ...]", limit: int, room: int, step: int) -> Iterator[Unit]:
        """Split at the first level's boundaries, and pieces that still do not fit at the next level's."""
        if self.fits(whole, min(room, step)) or (not levels and self.fits(whole, room)):
            yield whole
        elif not levels:
            yield from self._hard(whole, limit, room)
        else:
            start = whole.start
            # Only the first piece may have less room; each later one starts a new chunk.
            for stop in levels[0](self._text, start, whole.end):
                if stop < min(whole.end, start + step // _MIN_PIECE_DIVISOR):
                    continue
                piece = whole if (start, stop) == (whole.start, whole.end) else self.unit(start, stop)
                yield from self._pieces(piece, levels[1:], limit, room, step)
                start, room = stop, limit

    def _hard(self, whole: Unit, limit: int, room: int) -> Iterator[Unit]:
        """Split at white space if there is any in the second half of what fits, else between characters."""
        # The block's own average: text without words has far fewer characters per token than prose.
        chars_per_token = min(CHARS_PER_TOKEN, (whole.end - whole.start) / max(1, whole.tokens))
        start = whole.start
        while start < whole.end:
            # Without a bound each split would tokenize all of the remaining text.
            ahead = min(int(room * chars_per_token * _LOOKAHEAD) + 1, room * CHARS_PER_TOKEN)
            unit = self._prefix(start, whole.end, ahead, room)
            yield unit
            start, room = unit.end, limit

    def _prefix(self, start: int, end: int, ahead: int, room: int) -> Unit:
        text = self._text[start : min(end, start + ahead)]
        for limit in range(room, 0, -1):
            stop = start + max(1, self._tokenizer.cut(text, limit))
            unit = self.unit(start, self._border(start, stop, end))
            # The parts of a split word may have more tokens than the word: retry with a smaller limit.
            if unit.tokens <= room:
                return unit
        return self.unit(start, start + 1)

    def _border(self, start: int, stop: int, end: int) -> int:
        """Move a split back to the last white space in the second half, if any, then forward past the white space."""
        if stop < end and self._text[stop] not in WHITE_SPACE:
            before = range(stop, start + (stop - start) // 2, -1)
            stop = next((position for position in before if self._text[position - 1] in WHITE_SPACE), stop)
        while stop < end and self._text[stop] in WHITE_SPACE:
            stop += 1
        return stop


Ends = Callable[[str, int, int], Iterator[int]]
"""Yields the positions at which a span of a text may be split, ascending; its end is the last."""


def line_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the positions after each line and the blank lines that follow it; `end` is the last."""
    while start < end:
        match = _LINE.match(text, start, end)
        start = match.end() if match else end
        yield start


def _item_ends(text: str, start: int, end: int) -> Iterator[int]:
    for match in _ITEM.finditer(text, start, end):
        if match.start() > start:
            yield match.start()
    yield end


_LINES: tuple[Ends, ...] = (line_ends,)
_PROSE: tuple[Ends, ...] = (sentence_ends, line_ends)
_LEVELS: dict[BlockKind, tuple[Ends, ...]] = {
    BlockKind.HEADING: _PROSE,
    BlockKind.PARAGRAPH: _PROSE,
    BlockKind.LIST: (_item_ends, line_ends, sentence_ends),
    BlockKind.QUOTE: (line_ends, sentence_ends),
    BlockKind.OTHER: (line_ends, sentence_ends),
}

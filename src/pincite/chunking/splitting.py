"""A block that is too long, cut where it hurts least."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pincite.chunking.sentences import sentence_ends
from pincite.chunking.tokens import TokenCounter
from pincite.model.document import BlockKind

CHARS_PER_TOKEN = 16
"""Text with fewer tokens than this (a word of a megabyte is one unknown token) counts by its characters, so that a
chunk has a bounded length: of 6,629 chunks of real documents none has more than 8, prose has 4 to 5."""

_AHEAD = 1.25
"""How much more than the average that fits a hard cut looks at."""

_GRAIN = 8
"""A piece of fewer characters than a chunk has tokens, by this factor, is left with the next: measuring each line of
a character would take most of the time."""

_WHITE = " \t\r\n"
"""White space that every tokenizer takes for a border (some drop form feeds and other controls)."""

_BLANK_LINES = r"(?:[ \t\f\v]*(?:\r\n?|\n))*"
_LINE = re.compile(rf"[^\r\n]*(?:\r\n?|\n|\Z){_BLANK_LINES}")
_ITEM = re.compile(r"(?:^|(?<=[\r\n])) {0,3}(?:[-+*]|\d{1,9}[.)])(?=[ \t\r\n])")


@dataclass(frozen=True, slots=True)
class Unit:
    """A run of text that stays together, and its tokens."""

    start: int
    end: int
    tokens: int


class Splitter:
    """Measures and cuts one text by one model's tokens."""

    def __init__(self, text: str, tokenizer: TokenCounter) -> None:
        self._text = text
        self._tokenizer = tokenizer

    def unit(self, start: int, end: int) -> Unit:
        """A span of the text, measured."""
        return Unit(start, end, self._tokenizer.count(self._text[start:end]))

    def join(self, one: Unit, other: Unit) -> Unit:
        """Two neighbours as one; measured again only where they do not meet at white space."""
        if self._text[other.start - 1] in _WHITE or self._text[other.start] in _WHITE:
            return Unit(one.start, other.end, one.tokens + other.tokens)
        return self.unit(one.start, other.end)

    def fits(self, unit: Unit, limit: int) -> bool:
        """Whether a unit is short enough, in tokens and in characters; blank lines at its end are free."""
        if unit.tokens > limit:
            return False
        most = limit * CHARS_PER_TOKEN
        return unit.end - unit.start <= most or not self._text[unit.start + most : unit.end].strip()

    def split(self, block: Unit, kind: BlockKind, limit: int, first: int) -> Iterator[Unit]:
        """A block as units that fit, whole if it does.

        Args:
            block: With the blank lines after it.
            kind: Decides where it may be cut.
            limit: Most tokens of a unit.
            first: Most tokens of the first unit.
        """
        return self._pieces(block, _LEVELS.get(kind, _LINES), limit, first)

    def _pieces(self, whole: Unit, levels: "tuple[Ends, ...]", limit: int, room: int) -> Iterator[Unit]:
        """Cut at the first level's places; what does not fit then, at the next level's."""
        if self.fits(whole, room):
            yield whole
        elif not levels:
            yield from self._hard(whole, limit, room)
        else:
            start = whole.start
            for stop in levels[0](self._text, start, whole.end):
                if stop < min(whole.end, start + limit // _GRAIN):
                    continue
                piece = whole if (start, stop) == (whole.start, whole.end) else self.unit(start, stop)
                yield from self._pieces(piece, levels[1:], limit, room)
                start, room = stop, limit

    def _hard(self, whole: Unit, limit: int, room: int) -> Iterator[Unit]:
        """Cut at white space if there is any in the second half of what fits, else between characters."""
        chars_per_token = min(CHARS_PER_TOKEN, (whole.end - whole.start) / max(1, whole.tokens))
        start = whole.start
        while start < whole.end:
            # Looking further ahead would tokenize the whole rest for each cut.
            ahead = min(int(room * chars_per_token * _AHEAD) + 1, room * CHARS_PER_TOKEN)
            unit = self._prefix(start, whole.end, ahead, room)
            yield unit
            start, room = unit.end, limit

    def _prefix(self, start: int, end: int, ahead: int, room: int) -> Unit:
        text = self._text[start : min(end, start + ahead)]
        for limit in range(room, 0, -1):
            stop = start + max(1, self._tokenizer.cut(text, limit))
            unit = self.unit(start, self._border(start, stop, end))
            # A word cut in two may have other pieces than it had whole.
            if unit.tokens <= room:
                return unit
        return self.unit(start, start + 1)

    def _border(self, start: int, stop: int, end: int) -> int:
        """Back to the last white space in the second half, if there is any; then past all that follows."""
        if stop < end and self._text[stop] not in _WHITE:
            before = range(stop, start + (stop - start) // 2, -1)
            stop = next((position for position in before if self._text[position - 1] in _WHITE), stop)
        while stop < end and self._text[stop] in _WHITE:
            stop += 1
        return stop


Ends = Callable[[str, int, int], Iterator[int]]
"""Positions at which a span of a text may be cut, rising; its end is the last."""


def _line_ends(text: str, start: int, end: int) -> Iterator[int]:
    while start < end:
        match = _LINE.match(text, start, end)
        start = match.end() if match else end
        yield start


def _item_ends(text: str, start: int, end: int) -> Iterator[int]:
    for match in _ITEM.finditer(text, start, end):
        if match.start() > start:
            yield match.start()
    yield end


_LINES: tuple[Ends, ...] = (_line_ends,)
_PROSE: tuple[Ends, ...] = (sentence_ends, _line_ends)
_LEVELS: dict[BlockKind, tuple[Ends, ...]] = {
    BlockKind.HEADING: _PROSE,
    BlockKind.PARAGRAPH: _PROSE,
    BlockKind.LIST: (_item_ends, _line_ends, sentence_ends),
    BlockKind.QUOTE: (_line_ends, sentence_ends),
    BlockKind.OTHER: (_line_ends, sentence_ends),
}

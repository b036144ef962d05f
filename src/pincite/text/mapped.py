"""Derived text with a map from its characters back to the original's."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import MutableSequence, Sequence
from dataclasses import dataclass, field
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Mapped:
    """A text and, for each of its characters, the span of the original that it was made from.

    The text consists of pieces. A piece as long as its original maps character by character, any other
    maps as a whole. Pieces keep the order of the original; parts of it without a piece were left out.

    Attributes:
        text: The derived text.
        starts: Start of each piece in the derived text.
        origins: Start of each piece in the original.
        ends: End of each piece in the original, exclusive.
    """

    text: str
    starts: Sequence[int]
    origins: Sequence[int]
    ends: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original's span of the characters from `start` to `end`, which must not be empty."""
        return self.start(start), self.end(end)

    def start(self, index: int) -> int:
        """Return the original's start of the character at an index; for the text's end, the original's."""
        if index >= len(self.text):
            return self.ends[-1] if self.ends else 0
        piece = bisect_right(self.starts, index) - 1
        return self.origins[piece] + (index - self.starts[piece] if self._is_aligned(piece) else 0)

    def end(self, index: int) -> int:
        """Return the original's end (exclusive) of the character before an index."""
        if index <= 0:
            return 0
        piece = bisect_right(self.starts, index - 1) - 1
        return self.origins[piece] + index - self.starts[piece] if self._is_aligned(piece) else self.ends[piece]

    def first_at(self, origin: int) -> int:
        """Return the index of the first character whose original begins at or after an offset of the original."""
        piece = bisect_left(self.ends, origin + 1)
        if piece == len(self.ends):
            return len(self.text)
        if origin <= self.origins[piece]:
            return self.starts[piece]
        return self.starts[piece] + origin - self.origins[piece] if self._is_aligned(piece) else self._stop(piece)

    def _is_aligned(self, piece: int) -> bool:
        return self._stop(piece) - self.starts[piece] == self.ends[piece] - self.origins[piece]

    def _stop(self, piece: int) -> int:
        return self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)


@dataclass(slots=True)
class MappedBuilder:
    """Builds a `Mapped` piece by piece, in the order of the original."""

    parts: list[str] = field(default_factory=list[str])
    length: int = 0
    # Arrays, for a list of integers takes several times the memory of a long text.
    starts: MutableSequence[int] = field(default_factory=lambda: array("l"))
    origins: MutableSequence[int] = field(default_factory=lambda: array("l"))
    ends: MutableSequence[int] = field(default_factory=lambda: array("l"))

    def put(self, piece: str, start: int, end: int) -> None:
        """Append a piece made from the original's `start` to `end`; an empty one leaves that span out."""
        if not piece:
            return
        self.parts.append(piece)
        self.starts.append(self.length)
        self.origins.append(start)
        self.ends.append(end)
        self.length += len(piece)

    def last(self) -> str:
        """Return the last character so far, or an empty string."""
        return self.parts[-1][-1] if self.parts else ""

    def done(self) -> Mapped:
        """Return the finished text and map."""
        return Mapped("".join(self.parts), self.starts, self.origins, self.ends)


def without(text: str, pattern: re.Pattern[str]) -> Mapped:
    """Return a text without the matches of a pattern."""
    gaps = [match.span() for match in pattern.finditer(text)]
    origins = [0, *(end for _, end in gaps)]
    ends = [*(start for start, _ in gaps), len(text)]
    starts = accumulate((end - origin for origin, end in zip(origins, ends, strict=True)), initial=0)
    return Mapped(pattern.sub("", text), array("l", starts)[:-1], array("l", origins), array("l", ends))


def replaced(text: str, pattern: re.Pattern[str], by: str) -> Mapped:
    """Return a text with every match of a pattern replaced by `by`."""
    builder = MappedBuilder()
    position = 0
    for match in pattern.finditer(text):
        builder.put(text[position : match.start()], position, match.start())
        builder.put(by, *match.span())
        position = match.end()
    builder.put(text[position:], position, len(text))
    return builder.done()

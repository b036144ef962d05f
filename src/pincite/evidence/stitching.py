"""Find quotes that join several passages of a document."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from pincite.evidence.nearness import nearest
from pincite.evidence.search import (
    Prepared,
    Span,
    Wording,
    has_hidden,
    has_prefix_match,
    haystack,
    occurrences,
    wording,
)
from pincite.model.call import Call

MAX_PARTS = 4
MIN_WORDS = 4
MIN_CHARACTERS = 12
"""Minimum length of a part without spaces: with fewer words or characters any text could be stitched together."""


def parts(words: Wording, most: int, document: Prepared, cited_span: Span, call: Call) -> tuple[Span, ...]:
    """Return the spans of a wording's parts in its order; empty if it cannot be divided into parts.

    Every prefix of an occurring text occurs, too, so a greedy division with the longest part at each word needs
    the fewest parts. A shorter part helps only if the next one would be too short; then it ends at most as many
    words earlier as the shortest part has.

    Args:
        words: The wording.
        most: Maximum number of parts.
        document: The document to search.
        cited_span: Occurrences in it are preferred, then the nearest to it.
        call: Checked for cancellation.
    """
    division = _Division(words, document, cited_span, call)
    spans = division.from_word(0, most) if division.is_possible() else None
    return tuple(spans) if spans and has_hidden(words, document, *spans) else ()


@dataclass(slots=True)
class _Division:
    words: Wording
    document: Prepared
    cited_span: Span
    call: Call
    starts: list[int] = field(init=False)
    ends: list[int] = field(init=False)
    sizes: list[int] = field(init=False)
    counts: list[int] = field(init=False)
    reaches: dict[int, int] = field(default_factory=dict[int, int])
    part_spans: dict[tuple[int, int], Span | None] = field(default_factory=dict[tuple[int, int], Span | None])
    failed: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def __post_init__(self) -> None:
        self.starts, self.ends, self.sizes, self.counts = [], [], [0], [0]
        position = 0
        for word in self._text().split(" "):
            if word:
                self.starts.append(position)
                self.ends.append(position + len(word))
                self.sizes.append(self.sizes[-1] + len(word))
                self.counts.append(self.counts[-1] + any(map(str.isalnum, word)))
            position += len(word) + 1

    def is_possible(self) -> bool:
        """Return False if the shortest first or last part does not occur: a cheap test that rejects most quotes."""
        words = len(self.starts)
        last = min(
            bisect_right(self.counts, self.counts[-1] - MIN_WORDS) - 1,
            bisect_right(self.sizes, self.sizes[-1] - MIN_CHARACTERS) - 1,
        )
        return (
            self._least(0) <= words
            and has_prefix_match(self._wording(0, self._least(0)), self.document)
            and self._wording(last, words).squeezed in haystack(self.words, self.document)
        )

    def from_word(self, first: int, most: int) -> list[Span] | None:
        """Return the spans of parts from a word to the end; None if there is no division into at most `most`."""
        if first == len(self.starts):
            return []
        if (first, most) in self.failed or not self._can_reach_end(first, most):
            return None
        reach, least = self._reach(first), self._least(first)
        # Longest first; see `parts` for why few shorter ones need a try.
        for end in range(reach, max(least, reach - MIN_CHARACTERS) - 1, -1):
            span = self._part(first, end)
            following = self.from_word(end, most - 1) if span else None
            if span and following is not None:
                return [span, *following]
        self.failed.add((first, most))
        return None

    def _can_reach_end(self, first: int, most: int) -> bool:
        """Return False if even parts without a minimum length cannot reach the end."""
        if self._reach(first) < self._least(first):
            return False
        for _ in range(most):
            first = self._reach(first)
        return first == len(self.starts)

    def _least(self, first: int) -> int:
        """Return the end (exclusive) of the shortest part that begins with a word."""
        return max(
            bisect_left(self.counts, self.counts[first] + MIN_WORDS),
            bisect_left(self.sizes, self.sizes[first] + MIN_CHARACTERS),
        )

    def _reach(self, first: int) -> int:
        """Return the end (exclusive) of the longest part that begins with a word."""
        self.call.check()
        if first not in self.reaches:
            # Double the length until it does not occur, then bisect: a search costs time per character.
            words, low, high = len(self.starts), first, first + MIN_WORDS
            while high < words and has_prefix_match(self._wording(first, high), self.document):
                low, high = high, 2 * high - first
            high = words + 1 if high >= words else high
            while high - low > 1:
                middle = (low + high) // 2
                if has_prefix_match(self._wording(first, middle), self.document):
                    low = middle
                else:
                    high = middle
            self.reaches[first] = low
        return self.reaches[first]

    def _part(self, first: int, end: int) -> Span | None:
        if (first, end) not in self.part_spans:
            words = self._wording(first, end)
            inside = next(occurrences(words, self.document, self.cited_span), None)
            self.part_spans[first, end] = inside or nearest([words], self.document, self.cited_span)
        return self.part_spans[first, end]

    def _wording(self, first: int, end: int) -> Wording:
        part = self._text()[self.starts[first] : self.ends[end - 1]]
        return Wording(None, part, part) if self.words.folded is None else wording(part)

    def _text(self) -> str:
        return self.words.squeezed if self.words.folded is None else self.words.folded

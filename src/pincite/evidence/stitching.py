"""A quote that was put together from several places of a document."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

from pincite.evidence.nearness import nearest
from pincite.evidence.search import Prepared, Span, Wording, begins, haystack, hidden_stands, occurrences, wording
from pincite.model.call import Call

MOST_PARTS = 4
FEWEST_WORDS = 4
FEWEST_CHARACTERS = 12
"""Without spaces; both bounds as the contract names them."""


def parts(words: Wording, most: int, document: Prepared, cited_span: Span, call: Call) -> tuple[Span, ...]:
    """Spans of the parts of which a wording consists, in its order; none where it does not.

    What is found is found in each of its parts, too, so the longest part that can begin at a word leaves the least
    to the others. An earlier cut helps only where the next part would be too short; it lies at most as many words
    back as the shortest part may have.

    Args:
        words: The wording.
        most: How many parts there may be.
        document: Where to look.
        cited_span: Occurrences in it are preferred, then the nearest to it.
        call: Whom it is for.
    """
    cutting = _Cutting(words, document, cited_span, call)
    spans = cutting.from_word(0, most) if cutting.likely() else None
    return tuple(spans) if spans and hidden_stands(words, document, *spans) else ()


@dataclass(slots=True)
class _Cutting:
    words: Wording
    document: Prepared
    cited_span: Span
    call: Call
    starts: list[int] = field(init=False)
    ends: list[int] = field(init=False)
    sizes: list[int] = field(init=False)
    counts: list[int] = field(init=False)
    reaches: dict[int, int] = field(default_factory=dict[int, int])
    found: dict[tuple[int, int], Span | None] = field(default_factory=dict[tuple[int, int], Span | None])
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

    def likely(self) -> bool:
        """Whether the shortest first and last part stand there; without them there is no need to look further."""
        words = len(self.starts)
        last = min(
            bisect_right(self.counts, self.counts[-1] - FEWEST_WORDS) - 1,
            bisect_right(self.sizes, self.sizes[-1] - FEWEST_CHARACTERS) - 1,
        )
        return (
            self._least(0) <= words
            and begins(self._wording(0, self._least(0)), self.document)
            and self._wording(last, words).sought in haystack(self.words, self.document)
        )

    def from_word(self, first: int, most: int) -> list[Span] | None:
        """Parts from a word to the end."""
        if first == len(self.starts):
            return []
        if (first, most) in self.failed or not self._greedily(first, most):
            return None
        reach, least = self._reach(first), self._least(first)
        for end in range(reach, max(least, reach - FEWEST_CHARACTERS) - 1, -1):
            span = self._part(first, end)
            rest = self.from_word(end, most - 1) if span else None
            if span and rest is not None:
                return [span, *rest]
        self.failed.add((first, most))
        return None

    def _greedily(self, first: int, most: int) -> bool:
        """Whether the end can be reached at all, were the parts after the first as short as one likes."""
        if self._reach(first) < self._least(first):
            return False
        for _ in range(most):
            first = self._reach(first)
        return first == len(self.starts)

    def _least(self, first: int) -> int:
        """One past the last word of the shortest part that begins with a word."""
        return max(
            bisect_left(self.counts, self.counts[first] + FEWEST_WORDS),
            bisect_left(self.sizes, self.sizes[first] + FEWEST_CHARACTERS),
        )

    def _reach(self, first: int) -> int:
        """One past the last word of the longest part that begins with a word."""
        self.call.check()
        if first not in self.reaches:
            words, low, high = len(self.starts), first, first + FEWEST_WORDS
            while high < words and begins(self._wording(first, high), self.document):
                low, high = high, 2 * high - first
            high = words + 1 if high >= words else high
            while high - low > 1:
                middle = (low + high) // 2
                if begins(self._wording(first, middle), self.document):
                    low = middle
                else:
                    high = middle
            self.reaches[first] = low
        return self.reaches[first]

    def _part(self, first: int, end: int) -> Span | None:
        if (first, end) not in self.found:
            words = self._wording(first, end)
            inside = next(occurrences(words, self.document, self.cited_span), None)
            self.found[first, end] = inside or nearest([words], self.document, self.cited_span)
        return self.found[first, end]

    def _wording(self, first: int, end: int) -> Wording:
        part = self._text()[self.starts[first] : self.ends[end - 1]]
        return Wording(None, part, part) if self.words.folded is None else wording(part)

    def _text(self) -> str:
        return self.words.sought if self.words.folded is None else self.words.folded

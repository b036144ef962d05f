"""Token counting that a call can interrupt."""

from pincite.chunking.tokens import TokenCounter
from pincite.model.call import Call
from pincite.text.lexical import WHITE_SPACE

SLICE_CHARS = 65_536
"""Characters counted between two checks of the call: some 10 ms of the tokenizer."""


class InterruptibleCounter:
    """A `TokenCounter` that checks the call, also within a long text.

    Counts are additive across white space. A word longer than a slice is counted in parts, a few tokens off: it is
    many times longer than any chunk, so it is split and counted again.
    """

    def __init__(self, counter: TokenCounter, call: Call) -> None:
        self._counter = counter
        self._call = call

    def count(self, text: str) -> int:
        """See `TokenCounter.count`."""
        tokens = start = 0
        while len(text) - start > 2 * SLICE_CHARS:
            end = start + SLICE_CHARS
            # Slices end at white space, where counts are additive.
            stop = next((at for at in range(end, end + SLICE_CHARS) if text[at] in WHITE_SPACE), end)
            tokens += self._count(text[start:stop])
            start = stop
        return tokens + self._count(text[start:] if start else text)

    def cut(self, text: str, limit: int) -> int:
        """See `TokenCounter.cut`."""
        self._call.check()
        return self._counter.cut(text, limit)

    def _count(self, text: str) -> int:
        self._call.check()
        return self._counter.count(text)

"""What a policy needs of a tokenizer."""

from typing import Protocol


class TokenCounter(Protocol):
    """Counts and truncates text in the tokens of one model.

    Counts are additive across white space: no token spans it.
    """

    def count(self, text: str) -> int:
        """Return the number of tokens of a text."""
        ...

    def cut(self, text: str, limit: int) -> int:
        """Return the length of the longest prefix with at most `limit` tokens (at least one character)."""
        ...

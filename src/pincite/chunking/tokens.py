"""What the chunker must know of a model's tokens."""

from typing import Protocol


class TokenCounter(Protocol):
    """Counts and cuts text in the tokens of one model.

    Counts add up across white space: no token spans it.
    """

    def count(self, text: str) -> int:
        """Tokens of a text."""
        ...

    def cut(self, text: str, limit: int) -> int:
        """Characters of the longest prefix that holds at most `limit` tokens (at least one character)."""
        ...

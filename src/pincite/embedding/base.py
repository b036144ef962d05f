"""What an embedder is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from pincite.model.call import Call

if TYPE_CHECKING:
    from pincite.model.vector import Vector


class Tokenizer(Protocol):
    """Counts and cuts text in the tokens of one model; needs no weights.

    `identity` names the vocabulary; chunks cut by another one are re-cut.
    """

    identity: str

    def count(self, text: str) -> int:
        """Tokens of a text, without the model's own marks ([CLS], [SEP])."""
        ...

    def cut(self, text: str, limit: int) -> int:
        """Characters of the longest prefix that holds at most `limit` tokens (at least one character)."""
        ...

    def knows(self, word: str) -> bool:
        """Whether a lower-case word is one token: one of the most frequent of the language."""
        ...

    def rarity(self, word: str) -> float:
        """Return how specific a lower-case word is: 0 for the commonest of the language, 1 for one it does not know."""
        ...


class Embedder(Protocol):
    """Turns text into vectors of length 1.

    Attributes:
        identity: Model, precision and version of the recipe; vectors of two identities are
            never compared.
        provider: Who runs it (`local`, `fastembed`, `openai`).
        model: The model's name, as a user sets it.
        dimensions: Numbers in a vector.
        tokenizer: The model's tokens.
    """

    identity: str
    provider: str
    model: str
    dimensions: int
    tokenizer: Tokenizer

    def load(self, call: Call) -> None:
        """Make ready; may fetch the weights, with progress. Idempotent, thread-safe.

        Raises:
            ConfigError: The weights are not there and may not be fetched, or were refused.
            ConnectionFailed: They could not be fetched.
        """
        ...

    def embed(self, texts: Sequence[str], call: Call) -> "Vector":
        """Embed passages: (n, dimensions). Asks `call` between texts. The same text gives the
        same bits whatever it is embedded beside.
        """
        ...

    def embed_query(self, text: str) -> "Vector":
        """Embed one question: (dimensions,), ahead of any passages that wait."""
        ...

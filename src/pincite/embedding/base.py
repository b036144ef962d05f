"""The interfaces of tokenizers and embedders.

An embedder's row in the registry names a function that makes one: `build(options, *, cache_dir)`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from pincite.model.call import Call

if TYPE_CHECKING:
    from pincite.model.vector import Vector

PROVIDERS_OF_OTHER_LANGUAGES = ("fastembed", "openai")
"""Providers whose models may know other languages than English."""


class Tokenizer(Protocol):
    """Counts and truncates text in the tokens of one model; needs no weights.

    `identity` names the vocabulary; documents chunked with another one are chunked again.
    """

    identity: str

    def count(self, text: str) -> int:
        """Return the number of tokens of a text, without special tokens ([CLS], [SEP])."""
        ...

    def cut(self, text: str, limit: int) -> int:
        """Return the length of the longest prefix with at most `limit` tokens (at least one character)."""
        ...

    def knows(self, word: str) -> bool:
        """Return True if the vocabulary has a lower-case word, which makes it a frequent one of the language."""
        ...

    def rarity(self, word: str) -> float:
        """Return how rare a lower-case word is: 0 for the most frequent of the language, 1 for an unknown one."""
        ...


class EmbedderOptions(Protocol):
    """What embedders read of the settings, as their row in the registry names the section."""

    @property
    def model_dir(self) -> Path | None:
        """Folder of a model that was put there by hand."""
        ...

    @property
    def fetch(self) -> bool:
        """Whether weights may be fetched."""
        ...

    @property
    def precision(self) -> Literal["int8", "fp32"]:
        """Precision of the weights."""
        ...

    @property
    def threads(self) -> int | None:
        """Number of threads; as many as cores if None."""
        ...


BATCH_TEXTS = 32
"""Texts that a model on this machine embeds between two checks of a deadline, some 0.5 s of work."""


class Embedder(Protocol):
    """Embeds text as vectors of length 1.

    Attributes:
        identity: Model, precision and version of the recipe; vectors of different identities are
            never compared.
        provider: The runtime or service (`local`, `fastembed`, `openai`).
        model: The model's name in the settings.
        batch_size: Number of texts to pass to `embed` at once: more only delay the next check of a deadline.
        tokenizer: The model's tokenizer.
    """

    identity: str
    provider: str
    model: str
    batch_size: int
    tokenizer: Tokenizer

    @property
    def dimensions(self) -> int:
        """Dimensions of a vector."""
        ...

    @property
    def is_loaded(self) -> bool:
        """Whether the model is loaded."""
        ...

    def load(self, call: Call) -> None:
        """Load the model, fetching its weights with progress if needed. Idempotent, thread-safe.

        Raises:
            ConfigError: The weights are missing and may not be fetched, or failed verification.
            ConnectionFailed: The weights could not be fetched.
        """
        ...

    def embed(self, texts: Sequence[str], call: Call) -> "Vector":
        """Embed passages: (n, dimensions). Checks `call` between texts. A text's vector does not
        depend on the others, bit for bit. A text that cannot be embedded has the zero vector.
        """
        ...

    def embed_query(self, text: str, call: Call | None = None) -> "Vector":
        """Embed one question: (dimensions,), before any waiting passages."""
        ...


@runtime_checkable
class TokenEmbedder(Protocol):
    """An `Embedder` that also returns the vectors of a text's tokens, which services do not."""

    def embed_tokens(self, texts: Sequence[str], call: Call) -> "list[Vector]":
        """Return, for each text, the vectors of its tokens in their context: (tokens, dimensions), each of length 1,
        without special tokens. Checks `call` between texts.
        """
        ...

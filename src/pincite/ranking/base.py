"""The interface of rerankers.

A reranker's row in the registry names a function that makes one: `build(options, *, cache_dir, model, token)`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from pincite.model.call import Call


class RerankerOptions(Protocol):
    """What rerankers read of the settings, as their row in the registry names the section."""

    @property
    def model_dir(self) -> Path | None:
        """Folder of models that were put there by hand."""
        ...

    @property
    def fetch(self) -> bool:
        """Whether weights may be fetched."""
        ...

    @property
    def threads(self) -> int | None:
        """Number of threads; as many as cores if None."""
        ...


class Reranker(Protocol):
    """Scores passages by reading each together with the query.

    Attributes:
        model: The model's name in the settings.
    """

    model: str

    def load(self, call: Call) -> None:
        """Load the model. Idempotent, thread-safe.

        Raises:
            ConfigError: It is not here and may not be fetched, or is damaged.
            ConnectionFailed: It could not be fetched.
        """
        ...

    def score(self, query: str, passages: Sequence[str], call: Call) -> list[float]:
        """Return the relevance of each passage, higher for a better one. Checks `call` between passages.

        A passage's score does not depend on the others.
        """
        ...

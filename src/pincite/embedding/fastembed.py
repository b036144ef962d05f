"""Embedding models of the `fastembed` extra."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.embedding.base import BATCH_TEXTS
from pincite.embedding.wordpiece import WordPiece
from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.runtime.fastembed import FastembedModel, ModelSource, model_source
from pincite.text.excerpt import well_formed

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from pydantic import SecretStr

    from pincite.embedding.base import EmbedderOptions, Tokenizer
    from pincite.model.vector import Vector

_BGE_SMALL = "BAAI/bge-small-en-v1.5"
_BGE_SMALL_DIMENSIONS = 384


def build(
    options: "EmbedderOptions", *, cache_dir: Path, model: str, token: "SecretStr | None" = None
) -> "FastembedEmbedder":
    """Return an embedder of a model that fastembed knows."""
    return FastembedEmbedder(model_source(options, model, cache_dir, token))


class FastembedEmbedder:
    """An `Embedder`. Thread-safe; loads at the first use if `load` was not called.

    Args:
        source: Where its model comes from.
    """

    provider = "fastembed"
    batch_size = BATCH_TEXTS

    def __init__(self, source: ModelSource) -> None:
        self.model = source.name
        self.identity = f"fastembed/{source.name}/v1"
        # Its texts are cut by characters, and its own tokenizer comes with its weights only.
        self.tokenizer: Tokenizer = WordPiece()
        self._model = FastembedModel(source, self._open)

    @property
    def dimensions(self) -> int:
        """Dimensions of a vector.

        Raises:
            ConfigError: fastembed does not know the model.
        """
        if self.model == _BGE_SMALL:  # known without the import, which takes a second
            return _BGE_SMALL_DIMENSIONS
        from fastembed import TextEmbedding  # noqa: PLC0415 - loaded with the model

        try:
            return TextEmbedding.get_embedding_size(self.model)
        except ValueError:
            raise _unknown(self.model) from None

    @property
    def is_loaded(self) -> bool:
        """See `Embedder.is_loaded`."""
        return self._model.is_loaded

    def load(self, call: Call) -> None:
        """Load the model. Idempotent; a second caller waits for the first.

        Raises:
            PinciteError: See `FastembedModel.get`.
        """
        self._model.loaded_model(call)

    def embed(self, texts: Sequence[str], call: Call) -> "Vector":
        """Embed passages, each by itself, so that its vector does not depend on the others: (n, dimensions)."""
        model = self._model.loaded_model(call)
        import numpy as np  # noqa: PLC0415 - loaded with the model

        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for index, text in enumerate(texts):
            call.check()
            vectors[index] = next(iter(model.embed([well_formed(text)], batch_size=1)))
        return vectors

    def embed_query(self, text: str, call: Call | None = None) -> "Vector":
        """Embed one question: (dimensions,)."""
        del call
        model = self._model.loaded_model(Call())
        import numpy as np  # noqa: PLC0415 - loaded with the model

        return np.asarray(next(iter(model.query_embed(well_formed(text)))), np.float32)

    def _open(self, options: dict[str, Any]) -> "TextEmbedding":
        from fastembed import TextEmbedding  # noqa: PLC0415 - loaded with the model

        try:
            return TextEmbedding(self.model, **options)
        except ValueError as error:
            if "not supported" in str(error):
                raise _unknown(self.model) from None
            raise


def _unknown(model: str) -> ConfigError:
    return ConfigError(f"fastembed has no model {model}. Correct EMBEDDING_MODEL_ACCURATE or unset it.")

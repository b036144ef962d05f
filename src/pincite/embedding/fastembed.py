"""Embedding models of the `fastembed` extra, from a folder, a cache or their hub."""

import os
import threading
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.embedding.wordpiece import WordPiece
from pincite.errors import ConfigError, ConnectionFailed, Unsupported
from pincite.model.abandonable import abandonable
from pincite.model.call import Call
from pincite.model.device import providers_of
from pincite.model.vector import import_numpy
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
    if find_spec("fastembed") is None:  # a second is too long for the import of what may not be used
        raise Unsupported("fastembed needs an optional package: pip install 'pincite[fastembed]'")

    folder = None if options.model_dir is None else options.model_dir / model.rpartition("/")[2]
    return FastembedEmbedder(
        model,
        cache_dir=cache_dir,
        folder=folder if folder is not None and folder.is_dir() else None,
        fetch=options.fetch,
        threads=options.threads,
        token=None if token is None else token.get_secret_value(),
    )


class FastembedEmbedder:
    """An `Embedder`. Thread-safe; loads at the first use if `load` was not called.

    Args:
        model: The model's name on its hub.
        cache_dir: Folder for fetched models.
        folder: A folder with the model's files; None to use the cache or the hub.
        fetch: Whether the model may be fetched from its hub.
        threads: Number of threads; the number of cores if None.
        token: The hub's token, for models that need one.
    """

    provider = "fastembed"

    def __init__(
        self,
        model: str,
        *,
        cache_dir: Path,
        folder: Path | None = None,
        fetch: bool = True,
        threads: int | None = None,
        token: str | None = None,
    ) -> None:
        self.model = model
        self.identity = f"fastembed/{model}/v1"
        # Its texts are cut by characters, and its own tokenizer comes with its weights only.
        self.tokenizer: Tokenizer = WordPiece()
        self._cache_dir = cache_dir
        self._folder = folder
        self._fetch = fetch
        self._threads = threads
        self._token = token
        self._lock = threading.Lock()
        self._loaded: TextEmbedding | None = None

    @cached_property
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
        return self._loaded is not None

    def load(self, call: Call) -> None:
        """Load the model: from its folder, the cache, or its hub. Idempotent; a second caller waits for the first.

        Raises:
            ConfigError: It is not there and may not be fetched, or is damaged.
            ConnectionFailed: It could not be fetched.
        """
        self._model(call)

    def embed(self, texts: Sequence[str], call: Call) -> "Vector":
        """Embed passages, each by itself, so that its vector does not depend on the others: (n, dimensions)."""
        import numpy as np  # noqa: PLC0415 - loaded with the model

        model = self._model(call)
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for index, text in enumerate(texts):
            call.check()
            vectors[index] = next(iter(model.embed([well_formed(text)], batch_size=1)))
        return vectors

    def embed_query(self, text: str) -> "Vector":
        """Embed one question: (dimensions,)."""
        model = self._model(Call())
        import numpy as np  # noqa: PLC0415 - loaded with the model

        return np.asarray(next(iter(model.query_embed(well_formed(text)))), np.float32)

    def _model(self, call: Call) -> "TextEmbedding":
        while not self._lock.acquire(timeout=0.1):
            call.check()
        try:
            if self._loaded is None:
                # A hub that does not answer is waited for by its client alone.
                self._loaded = abandonable(self._open, call, name="pincite-model")
            return self._loaded
        finally:
            self._lock.release()

    def _open(self) -> "TextEmbedding":
        import_numpy()
        prepare_hub(self._token)
        import onnxruntime  # noqa: PLC0415 - loaded with the model
        from fastembed import TextEmbedding  # noqa: PLC0415 - as above

        try:
            return TextEmbedding(
                self.model,
                cache_dir=str(self._cache_dir / "fastembed"),
                threads=self._threads,
                providers=providers_of(onnxruntime.get_available_providers()),
                cuda=False,
                specific_model_path=None if self._folder is None else str(self._folder),
                local_files_only=not self._fetch,
            )
        except ValueError as error:
            if "not supported" in str(error):
                raise _unknown(self.model) from None
            raise self._failure(error) from error
        except Exception as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> ConfigError | ConnectionFailed:
        details = f"{type(error).__name__}: {error}"
        if self._folder is not None:
            name = self._folder.name
            return ConfigError(
                f"The model in the folder {name} of PINCITE_MODEL_DIR cannot be loaded.", details=details
            )
        advice = f"Put its files into a folder {self.model.rpartition('/')[2]} of PINCITE_MODEL_DIR."
        if not self._fetch:
            return ConfigError(f"The model {self.model} is not here and may not be fetched. {advice}", details=details)
        return ConnectionFailed(f"The model {self.model} could not be fetched. {advice}", details=details)


def prepare_hub(token: str | None) -> None:
    """Set what the hub's client reads from the environment: no telemetry, and a token."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    if token:
        os.environ["HF_TOKEN"] = token
    from loguru import logger  # noqa: PLC0415 - comes with the extra

    logger.disable("fastembed")  # it writes to standard error past our log


def _unknown(model: str) -> ConfigError:
    return ConfigError(f"fastembed has no model {model}. Correct EMBEDDING_MODEL_ACCURATE or unset it.")

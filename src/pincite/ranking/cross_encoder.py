"""A cross-encoder of the `fastembed` extra, from a folder, a cache or its hub."""

import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.errors import ConfigError, ConnectionFailed, Unsupported
from pincite.model.abandonable import abandonable
from pincite.model.call import Call
from pincite.model.device import providers_of
from pincite.text.excerpt import well_formed

if TYPE_CHECKING:
    from fastembed.rerank.cross_encoder import TextCrossEncoder
    from pydantic import SecretStr

    from pincite.ranking.base import RerankerOptions

MAX_PAIR_TOKENS = 512
"""Tokens of a query with its passage: what the model was trained with (contract 4)."""


def build(
    options: "RerankerOptions", *, cache_dir: Path, model: str, token: "SecretStr | None" = None
) -> "CrossEncoder":
    """Return a reranker of a model that fastembed knows."""
    if find_spec("fastembed") is None:  # a second is too long for the import of what may not be used
        raise Unsupported("fastembed needs an optional package: pip install 'pincite[fastembed]'")

    folder = None if options.model_dir is None else options.model_dir / model.rpartition("/")[2]
    return CrossEncoder(
        model,
        cache_dir=cache_dir,
        folder=folder if folder is not None and folder.is_dir() else None,
        fetch=options.fetch,
        threads=options.threads,
        token=None if token is None else token.get_secret_value(),
    )


class CrossEncoder:
    """A `Reranker`. Thread-safe; loads at the first use if `load` was not called.

    Args:
        model: The model's name on its hub, with or without its owner.
        cache_dir: Folder for fetched models.
        folder: A folder with the model's files; None to use the cache or the hub.
        fetch: Whether the model may be fetched from its hub.
        threads: Number of threads; the number of cores if None.
        token: The hub's token, for models that need one.
    """

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
        self._cache_dir = cache_dir
        self._folder = folder
        self._fetch = fetch
        self._threads = threads
        self._token = token
        self._lock = threading.Lock()
        self._loaded: TextCrossEncoder | None = None

    def load(self, call: Call) -> None:
        """See `Reranker.load`."""
        self._encoder(call)

    def score(self, query: str, passages: Sequence[str], call: Call) -> list[float]:
        """See `Reranker.score`; one pair a run, since a batch pads its pairs to the longest."""
        encoder = self._encoder(call)
        asked = well_formed(query)
        scores: list[float] = []
        for passage in passages:
            call.check()
            scores += map(float, encoder.rerank(asked, [well_formed(passage)], batch_size=1))
        return scores

    def _encoder(self, call: Call) -> "TextCrossEncoder":
        while not self._lock.acquire(timeout=0.1):
            call.check()
        try:
            if self._loaded is None:
                # A hub that does not answer is waited for by its client alone.
                self._loaded = abandonable(self._open, call, name="pincite-model")
            return self._loaded
        finally:
            self._lock.release()

    def _open(self) -> "TextCrossEncoder":
        os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
        if self._token:
            os.environ["HF_TOKEN"] = self._token
        import onnxruntime  # noqa: PLC0415 - loaded with the model
        from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 - as above
        from loguru import logger  # noqa: PLC0415 - comes with the extra

        logger.disable("fastembed")  # it writes to standard error past our log
        known = [str(row["model"]) for row in TextCrossEncoder.list_supported_models()]
        name = next((name for name in known if self.model in {name, name.rpartition("/")[2]}), None)
        if name is None:
            raise ConfigError(f"fastembed has no reranker {self.model}. Correct RERANK_MODEL or unset it.")
        try:
            encoder = TextCrossEncoder(
                name,
                cache_dir=str(self._cache_dir / "fastembed"),
                threads=self._threads,
                providers=providers_of(onnxruntime.get_available_providers()),
                cuda=False,
                specific_model_path=None if self._folder is None else str(self._folder),
                local_files_only=not self._fetch,
            )
            encoder.model.tokenizer.enable_truncation(MAX_PAIR_TOKENS)
        except Exception as error:
            raise self._failure(error) from error
        return encoder

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

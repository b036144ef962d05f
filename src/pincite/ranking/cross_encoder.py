"""Cross-encoders of the `fastembed` extra."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite.errors import ConfigError
from pincite.model.call import Call
from pincite.runtime.fastembed import FastembedModel, ModelSource, model_source
from pincite.runtime.imports import import_once
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
    return CrossEncoder(model_source(options, model, cache_dir, token))


class CrossEncoder:
    """A `Reranker`. Thread-safe; loads at the first use if `load` was not called.

    Args:
        source: Where its model comes from, whose name may be without its owner.
    """

    def __init__(self, source: ModelSource) -> None:
        self.model = source.name
        self._model = FastembedModel(source, self._open)

    def load(self, call: Call) -> None:
        """See `Reranker.load`."""
        self._model.loaded_model(call)

    def score(self, query: str, passages: Sequence[str], call: Call) -> list[float]:
        """See `Reranker.score`; one pair a run, since a batch pads its pairs to the longest."""
        encoder = self._model.loaded_model(call)
        text = well_formed(query)
        scores: list[float] = []
        for passage in passages:
            call.check()
            scores += map(float, encoder.rerank(text, [well_formed(passage)], batch_size=1))
        return scores

    def _open(self, options: dict[str, Any]) -> "TextCrossEncoder":
        import_once("fastembed.rerank.cross_encoder")
        from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 - loaded with the model

        known = [str(row["model"]) for row in TextCrossEncoder.list_supported_models()]
        name = next((name for name in known if self.model in {name, name.rpartition("/")[2]}), None)
        if name is None:
            raise ConfigError(f"fastembed has no reranker {self.model}. Correct RERANK_MODEL or unset it.")
        encoder = TextCrossEncoder(name, **options)
        encoder.model.tokenizer.enable_truncation(MAX_PAIR_TOKENS)
        return encoder

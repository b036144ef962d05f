"""The model of semantic search."""

import pytest

from pincite.embedding.local import LocalEmbedder
from pincite.errors import ConfigError
from pincite.registry import EMBEDDERS
from pincite.settings import MODELS, load


def test_the_fault_of_a_model_names_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match="write all-MiniLM-L6-v2, or unset it"):
        load({"EMBEDDING_MODEL": "bge-small"})
    with pytest.raises(ConfigError, match="all-MiniLM-L6-v2 has 384 dimensions"):
        load({"EMBEDDING_DIMENSIONS": "768"})
    assert load({"EMBEDDING_MODEL": "sentence-transformers/all-minilm-l6-V2"}).embedding.model == "all-MiniLM-L6-v2"
    assert load({"EMBEDDING_DIMENSIONS": "384"}).embedding.dimensions == 384


def test_the_fault_of_an_embedder_names_those_of_the_registry() -> None:
    names = [row.name for row in EMBEDDERS]
    with pytest.raises(ConfigError, match=f"unknown embedder; write {' or '.join(names)}, or unset it"):
        load({"EMBEDDING_PROVIDER": "huge"})
    assert [load({"EMBEDDING_PROVIDER": name}).embedding.provider for name in names] == names


def test_the_models_are_those_that_can_be_loaded() -> None:
    assert {LocalEmbedder.model: LocalEmbedder.dimensions} == MODELS

"""The model of semantic search."""

import pytest

from pincite.embedding.local import LocalEmbedder
from pincite.errors import ConfigError
from pincite.registry import EMBEDDERS
from pincite.settings import MODELS, load

KEY = "sk-a-key-of-this-test-0123456789"


def test_the_fault_of_a_model_names_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match="write all-MiniLM-L6-v2 or sentence-transformers/paraphrase-multilingual"):
        load({"EMBEDDING_MODEL": "bge-small"})
    with pytest.raises(ConfigError, match="all-MiniLM-L6-v2 has 384 dimensions"):
        load({"EMBEDDING_DIMENSIONS": "768"})
    assert load({"EMBEDDING_MODEL": "sentence-transformers/all-minilm-l6-V2"}).embedding.model == "all-MiniLM-L6-v2"
    assert load({"EMBEDDING_DIMENSIONS": "384"}).embedding.dimensions == 384


def test_the_fault_of_an_embedder_names_those_of_the_registry() -> None:
    names = [row.name for row in EMBEDDERS]
    with pytest.raises(ConfigError, match=f"unknown embedder; write {' or '.join(names)}, or unset it"):
        load({"EMBEDDING_PROVIDER": "huge"})
    key = {"OPENAI_API_KEY": KEY}
    assert [load({"EMBEDDING_PROVIDER": name, **key}).embedding.provider for name in names] == names


def test_the_embedder_follows_the_model_and_the_model_the_embedder() -> None:
    assert (load().embedding.provider, load().embedding.model) == ("local", "all-MiniLM-L6-v2")
    by_model = load({"EMBEDDING_MODEL": "Text-Embedding-3-large", "OPENAI_API_KEY": KEY}).embedding
    assert (by_model.provider, by_model.vector_dimensions) == ("openai", 3072)
    by_name = load({"EMBEDDING_PROVIDER": "openai", "OPENAI_API_KEY": KEY}).embedding
    assert (by_name.model, by_name.vector_dimensions, by_name.requested_dimensions) == (
        *("text-embedding-3-small", 1536),
        None,
    )
    with pytest.raises(ConfigError, match="unknown model"):
        load({"EMBEDDING_PROVIDER": "local", "EMBEDDING_MODEL": "text-embedding-3-small"})
    with pytest.raises(ConfigError, match="unknown model"):
        load({"EMBEDDING_PROVIDER": "openai", "EMBEDDING_MODEL": "all-MiniLM-L6-v2", "OPENAI_API_KEY": KEY})


def test_a_model_for_other_languages_is_run_by_fastembed_for_folders_and_short_documents() -> None:
    given = load({"EMBEDDING_MODEL": "paraphrase-multilingual-MiniLM-L12-v2"})
    assert (given.embedding.provider, given.embedding.vector_dimensions) == ("fastembed", 384)
    assert (
        given.fastembed_model == given.embedding.model == "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
    )
    assert load({"EMBEDDING_MODEL": "baai/bge-small-zh-v1.5"}).embedding.model == "BAAI/bge-small-zh-v1.5"
    assert (
        load().fastembed_model == load({"EMBEDDING_PROVIDER": "fastembed"}).fastembed_model == "BAAI/bge-small-en-v1.5"
    )
    with pytest.raises(ConfigError, match="unknown model"):
        load({"EMBEDDING_PROVIDER": "local", "EMBEDDING_MODEL": "bge-small-zh-v1.5"})


@pytest.mark.parametrize(
    ("model", "dimensions", "requested"),
    [
        ("text-embedding-3-small", 256, 256),
        ("text-embedding-3-large", 3072, 3072),
        ("text-embedding-ada-002", 1536, None),
        ("nomic-embed-text", 768, None),
    ],
)
def test_dimensions_are_requested_of_models_that_shorten(model: str, dimensions: int, requested: int | None) -> None:
    given = {"EMBEDDING_MODEL": model, "EMBEDDING_DIMENSIONS": dimensions, "EMBEDDING_PROVIDER": "openai"}
    embedding = load({**given, "OPENAI_API_KEY": KEY}).embedding
    assert (embedding.vector_dimensions, embedding.requested_dimensions) == (dimensions, requested)


@pytest.mark.parametrize(
    ("model", "dimensions"),
    [
        ("text-embedding-3-small", 255),
        ("text-embedding-3-small", 3072),
        ("text-embedding-3-large", 3073),
        ("text-embedding-ada-002", 512),
        ("nomic-embed-text", None),
        ("nomic-embed-text", 0),
    ],
)
def test_dimensions_out_of_range_are_faults(model: str, dimensions: int | None) -> None:
    given = {"EMBEDDING_MODEL": model, "EMBEDDING_DIMENSIONS": dimensions, "EMBEDDING_PROVIDER": "openai"}
    with pytest.raises(ConfigError, match="- EMBEDDING_DIMENSIONS: "):
        load({**given, "OPENAI_API_KEY": KEY})


@pytest.mark.parametrize(
    "key", ["", "sk-", "sk-with space in it", "two words", "sk-clé-0123456789", "0123456789abcdef"]
)
def test_a_key_that_cannot_be_one_is_a_fault_that_does_not_repeat_it(key: str) -> None:
    with pytest.raises(ConfigError, match="- OPENAI_API_KEY: ") as raised:
        load({"EMBEDDING_PROVIDER": "openai", "OPENAI_API_KEY": key})
    assert key in {"", "sk-"} or key not in raised.value.message


def test_a_service_of_ones_own_may_have_keys_of_any_form_or_none() -> None:
    own = {"EMBEDDING_PROVIDER": "openai", "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}
    assert load(own).embedding.openai_key is None
    secret = load({**own, "OPENAI_API_KEY": "any-form"}).embedding
    assert "any-form" not in repr(secret)


def test_the_models_are_those_that_can_be_loaded() -> None:
    assert {LocalEmbedder.model: LocalEmbedder.dimensions} == MODELS

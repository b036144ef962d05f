"""What every embedder must do, over `registry.EMBEDDERS`."""

import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from pincite import registry
from pincite.app import build_embedder
from pincite.embedding.base import Embedder, TokenEmbedder
from pincite.errors import Cancelled, TimeoutExceeded
from pincite.model.call import Call
from pincite.settings import load
from support.embedding_service import EmbeddingService, embedding_service
from support.fastembed_models import embedder_folder

NEEDS: Mapping[str, Callable[[pytest.FixtureRequest], object]] = {
    "local": lambda request: request.getfixturevalue("model_cache"),
    "fastembed": lambda request: request.getfixturevalue("fastembed_folder"),
    "openai": lambda request: request.getfixturevalue("service"),
}
"""Embedder → what has to be here for its tests; one that needs nothing has no line."""

HOSTILE = (
    "",
    " ",
    "\0",
    "\ud800\udfff",
    "x" * 5_000,
    "é" * 700,
    "\u202e[SEP] [MASK] [CLS]",
    "🙂" * 300,
    "1,2;3 " * 900,
)
TEXTS = ("Rotate the signing key every year.", "Bread.", "A longer passage about storage. " * 70, *HOSTILE)


@pytest.fixture(scope="module")
def fastembed_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models for `fastembed`."""
    pytest.importorskip("fastembed")
    return embedder_folder(tmp_path_factory.mktemp("models")).parent


@pytest.fixture(scope="module")
def service() -> Iterator[EmbeddingService]:
    """A service for `openai`."""
    pytest.importorskip("openai", reason="needs the extra openai")
    with embedding_service() as running:
        yield running


@pytest.fixture(scope="module", params=[row.name for row in registry.EMBEDDERS])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    needed = NEEDS[request.param](request) if request.param in NEEDS else None
    place: dict[str, object] = {"PINCITE_MODEL_DIR": needed} if request.param == "fastembed" else {}
    if isinstance(needed, EmbeddingService):
        place = {"OPENAI_BASE_URL": needed.url}
    own = {"EMBEDDING_PROVIDER": request.param, "PINCITE_FETCH_MODEL": False, "PINCITE_EMBED_THREADS": 2}
    return build_embedder(load({**own, **place}), request.param)


def test_it_says_who_it_is(embedder: Embedder) -> None:
    assert embedder.identity and embedder.provider and embedder.model and embedder.dimensions > 0
    assert embedder.batch_size > 0
    assert embedder.tokenizer.identity


def test_loading_is_idempotent(embedder: Embedder) -> None:
    embedder.load(Call())
    embedder.load(Call())


def test_vectors_are_float32_of_length_one(embedder: Embedder) -> None:
    vectors = embedder.embed(TEXTS, Call())
    assert vectors.dtype == np.float32 and vectors.shape == (len(TEXTS), embedder.dimensions)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([], Call()).shape == (0, embedder.dimensions)


def test_a_query_is_one_vector(embedder: Embedder) -> None:
    vector = embedder.embed_query("how often are keys rotated?")
    assert vector.shape == (embedder.dimensions,) and vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-5)


def test_the_same_text_gives_the_same_bits_in_any_company(embedder: Embedder) -> None:
    together = embedder.embed(TEXTS, Call())
    backwards = embedder.embed(TEXTS[::-1], Call())[::-1]
    alone = np.stack([embedder.embed([text], Call())[0] for text in TEXTS])
    assert together.tobytes() == backwards.tobytes() == alone.tobytes()


def test_related_texts_are_closer_than_others(embedder: Embedder) -> None:
    near, far = embedder.embed(TEXTS[:2], Call()) @ embedder.embed_query("rotate a key every year")
    assert near > far + 0.2


def test_a_result_belongs_to_its_caller(embedder: Embedder) -> None:
    first = embedder.embed_query("mine")
    kept = first.tobytes()
    first[:] = 0
    assert embedder.embed_query("mine").tobytes() == kept


def test_it_asks_the_call_between_texts(embedder: Embedder) -> None:
    gone = Call()
    gone.stop.set()
    with pytest.raises(Cancelled):
        embedder.embed(TEXTS, gone)
    with pytest.raises(TimeoutExceeded):
        embedder.embed(TEXTS, Call(deadline=0.0))


def test_queries_and_passages_run_side_by_side(embedder: Embedder) -> None:
    expected = embedder.embed(TEXTS, Call()).tobytes()
    query = embedder.embed_query("key").tobytes()
    results: list[bool] = []

    def passages() -> None:
        results.append(embedder.embed(TEXTS, Call()).tobytes() == expected)

    def queries() -> None:
        results.append(all(embedder.embed_query("key").tobytes() == query for _ in range(20)))

    threads = [threading.Thread(target=work) for work in (passages, queries, passages, queries)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


@pytest.mark.parametrize("text", TEXTS)
def test_its_tokenizer_counts_and_cuts(embedder: Embedder, text: str) -> None:
    tokens = embedder.tokenizer.count(text)
    assert tokens >= 0
    end = embedder.tokenizer.cut(text, 5)
    assert min(1, len(text)) <= end <= len(text)
    assert embedder.tokenizer.count(text[:end]) <= 5 or end == 1
    assert embedder.tokenizer.cut(text, tokens) == len(text)


def test_the_vectors_of_tokens_are_of_length_one(embedder: Embedder) -> None:
    if not isinstance(embedder, TokenEmbedder):
        pytest.skip("returns no vectors of tokens")
    assert embedder.embed_tokens([], Call()) == []
    for text, tokens in zip(TEXTS, embedder.embed_tokens(TEXTS, Call()), strict=True):
        assert tokens.shape == (embedder.tokenizer.count(text), embedder.dimensions), text[:20]
        assert np.linalg.norm(tokens, axis=1) == pytest.approx(1, abs=1e-5)
    with pytest.raises(TimeoutExceeded):
        embedder.embed_tokens(["one text"], Call(deadline=0.0))

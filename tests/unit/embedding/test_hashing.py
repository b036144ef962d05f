"""Vectors without a model."""

import pytest

from pincite.embedding.hashing import HashEmbedder
from pincite.model.call import Call

EMBEDDER = HashEmbedder()


def test_shared_words_make_texts_close() -> None:
    near, far, query = EMBEDDER.embed(["rotate the signing key", "bake some bread", "Signing KEY?"], Call())
    assert near @ query == pytest.approx(0.7, abs=0.1) and abs(far @ query) < 0.2


def test_it_is_the_same_on_every_machine() -> None:
    vector = EMBEDDER.embed_query("key")
    assert (vector[:8] > 0).tolist() == [False, True, True, False, True, False, False, False]


def test_order_and_case_do_not_matter() -> None:
    assert EMBEDDER.embed_query("a b B").tobytes() == EMBEDDER.embed_query("B b A").tobytes()

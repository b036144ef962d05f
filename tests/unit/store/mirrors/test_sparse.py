"""Sparse vectors whose dot products order chunks as BM25 does."""

import pytest

from pincite.model.search import KeywordQuery
from pincite.store.bm25 import K1
from pincite.store.mirrors.sparse import SparseEncoder, term_index


@pytest.fixture(scope="module")
def encoder() -> SparseEncoder:
    return SparseEncoder()


def test_terms_are_folded_and_stemmed_as_in_the_library(encoder: SparseEncoder) -> None:
    (vector,) = encoder.chunks([("Über", "The zebras' stripes")])
    assert {term_index("zebra"), term_index("uber"), term_index("stripe")} <= set(vector.indices)
    assert encoder.query(KeywordQuery(("ZEBRA",), ("striped zebras",), ("über",))).indices == sorted(
        {term_index(term) for term in ("zebra", "stripe", "uber")}
    )


def test_a_term_weighs_more_the_more_often_and_less_the_longer_the_chunk(encoder: SparseEncoder) -> None:
    once, often, long = encoder.chunks([("", "zebra a"), ("", "zebra zebra"), ("", "zebra" + " b" * 500)])
    zebra = term_index("zebra")
    weights = [vector.values[vector.indices.index(zebra)] for vector in (long, once, often)]
    assert weights == sorted(weights) and weights[2] < K1 + 1


def test_what_has_no_word_has_an_empty_vector(encoder: SparseEncoder) -> None:
    assert encoder.chunks([("", "…")])[0].indices == [] and encoder.query(KeywordQuery(("-",))).values == []
    assert len(encoder.chunks([("", "\ud800 x")])[0].indices) >= 1


def test_indices_are_the_same_in_every_process() -> None:
    assert term_index("zebra") == 1_833_807_233
    assert term_index("\ud800") != term_index("zebra")

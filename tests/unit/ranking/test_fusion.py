"""One absolute score from two legs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.ranking.fusion import fused_all, keyword_share

cosines = st.none() | st.floats(-1, 1)
bm25s = st.none() | st.floats(0, 1e6)
sizes = st.integers(1, 10_000_000)


def fused(cosine: float | None, bm25: float | None, chunks: int) -> tuple[float, float]:
    """One chunk by itself."""
    semantic, keyword = fused_all({} if cosine is None else {7: cosine}, {7: bm25 or 0.0}, chunks)[7]
    return semantic, keyword


@given(cosines, bm25s, sizes)
def test_the_score_lies_between_0_and_1(cosine: float | None, bm25: float | None, chunks: int) -> None:
    assert 0 <= round(sum(fused(cosine, bm25, chunks)), 9) <= 1


@given(st.floats(0, 1), st.floats(0, 1e4), st.floats(0.001, 100), sizes)
def test_more_matched_words_never_lower_the_score(cosine: float, bm25: float, more: float, chunks: int) -> None:
    assert sum(fused(cosine, bm25 + more, chunks)) >= sum(fused(cosine, bm25, chunks))


def test_a_negative_cosine_counts_as_none() -> None:
    assert fused(-0.4, 3.0, 100) == fused(None, 3.0, 100)


def test_the_word_share_is_concave_and_grows_with_rarity() -> None:
    assert keyword_share(0, 100) == 0
    assert keyword_share(10, 100) < 2 * keyword_share(5, 100)
    assert keyword_share(10, 100) > keyword_share(10, 100_000)


def test_the_formula_is_the_one_that_was_measured() -> None:
    assert keyword_share(2.2 * 4.61512051684126, 100) == pytest.approx(0.5)
    assert fused(0.5, 2.2 * 4.61512051684126, 100) == pytest.approx((0.5 / 1.66, 0.66 * 0.5 / 1.66))


def test_an_empty_index_scores_nothing() -> None:
    assert keyword_share(5, 0) == 0
    assert fused(None, 5, 0) == (0, 0)

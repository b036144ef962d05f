"""Whether the documents speak of a question at all."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.ranking.relevance import LOW, relevance

unit = st.floats(0, 1)


@given(unit, unit)
def test_it_is_a_probability(score: float, coverage: float) -> None:
    assert 0 < relevance(score, coverage) < 1


@given(unit, unit, unit)
def test_it_rises_with_the_score_and_with_the_coverage(score: float, coverage: float, more: float) -> None:
    assert relevance(min(1, score + more), coverage) >= relevance(score, coverage)
    assert relevance(score, min(1, coverage + more)) >= relevance(score, coverage)


def test_the_quantiles_that_were_measured_fall_on_their_sides() -> None:
    assert relevance(0.56, 0.7) > LOW
    assert relevance(0.24, 0.3) < LOW

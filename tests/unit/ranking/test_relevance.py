"""Whether the documents answer a question at all."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.ranking.relevance import LOW, VERBATIM, Evidence, relevance

unit = st.floats(0, 1)
evidence = st.builds(Evidence, st.floats(-1, 1), unit, st.floats(0, 0.5), unit, st.integers(0, 10**7), st.booleans())


@given(evidence)
def test_it_is_a_probability(shown: Evidence) -> None:
    assert 0 <= relevance(shown) <= 1


@given(evidence, unit)
def test_it_rises_with_what_speaks_for_it_and_falls_with_what_does_not(shown: Evidence, more: float) -> None:
    least = relevance(shown)
    assert relevance(shown._replace(cosine=min(1, shown.cosine + more))) >= least
    assert relevance(shown._replace(coverage=min(1, shown.coverage + more))) >= least
    assert relevance(shown._replace(spread=shown.spread + more)) >= least
    assert relevance(shown._replace(unknown=min(1, shown.unknown + more))) <= least
    assert relevance(shown._replace(chunks=shown.chunks * 2)) <= least


@given(evidence)
def test_what_occurs_word_for_word_is_not_doubted(shown: Evidence) -> None:
    assert relevance(shown._replace(verbatim=True)) >= VERBATIM > LOW


def test_the_medians_that_were_measured_fall_on_their_sides() -> None:
    assert relevance(Evidence(cosine=0.6, coverage=0.8, spread=0.1, unknown=0, chunks=1500)) > LOW
    assert relevance(Evidence(cosine=0.2, coverage=0.3, spread=0.05, unknown=1, chunks=1500)) < LOW

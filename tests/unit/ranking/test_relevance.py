"""Whether the documents answer a question at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.ranking.relevance import DOUBT, LOW, VERBATIM, Evidence, missing, relevance

unit = st.floats(0, 1)
evidence = st.builds(
    Evidence,
    st.floats(-1, 1),
    unit,
    unit,
    st.booleans(),
    st.none() | st.floats(-1, 1),
)


@given(evidence)
def test_it_is_a_probability(shown: Evidence) -> None:
    assert 0 <= relevance(shown) <= 1


@given(evidence, unit)
def test_it_rises_with_what_speaks_for_it_and_falls_with_what_does_not(shown: Evidence, more: float) -> None:
    least = relevance(shown)
    assert relevance(shown._replace(cosine=min(1, shown.cosine + more))) >= least
    if shown.weak_similarity is not None:
        assert relevance(shown._replace(weak_similarity=min(1, shown.weak_similarity + more))) >= least
    assert relevance(shown._replace(coverage=min(1, shown.coverage + more))) >= least
    assert relevance(shown._replace(missing=min(1, shown.missing + more))) <= least


@given(evidence)
def test_what_occurs_word_for_word_is_not_doubted(shown: Evidence) -> None:
    assert relevance(shown._replace(verbatim=True)) >= VERBATIM > LOW


def test_the_medians_that_were_measured_fall_on_their_sides() -> None:
    near = Evidence(cosine=0.6, coverage=0.8, missing=0)
    far = Evidence(cosine=0.2, coverage=0.3, missing=1)
    assert relevance(far) < LOW < relevance(near)
    assert relevance(far._replace(weak_similarity=0.35)) < LOW


def test_tokens_that_are_near_allay_a_doubt_and_tokens_that_are_not_confirm_it() -> None:
    doubted = Evidence(cosine=0.4, coverage=0.4, missing=0.4)
    assert LOW < relevance(doubted) < DOUBT[1]
    assert relevance(doubted._replace(weak_similarity=0.3)) < relevance(doubted)
    assert relevance(doubted._replace(weak_similarity=0.6)) > relevance(doubted)


RARITIES = {"retry": 0.4, "kafka": 0.9, "topic": 0.3, "encryption": 0.6, "subtask": 0.7, "sub-task": 1.0}
TEXTS = ["Every sub-task may Retry once.", "Messages are encrypted."]


@pytest.mark.parametrize(
    ("words", "least"),
    [
        ([], 0.0),
        (["RETRY"], 0.0),
        (["topic", "kafka", "retry"], 0.9),
        (["encryption"], 0.0),  # another form of it occurs
        (["sub-task"], 0.0),
        (["subtask"], 0.7),
        (["is", "C", "?"], 0.0),  # too short to tell
    ],
)
def test_the_rarest_word_that_the_texts_lack_counts(words: list[str], least: float) -> None:
    assert missing(words, TEXTS, RARITIES.__getitem__) == least


def test_every_part_of_a_word_is_looked_for() -> None:
    assert missing(["retry-after"], TEXTS, lambda _: 1.0) == 1.0
    assert missing(["retry-messages"], TEXTS, lambda _: 1.0) == 0.0


def test_without_texts_every_word_is_missing() -> None:
    assert missing(["topic", "kafka"], [], RARITIES.__getitem__) == 0.9

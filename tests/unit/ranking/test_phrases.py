"""Phrases that occur word for word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.model.search import Parts
from pincite.ranking.phrases import Phrase, raise_matches, whole_query
from pincite.ranking.query import quoted_phrases


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("lid on the kettle", "Keep the lid on the kettle."),
        ("Lid, on THE kettle!", "keep the **lid** on\nthe `kettle`"),
        ("see the docs first", "See the [docs](https://docs.example/a) first."),
        ("a & b or c", "| a &amp; b | or c |"),
        ("--web.config.file", "use --web.config.file=x"),
        ("web_config file", "the web_config file"),
        ("Straße", "STRASSE"),
        ("café", "cafe\u0301"),
    ],
)
def test_case_punctuation_and_markdown_do_not_count(phrase: str, text: str) -> None:
    assert Phrase(phrase).occurs_in(text)


@pytest.mark.parametrize(
    ("phrase", "text"),
    [("lid on", "lids on"), ("lid on", "solid on"), ("lid on", "on lid"), ("lid on", "lid, then on"), ("?!", "?!")],
)
def test_other_words_and_another_order_do(phrase: str, text: str) -> None:
    assert not Phrase(phrase).occurs_in(text)


@given(st.text(), st.text())
def test_any_text_can_be_compared(phrase: str, text: str) -> None:
    assert Phrase(phrase).occurs_in(text) in (True, False)


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ('"a b"', ("a b",)),
        ("what is “a b”, and «c d»?", ("a b", "c d")),
        ('„so was“ ("a b")', ("so was", "a b")),
        ("»so was« und »das«", ("so was", "das")),
        ("「機密 情報」と『鍵』は?", ("機密 情報", "鍵")),
        ('"a b" "a b" "c"', ("a b", "c")),
        ('27" monitor or 24" monitor', ()),
        ('"" "?!" "unclosed', ()),
        ("it's the dog's 'own' bowl", ()),
    ],
)
def test_quotation_marks_of_several_languages_hold_phrases(query: str, phrases: tuple[str, ...]) -> None:
    assert quoted_phrases(query) == phrases


def test_a_whole_query_is_a_phrase_from_four_words_in_english_and_from_two_in_other_languages() -> None:
    assert whole_query("speichern", is_english=False) is None
    assert whole_query("rotate the keys", is_english=True) is None
    pair = whole_query("Datei speichern", is_english=False)
    assert whole_query("value that can go up and down", is_english=True) is None
    assert whole_query("word " * 3000, is_english=True) is None
    short, long = (
        whole_query("rotate the signing keys", is_english=True),
        whole_query("how to rotate the signing keys without downtime", is_english=True),
    )
    assert pair is not None and short is not None and long is not None
    assert 0 < pair.boost < short.boost < long.boost < 1


def test_only_the_first_words_of_a_long_phrase_are_looked_up() -> None:
    assert Phrase("a b c").start == "a b c"
    assert Phrase(" ".join("abcdefghijklmnopqrstuvwxyz")).start == "a b c d e f g h i j k l m n o p"


@given(st.floats(0, 0.5), st.floats(0, 0.5), st.floats(0, 1))
def test_a_raised_score_stays_within_one(semantic: float, keyword: float, boost: float) -> None:
    raised = raise_matches({1: Parts(semantic, keyword), 2: Parts(semantic, keyword)}, {1: boost})
    assert semantic + keyword == sum(raised[2]) <= sum(raised[1]) <= 1 + 1e-9

import pytest

from pincite.model.search import KeywordQuery
from pincite.store.bm25 import QueryTerm, quote
from pincite.store.matching import (
    MIN_TERMS_HYBRID,
    MIN_TERMS_KEYWORD_ONLY,
    KeywordLimits,
    any_of,
    query_strings,
    rarest_terms,
)

LIMITS = KeywordLimits(terms=3, characters=5)


@pytest.mark.parametrize(
    ("word", "string"),
    [("a", '"a"'), ('a"b', '"a""b"'), ("a\x00b", '"a b"'), ("\udc80x", '"x"'), (" a ", '"a"'), ("abcdefg", '"abcde"')],
)
def test_a_word_becomes_one_string(word: str, string: str) -> None:
    assert [quote(text) for text in query_strings(KeywordQuery((word,)), LIMITS)] == [string]


def test_each_word_counts_once_up_to_the_limit_and_empty_ones_not() -> None:
    assert list(query_strings(KeywordQuery(("a", "", "b", "a", "\x00"), ("b", "c", "d")), LIMITS)) == ["a", "b", "c"]
    assert any_of(['"a"', '"b"']) == '"a" OR "b"'


def test_a_synonym_is_not_asked_for_unless_the_question_says_it_too() -> None:
    assert query_strings(KeywordQuery(("a",), ("b",), ("b", "c")), LIMITS) == {"a": True, "b": True, "c": False}


def word(string: str, document_frequency: int) -> QueryTerm:
    return QueryTerm(string, in_query=True, document_frequency=document_frequency, term=document_frequency or None)


def strings(*wanted: QueryTerm, postings: int | None, least: int = 1) -> list[str]:
    return [word.string for word in rarest_terms(wanted, postings, least)]


def test_candidates_are_found_by_the_rarest_words_whose_matches_fit() -> None:
    wanted = (word("the", 90), word("rare", 3), word("unknown", 0), word("some", 7), word("many", 30))
    assert strings(*wanted, postings=10) == ["rare", "some"]
    assert strings(*wanted, postings=45) == ["rare", "some", "many"]
    assert strings(*wanted, postings=None) == ["the", "rare", "unknown", "some", "many"]


@pytest.mark.parametrize(("least", "taken"), [(MIN_TERMS_HYBRID, []), (MIN_TERMS_KEYWORD_ONLY, ["of", "the"])])
def test_words_that_do_not_fit_are_taken_only_where_nothing_else_finds(least: int, taken: list[str]) -> None:
    assert strings(word("the", 90), word("of", 80), word("a", 95), postings=1, least=least) == taken


def test_a_phrase_that_is_found_is_always_taken() -> None:
    phrase = QueryTerm("a_b", in_query=True, document_frequency=1, scores={1: 2.0})
    none = QueryTerm("c_d", in_query=True, document_frequency=0, scores={})
    assert strings(word("the", 90), word("rare", 5), phrase, none, postings=6) == ["a_b", "rare"]
    assert strings(word("the", 90), word("rare", 5), phrase, none, postings=5) == ["a_b"]

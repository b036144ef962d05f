import pytest

from pincite.model.search import WordQuery
from pincite.store.lexicon import Wanted, quote
from pincite.store.matching import ALONE, BESIDE_MEANING, WordLimits, any_of, plain, rarest

LIMITS = WordLimits(terms=3, characters=5)


@pytest.mark.parametrize(
    ("word", "string"),
    [("a", '"a"'), ('a"b', '"a""b"'), ("a\x00b", '"a b"'), ("\udc80x", '"x"'), (" a ", '"a"'), ("abcdefg", '"abcde"')],
)
def test_a_word_becomes_one_string(word: str, string: str) -> None:
    assert [quote(text) for text in plain(WordQuery((word,)), LIMITS)] == [string]


def test_each_word_counts_once_up_to_the_limit_and_empty_ones_not() -> None:
    assert list(plain(WordQuery(("a", "", "b", "a", "\x00"), ("b", "c", "d")), LIMITS)) == ["a", "b", "c"]
    assert any_of(['"a"', '"b"']) == '"a" OR "b"'


def test_a_synonym_is_not_asked_for_unless_the_question_says_it_too() -> None:
    assert plain(WordQuery(("a",), ("b",), ("b", "c")), LIMITS) == {"a": True, "b": True, "c": False}


def word(string: str, document_frequency: int) -> Wanted:
    return Wanted(string, asked=True, document_frequency=document_frequency, term=document_frequency or None)


def strings(*wanted: Wanted, postings: int | None, least: int = 1) -> list[str]:
    return [word.string for word in rarest(wanted, postings, least)]


def test_candidates_are_found_by_the_rarest_words_whose_matches_fit() -> None:
    wanted = (word("the", 90), word("rare", 3), word("unknown", 0), word("some", 7), word("many", 30))
    assert strings(*wanted, postings=10) == ["rare", "some"]
    assert strings(*wanted, postings=45) == ["rare", "some", "many"]
    assert strings(*wanted, postings=None) == ["the", "rare", "unknown", "some", "many"]


@pytest.mark.parametrize(("least", "taken"), [(BESIDE_MEANING, []), (ALONE, ["of", "the"])])
def test_words_that_do_not_fit_are_taken_only_where_nothing_else_finds(least: int, taken: list[str]) -> None:
    assert strings(word("the", 90), word("of", 80), word("a", 95), postings=1, least=least) == taken


def test_a_phrase_that_is_found_is_always_taken() -> None:
    phrase = Wanted("a_b", asked=True, document_frequency=1, scores={1: 2.0})
    none = Wanted("c_d", asked=True, document_frequency=0, scores={})
    assert strings(word("the", 90), word("rare", 5), phrase, none, postings=6) == ["a_b", "rare"]
    assert strings(word("the", 90), word("rare", 5), phrase, none, postings=5) == ["a_b"]

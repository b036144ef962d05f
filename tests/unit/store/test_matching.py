import pytest

from pincite.model.search import WordQuery
from pincite.store.matching import WordLimits, any_of, prune, quoted

LIMITS = WordLimits(terms=3, characters=5)


@pytest.mark.parametrize(
    ("word", "string"),
    [("a", '"a"'), ('a"b', '"a""b"'), ("a\x00b", '"a b"'), ("\udc80x", '"x"'), (" a ", '"a"'), ("abcdefg", '"abcde"')],
)
def test_a_word_becomes_one_string(word: str, string: str) -> None:
    assert quoted(WordQuery((word,)), LIMITS) == [string]


def test_each_word_counts_once_up_to_the_limit_and_empty_ones_not() -> None:
    assert quoted(WordQuery(("a", "", "b", "a", "\x00"), ("b", "c", "d")), LIMITS) == ['"a"', '"b"', '"c"']
    assert any_of(['"a"', '"b"']) == '"a" OR "b"'


def test_words_found_nearly_everywhere_are_dropped_while_a_rarer_one_is_there() -> None:
    counts = {"the": 90, "rare": 3, "unknown": 0}
    assert prune(["the", "rare", "unknown"], counts.__getitem__, 40) == ["rare", "unknown"]


def test_they_are_kept_where_nothing_rarer_is_found() -> None:
    counts = {"the": 90, "of": 80, "unknown": 0}
    assert prune(["the", "of", "unknown"], counts.__getitem__, 40) == ["the", "of", "unknown"]

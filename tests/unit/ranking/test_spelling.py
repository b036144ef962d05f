"""Words that nobody knows are repaired, and no others."""

from collections.abc import Sequence

import pytest

from pincite.ranking.spelling import repair

WORDS = {
    "histogram": 9,
    "buckets": 4,
    "bucket": 7,
    "configuration": 5,
    "postgresql": 3,
    "scrape": 8,
    "slowly": 0,
    "café": 2,
    "مشاهده": 5,
    "the": 9,
}
ENGLISH = {"dies", "slow", "interpolation", "protection", "hello"}


class Documents:
    """Some words, and how many chunks hold them."""

    def __init__(self, **more: int) -> None:
        self.words = WORDS | more

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        return [self.words.get(term, 0) for term in terms]

    def spellings(self, initial: str, shortest: int, longest: int) -> list[str]:
        return [word for word in self.words if word[0] == initial and shortest <= len(word) <= longest]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("hisogram bukets interpolation", "histogram buckets interpolation"),
        ("the configuraiton of scrpae", "the configuration of scrape"),
        ("Hisogram?", "histogram?"),
        ("what is a (histogrm), please", "what is a (histogram), please"),
        ("bucketts", "buckets"),
        ("native_hisogram_bukets --hisogram.bukets", "native_histogram_buckets --histogram.buckets"),
        ("X-Hisogram-Bukets HisoGram", "X-histogram-buckets histogram"),
        ("bukets' hisogram's", "buckets' histogram's"),
    ],
)
def test_a_slip_becomes_the_nearest_word_of_the_documents(typed: str, meant: str) -> None:
    for is_loaded in (False, True):
        assert repair(typed, Documents(), ENGLISH.__contains__, is_loaded=is_loaded) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "histogram",  # a known word
        "dies slow",  # English
        "postgres",  # the beginning of a known word
        "مشاههده",  # a word in letters that English has not
        "ask Bukets",  # a name
        "hsto",  # short
        "zistogram",  # another first letter
        "hostigrom",  # too many slips
        "slowlyy",  # near to a word that no chunk holds any more
        "2hisogram hisogram3",  # no words
        "should",  # a function word
        "",
    ],
)
def test_other_words_stay_as_typed(typed: str) -> None:
    for is_loaded in (False, True):
        assert repair(typed, Documents(), ENGLISH.__contains__, is_loaded=is_loaded) == typed


class Unread(Documents):
    """Documents whose words may not be looked up."""

    def document_frequencies(self, terms: Sequence[str]) -> list[int]:
        raise AssertionError(terms)


def test_a_loaded_vocabulary_is_read_before_the_documents_and_another_after_them() -> None:
    def unread(word: str) -> bool:
        raise AssertionError(word)

    assert repair("hello interpolation", Unread(), ENGLISH.__contains__, is_loaded=True) == "hello interpolation"
    assert repair("histogram scrape", Documents(), unread) == "histogram scrape"


def test_of_two_words_equally_near_the_one_that_more_chunks_hold_is_meant() -> None:
    assert repair("buckett", Documents(), ENGLISH.__contains__) == "bucket"


def test_words_in_quotation_marks_are_left_as_they_are_typed() -> None:
    assert repair('"histogrram" histogrram', Documents(), ENGLISH.__contains__) == '"histogrram" histogram'


@pytest.mark.parametrize("the", [0, 9])
@pytest.mark.parametrize(
    "query", ["Prozess beenden", "beenden", "slow beenden", "Datei umbenennen", "protection beenden", "hisogram"]
)
def test_words_of_another_language_are_left_as_they_are_typed(query: str, the: int) -> None:
    documents = Documents(the=the, und=5, beende=3, umbenenne=2, prozesse=1)
    assert repair(query, documents, ENGLISH.__contains__) == query


def test_an_english_question_is_corrected_in_documents_of_several_languages() -> None:
    documents, english = Documents(und=5), {*ENGLISH, "histogram"}
    assert repair("what is a slow hisogram", documents, english.__contains__) == "what is a slow histogram"

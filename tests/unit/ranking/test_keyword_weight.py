"""How much words count beside meaning."""

from collections.abc import Sequence

import pytest

from pincite.model.search import KeywordQuery
from pincite.ranking.keyword_weight import (
    IDENTIFIER_KEYWORD_WEIGHT,
    KEYWORD_WEIGHT,
    UNKNOWN_FACTOR,
    keyword_weight,
)

CHUNKS = 1000
FREQUENCIES = {"server": 200, "configure": 100, "zorblax": 1, "grafonix": 2, "unheard": 0, "walrus": 1, "a_b": 1}
ENGLISH = {"server", "configure", "walrus"}


def of(*terms: str, phrases: tuple[str, ...] = (), only_english: bool = True) -> float:
    def document_frequencies(terms: Sequence[str]) -> list[int]:
        return [FREQUENCIES[term] for term in terms]

    query = KeywordQuery(terms, phrases)
    return keyword_weight(query, CHUNKS, document_frequencies, ENGLISH.__contains__, only_english=only_english)


@pytest.mark.parametrize("terms", [("server",), ("walrus",), ("grafonix", "server"), ("unheard", "server"), ()])
def test_known_words_names_in_several_chunks_and_unheard_ones_count_as_ever(terms: tuple[str, ...]) -> None:
    assert of(*terms) == KEYWORD_WEIGHT


def test_an_identifier_counts_more() -> None:
    assert of("server", phrases=("server",)) == IDENTIFIER_KEYWORD_WEIGHT


def test_a_name_that_one_chunk_holds_leaves_meaning_to_the_rest_of_the_query() -> None:
    assert of("zorblax") > 50 * KEYWORD_WEIGHT
    assert KEYWORD_WEIGHT < of("zorblax", "server", "configure") < of("zorblax", "server") < of("zorblax")
    assert of(phrases=("a_b",)) > 50 * IDENTIFIER_KEYWORD_WEIGHT


def test_a_question_without_a_word_that_the_model_knows_leaves_more_to_keywords() -> None:
    assert of("grafonix", "unheard") == UNKNOWN_FACTOR * KEYWORD_WEIGHT
    assert of("grafonix", "unheard", only_english=False) == KEYWORD_WEIGHT

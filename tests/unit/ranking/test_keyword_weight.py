"""How much words count beside meaning."""

from collections.abc import Sequence

import pytest

from pincite.model.search import KeywordQuery
from pincite.ranking.keyword_weight import IDENTIFIER_KEYWORD_WEIGHT, KEYWORD_WEIGHT, keyword_weight

CHUNKS = 1000
FREQUENCIES = {"server": 200, "configure": 100, "zorblax": 1, "grafonix": 2, "unheard": 0, "walrus": 1, "a_b": 1}
ENGLISH = {"server", "configure", "walrus"}


def of(*terms: str, phrases: tuple[str, ...] = ()) -> float:
    def document_frequencies(terms: Sequence[str]) -> list[int]:
        return [FREQUENCIES[term] for term in terms]

    return keyword_weight(KeywordQuery(terms, phrases), CHUNKS, document_frequencies, ENGLISH.__contains__)


@pytest.mark.parametrize("terms", [("server",), ("walrus",), ("grafonix", "server"), ("unheard",), ()])
def test_known_words_names_in_several_chunks_and_unheard_ones_count_as_ever(terms: tuple[str, ...]) -> None:
    assert of(*terms) == KEYWORD_WEIGHT


def test_an_identifier_counts_more() -> None:
    assert of("server", phrases=("server",)) == IDENTIFIER_KEYWORD_WEIGHT


def test_a_name_that_one_chunk_holds_leaves_meaning_to_the_rest_of_the_query() -> None:
    assert of("zorblax") > 50 * KEYWORD_WEIGHT
    assert KEYWORD_WEIGHT < of("zorblax", "server", "configure") < of("zorblax", "server") < of("zorblax")
    assert of(phrases=("a_b",)) > 50 * IDENTIFIER_KEYWORD_WEIGHT

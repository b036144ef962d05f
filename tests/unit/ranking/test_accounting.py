"""The lines of financial statements that a question implies."""

from importlib.resources import files

import pytest

from pincite.ranking.accounting import statement_words
from pincite.ranking.stopwords import STOPWORDS
from pincite.ranking.synonyms import parse

TERMS = parse(files("pincite.ranking").joinpath("accounting.txt").read_text(encoding="utf-8"), "accounting.txt").terms


def test_a_ratio_brings_the_words_of_the_lines_that_it_is_computed_from() -> None:
    words = statement_words("What was the Quick-Ratio of 2022?")
    assert {"inventories", "receivable", "liabilities"} <= set(words)
    assert len(words) == len(set(words))


@pytest.mark.parametrize("question", ["How do I leverage a ratio?", "current ratios of a transformer", "capexes", ""])
def test_other_questions_bring_nothing(question: str) -> None:
    assert statement_words(question) == ()


def test_a_term_with_a_sign_is_found_as_it_is_typed() -> None:
    assert "equipment" in statement_words("What is PP&E?")


def test_no_line_brings_function_words() -> None:
    assert len(TERMS) > 40
    assert all(not STOPWORDS.intersection(statement_words(term)) for term in TERMS)
    assert all(statement_words(term) for term in TERMS)

"""Synonyms as a file of the user's."""

import pytest

from pincite.errors import ConfigError
from pincite.ranking.synonyms import Synonyms, parse

FILE = """# finance
cogs: cost of sales, cost of revenue

Quick Ratio: current assets
cogs: goods
"""


def test_a_term_that_stands_in_a_question_brings_its_other_words() -> None:
    synonyms = parse(FILE, "x")
    assert synonyms.of("What were the COGS in 2018?") == ("cost", "of", "sales", "revenue", "goods")
    assert synonyms.of("the quick  ratio") == ("current", "assets")


@pytest.mark.parametrize("question", ["cogswheel", "ratio quick", ""])
def test_a_term_counts_as_whole_words_in_order(question: str) -> None:
    assert parse(FILE, "x").of(question) == ()


def test_no_file_is_no_synonyms() -> None:
    assert Synonyms().of("cogs") == ()


@pytest.mark.parametrize("line", ["cogs", "cogs:", ": cost", "cogs: ,", "-: cost"])
def test_a_line_that_is_not_a_term_and_its_words_is_named(line: str) -> None:
    with pytest.raises(ConfigError, match=r"words\.txt, line 2: expected"):
        parse(f"# mine\n{line}\n", "words.txt")


def test_a_file_is_bounded() -> None:
    with pytest.raises(ConfigError, match="line 10001"):
        parse("a: b\n" * 10_001, "x")

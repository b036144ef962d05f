from collections.abc import Sequence

import pytest

from pincite.text.languages import FUNCTION_WORDS, language_shares, main_other_language
from pincite.text.words import indexed


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("German", "Der Hund und die Katze"),
        ("French", "une porte dans la cour"),
        ("Chinese", "\u7528\u6237\u7684\u6743\u9650"),
        ("Japanese", "\u6587\u66f8\u306e\u4fdd\u5b58"),
        ("Thai", "\u0e20\u0e32\u0e29\u0e32"),
    ],
)
def test_the_language_of_most_passages_is_told_by_its_function_words(name: str, text: str) -> None:
    passages = [indexed(text).lower().split()] * 3 + [["the", "plain", "text"]] * 2

    def document_frequencies(words: Sequence[str]) -> list[int]:
        return [sum(word in passage for passage in passages) for word in words]

    assert language_shares(document_frequencies) == {name: 60, "English": 40}
    assert main_other_language(document_frequencies, len(passages)) == (name, 0.6)


def test_english_passages_are_of_no_other_language() -> None:
    assert main_other_language(lambda words: [1 for _ in words], 5) is None
    assert main_other_language(lambda words: [0 for _ in words], 0) is None
    assert language_shares(lambda words: [0 for _ in words]) == {}
    assert len(FUNCTION_WORDS) > 12

"""Questions as they are typed in haste."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.services.evaluation.datasets import Gold, Question
from pincite.services.evaluation.misspelling import misspelt


def question(text: str) -> Question:
    return Question(text, (Gold("keys.md"),))


def test_the_longest_word_gets_one_error_and_keeps_its_first_letter() -> None:
    wrong = misspelt(question("how do I configure my keys"))
    before, _, after = wrong.text.partition(" configure")
    assert after == "" and before == wrong.text
    assert wrong.text.startswith("how do I c") and wrong.text.endswith(" my keys")
    assert abs(len(wrong.text) - len("how do I configure my keys")) <= 1
    assert wrong.golds == (Gold("keys.md"),)


def test_several_words_get_one_error_each() -> None:
    words = misspelt(question("rotate signing credentials"), words=2).text.split()
    assert words[0] == "rotate" and words[1] != "signing" and words[2] != "credentials"


def test_function_words_and_short_words_are_left_alone() -> None:
    assert misspelt(question("which of them can I use as is")).text == "which of them can I use as is"


def test_another_seed_makes_another_error() -> None:
    assert len({misspelt(question("credentials"), seed).text for seed in range(20)}) > 5


@given(st.text(), st.integers(0, 3), st.integers(1, 3))
def test_the_same_question_gets_the_same_error(text: str, seed: int, words: int) -> None:
    assert misspelt(question(text), seed, words) == misspelt(question(text), seed, words)

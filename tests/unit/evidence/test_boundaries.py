import pytest

from pincite.evidence.boundaries import is_boundary, is_unspaced


@pytest.mark.parametrize(
    ("left", "right"),
    [("a word", " ends"), ("so", "."), ("", "begins"), ("l'", "eau"), ("東", "京"), ("(", "aside"), ("5", " apples")],
)
def test_a_quote_may_be_cut_here(left: str, right: str) -> None:
    assert is_boundary(left + right, len(left))


@pytest.mark.parametrize(
    ("left", "right"),
    [("wo", "rd"), ("well-", "known"), ("don", "'t"), ("-", "5"), ("1,", "234"), ("5", "%"), ("1 ", "234"),
     ("1", " 234"), ("foot-\n", "note"), ("file.", "txt"), ("カ", "ナ")],
)  # fmt: skip
def test_a_quote_may_not_cut_a_word_or_a_number(left: str, right: str) -> None:
    assert not is_boundary(left + right, len(left))


def test_scripts_without_spaces() -> None:
    assert [is_unspaced(character) for character in "aя東カไ"] == [False, False, True, True, True]

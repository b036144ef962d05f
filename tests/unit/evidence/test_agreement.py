import pytest

from pincite.evidence.agreement import first_letter, has_same_gaps, lower, may_be_capital, squeeze


@pytest.mark.parametrize(
    ("quote", "found"),
    [("the file system", "the filesystem"), ("2019 - 2021", "2019-2021"), ("a bc", "a bc"), ("東京 都", "東京都")],
)
def test_gaps_of_these_agree(quote: str, found: str) -> None:
    assert squeeze(lower(quote)) == squeeze(lower(found)) or "-" in found
    assert has_same_gaps(quote, found)


@pytest.mark.parametrize(("quote", "found"), [("now here", "nowhere"), ("1 5", "15"), ("- 5", "-5")])
def test_gaps_of_these_do_not(quote: str, found: str) -> None:
    assert not has_same_gaps(quote, found)


def test_letters_are_lowered_one_for_one() -> None:
    assert lower("ΛΌΓΟΣ") == lower("λόγος")
    assert lower("Maße") != lower("MASSE")


def test_the_letter_that_a_sentence_begins_with_may_be_a_capital() -> None:
    assert first_letter("12 Rules") == 3 and first_letter("12") is None
    assert may_be_capital("rules", 0)
    assert not may_be_capital("5 mmol", 2)
    assert not may_be_capital("NaCl", 0)

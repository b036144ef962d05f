import pytest

from pincite.formats.writing.numerals import roman


@pytest.mark.parametrize(("number", "letters"), [(1, "i"), (4, "iv"), (9, "ix"), (40, "xl"), (1994, "mcmxciv")])
def test_a_number_in_roman_letters(number: int, letters: str) -> None:
    assert roman(number) == letters

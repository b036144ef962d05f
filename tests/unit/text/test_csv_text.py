import pytest

from pincite.text.csv_text import inert


@pytest.mark.parametrize("text", ["=1+1", "+1 a", "@a", "-a", "-5+cmd|' /C calc'!A0", "\t=1"])
def test_what_a_spreadsheet_would_run_is_text(text: str) -> None:
    assert inert(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "a=1", "-5", "-1,200.50", "-3%", " =1"])
def test_other_texts_and_negative_numbers_stay(text: str) -> None:
    assert inert(text) == text

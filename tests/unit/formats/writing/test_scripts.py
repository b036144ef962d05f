import pytest

from pincite.formats.writing.scripts import scripted


@pytest.mark.parametrize(
    ("before", "text", "written"),
    [
        ("a plot of 30 m", "2", "^2"), ("(a + b)", "n", "^n"), ("10", "-5", "^-5"), ("the 2", "nd", "nd"),
        ("a word ", "1", "1"), ("", "TM", "TM"), ("Brand", "®", "®"),
    ],
)  # fmt: skip
def test_a_superscript_is_a_power_behind_its_base_unless_it_is_an_ordinal(before: str, text: str, written: str) -> None:
    assert scripted(text, before, is_super=True) == written


@pytest.mark.parametrize(
    ("before", "text", "written"),
    [
        ("1,204", "1", "^1"), ("12%", "4", "^4"), ("(659)", "(3)", "^(3)"), ("the end.", "11", "^11"),
        ("so,”", "2", "^2"), ("Inc.", "TM", "TM"), ("¿", "1", "1"),
    ],
)  # fmt: skip
def test_the_number_of_a_note_is_apart_from_a_value_and_from_the_end_of_a_sentence(
    before: str, text: str, written: str
) -> None:
    assert scripted(text, before, is_super=True) == written


@pytest.mark.parametrize(
    ("before", "text", "written"),
    [
        ("x", "1", "_1"), ("the mean of x", "i", "_i"), ("H", "2", "2"),
        ("5", "10", "_10"), ("3x", "1", "1"), ("(a", "n", "_n"), ("log", "10", "10"), ("", "a", "a"),
    ],
)  # fmt: skip
def test_a_subscript_is_an_index_of_a_variable_or_number_and_part_of_a_formula(
    before: str, text: str, written: str
) -> None:
    assert scripted(text, before, is_super=False) == written

import pytest

from support.pdf_read import read
from support.pdfs import Text

WIDTHS = {
    "p": 5.56,
    "(v": 8.33,
    "(yet)": 19.45,
    "(x+1)": 23.07,
    "f": 2.78,
    "m": 7.78,
    "10": 11.12,
    "x": 5.0,
    "area": 19.5,
    "area.": 22.3,
    "1,204": 25.0,
}
"""Widths of Helvetica at 10 points."""


def line(base: str, raised: str, by: float, size: float = 6.5) -> str:
    found = read([Text(base, x=72, y=100), Text(raised, x=72 + WIDTHS[base], y=100 + by, size=size)])
    return found.text.strip()


@pytest.mark.parametrize(
    ("base", "raised", "text"),
    [("m", "2", "m^2"), ("10", "-3", "10^-3")],
    ids=["unit", "ten"],
)
def test_a_raised_number_after_a_unit_or_ten_is_a_power(base: str, raised: str, text: str) -> None:
    assert line(base, raised, -3.0) == text


def test_a_lowered_number_after_a_variable_is_an_index() -> None:
    assert line("x", "1", 2.0) == "x_1"


@pytest.mark.parametrize(
    ("base", "mark"), [("area", "1"), ("1,204", "1"), ("1,204", "(2)"), ("area.", "11"), ("area", "1,4")]
)
def test_the_raised_mark_of_a_note_is_apart_from_a_word_a_value_and_the_end_of_a_sentence(base: str, mark: str) -> None:
    assert line(base, mark, -3.6) == f"{base}^{mark}"


def test_a_number_of_full_size_or_on_the_line_is_none() -> None:
    assert line("m", "2", 0, size=10) == "m2"
    assert line("m", "2", 0) == "m2"


@pytest.mark.parametrize("base", ["p", "(v"])
def test_descenders_and_brackets_do_not_make_an_index_a_power(base: str) -> None:
    assert line(base, "1", 1.5).endswith("_1")
    assert line(base, "2", -2.0).endswith("^2")


@pytest.mark.parametrize(("base", "raised"), [("(x+1)", "2"), ("(yet)", "7")])
def test_after_a_bracket_a_raised_number_is_a_power_or_the_mark_of_a_note(base: str, raised: str) -> None:
    assert line(base, raised, -3.6) == f"{base}^{raised}"


def test_a_raised_zero_after_a_variable_is_a_prime_of_tex() -> None:
    assert "^" not in line("f", "0", -3.6)
    assert line("10", "0", -3.6) == "10^0"


@pytest.mark.parametrize(
    ("mark", "by", "text", "expected"),
    [
        ("1", -3.0, "http://a.org", "1 http://a.org"),
        ("a", -3.0, "Department of it", "a Department of it"),
        ("13", -3.0, "C spectra", "13C spectra"),
        ("1", 0.0, "This too", "1This too"),
        ("1", 2.0, "This too", "1This too"),
    ],
)
def test_the_raised_mark_of_a_note_at_the_beginning_is_apart_from_the_text(
    mark: str, by: float, text: str, expected: str
) -> None:
    found = read([Text(mark, y=100 + by, size=6.5), Text(text, x=72 + 3.7 * len(mark), y=100)])
    assert found.text.strip() == expected

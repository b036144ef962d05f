import pytest

from pincite.text.values.formatting import normalize_text


@pytest.mark.parametrize(
    ("printed", "normalized"),
    [
        ("1000~1500V", "1000-1500V"),
        ("1000 ~ 1500 V", "1000-1500V"),
        ("1000 V", "1000V"),
        ("200 V – 850 V", "200V-850V"),
        ("-25 ~ +60 °C", "-25-+60°C"),
        ("  two\n words ", "two words"),
        ("3 - 5 kW", "3-5kW"),
        ("Model A – 3 phases", "Model A – 3 phases"),
        ("3 phases", "3 phases"),
        ("1 234 EUR", "1 234 EUR"),
        ("5 Apples", "5 Apples"),
        ("\u221225 \u2013 60 °C", "-25-60°C"),
        ("Tablet with 16 A charger", "Tablet with 16 A charger"),
        ("", ""),
    ],
)
def test_only_the_formatting_of_a_value_changes(printed: str, normalized: str) -> None:
    assert normalize_text(printed) == normalized
    assert normalize_text(normalized) == normalized

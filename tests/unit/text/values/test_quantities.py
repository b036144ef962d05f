from decimal import Decimal

import pytest

from pincite.text.values.quantities import canonical_unit, parse_quantity, read_quantities


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1100 V", [("1100 V", "V", False)]),
        ("1000~1500V", [("1000~1500V", "V", True)]),
        ("200 V – 850 V", [("200 V – 850 V", "V", True)]),
        ("-25 to +60 ℃", [("-25 to +60 ℃", "°C", True)]),
        ("€ 717,97", [("€ 717,97", "EUR", False)]),
        ("717.97 EUR", [("717.97 EUR", "EUR", False)]),
        ("220/380 V", [("220", "", False), ("380 V", "V", False)]),
        ("none", []),
    ],
)
def test_quantities_as_they_are_printed(text: str, found: list[tuple[str, str, bool]]) -> None:
    assert [(text[one.start : one.end], one.unit, bool(one.high)) for one in read_quantities(text)] == found


def test_a_whole_text_may_have_a_comparator_and_nothing_else() -> None:
    assert parse_quantity("≤ 3 %") is not None
    assert parse_quantity("max. 5 kW") is not None
    assert parse_quantity("two of 5 kW") is None
    assert parse_quantity("5 kW, 6 kW") is None


def test_units_have_one_spelling_and_keep_their_case() -> None:
    assert canonical_unit("m²") == canonical_unit("m^2") == "m2"
    assert canonical_unit("μF") == canonical_unit("µF")
    assert canonical_unit("€") == canonical_unit("Euro") == "EUR"
    assert canonical_unit("mW") != canonical_unit("MW")


def test_a_minus_before_the_currency_is_of_the_amount() -> None:
    (quantity,) = read_quantities("-$5.00")
    assert (quantity.low, quantity.unit, quantity.start) == ({Decimal(-5)}, "USD", 0)

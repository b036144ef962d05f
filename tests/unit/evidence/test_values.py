from typing import Any

import pytest

from pincite.evidence.values import (
    LOWER_END,
    MAX_VALUE_CHARS,
    TRUTH_WORD,
    UPPER_END,
    find_value,
    has_other_value,
)
from pincite.text.values.dates import DateOrder
from pincite.text.values.tokens import Conventions, DecimalMark


@pytest.mark.parametrize(
    ("value", "text", "raw", "rule"),
    [
        ("1000-1500V", "| PV | 1000 ~ 1500 V |", "1000 ~ 1500 V", ""),
        ("1100V", "max 1100 V DC", "1100 V", ""),
        ("1000V", "1000 ~ 1500 V", "1000 ~ 1500 V", LOWER_END),
        ("1500V", "1000 ~ 1500 V", "1000 ~ 1500 V", UPPER_END),
        (1500, "1000 ~ 1500 V", "1500", UPPER_END),
        (717.97, "Totaal € 717,97", "717,97", ""),
        ("EUR 1,234.50", "1.234,50 €", "1.234,50 €", ""),
        ("2014-04-19", "Factuurdatum: 19 april 2014 Order", "19 april 2014", ""),
        ("Kunden AG", "Name: Kunden AG, Köln", "Kunden AG", ""),
        (True, "| DC switch | Yes |", "Yes", TRUTH_WORD),
        (3, "3 MPPTs", "3", ""),
    ],
)
def test_a_value_is_found_as_the_document_prints_it(value: Any, text: str, raw: str, rule: str) -> None:
    match = find_value(value, text)[0]
    assert (text[match.start : match.end], match.rule) == (raw, rule)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1500V", "1500 mV"),
        ("1500 V", "1500"),
        (17.97, "717,97"),
        (3, "05.03.2018"),
        ("5", "15"),
        ("25°C", "-25 °C"),
        (True, "| switch | No |"),
        (True, "There is no yes in it"),
        ("1100 V", "1100 W"),
        ("2018-03-05", "2018-03-06"),
        ("", "anything"),
        ("--", "--"),
        ("x" * (MAX_VALUE_CHARS + 1), "x" * (MAX_VALUE_CHARS + 1)),
        (None, "null"),
    ],
)
def test_what_the_text_does_not_have_is_not_found(value: Any, text: str) -> None:
    assert find_value(value, text) == []


def test_a_header_may_state_the_unit() -> None:
    (match,) = find_value("150kW", "150", unit="kW")
    assert match.rule == "unit of the header"
    assert find_value("150kW", "150 W", unit="kW") == []


def test_a_day_whose_order_is_open_is_only_what_is_printed() -> None:
    assert find_value("2024-04-03", "03/04/2024") == []
    assert find_value("03/04/2024", "03/04/2024")[0].is_ambiguous
    assert find_value("2024-04-03", "03/04/2024", form=Conventions(order=DateOrder.DAY_FIRST))
    assert find_value("2024-03-04", "03/04/2024", form=Conventions(order=DateOrder.DAY_FIRST)) == []


def test_the_documents_decimal_mark_decides() -> None:
    assert find_value(1234, "1.234", form=Conventions(DecimalMark.COMMA))
    assert find_value(1234, "1.234", form=Conventions(DecimalMark.POINT)) == []


@pytest.mark.parametrize(
    ("value", "text", "part"),
    [
        (234.56, "Total due $1,234.56", "234.56"),
        (1.5, "Revenue was USD 1.5 million", "1.5"),
        (1234, "Net loss: (1,234)", "1,234"),
        (5, "5.00-", "5.00"),
        ("5", "Weight: 5 kg", "5"),
        ("30 September", "on 30 September 2016", "30 September"),
        ("2024", "INV-2024/7", "2024"),
    ],
)
def test_a_part_of_a_token_is_no_value(value: Any, text: str, part: str) -> None:
    start = text.index(part)
    assert find_value(value, text, within=(start, start + len(part))) == []
    assert find_value(value, text) == []


def test_another_number_in_the_text_is_a_contradiction() -> None:
    assert has_other_value(5, "it is 6")
    assert has_other_value("5 V", "6 V")
    assert not has_other_value("Acme", "6 V")
    assert not has_other_value(value=True, text="6 V")
    assert not has_other_value(5, "none")

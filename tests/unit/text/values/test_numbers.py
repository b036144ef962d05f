from decimal import Decimal

import pytest

from pincite.text.values.numbers import DecimalMark, decimal_mark, read_numbers


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1.234,56 €", [{"1234.56"}]),
        ("1,234.56", [{"1234.56"}]),
        ("1.234", [{"1.234", "1234"}]),
        ("0,123", [{"0.123"}]),
        ("1 234,50", [{"1234.50"}]),
        ("12'500.00", [{"12500.00"}]),
        ("1,00,000", [{"100000"}]),
        ("1.234.567", [{"1234567"}]),
        (".5", [{"0.5"}]),
        ("1.5e-3", [{"0.0015"}]),
        ("-25 ~ +60", [{"-25"}, {"60"}]),
        ("\u22125", [{"-5"}]),
        ("200-850 V", [{"200"}, {"850"}]),
        ("3 phases, 5 A", [{"3"}, {"5"}]),
        ("-$5.00; -EUR 5,00; \u2212€5.00", [{"-5"}, {"-5"}, {"-5"}]),
        ("5,00- EUR", [{"-5"}]),
        ("Total:-5,00", [{"-5"}]),
        ("($5.00)", [{"5", "-5"}]),
        ("10 -€20", [{"10"}, {"20"}]),
        ("5,00-6,00", [{"5"}, {"6"}]),
        ("5,00- 6", [{"5"}, {"6"}]),
        ("- € 5.00", [{"5"}]),
        ("(2024) (030) (3) (20 %)", [{"2024"}, {"30"}, {"3"}, {"20"}]),
        ("1,204.50^1 and 2024^(3)", [{"1204.50"}, {"2024"}, {"3"}]),
        ("version 1.2.3", []),
        ("05.03.2018", []),
        ("10:35", []),
        ("IP65 x5", []),
    ],
)
def test_numbers_as_they_are_printed(text: str, readings: list[set[str]]) -> None:
    assert [one.readings for one in read_numbers(text)] == [{Decimal(value) for value in one} for one in readings]


def test_the_decimal_mark_of_the_document_decides() -> None:
    (number,) = read_numbers("1.234", DecimalMark.COMMA)
    assert number.readings == {Decimal(1234)}
    (number,) = read_numbers("1.234", DecimalMark.POINT)
    assert number.readings == {Decimal("1.234")}


def test_long_numbers_are_not_rounded() -> None:
    first, second = read_numbers("-123456789012345678901234567890 -123456789012345678901234567891")
    assert first.readings != second.readings


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1,50 and 2,75", DecimalMark.COMMA),
        ("1.50", DecimalMark.POINT),
        ("1.50 and 2,75", DecimalMark.UNKNOWN),
        ("none", DecimalMark.UNKNOWN),
    ],
)
def test_sums_of_money_tell_the_decimal_mark(text: str, mark: DecimalMark) -> None:
    assert decimal_mark(text) is mark


def test_chinese_and_japanese_group_thousands_with_commas() -> None:
    assert decimal_mark("合計 90,000") is DecimalMark.POINT
    assert decimal_mark("total 90,000") is DecimalMark.UNKNOWN

from decimal import Decimal

import pytest

from pincite.text.values.tokens import (
    Conventions,
    DecimalMark,
    canonical_unit,
    conventions,
    parse_quantity,
    read_numbers,
    read_quantities,
    read_tokens,
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1.234,56 €", ["1234.56"]),
        ("1,234.56", ["1234.56"]),
        ("0,123", ["0.123"]),
        ("1 234,50", ["1234.50"]),
        ("12'500.00", ["12500.00"]),
        ("1,00,000", ["100000"]),
        ("1,50,000.00", ["150000.00"]),
        ("1.234.567", ["1234567"]),
        (".5", ["0.5"]),
        ("1.5e-3", ["0.0015"]),
        ("2 ½ in and ¼", ["2.5", "0.25"]),
        ("Total......12.50", ["12.50"]),
        ("-25 ~ +60", ["-25", "60"]),
        ("\u22125", ["-5"]),
        ("200-850 V", ["200", "850"]),
        ("3 phases, 5 A", ["3", "5"]),
        ("-$5.00; -EUR 5,00; \u2212€5.00", ["-5", "-5", "-5"]),
        ("5,00- EUR", ["-5"]),
        ("Total:-5,00", ["-5"]),
        ("10 -€20", ["10", "20"]),
        ("5,00-6,00", ["5", "6"]),
        ("5,00- 6", ["5", "6"]),
        ("- € 5.00", ["5"]),
        ("(2024) (030) (3) (20 %)", ["2024", "30", "3", "20"]),
        ("1,204.50^1 and 2024^(3)", ["1204.50", "2024", "3"]),
        ("USD 1.5 million, $310k, £2bn", ["1500000", "310000", "2000000000"]),
        ("3,5 Mio. EUR; 120 Tsd.; 5万円", ["3500000", "120000", "50000"]),
        ("5 m, 300 K, $5m", ["5", "300", "5000000"]),
        ("合計90,000円", ["90000"]),
        ("EUR1,234.56", ["1234.56"]),
        ("99.00 CR", ["99"]),
        ("version 1.2.3", []),
        ("05.03.2018", []),
        ("30th day of September, 2016", []),
        ("INV-2024 and 12/345/67890", []),
        ("Event No. :33", ["33"]),
        ("10:35", []),
        ("IP65 x5", []),
    ],
)
def test_numbers_as_they_are_printed(text: str, numbers: list[str]) -> None:
    assert [one.readings for one in read_numbers(text)] == [{Decimal(value)} for value in numbers]


@pytest.mark.parametrize(
    "text", ["(1,234)", "$(1,234)", "($1,234)", "Loss: (1,234)", "| Loss | (1,234) |", "Loss  (1,234)"]
)
def test_brackets_around_an_amount_of_its_own_are_a_minus(text: str) -> None:
    (number,) = read_numbers(text)
    assert number.readings == {Decimal(-1234)}
    assert text[number.start : number.end].strip("$") in ("(1,234)", "($1,234)")


def test_brackets_around_an_amount_among_words_leave_its_sign_open() -> None:
    (number,) = read_numbers("Loss (5.00) of the year")
    assert number.readings == {Decimal(5), Decimal(-5)}


@pytest.mark.parametrize(("text", "number"), [("(0.5%)", "(0.5%)"), ("(12.5)%", "(12.5)")])
def test_a_per_cent_sign_may_be_inside_or_outside_of_the_bracket(text: str, number: str) -> None:
    (token,) = read_tokens(text)
    assert (text[token.start : token.end], token.unit) == (text, "%")
    assert text[token.numbers[0].start : token.numbers[0].end] == number


@pytest.mark.parametrize(
    ("mark", "point", "comma"),
    [
        (DecimalMark.POINT, "1.234", "1234"),
        (DecimalMark.COMMA, "1234", "1.234"),
        (DecimalMark.UNKNOWN, "1.234", "1234"),
    ],
)
def test_without_evidence_a_comma_before_three_digits_groups_and_a_point_does_not(
    mark: DecimalMark, point: str, comma: str
) -> None:
    numbers = read_numbers("1.234; 1,234", Conventions(mark))
    assert [one.readings for one in numbers] == [{Decimal(point)}, {Decimal(comma)}]


def test_long_numbers_are_not_rounded() -> None:
    first, second = read_numbers("-123456789012345678901234567890 -123456789012345678901234567891")
    assert first.readings != second.readings


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("1,50 and 2,75", DecimalMark.COMMA),
        ("1.50", DecimalMark.POINT),
        ("1.50 and 2,75", DecimalMark.UNKNOWN),
        ("12.345.678 Stück", DecimalMark.COMMA),
        ("Der Preis für das Gerät ist 12.500", DecimalMark.COMMA),
        ("The price of the device is 12,500", DecimalMark.POINT),
        ("合計 90,000", DecimalMark.POINT),
        ("12,500", DecimalMark.UNKNOWN),
    ],
)
def test_a_documents_numbers_and_its_language_tell_its_decimal_mark(text: str, mark: DecimalMark) -> None:
    assert conventions(text).mark is mark


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1100 V", [("1100 V", "V", 1)]),
        ("1000~1500V", [("1000~1500V", "V", 2)]),
        ("200 V – 850 V", [("200 V – 850 V", "V", 2)]),
        ("-25 to +60 ℃", [("-25 to +60 ℃", "°C", 2)]),
        ("€ 717,97", [("€ 717,97", "EUR", 1)]),
        ("717.97 EUR", [("717.97 EUR", "EUR", 1)]),
        ("118 mg/dL", [("118 mg/dL", "mg/dL", 1)]),
        ("220/380 V", [("220", "", 1), ("380 V", "V", 1)]),
        ("12.50 Tax", [("12.50", "Tax", 1)]),
        ("none", []),
    ],
)
def test_quantities_as_they_are_printed(text: str, found: list[tuple[str, str, int]]) -> None:
    assert [(text[one.start : one.end], one.unit, len(one.numbers)) for one in read_quantities(text)] == found


@pytest.mark.parametrize("number", ["(123) 456-7890", "+43 1 602 1234 5678", "+81-22-717-8025", "4711-A"])
def test_a_number_to_call_is_one_token(number: str) -> None:
    assert [number[one.start : one.end] for one in read_tokens(number)] == [number]


def test_dates_and_identifiers_are_tokens_of_their_own() -> None:
    text = "IBAN FR76 1234 5678 9012 3456 7890 123, no. TM-447821 of 30th day of September, 2016, phone 555-123-4567"
    assert [text[one.start : one.end] for one in read_tokens(text)] == [
        "FR76 1234 5678 9012 3456 7890 123",
        "TM-447821",
        "30th day of September, 2016",
        "555-123-4567",
    ]


def test_a_whole_text_may_have_a_comparator_and_nothing_else() -> None:
    assert parse_quantity("≤ 3 %") is not None
    assert parse_quantity("max. 5 kW") is not None
    assert parse_quantity("3 MPPTs") is not None
    assert parse_quantity("two of 5 kW") is None
    assert parse_quantity("5 kW, 6 kW") is None


def test_units_have_one_spelling_and_keep_their_case() -> None:
    assert canonical_unit("m²") == canonical_unit("m^2") == "m2"
    assert canonical_unit("μF") == canonical_unit("µF")
    assert canonical_unit("€") == canonical_unit("Euro") == "EUR"
    assert canonical_unit("mW") != canonical_unit("MW")


def test_a_minus_before_the_currency_is_of_the_amount() -> None:
    (quantity,) = read_quantities("-$5.00")
    assert (quantity.numbers[0].readings, quantity.unit, quantity.start) == ({Decimal(-5)}, "USD", 0)


def test_a_doi_is_one_identifier() -> None:
    text = "doi:10.9999/jac.2023.0417."
    assert [text[one.start : one.end] for one in read_tokens(text)] == ["10.9999/jac.2023.0417"]


def test_a_number_beside_an_underscore_is_a_part_of_an_identifier() -> None:
    assert [(one.start, one.end, one.numbers) for one in read_tokens("02654_4")] == [(0, 7, ())]

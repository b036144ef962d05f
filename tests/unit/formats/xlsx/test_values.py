# ruff: noqa: E501 - XML by hand reads best on one line


from datetime import date, datetime, time
from typing import Any

import pytest

from support.sheet_xml import number, text
from support.workbooks import (
    by_hand,
    one_table,
    texts_of,
    workbook,
)


@pytest.mark.parametrize("error", ["#N/A", "#DIV/0!", "#REF!", "#NAME?", "#VALUE!", "#NUM!", "#NULL!"])
def test_error_values_stay(error: str) -> None:
    body = f'<row r="1">{text("A1", "x")}<c r="B1" t="e"><v>{error}</v></c></row><row r="2">{number("A2", 1)}</row>'
    assert texts_of(one_table(by_hand(body))) == [["x", error], ["1", ""]]


def test_integers_have_no_fraction_and_no_digit_is_lost() -> None:
    body = f'<row r="1">{number("A1", "1.0")}{number("B1", "12345678901234567890")}{number("C1", "-9007199254740993")}</row>'
    assert texts_of(one_table(by_hand(body))) == [["1", "12345678901234567890", "-9007199254740993"]]


def test_dates_and_times_and_truth_values_are_iso_and_capitals() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write_datetime("A1", date(2024, 2, 29), book.add_format({"num_format": "d.m.yyyy"}))
        sheet.write_datetime("B1", datetime(2024, 2, 29, 13, 45), book.add_format({"num_format": "m/d/yy h:mm"}))  # noqa: DTZ001
        sheet.write_datetime("C1", time(13, 45), book.add_format({"num_format": "h:mm AM/PM"}))
        sheet.write_number("D1", 1.5, book.add_format({"num_format": "[h]:mm"}))
        sheet.write_boolean("E1", True)  # noqa: FBT003
        sheet.write_boolean("F1", False)  # noqa: FBT003

    shown = texts_of(one_table(workbook(fill)))
    assert shown == [["2024-02-29", "2024-02-29 13:45:00", "13:45:00", "36:00:00", "TRUE", "FALSE"]]

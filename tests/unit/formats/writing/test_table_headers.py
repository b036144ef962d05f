from typing import Any

import pytest

from pincite.formats.writing.table_headers import find_header, is_date, is_number, score
from support.workbooks import (
    one_table,
    workbook,
)


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "-1.5",
        "1,234.50",
        "1 234,50 €",
        "$1,234",
        "-$5",
        "(12)",
        "US$ 3",
        "EUR 12",
        "12 EUR",
        "12.5%",
        "1e-7",
        "1.5E+10",
        ".5",
        "1'000",
    ],
)
def test_a_number_may_have_a_sign_a_currency_and_a_percent_sign(text: str) -> None:
    assert is_number(text)


@pytest.mark.parametrize("text", ["", "col-1", "Q1", "A4", "one", "1st", "v1.0", "12 apples", "-", "192.168.0.1/24"])
def test_words_are_no_numbers(text: str) -> None:
    assert not is_number(text)


@pytest.mark.parametrize(
    "text", ["2024-01-31", "2024-01-31 13:45:00", "2024-01-31T13:45", "31.01.2024", "1/31/24", "13:45", "13:45:00"]
)
def test_dates_and_times_are_dates(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize("text", ["", "2024", "May", "31 January", "1.5"])
def test_words_and_numbers_are_no_dates(text: str) -> None:
    assert not is_date(text)


def test_the_score_weighs_uniqueness_words_and_coverage() -> None:
    assert score(["a", "b"], 2) == pytest.approx(1.0)
    assert score(["a", "a"], 2) == pytest.approx(0.25 + 0.3 + 0.2)
    assert score(["a", "5"], 2) == pytest.approx(0.5 + 0.15 + 0.2)
    assert score(["a", ""], 2) == pytest.approx(0.5 + 0.3 + 0.1)
    assert score(["", " "], 2) == 0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["name", "age"], ["Ann", "3"], ["Bob", "4"]], 0),
        ([["name", "town"], ["Ann", "Rome"], ["Bob", "Bonn"]], 0),
        ([["Ann", "3"], ["Bob", "4"]], None),
        ([["1", "2"], ["3", "4"]], None),
        ([["", "2019", "2020"], ["cost", "5", "6"], ["gain", "7", "8"]], 0),
        ([["Item", "2019", "2020"], ["cost", "5", "6"], ["gain", "7", "8"]], 0),
        ([["Report of May", "", ""], ["by Ann", "", ""], ["a", "b", "c"], ["1", "2", "3"]], 2),
        ([["a", "", "c", "d"], ["u", "v", "w", "x"], ["p", "q", "r", "s"]], 0),
        ([["when", "what"], ["2024-01-01", "x"], ["2024-01-02", "y"]], 0),
        ([["a", "b"]], None),
        ([["words"], ["more words"]], None),
        ([["amount"], ["5"], ["6"]], 0),
        ([], None),
        ([["", ""]], None),
    ],
)
def test_a_header_is_found_by_how_it_differs_from_what_is_below(rows: list[list[str]], expected: int | None) -> None:
    assert find_header(rows, max(map(len, rows), default=0)) == expected


def test_a_header_of_three_rows_is_found_from_its_middle() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "all")
        sheet.merge_range("B1:E1", "year")
        sheet.merge_range("B2:C2", "first")
        sheet.merge_range("D2:E2", "second")
        sheet.write_row(2, 0, ["region", "Q1", "Q2", "Q3", "Q4"])
        sheet.write_row(3, 0, ["North", 1, 2, 3, 4])
        sheet.write_row(4, 0, ["South", 5, 6, 7, 8])

    assert one_table(workbook(fill)).header_rows == 3


@pytest.mark.parametrize(
    "rows",
    [
        [["Maker:", "Acme"], ["Model:", "A"], ["Place:", ""]],
        [["TT", ":", "tightening"], ["PT", ":", "provisional"], ["RV", ":", "riveting"]],
        [["Step 1", "open"], ["Step 2", "turn"], ["Step 3", "close"]],
        [["Ann", "yes"], ["Bob", "no"], ["Cy", "yes"]],
    ],
    ids=["labels", "colons", "numbers", "values"],
)
def test_a_record_of_words_is_no_header(rows: list[list[str]]) -> None:
    assert find_header(rows, len(rows[0])) is None


@pytest.mark.parametrize(
    "rows",
    [
        [["Code", "Name"], ["AAB", "Arrabury"], ["AAE", "Annaba"]],
        [["Name", "Note"], ["Ann", "-"], ["Name", "Note"], ["Bob", "-"]],
        [["Name:", "Place:"], ["Ann", "Rome"], ["Bob", "Oslo"]],
        [["Q1", "Q2"], ["low", "high"], ["high", "low"]],
    ],
    ids=["names", "repeated", "colons", "numbers"],
)
def test_names_of_columns_of_words_are_a_header(rows: list[list[str]]) -> None:
    assert find_header(rows, len(rows[0])) == 0

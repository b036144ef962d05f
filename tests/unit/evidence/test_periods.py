"""Whether a value is of the period that its field is of."""

import pytest

from pincite.evidence.periods import ANY_PERIOD, Period, wrong_period
from pincite.text.tables.grids import TextGrid, grids
from support.markdown_read import document

BY_YEAR = """\
# Report

|  | FY 2024 | FY 2023 |
| --- | --- | --- |
| Revenue | 18,420 | 21,077 |
| Ships | 4 | 4 |
"""


def grid() -> TextGrid:
    return next(grids(document(BY_YEAR)))


def problem(period: Period, text: str) -> str:
    """What is wrong with the first cell of this text."""
    table = grid()
    cell = next(cell for row in table.rows for cell in row if cell.text == text)
    return wrong_period(period, table, cell, "")


def years(*numbers: str, is_named: bool = False) -> Period:
    return Period(frozenset(numbers), is_named)


def test_a_cell_of_another_years_column_is_refused_with_both_years() -> None:
    assert problem(years("2024"), "18,420") == ""
    assert problem(years("2024"), "21,077") == "the value is of 2023, and the field of 2024"


def test_the_same_value_in_both_columns_is_of_each_year() -> None:
    assert problem(years("2023"), "4") == ""


def test_a_table_without_the_year_refuses_only_a_field_that_names_it() -> None:
    assert problem(years("2019"), "18,420") == ""
    assert problem(years("2019", is_named=True), "18,420") == "the value is of 2024, and the field of 2019"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("Employees: 214 (2023: ", "the value is of 2023, and the field of 2024"),
        ("Employees in 2024: ", ""),
        ("In 2023 there were ", ""),
        ("Order 12023: ", ""),
    ],
)
def test_a_year_as_the_label_before_a_value_is_the_values_year(before: str, expected: str) -> None:
    assert wrong_period(years("2024"), None, None, before) == expected


def test_a_field_of_any_period_takes_every_value() -> None:
    assert problem(ANY_PERIOD, "21,077") == ""
    assert wrong_period(ANY_PERIOD, None, None, "2023: ") == ""

"""What the columns of a table are."""

from pincite.text.tables.columns import differs_by_period, period_columns, ticked, truth_columns, unit_of_row
from pincite.text.tables.grids import TextGrid, grids
from support.markdown_read import document


def grid(text: str) -> TextGrid:
    return next(grids(document(text)))


def test_columns_of_periods_are_named_by_a_header_or_by_the_row_below_it() -> None:
    plain = grid("|  | FY 2024 | FY 2023 |\n|---|---|---|\n| Revenue | 18 | 21 |\n| Ships | 4 | 4 |\n")
    assert period_columns(plain) == {1: {"2024"}, 2: {"2023"}}
    assert [differs_by_period(plain, cells[1]) for cells in plain.rows[1:]] == [True, False]
    below = grid("|  |  | Staff |\n|---|---|---|\n|  | 2021 | 2020 |\n| Total | 288 | 273 |\n")
    assert period_columns(below) == {1: {"2021"}, 2: {"2020"}}
    dated = grid("|  | 31.12.2024 | 31.12.2023 |\n|---|---|---|\n| Assets | 18 | 21 |\n")
    assert period_columns(dated) == {1: {"2024"}, 2: {"2023"}}
    built = grid("| House | A | B |\n|---|---|---|\n| Built | 2011 | 2013 |\n")
    assert period_columns(built) == {}


def test_a_unit_has_a_column_of_its_own() -> None:
    found = grid("| Parameter | Min | Unit |\n|---|---|---|\n| Voltage | 9 | V |\n| Ratio | 2 |  |\n")
    assert [unit_of_row(found, row) for row in (1, 2)] == ["V", ""]


def test_an_answer_is_what_is_ticked_below_yes() -> None:
    text = (
        "| Check | Yes | No |\n|---|---|---|\n| Exit | ☒ | ☐ |\n| Fire | ☐ | ☒ |\n| Both | ☒ | ☒ |\n| None |  | x |\n"
    )
    found = grid(text)
    assert truth_columns(found) == (1, 2)
    answers = [ticked(found, row) for row in range(1, 5)]
    assert [answer and answer[1] for answer in answers] == [True, False, None, None]

from dataclasses import replace

import pytest

from pincite.model.document import Cell
from pincite.text.tables.column_names import count_header_rows


def header_rows(rows: list[str]) -> int:
    """Count the header rows of a table; a row is a line, a bar parts cells, `+` in a cell widens the one before it."""
    cells: list[Cell] = []
    for number, row in enumerate(rows):
        for column, text in enumerate(map(str.strip, row.split("|"))):
            if text == "+":
                cells[-1] = replace(cells[-1], column_span=cells[-1].column_span + 1)
            elif text:
                cells.append(Cell(number, column, text))
    return count_header_rows(cells, len(rows))


LONG = "Check that each message is signed before it is read"


@pytest.mark.parametrize(
    "rows",
    [
        ["Service | Amount | Price", "Roof | 1 | 42.00"],
        [" | 2025 | 2024", "Sales | 1,204 | 1,100", "Costs | 812 | 790"],
        ["EUR thousand | 2025 | 2024", "Sales | 1,204 | -", "Costs | 812 | 790"],
        ["Version | Date | Author | Changes", f"1 | 27.2.2021 | A. Ng | {LONG}", f"2 | 3.4.2022 | B. Roe | {LONG}"],
        ["No | Requirement | Evidence", f"(1) | {LONG} | Report", f"(2) | {LONG} | Log"],
        ["# | Description | L1 | L2", f"1.1 | {LONG} | x | x", f"1.2 | {LONG} | | x"],
        ["Bits | Name | Access | Reset | Meaning", f"31:28 | A | R | 0xFC | {LONG}", f"27 | B | W | 0x8D | {LONG}"],
        ["Stop | 168 | 624", "Park | 05:52 | 9:43", "Pier | 06:10 | -"],
        ["Feature | 1.0 | 2.0", "Search | no | yes", "Boxes | n/a | yes"],
        ["Product | Spec", "Cable | USB-C", "Hub | 4 ports"],
        ["Bezeichnung | Wert", "Farbe | blau", "Form | rund"],
        ["Total Costs (3) | All Funds (1) | Rate", "Salaries | 1,314,000 | 3.1 %"],
    ],
    ids=[
        "words",
        "years",
        "a year and a unit",
        "dates",
        "texts",
        "levels",
        "registers",
        "lines",
        "versions",
        "two nouns",
        "two German nouns",
        "marks of notes",
    ],
)
def test_words_and_years_above_figures_or_texts_name_columns(rows: list[str]) -> None:
    assert header_rows(rows) == 1


@pytest.mark.parametrize(
    "rows",
    [
        ["Total | 5 | 6", "Sum | 7 | 8"],
        ["Total | 5 | 6", "Sum | 1,204 | n/a", "Rest | n/a | n/a"],
        ["01/02/2026 | Plant | 103", "01/03/2026 | Office | 77"],
        ["Name | Bob", "Age | 34", "Height | 180"],
        ["Currency: | EUR | Due: | 3 May", "Net: | 5 | Tax: | 1"],
        ["Large filer | yes | Accelerated | no", "Small | no | New | no"],
        ["2019 | Plant | open", "2020 | Office | closed"],
        [f"(1) | {LONG} | Report", f"(2) | {LONG} | Log"],
        ["Fruit | Apple", "Colour | red | 5", "Size | big | 7"],
        ["Sign in | x | -", f"{LONG} | x | -", f"{LONG} | - | x"],
        ["Alone | in | it"],
    ],
    ids=[
        "figures",
        "figures and none",
        "records",
        "a form",
        "labels",
        "words",
        "years as keys",
        "texts",
        "a name missing",
        "ticks",
        "one row",
    ],
)
def test_data_name_no_columns(rows: list[str]) -> None:
    assert header_rows(rows) == 0


def test_phrases_above_the_names_belong_to_the_header() -> None:
    names = " | to air | to water | to land"
    assert header_rows([" | Threshold for releases | + | +", names, "Ammonia | 10 | 5 | 7"]) == 2
    assert header_rows(["Exhibit 9 Types of tests", " | Tests | + | +", names, "Ammonia | 10 | 5 | 7"]) == 3
    assert (
        header_rows([" | | 2018 | + | 2023 | +", "Region | Branch | No | Share | No | Share", "N | A | 2 | 3 | 1 | 9"])
        == 2
    )
    assert header_rows(["Public | 44.4 | 31.2 | 25.5", names, "Ammonia | 10 | 5 | 7"]) == 0


def test_a_name_beside_two_rows_of_names_is_of_both() -> None:
    cells = [
        Cell(0, 0, "No", row_span=2),
        Cell(0, 1, "Released to", column_span=2),
        Cell(1, 1, "air"),
        Cell(1, 2, "water"),
        Cell(2, 0, "1"),
        Cell(2, 1, "7.5"),
        Cell(2, 2, "8"),
    ]
    assert count_header_rows(cells, 3) == 2

import pytest

from pincite.formats.writing.addresses import area, cell, column_number, in_sheet, letters, parse_area, parse_cell


@pytest.mark.parametrize(
    ("column", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD")]
)
def test_columns_are_named_by_letters(column: int, name: str) -> None:
    assert letters(column) == name and column_number(name) == column


def test_an_area_of_one_cell_is_a_cell() -> None:
    assert cell(3, 1) == "B4"
    assert area(3, 1, 8, 4) == "B4:E9"
    assert area(3, 1, 3, 1) == "B4"


@pytest.mark.parametrize(
    ("address", "expected"),
    [("B4", (3, 1)), ("$b$4", (3, 1)), ("XFD1048576", (1_048_575, 16_383)), ("A0", None), ("4", None), ("", None)],
)
def test_a_cell_is_read(address: str, expected: tuple[int, int] | None) -> None:
    assert parse_cell(address) == expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [("B4:E9", (3, 1, 8, 4)), ("E9:B4", (3, 1, 8, 4)), ("B4", (3, 1, 3, 1)), ("B4:", (3, 1, 3, 1)), ("A:B", None)],
)
def test_an_area_is_read(address: str, expected: tuple[int, int, int, int] | None) -> None:
    assert parse_area(address) == expected


@pytest.mark.parametrize(
    ("sheet", "expected"),
    [
        ("Sheet1", "'Sheet1'!A1"),
        ("Sales", "Sales!A1"),
        ("Übersicht_2", "Übersicht_2!A1"),
        ("May sales", "'May sales'!A1"),
        ("Ann's", "'Ann''s'!A1"),
        ("2024", "'2024'!A1"),
        ("Q1", "'Q1'!A1"),
        ("R1C1", "'R1C1'!A1"),
        ("a-b", "'a-b'!A1"),
        ("", "''!A1"),
    ],
)
def test_a_sheet_is_quoted_where_it_could_be_misread(sheet: str, expected: str) -> None:
    assert in_sheet(sheet, "A1") == expected.replace("'Sheet1'", "Sheet1")

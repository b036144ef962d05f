import pytest

from pincite.evidence.association import Place, associate, column_headers, row_labels
from pincite.evidence.values import ValueMatch
from pincite.text.tables.grids import TextCell, TextGrid, grids
from support.extraction import material

SHEET = """\
# Inverter

| Data | S5 | S6 |
| --- | --- | --- |
| PV input |  |  |
| Max. voltage | 1100 V | 1000 V |
| AC output |  |  |
| Max. voltage | 276 V | 277 V |

## AC side

Nominal voltage: 230 V

| Total | 5 | Discount | 2 |
| --- | --- | --- | --- |
| Sum | 7 | Tax | 3 |
"""
DOCUMENT = material(SHEET).document
SPECIFICATION, TOTALS = grids(DOCUMENT)


def cell(grid: TextGrid, text: str) -> TextCell:
    return next(one for cells in grid.rows for one in cells if one.text == text)


def problem(value: str, field: str, grid: TextGrid | None = SPECIFICATION, model: str = "") -> str:
    start = SHEET.index(value)
    place = Place(SHEET, (start, start + len(value)), grid, ("Inverter", "AC side"))
    return associate(place, ValueMatch(0, len(value)), field, model).problem


def test_a_cell_is_named_by_its_row_and_column() -> None:
    found = cell(SPECIFICATION, "1000 V")
    assert [one.text for one in row_labels(SPECIFICATION, found)] == ["Max. voltage"]
    assert [one.text for one in column_headers(SPECIFICATION, found)] == ["S6"]
    group = SPECIFICATION.groups[found.row]
    assert group is not None
    assert group.text == "PV input"
    assert TOTALS.groups[1] is None


@pytest.mark.parametrize(
    ("value", "field", "model", "expected"),
    [
        ("1100 V", "pv max voltage", "S5", ""),
        ("1100 V", "pv max voltage", "S6", "the value is in the column 'S5', not in that of 'S6'"),
        ("1100 V", "pv max voltage", "unknown model", ""),
        ("276 V", "dc max voltage", "", "it is under 'AC output', which is of another field"),
        ("1100 V", "min voltage", "", "the label 'Max. voltage' is of another field"),
    ],
)
def test_a_value_must_be_of_its_field_and_model(value: str, field: str, model: str, expected: str) -> None:
    assert problem(value, field, model=model) == expected


def test_in_a_text_the_label_is_before_the_value() -> None:
    assert problem("230 V", "nominal ac voltage", None) == ""
    assert problem("230 V", "dc voltage", None) == "it is under 'AC side', which is of another field"
    assert problem("230 V", "max voltage", None) == "the label 'Nominal voltage' is of another field"


def test_another_row_with_the_fields_own_name_is_its_row() -> None:
    sheet = material("| Data | S5 |\n| --- | --- |\n| Weight | 25 kg |\n| Cooling | fan |\n")
    (grid,) = grids(sheet.document)
    start = sheet.document.text.index("25 kg")
    place = Place(sheet.document.text, (start, start + 5), grid, ())
    found = associate(place, ValueMatch(0, 5), "cooling", "")
    assert found.problem == "the label 'Cooling' is that of the field, not 'Weight'"

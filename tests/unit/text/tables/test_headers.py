from pincite.text.tables.grids import TextGrid, grids
from pincite.text.tables.headers import headers_of
from support.extraction import material

RULE = "| --- | --- | --- |\n"


def names(grid: TextGrid) -> list[tuple[int, dict[int, str]]]:
    return [(first, dict(headers)) for first, headers in headers_of(grid)]


def test_phrases_over_several_columns_are_of_each_of_them() -> None:
    rule = "| --- | --- | --- | --- | --- |"
    text = f"| | Male | | Female | |\n{rule}\n| State | Paid | Open | Paid | Open |\n| Ohio | 1 | 2 | 3 | 4 |\n"
    (grid,) = grids(material(text).document)
    assert (2, {0: "State", 1: "Male Paid", 2: "Male Open", 3: "Female Paid", 4: "Female Open"}) in names(grid)


def test_rows_of_words_name_columns_together() -> None:
    text = f"| Goods of May | | |\n{RULE}| No. | Item | Unit |\n| | name | price |\n| 1 | Sink | 20.00 |\n"
    (grid,) = grids(material(text).document)
    assert (3, {0: "Goods of May No.", 1: "Item name", 2: "Unit price"}) in names(grid)

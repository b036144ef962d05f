from pincite.text.tables.grids import TextGrid, grids
from pincite.text.tables.headers import headers_of
from support.extraction import material
from support.html_pages import read as html

RULE = "| --- | --- | --- |\n"


def names(grid: TextGrid) -> list[tuple[int, dict[int, str]]]:
    return [(rows.stop, dict(headers)) for rows, headers in headers_of(grid)]


def test_phrases_over_several_columns_are_of_each_of_them() -> None:
    rule = "| --- | --- | --- | --- | --- |"
    text = f"| | Male | | Female | |\n{rule}\n| State | Paid | Open | Paid | Open |\n| Ohio | 1 | 2 | 3 | 4 |\n"
    (grid,) = grids(material(text).document)
    assert (2, {0: "State", 1: "Male Paid", 2: "Male Open", 3: "Female Paid", 4: "Female Open"}) in names(grid)


def test_rows_of_words_name_columns_together() -> None:
    text = f"| Goods of May | | |\n{RULE}| No. | Item | Unit |\n| | name | price |\n| 1 | Sink | 20.00 |\n"
    (grid,) = grids(material(text).document)
    assert (3, {0: "Goods of May No.", 1: "Item name", 2: "Unit price"}) in names(grid)


def test_a_title_over_all_columns_names_none() -> None:
    cells = "<tr><th colspan=2>Payments of 2012</th></tr><tr><th>Payee</th><th>Amount</th></tr>"
    (grid,) = grids(html(f"<table><thead>{cells}</thead><tr><td>Ada</td><td>5.00</td></tr></table>"))
    assert (2, {0: "Payee", 1: "Amount"}) in names(grid)


def test_a_first_row_of_values_read_as_header_names_no_column() -> None:
    cells = "<tr><th>Item</th><th>Price</th></tr><tr><th>Bolt</th><th>2.00 EUR</th></tr>"
    (grid,) = grids(html(f"<table><thead>{cells}</thead><tr><td>Nut</td><td>3.00 EUR</td></tr></table>"))
    assert (1, {0: "Item", 1: "Price"}) in names(grid)

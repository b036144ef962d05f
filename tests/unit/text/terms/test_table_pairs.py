"""What the cells of a table say as label and value."""

from pincite.services.extraction.schemas import read_schema
from pincite.text.tables.grids import grids
from pincite.text.terms.table_pairs import of_table
from pincite.text.terms.vocabulary import Vocabulary
from support.extraction import material

NAMES = Vocabulary.of(read_schema({"recipient_tin": "string", "foreign_tax_paid": "number"}).root)


def pairs(text: str) -> set[tuple[str, str]]:
    tables = grids(material(text).document)
    return {(one.label, one.value) for grid in tables for one in of_table(grid, (), NAMES) if not one.is_open}


def test_a_row_of_units_belongs_to_the_header() -> None:
    table = "| Bars | Yield point | Elongation |\n| --- | --- | --- |\n| - | N/mm 2 | % |\n| Round | 890 | 12 |\n"
    assert {("Yield point", "890"), ("Elongation", "12")} <= pairs(table)
    assert "N/mm 2" not in {value for _, value in pairs(table)}


def test_a_cell_with_a_value_of_its_own_names_no_other_cell() -> None:
    table = "| | |\n| --- | --- |\n| Recipient TIN 554-03-0876 | 2 |\n"
    assert "2" not in {value for _, value in pairs(table)}


def test_a_cell_with_its_own_amount_keeps_it_beside_another_label() -> None:
    assert ("Net", "$ 112.90") in pairs("| Net $ 112.90 | Total $ 129.84 |\n|---|---|\n")


def test_only_a_label_with_a_colon_names_what_is_right_of_it_below_a_header() -> None:
    header = "| Party | Role | Counsel |\n| --- | --- | --- |\n"
    assert "Jo Freud" not in {
        value for label, value in pairs(header + "| V. Zandt | Date | Jo Freud |\n" * 2) if label == "Date"
    }
    assert ("Date:", "Jo Freud") in pairs(header + "| V. Zandt | Date: | Jo Freud |\n" * 2)


def test_a_value_with_a_count_is_no_label_of_what_is_below_it() -> None:
    assert ("63 Pages", "2.8 g") not in pairs("| | |\n| --- | --- |\n| Total | 63 Pages |\n| Date | 2.8 g |\n")


def test_a_first_row_with_an_amount_is_no_header() -> None:
    assert ("Balance", "0.00") in pairs("| Balance | 0.00 | AUD |\n| --- | --- | --- |\n| Total | 49.54 | AUD |\n")


def test_an_empty_row_names_nothing() -> None:
    assert ("Subtotal", "$ 262.90") in pairs("| Totals | |\n|---|---|\n|  |  |\n| Subtotal | $ 262.90 |\n")


def test_each_line_of_a_cell_is_read_for_itself() -> None:
    table = "| | |\n|---|---|\n| Seller:<br>Foo Inc.<br>v.<br>Buyer:<br>Bar LLC | Number: 24CV001<br>Courtroom 5 |\n"
    assert {("Seller", "Foo Inc."), ("Buyer", "Bar LLC"), ("Number", "24CV001")} <= pairs(table)


def test_a_party_has_the_first_line_of_its_cell() -> None:
    found = pairs("| Bill to: | Acme Works<br>4 Dock Road |\n|---|---|\n| Address: | 4 Dock Road<br>Rotterdam |\n")
    assert {("Bill to:", "Acme Works"), ("Address:", "4 Dock Road<br>Rotterdam")} <= found

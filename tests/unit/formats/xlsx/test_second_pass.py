from typing import Any

from pincite.model.document import AsideKind
from support.sheet_xml import number, text
from support.workbooks import (
    by_hand,
    one_table,
    page_of,
    tables_of,
    texts_of,
    workbook,
)


def test_errors_alone_make_a_table() -> None:
    assert texts_of(
        one_table(by_hand('<row r="3"><c r="C3" t="e"><v>#N/A</v></c><c r="D3" t="e"><v>#N/A</v></c></row>'))
    ) == [["#N/A", "#N/A"]]


def test_errors_at_the_rim_widen_the_table() -> None:
    error = '<c r="{}" t="e"><v>#N/A</v></c>'
    body = (
        f'<row r="1">{error.format("A1")}{number("B1", 1)}{error.format("C1")}</row>'
        f'<row r="2">{error.format("A2")}{number("B2", 2)}</row><row r="3">{error.format("A3")}</row>'
    )
    table = one_table(by_hand(body))
    assert table.place == "Sheet1!A1:C3"
    assert texts_of(table) == [["#N/A", "1", "#N/A"], ["#N/A", "2", ""], ["#N/A", "", ""]]


def test_comments_are_kept_apart_and_links_are_written_out() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("My notes")
        sheet.write_url("A1", "https://example.org/a", string="here")
        sheet.write_url("B1", "https://example.org/b")
        sheet.write_url("C1", "mailto:ann@example.org", string="ann@example.org")
        sheet.write_url("D1", "internal:'My notes'!A1", string="top")
        sheet.write_comment("B1", "is it so?", {"author": "Ann"})

    page = page_of(workbook(fill))
    assert texts_of(tables_of(page)[0]) == [
        ["[here](https://example.org/a)", "https://example.org/b", "ann@example.org", "top"]
    ]
    assert [(aside.kind, aside.text) for aside in page.asides] == [(AsideKind.COMMENT, "'My notes'!B1: Ann: is it so?")]


def test_a_formula_without_a_value_is_said() -> None:
    cells = "".join(f'<c r="A{row}"><f>1+{row}</f></c>' for row in range(2, 9))
    rows = "".join(
        f'<row r="{row}"><c r="A{row}"><f>1+{row}</f></c><c r="B{row}"><v>7</v></c></row>' for row in range(2, 9)
    )
    assert cells
    page = page_of(by_hand(f'<row r="1">{text("A1", "sum")}{text("B1", "n")}</row>{rows}'))
    (warning,) = page.warnings
    assert warning.startswith("Not calculated: Sheet1!A2, Sheet1!A3,") and "and 2 more" in warning
    assert page_of(by_hand('<row r="1"><c r="A1" t="str"><f>T(B1)</f><v></v></c></row>')).warnings == ()


def test_rows_and_cells_may_leave_their_addresses_out() -> None:
    body = "<row><c><v>1</v></c><c t='e'><v>#N/A</v></c></row><row><c t='e'><v>#REF!</v></c><c><v>2</v></c></row>"
    assert texts_of(one_table(by_hand(body))) == [["1", "#N/A"], ["#REF!", "2"]]


def test_errors_below_the_last_value_lengthen_the_table() -> None:
    body = f'<row r="1">{number("A1", 1)}</row><row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>'
    assert texts_of(one_table(by_hand(body))) == [["1"], ["#N/A"]]


def test_a_sheet_that_breaks_off_for_the_second_look_is_said() -> None:
    page = page_of(by_hand(f'<row r="1">{number("A1", 1)}</row>', after="<extLst>&undefined;</extLst>"))
    assert texts_of(tables_of(page)[0]) == [["1"]]
    assert "could not all be read" in page.failures[0].reason

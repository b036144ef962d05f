from typing import Any

import pytest

from pincite.formats.xlsx import content
from pincite.model.document import AsideKind, Cell
from support.sheet_xml import number, text
from support.workbooks import (
    by_hand,
    one_table,
    page_of,
    pages_of,
    tables_of,
    texts_of,
    workbook,
)


def test_a_merged_cell_keeps_its_span_and_names_every_column_of_a_header() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["region"])
        sheet.merge_range("B1:C1", "2024")
        sheet.write_row(1, 1, ["first half", "second half"])
        sheet.write_row(2, 0, ["North", 1, 2])
        sheet.merge_range("A4:A5", "South")
        sheet.write_row(3, 1, [3, 4])
        sheet.write_row(4, 1, [5, 6])

    page = page_of(workbook(fill))
    (table,) = tables_of(page)
    assert table.header_rows == 2
    assert Cell(0, 1, "2024", 1, 2, header=True) in table.cells
    assert Cell(3, 0, "South", 2, 1) in table.cells
    assert "| region | 2024 | 2024 |\n| --- | --- | --- |\n|  | first half | second half |" in page.text
    assert not any((cell.row, cell.column) == (4, 0) for cell in table.cells)


def test_a_huge_merge_is_cut_to_what_is_there() -> None:
    body = f'<row r="1">{number("A1", 1)}{text("C1", "c")}</row><row r="2">{text("C2", "d")}</row>'
    table = one_table(by_hand(body, after='<mergeCells><mergeCell ref="A1:B1048576"/></mergeCells>'))
    assert table.place == "Sheet1!A1:C2"
    assert table.cells[0] == Cell(0, 0, "1", 2, 2)


def test_a_merge_over_cells_that_hold_something_hides_none_of_them() -> None:
    body = f'<row r="1">{text("A1", "a")}{text("B1", "b")}</row><row r="2">{number("A2", 1)}{number("B2", 2)}</row>'
    table = one_table(by_hand(body, after='<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'))
    assert texts_of(table) == [["a", "b"], ["1", "2"]]


@pytest.mark.parametrize("last", ["", f'<row r="1048576">{text("XFD1048576", "far")}</row>'])
def test_a_merged_cell_is_shown_where_its_first_row_or_column_is_hidden(last: str) -> None:
    body = (
        f'<row r="1" hidden="1">{text("B1", "well")}</row><row r="2">{text("A2", "J03")}{text("D2", "12")}</row>'
        f'<row r="3">{text("A3", "key")}{text("C3", "J04")}{text("D3", "13")}</row>'
    )
    merges = '<mergeCells><mergeCell ref="A2:C2"/><mergeCell ref="B1:B2"/></mergeCells>'
    page = page_of(by_hand(body + last, before='<cols><col min="1" max="1" hidden="1"/></cols>', after=merges))
    assert "J03" in page.text and "well" in page.text and "key" not in page.text


def test_hidden_rows_columns_and_sheets_are_kept_apart() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("Open")
        for row, values in enumerate([["a", "b", "c"], [1, 2, 3], [4, 5, 6], [7, 8, 9]]):
            sheet.write_row(row, 0, values)
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_column("B:B", None, None, {"hidden": True})
        secret = book.add_worksheet("Secret")
        secret.write_row(0, 0, ["key", 12])
        secret.hide()

    _, pages = pages_of(workbook(fill))
    shown, secret = pages
    (table,) = tables_of(shown)
    assert texts_of(table) == [["a", "c"], ["1", "3"], ["7", "9"]] and table.place == "Open!A1:C4"
    assert [(aside.kind, aside.text) for aside in shown.asides] == [
        (AsideKind.HIDDEN, "Open!3:3: 4 | 5 | 6"),
        (AsideKind.HIDDEN, "Open!B1:B4: b\n2\n8"),
    ]
    assert secret.text == "" and [aside.text for aside in secret.asides] == ["Secret: key | 12"]


def test_hidden_text_is_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_HIDDEN_CHARACTERS", 5)

    def fill(book: Any) -> None:
        sheet = book.add_worksheet("Open")
        sheet.write_column("A1", ["aaa", "bbb", "ccc"])
        for row in range(3):
            sheet.set_row(row, None, None, {"hidden": True})
        secret = book.add_worksheet("Secret")
        secret.write_column("A1", ["aaa", "bbb"])
        secret.hide()

    _, (shown, secret) = pages_of(workbook(fill))
    assert [aside.text for aside in shown.asides] == ["Open!1:1: aaa"]
    assert [aside.text for aside in secret.asides] == ["Secret: aaa\n…"]

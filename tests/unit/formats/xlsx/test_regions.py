from typing import Any

from pincite.model.document import BlockKind
from support.workbooks import (
    grid,
    one_table,
    page_of,
    tables_of,
    workbook,
)


def test_empty_rows_and_columns_part_tables_and_a_text_above_is_the_caption() -> None:
    rows = [
        ["Sales", "", "", "", ""],
        [],
        ["a", "b", "", "c", "d"],
        [1, 2, "", 3, 4],
        [],
        ["sum", 10],
    ]
    page = page_of(grid(rows))
    assert [(table.place, table.caption) for table in tables_of(page)] == [
        ("Sheet1!A3:B4", "Sales"),
        ("Sheet1!D3:E4", ""),
        ("Sheet1!A6:B6", ""),
    ]
    assert page.text.count("Sales") == 1


def test_a_title_right_above_the_header_is_the_caption() -> None:
    (table,) = tables_of(page_of(grid([["Sales of May"], ["name", "units"], ["x", 1], ["y", 2]])))
    assert (table.caption, table.place, table.header_rows) == ("Sales of May", "Sheet1!A2:B4", 1)


def test_a_merged_title_is_the_caption() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.merge_range("A1:C1", "Sales of May")
        sheet.write_row(1, 0, ["name", "units", "price"])
        sheet.write_row(2, 0, ["x", 1, 2])

    (table,) = tables_of(page_of(workbook(fill)))
    assert (table.caption, table.place) == ("Sales of May", "Sheet1!A2:C3")


def test_notes_above_a_table_are_a_paragraph_and_lone_texts_too() -> None:
    rows = [["Sales of May"], ["by Ann"], ["name", "units"], ["x", 1], ["y", 2], [], ["as of 1 June"]]
    page = page_of(grid(rows))
    assert [(block.kind, page.text[block.start : block.end]) for block in page.blocks][1::2] == [
        (BlockKind.PARAGRAPH, "Sales of May\nby Ann"),
        (BlockKind.PARAGRAPH, "as of 1 June"),
    ]


def test_rows_of_several_cells_above_the_header_are_a_table_of_their_own() -> None:
    rows = [["from", 2, "", ""], ["to", 3, "", ""], ["a", "b", "c", "d"], [1, 2, 3, 4], [5, 6, 7, 8]]
    first, second = tables_of(page_of(grid(rows)))
    assert (first.place, first.header_rows, second.place, second.header_rows) == ("Sheet1!A1:D2", 0, "Sheet1!A3:D5", 1)


def test_a_number_that_stands_alone_is_a_table_with_an_address() -> None:
    assert one_table(grid([[42]], top=4, left=2)).place == "Sheet1!C5"

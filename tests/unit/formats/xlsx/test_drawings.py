from typing import Any

from support.workbooks import page_of, tables_of, workbook


def test_the_text_boxes_of_a_sheet_are_paragraphs_below_its_cells() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet("Plan")
        sheet.write_row("A1", ["Item", "Cost"])
        sheet.write_row("A2", ["Bolts", 12])
        sheet.insert_textbox("D4", "Prices without tax\nas of May")
        sheet.insert_textbox("D9", "")
        sheet.insert_textbox("D14", "Approved")

    page = page_of(workbook(fill))
    assert len(tables_of(page)) == 1
    assert page.text.endswith("| Bolts | 12 |\n\nPrices without tax\nas of May\n\nApproved\n")


def test_a_sheet_of_text_boxes_alone_is_not_empty() -> None:
    def fill(book: Any) -> None:
        book.add_worksheet("Notes").insert_textbox("A1", "Read me first")

    assert page_of(workbook(fill)).text.endswith("Read me first\n")

from typing import Any

from pincite.formats.writing.long_tables import PART_ROWS
from pincite.model.document import Cell
from support.workbooks import (
    grid,
    page_of,
    tables_of,
    texts_of,
    workbook,
)


def test_a_long_table_comes_in_parts_that_repeat_the_header() -> None:
    rows = [["name", "units"], *([f"n{number}", number] for number in range(2 * PART_ROWS + 1))]
    page = page_of(grid(rows))
    tables = tables_of(page)
    assert [(table.place, table.rows, table.continued) for table in tables] == [
        (f"Sheet1!A1:B{PART_ROWS + 1}", PART_ROWS + 1, False),
        (f"Sheet1!A{PART_ROWS + 2}:B{2 * PART_ROWS + 1}", PART_ROWS + 1, True),
        (f"Sheet1!A{2 * PART_ROWS + 2}:B{2 * PART_ROWS + 2}", 2, True),
    ]
    assert page.text.count("| name | units |") == 3
    assert texts_of(tables[2]) == [["name", "units"], [f"n{2 * PART_ROWS}", str(2 * PART_ROWS)]]


def test_a_span_that_reaches_into_the_next_part_is_cut() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["group", "units"])
        sheet.write_column(1, 1, range(PART_ROWS + 5))
        sheet.merge_range(1, 0, PART_ROWS + 5, 0, "all")

    first, second = tables_of(page_of(workbook(fill)))
    assert Cell(1, 0, "all", PART_ROWS, 1) in first.cells
    assert [cell.text for cell in second.cells if cell.column == 1] == [
        "units",
        *map(str, range(PART_ROWS, PART_ROWS + 5)),
    ]

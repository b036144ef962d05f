"""Headers of tables at the top of each of their pages."""

from pincite.formats.pdf.layout.repeated_headers import is_table_header
from pincite.model.document import AsideKind
from support.pdf_layout import read
from support.pdfs import Text
from support.typed_pages import typed

ENTRIES = """
Date     Details          Paid out    Paid in    Balance
01/05    Company                         1.00     701.00
         programme
02/05    Method               2.00                699.00
"""


def test_names_in_line_with_cells_below_them_are_a_header() -> None:
    names, *rows = typed(ENTRIES)
    assert is_table_header(names, rows)


def test_rows_out_of_line_with_the_ones_below_or_far_from_them_are_none() -> None:
    head, *rows = typed(
        ENTRIES.replace("Date     Details          Paid out    Paid in    Balance", "A   Report   May   7")
    )
    assert not is_table_header(head, rows)
    names, *rows = typed(ENTRIES.replace("Balance\n", "Balance\n\n\n"))
    assert not is_table_header(names, rows)


def test_the_two_sides_of_a_running_head_are_no_names_of_columns() -> None:
    head, *rows = typed(
        ENTRIES.replace(
            "Date     Details          Paid out    Paid in ", "Report                                       "
        )
    )
    assert not is_table_header(head, rows)


def test_a_header_that_each_page_repeats_is_of_the_table_below_it() -> None:
    def page(number: int) -> list[Text]:
        head = [Text("A Report", y=30)]
        names = [Text(name, x=x, y=60) for name, x in (("Date", 72), ("Details", 140), ("Paid", 300), ("Balance", 400))]
        cells = ((f"0{number}/05", 72), ("Company", 140), ("1.00", 300), ("7.00", 400))
        return [*head, *names, *(Text(text, x=x, y=76 + 16 * row) for row in range(6) for text, x in cells)]

    found = read(*map(page, range(1, 6)))
    assert [aside.text for aside in found.asides if aside.kind is AsideKind.HEADER] == ["A Report"] * 5
    tables = [block.table for section in found.sections for block in section.blocks if block.table]
    assert len(tables) == 5
    assert all(table.cells[0].text == "Date" for table in tables)

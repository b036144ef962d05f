from pathlib import Path

import openpyxl
import pytest

from pincite.chunking.separators import lay_out
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.formats.writing.builder import build
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import Cell, Document, Head, Table
from pincite.services.documents.tables import MAX_CHARS, column_type, tables
from support.cut_documents import document

Rows = list[list[object]]


def read(name: str, data: bytes) -> Document:
    row = detect(name, data)
    assert row is not None
    return lay_out(read_document(row, Blob(name, data), ReadOptions(), Call()))


def workbook(folder: Path, **sheets: Rows) -> Document:
    book = openpyxl.Workbook()
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.remove(book.worksheets[0])
    book.save(folder / "a.xlsx")
    return read("a.xlsx", (folder / "a.xlsx").read_bytes())


def test_a_sheet_has_its_header_types_and_density(tmp_path: Path) -> None:
    rows: Rows = [["Name", "Price", "Day"], ["tea", 1.5, "2024-05-01"], ["milk", 2, None]]
    (table,) = tables(workbook(tmp_path, Prices=rows))
    assert (table.table_type, table.location) == ("spreadsheet", "Prices")
    assert table.content.splitlines()[::2] == ["| Name | Price | Day |", "| tea | 1.5 | 2024-05-01 |"]
    assert table.metadata == {
        "rows": 2,
        "rows_shown": 2,
        "column_count": 3,
        "has_header": True,
        "columns": [
            {"name": "Name", "type": "text", "density": 1.0},
            {"name": "Price", "type": "numeric", "density": 1.0},
            {"name": "Day", "type": "datetime", "density": 0.5},
        ],
        "density": 0.83,
        "range": "Prices!A1:C3",
    }


def test_columns_of_several_sheets_are_named_with_their_sheets(tmp_path: Path) -> None:
    one, other = tables(workbook(tmp_path, A=[["Id", "x"], [1, 2]], B=[["id", "y"], [1, 2]]))
    assert one.metadata["shared_columns"] == {"Id": ["A", "B"]}
    assert other.metadata["shared_columns"] == {"id": ["A", "B"]}


def test_twenty_rows_of_a_sheet_are_shown_and_all_on_request(tmp_path: Path) -> None:
    rows: Rows = [["n", "text"], *([number, "word"] for number in range(120))]
    laid = workbook(tmp_path, Long=rows)
    (table,) = tables(laid)
    assert table.content.count("\n") == 1 + 20
    assert (table.metadata["rows"], table.metadata["rows_shown"], table.metadata["truncated"]) == (120, 20, True)
    (whole,) = tables(laid, whole=True)
    assert whole.content.splitlines()[-1] == "| 119 | word |"
    assert "truncated" not in whole.metadata


def test_twenty_rows_are_shared_by_the_tables_of_a_sheet(tmp_path: Path) -> None:
    block: Rows = [["n", "text"], *([number, "word"] for number in range(15))]
    one, other = tables(workbook(tmp_path, Two=[*block, [], [], *block]))
    assert (one.metadata["rows_shown"], other.metadata["rows_shown"]) == (15, 5)


def test_a_table_ends_with_a_row_that_fits_into_its_characters() -> None:
    data = "name,words\n" + "".join(f"a{n},{'word ' * 60}\n" for n in range(30))
    (table,) = tables(read("a.csv", data.encode()))
    assert (table.table_type, table.location) == ("csv", "a.csv")
    assert len(table.content) <= MAX_CHARS and table.content.endswith("|")
    assert table.metadata["rows_shown"] == table.content.count("\n") - 1 < 20


def test_a_single_row_that_is_too_long_is_cut() -> None:
    (table,) = tables(read("a.csv", ("x" * 9000 + ",b\n1,2\n3,4\n").encode()))
    assert len(table.content) == MAX_CHARS
    assert table.metadata["truncated"]


def test_the_table_of_a_document_names_its_page_and_spreads_merged_cells() -> None:
    writer = PageWriter(10, 3)
    cells = (Cell(0, 0, "a | b", column_span=2), Cell(1, 0, "1"), Cell(1, 1, "2"))
    writer.table(Table(2, 2, cells, header_rows=1))
    (table,) = tables(lay_out(build("a", "ff", "application/pdf", [Head(pages=3), writer.page()])))
    assert (table.table_type, table.location) == ("document", "page 3")
    assert table.content == "| a \\| b | a \\| b |\n| --- | --- |\n| 1 | 2 |"


def test_a_document_without_tables_has_none() -> None:
    assert tables(document("words\n")) == tables(document("")) == []


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2", "$3", "4%", "(5)"], "numeric"),
        (["1", "2", "3", "4", "x"], "text"),
        (["1"] * 9 + ["x"], "numeric"),
        (["2024-01-01", "12:30"], "datetime"),
        ([], "empty"),
    ],
)
def test_a_type_is_that_of_more_than_eighty_percent(values: list[str], kind: str) -> None:
    assert column_type(values) == kind

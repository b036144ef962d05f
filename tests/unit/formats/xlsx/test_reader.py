# ruff: noqa: E501 - XML by hand reads best on one line


import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from python_calamine import PasswordError

from pincite.errors import Cancelled, InvalidInput, Unsupported
from pincite.formats.base import ReadOptions
from pincite.formats.xlsx import reader
from pincite.model.document import BlockKind, Cell
from support.sheet_xml import STYLES, number, text
from support.workbooks import (
    MAIN,
    OFFICE,
    PACKAGE,
    by_hand,
    grid,
    one_table,
    page_of,
    pages_of,
    tables_of,
    texts_of,
    workbook,
    zipped,
)


def test_a_sheet_is_a_section_and_its_table_says_where_it_stands() -> None:
    page = page_of(grid([["name", "age"], ["Ann", 3], ["Bob", 4.5]], top=3, left=1))
    assert page.text == "## Sheet1\n\n| name | age |\n| --- | --- |\n| Ann | 3 |\n| Bob | 4.5 |\n"
    assert [(block.kind, block.level, block.title) for block in page.blocks] == [
        (BlockKind.HEADING, 2, "Sheet1"),
        (BlockKind.TABLE, 0, ""),
    ]
    (table,) = tables_of(page)
    assert (table.place, table.header_rows, table.rows, table.columns) == ("Sheet1!B4:C6", 1, 3, 2)
    assert table.cells[0] == Cell(0, 0, "name", header=True) and table.cells[2] == Cell(1, 0, "Ann")


def test_a_name_with_a_space_is_quoted() -> None:
    assert one_table(grid([["a", "b"], [1, 2]], "It's May")).place == "'It''s May'!A1:B2"


def test_numbers_are_shown_as_their_format_says() -> None:
    body = (
        f'<row r="1">{number("A1", "0.125", 1)}{number("B1", "-1234.5", 2)}'
        f"{number('C1', '45292', 3)}{number('D1', '45292', 4)}{number('E1', '0.1')}</row>"
    )
    assert texts_of(one_table(by_hand(body, styles=STYLES))) == [
        ["12.5%", "-€ 1,234.50", "2024-01-01 00:00:00", "2024-01-01", "0.1"]
    ]


def test_a_chart_sheet_is_named_as_left_out() -> None:
    def fill(book: Any) -> None:
        book.add_worksheet("Data").write_column("A1", [1, 2])
        chart = book.add_chart({"type": "line"})
        chart.add_series({"values": "=Data!$A$1:$A$2"})
        book.add_chartsheet("Chart").set_chart(chart)

    _, pages = pages_of(workbook(fill))
    assert pages[1].warnings == ("'Chart' is no worksheet (a chart, a dialog, a macro) and was not read.",)


def test_two_cells_a_million_rows_apart_are_two_cells() -> None:
    body = f'<row r="1">{text("A1", "first")}</row><row r="1048576">{number("XFD1048576", 5)}</row>'
    page = page_of(by_hand(body, before='<dimension ref="A1:XFD1048576"/>'))
    assert [table.place for table in tables_of(page)] == ["Sheet1!XFD1048576"]
    assert page.text.startswith("## Sheet1\n\nfirst\n")


def test_a_dimension_that_lies_changes_nothing() -> None:
    body = f'<row r="1">{text("A1", "a")}{text("B1", "b")}</row>'
    assert one_table(by_hand(body, before='<dimension ref="A1:XFD99999999999"/>')).place == "Sheet1!A1:B1"


def test_a_large_sheet_is_read_once_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "SECOND_PASS_BYTES", 10)
    body = f'<row r="1">{number("A1", "0.5", 1)}<c r="B1" t="e"><v>#N/A</v></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    page = page_of(by_hand(body, styles=STYLES))
    assert texts_of(tables_of(page)[0]) == [["0.5", "#N/A", "#DIV/0!"]]
    assert "Sheet 'Sheet1' is large" in page.warnings[0]


def test_what_is_no_workbook_is_refused() -> None:
    with pytest.raises(Unsupported, match="no workbook"):
        pages_of(b"a,b\n1,2\n")


@pytest.mark.parametrize("data", [b"PK\x03\x04" + bytes(50), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)])
def test_a_damaged_workbook_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="damaged"):
        pages_of(data)


def test_one_damaged_sheet_does_not_take_the_others_along() -> None:
    book = f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="Good" sheetId="1" r:id="r1"/><sheet name="Bad" sheetId="2" r:id="r2"/></sheets></workbook>'
    links = (
        f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r2" Type="{OFFICE}/worksheet" Target="worksheets/bad.xml"/></Relationships>'
    )
    parts = {
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": links,
        "xl/worksheets/bad.xml": f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</w></c>',
    }
    _, (good, bad) = pages_of(by_hand(f'<row r="1">{number("A1", 1)}</row>', parts=parts))
    assert not good.failures and bad.failures[0].reason.startswith("sheet 'Bad': ")
    assert bad.text == "## Bad\n"


def test_a_workbook_of_damaged_sheets_is_refused() -> None:
    parts = {"xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</w></c>'}
    with pytest.raises(InvalidInput, match="none of its sheets"):
        pages_of(by_hand("", parts=parts))


def test_a_panic_of_the_native_reader_is_a_damaged_workbook() -> None:
    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(InvalidInput, match="its reader failed"), reader.translated_errors():
        raise panic
    with pytest.raises(KeyboardInterrupt), reader.translated_errors():
        raise KeyboardInterrupt


def test_a_password_is_named_and_an_error_of_ours_stays_as_it_is() -> None:
    with pytest.raises(InvalidInput, match="without a password"), reader.translated_errors():
        raise PasswordError
    with pytest.raises(Cancelled), reader.translated_errors():
        raise Cancelled("gone")


def spoilt(data: bytes, part: str) -> bytes:
    """A package one part of which cannot be inflated."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entry = archive.getinfo(part)
    start = entry.header_offset + 30 + len(part)
    return data[:start] + b"\xff" * entry.compress_size + data[start + entry.compress_size :]


def test_a_part_that_cannot_be_inflated_is_damaged() -> None:
    with pytest.raises(InvalidInput, match="none of its sheets"):
        pages_of(spoilt(by_hand(f'<row r="1">{number("A1", 1)}</row>'), "xl/worksheets/sheet1.xml"))
    with pytest.raises(InvalidInput, match="damaged"):
        pages_of(spoilt(open_document(f"<table:table-row>{ods_cell('a')}</table:table-row>"), "content.xml"))


def test_the_block_limit_holds() -> None:
    rows = [value for number in range(5) for value in ([f"h{number}", "n"], ["x", number], [])]
    _, (page,) = pages_of(grid(rows), ReadOptions(max_blocks=3))
    assert len(page.blocks) == 3 and page.limits_hit == ("max_blocks",)


def open_document(rows: str) -> bytes:
    names = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<office:document-content xmlns:office="{names}:office:1.0" xmlns:table="{names}:table:1.0" '
        f'xmlns:text="{names}:text:1.0" office:version="1.2"><office:body><office:spreadsheet>'
        f'<table:table table:name="Data">{rows}</table:table></office:spreadsheet></office:body></office:document-content>'
    )
    meta = (
        f'<office:document-meta xmlns:office="{names}:office:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<office:meta><dc:title>Plan</dc:title></office:meta></office:document-meta>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{names}:manifest:1.0"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{kind}"/></manifest:manifest>'
    )
    return zipped({"mimetype": kind, "content.xml": content, "meta.xml": meta, "META-INF/manifest.xml": manifest})


def ods_cell(value: str, repeated: int = 1) -> str:
    return (
        f'<table:table-cell table:number-columns-repeated="{repeated}" office:value-type="string"><text:p>{value}</text:p>'
        "</table:table-cell>"
    )


def test_an_open_document_is_read_with_its_title() -> None:
    rows = (
        f"<table:table-row>{ods_cell('name')}{ods_cell('age')}</table:table-row><table:table-row>{ods_cell('Ann')}"
        '<table:table-cell office:value-type="float" office:value="3"/></table:table-row>'
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/>'
        "</table:table-row>"
    )
    head, (page,) = pages_of(open_document(rows))
    assert head.title == "Plan"
    assert page.text == "## Data\n\n| name | age |\n| --- | --- |\n| Ann | 3 |\n"


def test_an_open_document_of_endless_cells_is_refused() -> None:
    bomb = f'<table:table-row table:number-rows-repeated="1048576">{ods_cell("x", 16384)}</table:table-row>'
    with pytest.raises(InvalidInput, match="Save it as XLSX"):
        pages_of(open_document(bomb))


def test_a_compound_file_without_an_end_is_refused() -> None:
    with pytest.raises(InvalidInput, match="no end"):
        pages_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000))


def test_cells_outside_the_largest_sheet_are_said_not_to_be_read() -> None:
    page = page_of(
        by_hand(
            f'<row r="1">{number("A1", 1)}{number("ZZZ1", 2)}</row><row r="99999999">{number("ZZZZ99999999", 5)}</row>'
        )
    )
    assert texts_of(tables_of(page)[0]) == [["1"]]
    assert "2 of its cells are outside the largest possible sheet" in page.failures[0].reason


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("test.xls", ["'09060124-b5e7-4717-9d07-3c046eb'!A1:D5", "Sheet1!A1:D24"]),
        ("test.xlsx", ["Sheet1!A1:D24", "'09060124-b5e7-4717-9d07-3c046eb'!A1:D5"]),
        (
            "xlsx_01.xlsx",
            ["Sheet1!A1:C7", "Sheet2!A1:D9", "Sheet2!G5:I9", "Sheet2!C14:E18", "Sheet3!A1:C7", "Sheet3!E7:G13"],
        ),
    ],
)
def test_real_workbooks_give_their_tables(data: Path, name: str, places: list[str]) -> None:
    _, pages = pages_of((data / "office" / name).read_bytes())
    assert sorted(table.place for page in pages for table in tables_of(page)) == sorted(places)
    assert all(table.header_rows for page in pages for table in tables_of(page))

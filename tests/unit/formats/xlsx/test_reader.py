# ruff: noqa: E501 - XML by hand reads best on one line
import io
import zipfile
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pytest
from python_calamine import PasswordError

from pincite.errors import Cancelled, InvalidInput, Unsupported
from pincite.formats.base import ReadOptions
from pincite.formats.writing.long_tables import PART_ROWS
from pincite.formats.xlsx import content, reader, second_pass
from pincite.model.document import AsideKind, BlockKind, Cell
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

STYLES = (
    '<numFmts count="3"><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="[$€-407] #,##0.00"/>'
    '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellXfs count="5"><xf numFmtId="0"/>'
    '<xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="14"/></cellXfs>'
)


def number(address: str, value: object, style: int = 0) -> str:
    return f'<c r="{address}" s="{style}"><v>{value}</v></c>'


def text(address: str, value: str) -> str:
    return f'<c r="{address}" t="inlineStr"><is><t>{value}</t></is></c>'


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


@pytest.mark.parametrize("error", ["#N/A", "#DIV/0!", "#REF!", "#NAME?", "#VALUE!", "#NUM!", "#NULL!"])
def test_error_values_stay(error: str) -> None:
    body = f'<row r="1">{text("A1", "x")}<c r="B1" t="e"><v>{error}</v></c></row><row r="2">{number("A2", 1)}</row>'
    assert texts_of(one_table(by_hand(body))) == [["x", error], ["1", ""]]


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


def test_integers_have_no_fraction_and_no_digit_is_lost() -> None:
    body = f'<row r="1">{number("A1", "1.0")}{number("B1", "12345678901234567890")}{number("C1", "-9007199254740993")}</row>'
    assert texts_of(one_table(by_hand(body))) == [["1", "12345678901234567890", "-9007199254740993"]]


def test_numbers_are_shown_as_their_format_says() -> None:
    body = (
        f'<row r="1">{number("A1", "0.125", 1)}{number("B1", "-1234.5", 2)}'
        f"{number('C1', '45292', 3)}{number('D1', '45292', 4)}{number('E1', '0.1')}</row>"
    )
    assert texts_of(one_table(by_hand(body, styles=STYLES))) == [
        ["12.5%", "-€ 1,234.50", "2024-01-01 00:00:00", "2024-01-01", "0.1"]
    ]


def test_dates_and_times_and_truth_values_are_iso_and_capitals() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write_datetime("A1", date(2024, 2, 29), book.add_format({"num_format": "d.m.yyyy"}))
        sheet.write_datetime("B1", datetime(2024, 2, 29, 13, 45), book.add_format({"num_format": "m/d/yy h:mm"}))  # noqa: DTZ001
        sheet.write_datetime("C1", time(13, 45), book.add_format({"num_format": "h:mm AM/PM"}))
        sheet.write_number("D1", 1.5, book.add_format({"num_format": "[h]:mm"}))
        sheet.write_boolean("E1", True)  # noqa: FBT003
        sheet.write_boolean("F1", False)  # noqa: FBT003

    shown = texts_of(one_table(workbook(fill)))
    assert shown == [["2024-02-29", "2024-02-29 13:45:00", "13:45:00", "36:00:00", "TRUE", "FALSE"]]


def test_dates_may_count_from_1904() -> None:
    book = f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
    data = by_hand(f'<row r="1">{number("A1", 0, 4)}</row>', styles=STYLES, parts={"xl/workbook.xml": book})
    assert texts_of(one_table(data)) == [["1904-01-01"]]


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


def test_properties_and_title_come_from_the_workbook() -> None:
    def fill(book: Any) -> None:
        book.set_properties({"title": "Budget", "author": "Ann", "keywords": "money"})
        book.add_worksheet()

    head, (page,) = pages_of(workbook(fill))
    assert head.title == "Budget" and head.properties["author"] == "Ann" and head.properties["keywords"] == "money"
    assert page.text == "## Sheet1\n"


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
    with pytest.raises(InvalidInput, match="its reader failed"), reader.native_faults():
        raise panic
    with pytest.raises(KeyboardInterrupt), reader.native_faults():
        raise KeyboardInterrupt


def test_a_password_is_named_and_an_error_of_ours_stays_as_it_is() -> None:
    with pytest.raises(InvalidInput, match="without a password"), reader.native_faults():
        raise PasswordError
    with pytest.raises(Cancelled), reader.native_faults():
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


def test_damaged_properties_and_odd_styles_cost_only_themselves() -> None:
    row = f'<row r="1">{number("A1", "0.5", 1)}{number("B1", 2, 7)}</row>'
    data = by_hand(row, styles='<cellXfs><xf numFmtId="0"/><xf/></cellXfs>', parts={"docProps/core.xml": "<a"})
    head, (page,) = pages_of(data)
    assert head.properties == {}
    assert texts_of(tables_of(page)[0]) == [["0.5", "2"]]


def test_rows_and_cells_may_leave_their_addresses_out() -> None:
    body = "<row><c><v>1</v></c><c t='e'><v>#N/A</v></c></row><row><c t='e'><v>#REF!</v></c><c><v>2</v></c></row>"
    assert texts_of(one_table(by_hand(body))) == [["1", "#N/A"], ["#REF!", "2"]]


def test_errors_below_the_last_value_lengthen_the_table() -> None:
    body = f'<row r="1">{number("A1", 1)}</row><row r="2"><c r="A2" t="e"><v>#N/A</v></c></row>'
    assert texts_of(one_table(by_hand(body))) == [["1"], ["#N/A"]]


def test_a_header_of_three_rows_is_found_from_its_middle() -> None:
    def fill(book: Any) -> None:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "all")
        sheet.merge_range("B1:E1", "year")
        sheet.merge_range("B2:C2", "first")
        sheet.merge_range("D2:E2", "second")
        sheet.write_row(2, 0, ["region", "Q1", "Q2", "Q3", "Q4"])
        sheet.write_row(3, 0, ["North", 1, 2, 3, 4])
        sheet.write_row(4, 0, ["South", 5, 6, 7, 8])

    assert one_table(workbook(fill)).header_rows == 3


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


def test_a_sparse_sheet_keeps_strings_truth_values_links_and_what_is_hidden() -> None:
    strings = f'<sst xmlns="{MAIN}"><si><t>plain</t></si><si><r><t>two </t></r><r><t>runs</t></r><rPh><t>no</t></rPh></si></sst>'
    body = (
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="b"><v>1</v></c>'
        '<c r="D1" t="s"><v>99</v></c><c r="E1" t="str"><v>text</v></c></row>'
        f'<row r="2">{number("A2", 2.0)}{text("B2", "here")}<c r="C2" t="b"><v>0</v></c>{number("D2", "x")}{text("E2", "out")}</row>'
        f'<row r="3" hidden="1">{number("A3", 3)}{text("B3", "secret")}</row><row r="1048576">{number("XFD1048576", 5)}</row>'
    )
    links = f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="{OFFICE}/hyperlink" Target="https://example.org" TargetMode="External"/></Relationships>'
    data = by_hand(
        body,
        before='<cols><col min="5" max="5" hidden="1"/><col min="x" max="5" hidden="1"/></cols>',
        after='<hyperlinks><hyperlink ref="B2" r:id="r1"/></hyperlinks>',
        parts={"xl/sharedStrings.xml": strings, "xl/worksheets/_rels/sheet1.xml.rels": links},
    )
    page = page_of(data)
    first, last = tables_of(page)
    assert texts_of(first) == [["plain", "two runs", "TRUE"], ["2", "[here](https://example.org)", "FALSE"]]
    assert last.place == "Sheet1!XFD1048576"
    assert [aside.text for aside in page.asides] == ["Sheet1!3:3: 3 | secret", "Sheet1!E1:E2: text\nout"]


def test_a_sparse_sheet_of_very_many_cells_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_pass, "MAX_CELLS", 3)
    rows = "".join(f'<row r="{n}">{number(f"A{n}", n)}</row>' for n in range(1, 9))
    page = page_of(by_hand(f'{rows}<row r="1048576">{number("XFD1048576", 5)}</row>'))
    assert page.limits_hit == ("max_cells",) and "few cells over a huge area" in page.warnings[0]
    assert texts_of(tables_of(page)[0]) == [["1"], ["2"], ["3"]]


def test_cells_outside_the_largest_sheet_are_said_not_to_be_read() -> None:
    page = page_of(
        by_hand(
            f'<row r="1">{number("A1", 1)}{number("ZZZ1", 2)}</row><row r="99999999">{number("ZZZZ99999999", 5)}</row>'
        )
    )
    assert texts_of(tables_of(page)[0]) == [["1"]]
    assert "2 of its cells lie outside the largest sheet" in page.failures[0].reason


def test_cells_on_a_long_diagonal_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_GRID", 3)
    page = page_of(by_hand(f'<row r="1">{number("A1", 1)}</row><row r="1048576">{number("XFD1048576", 5)}</row>'))
    assert page.text == "## Sheet1\n\nA1: 1\nXFD1048576: 5\n"


def test_a_sheet_that_breaks_off_for_the_second_look_is_said() -> None:
    page = page_of(by_hand(f'<row r="1">{number("A1", 1)}</row>', after="<extLst>&undefined;</extLst>"))
    assert texts_of(tables_of(page)[0]) == [["1"]]
    assert "could not all be read" in page.failures[0].reason


def test_hidden_text_is_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MAX_HIDDEN", 5)

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

# ruff: noqa: E501 - XML by hand reads best on one line


from typing import Any

import pytest

from pincite.formats.xlsx import reader, second_pass
from pincite.model.document import AsideKind
from support.sheet_xml import number, text
from support.workbooks import (
    MAIN,
    OFFICE,
    PACKAGE,
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


def test_cells_on_a_long_diagonal_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_GRID_POSITIONS", 3)
    page = page_of(by_hand(f'<row r="1">{number("A1", 1)}</row><row r="1048576">{number("XFD1048576", 5)}</row>'))
    assert page.text == "## Sheet1\n\nA1: 1\nXFD1048576: 5\n"


def test_a_sheet_that_breaks_off_for_the_second_look_is_said() -> None:
    page = page_of(by_hand(f'<row r="1">{number("A1", 1)}</row>', after="<extLst>&undefined;</extLst>"))
    assert texts_of(tables_of(page)[0]) == [["1"]]
    assert "could not all be read" in page.failures[0].reason


def test_rows_that_a_filter_hides_are_read_and_those_hidden_by_hand_are_not() -> None:
    rows = "".join(
        f'<row r="{at}"{hidden}>{number(f"A{at}", at)}{number(f"B{at}", 1)}</row>'
        for at, hidden in ((1, ""), (2, ' hidden="1"'), (3, ""), (4, ' hidden="1"'))
    )
    column = '<filterColumn colId="0"><filters><filter val="3"/></filters></filterColumn>'
    filtered = one_table(by_hand(rows, after=f'<autoFilter ref="A1:B3">{column}</autoFilter>'))
    assert texts_of(filtered) == [["1", "1"], ["2", "1"], ["3", "1"]]
    link = f'<Relationship Id="r1" Type="{OFFICE}/table" Target="../tables/table1.xml"/>'
    parts = {
        "xl/tables/table1.xml": f'<table xmlns="{MAIN}" ref="A1:B4"><autoFilter ref="A1:B4">{column}</autoFilter></table>',
        "xl/worksheets/_rels/sheet1.xml.rels": f'<Relationships xmlns="{PACKAGE}">{link}</Relationships>',
    }
    assert len(one_table(by_hand(rows, parts=parts)).cells) == 8
    idle = one_table(by_hand(rows, after='<autoFilter ref="A1:B3"><filterColumn colId="0"/></autoFilter>'))
    assert texts_of(idle) == [["1", "1"], ["3", "1"]]

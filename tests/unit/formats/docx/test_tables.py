import pytest

from pincite.model.document import BlockKind
from support.docx_read import read
from support.word import Word, item, lvl, p, styled, tbl, tc, tr
from support.word_probes import blocks, cells


def test_cells_that_begin_later_and_merges_without_an_owner_keep_their_columns() -> None:
    late = tr("c", properties='<w:gridBefore w:val="1"/>')
    lost = tr(tc(p("d"), "<w:vMerge/>"), tc(p("e"), '<w:vMerge w:val="restart"/>'))
    document = read(Word().add(tbl(tr("a", "b"), late, lost, tr("f", tc(p(), "<w:vMerge/>")))))
    assert cells(document) == [
        (0, 0, "a", 1, 1),
        (0, 1, "b", 1, 1),
        (1, 1, "c", 1, 1),
        (2, 0, "d", 1, 1),
        (2, 1, "e", 2, 1),
        (3, 0, "f", 1, 1),
    ]


def test_a_span_of_two_thousand_million_columns_is_one_that_the_rows_use() -> None:
    document = read(Word().add(tbl(tr(tc(p("wide"), '<w:gridSpan w:val="2000000000"/>'), "end"), tr("a", "b", "c"))))
    table = blocks(document, BlockKind.TABLE)[0].table
    assert table is not None and (table.rows, table.columns) == (2, 4)


def test_deleted_rows_are_gone_and_controls_around_rows_and_cells_are_not() -> None:
    control = "<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt>"
    rows = tr("x", properties="<w:del/>") + control.format(tr("a", control.format(tc(p("b")))))
    assert cells(read(Word().add(tbl(rows)))) == [(0, 0, "a", 1, 1), (0, 1, "b", 1, 1)]


@pytest.mark.parametrize(
    ("look", "headers"),
    [
        ('w:firstRow="1"', 1),
        ('w:firstRow="0"', 0),
        ('w:val="04A0"', 1),
        ('w:val="0000"', 0),
        ('w:val="no"', 0),
        ("", 0),
    ],
)
def test_the_first_row_names_the_columns_where_style_and_look_say_so(look: str, headers: int) -> None:
    word = Word().style("t", "Fancy", '<w:tblStylePr w:type="firstRow"/>', kind="table")
    properties = '<w:tblStyle w:val="t"/>' + (f"<w:tblLook {look}/>" if look else "")
    table = blocks(read(word.add(tbl(tr("a"), tr("b"), properties=properties))), BlockKind.TABLE)[0].table
    assert table is not None and table.header_rows == headers
    assert [cell.header for cell in table.cells] == [bool(headers), False]


def test_names_above_figures_are_a_header_where_no_style_says_so() -> None:
    rows = tbl(tr("Item", "Qty", "Price"), tr("Roof", "1", "42.00"), tr("Door", "2", "7.50"))
    assert read(Word().add(rows)).text.startswith("| Item | Qty | Price |\n| --- |")


def test_a_table_of_one_cell_around_headings_is_a_frame() -> None:
    document = read(Word().add(tbl(tr(tc(styled("Heading1", "T") + p("text"))))))
    assert document.text == "# T\n\ntext\n"


def test_lists_and_code_in_cells_keep_their_lines() -> None:
    word = Word().numbers(9, lvl(0, "decimal", "%1.") + lvl(1, "bullet", "•"))
    assert cells(read(word.add(tbl(tr(tc(item("a", 9) + item("b", 9, 1)), "x")))))[0][2] == "1. a\n  - b"


@pytest.mark.parametrize("shading", ['w:val="clear" w:fill="D9D9D9"', 'w:val="pct10" w:fill="FFFFFF"', ""])
def test_a_row_of_names_that_alone_is_shaded_or_bold_names_the_columns(shading: str) -> None:
    def cell(text: str) -> str:
        return tc(p(text), f"<w:shd {shading}/>") if shading else tc(f"<w:p>{run(text)}</w:p>")

    def run(text: str) -> str:
        return f"<w:r><w:rPr><w:b/></w:rPr><w:t>{text}</w:t></w:r>"

    names = tr(cell("Version"), cell("Approved by"), cell("Comments"))
    document = read(Word().add(tbl(names, tr("draft", "Ann", "first"), tr("final", "Ben", ""))))
    assert (table := blocks(document, BlockKind.TABLE)[0].table) and table.header_rows == 1
    striped = read(Word().add(tbl(names, tr(cell("draft"), cell("Ann"), cell("first")), names)))
    assert (table := blocks(striped, BlockKind.TABLE)[0].table) and table.header_rows == 0

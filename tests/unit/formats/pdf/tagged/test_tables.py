from pincite.model.document import Cell
from support.pdf_read import blocks, shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, row, tag


def test_a_table_has_its_header_rows_and_spans() -> None:
    head = tag("THead", row("Year", "Sales", y=700, kind="TH"))
    wide = tag("TR", tag("TD", Show("both", 72, 680), A="<</O/Table/ColSpan 2>>"))
    tall = tag(
        "TR", tag("TH", Show("tall", 72, 660), A="<</O/Table/RowSpan 2/Scope/Row>>"), tag("TD", Show("x", 172, 660))
    )
    body = tag("TBody", wide, tall, tag("TR", tag("TD", Show("y", 172, 640))))
    (block,) = blocks(read([tag("Table", tag("Caption", Show("Table 1", 72, 720)), head, body)]))
    assert block.table is not None
    assert (block.table.rows, block.table.columns, block.table.header_rows) == (4, 2, 1)
    assert block.table.caption == "Table 1"
    assert block.table.cells == (
        Cell(0, 0, "Year", header=True),
        Cell(0, 1, "Sales", header=True),
        Cell(1, 0, "both", column_span=2),
        Cell(2, 0, "tall", row_span=2, header=True),
        Cell(2, 1, "x"),
        Cell(3, 1, "y"),
    )


def test_rows_of_header_cells_name_the_columns_unless_one_is_alone_at_their_end() -> None:
    rows = [
        row("(millions)", y=720, kind="TH", x=172),
        row("Year", "2020", "2021", y=700, kind="TH"),
        row("Income:", y=680, kind="TH"),
        row("Sales", "1", "2", y=660),
    ]
    (block,) = blocks(read([tag("Table", *rows)]))
    assert block.table is not None and block.table.header_rows == 2


def test_names_above_figures_are_a_header_where_no_cell_is_tagged_as_one() -> None:
    rows = [row("Item", "Qty", "Price", y=720), row("Roof", "1", "42.00", y=700), row("Door", "2", "7.50", y=680)]
    (block,) = blocks(read([tag("Table", *rows)]))
    assert block.table is not None and block.table.header_rows == 1
    title = tag("TR", tag("TD", Show("Offer", 72, 740), A="<</O/Table/ColSpan 3>>"))
    (block,) = blocks(read([tag("Table", title, *rows)]))
    assert block.table is not None and block.table.header_rows == 2


def test_cells_of_a_short_row_stand_below_those_that_they_overlap() -> None:
    rows = [row("2020", "2021", y=700, kind="TH", x=172), row("Sales", "10", "20", y=680), row("30", y=660, x=272)]
    (block,) = blocks(found := read([tag("Table", *rows)]))
    assert found.text == "|  | 2020 | 2021 |\n| --- | --- | --- |\n| Sales | 10 | 20 |\n|  |  | 30 |\n"
    assert [round(box.x0) // 100 for box in block.boxes] == [1, 2, 0, 1, 2, 2]


def test_a_table_goes_on_on_the_next_page_under_an_equal_header() -> None:
    def part(*cells: str, head: str = "Name") -> Tag:
        return tag("Table", row(head, "Value", y=700, kind="TH"), row(*cells, y=680))

    found = read([part("a", "1")], [part("b", "2")], [part("c", "3", head="Other")], [lines("P", "end", y=700)])
    assert [block.table.continued for block in blocks(found) if block.table] == [False, True, False]
    again = read([part("a", "1"), lines("P", "between", y=600)], [part("b", "2")])
    assert [block.table.continued for block in blocks(again) if block.table] == [False, False]


def test_a_table_keeps_the_file_s_order_where_that_is_another() -> None:
    crossed = tag("TR", tag("TD", Show("b", 172, 700)), tag("TD", Show("a", 72, 700)))
    tables = [tag("Table", crossed, row("c", "d", y=680)), tag("Table", row("e", "f", y=500), row("g", "h", y=480))]
    found = read([tables[0], lines("P", "between", y=600), tables[1]])
    first, second = (block.table for block in blocks(found) if block.table)
    assert "| b | a |" in found.text
    assert (first.source, second.source) == ("a b\nc d", "")


def test_a_table_without_text_is_none() -> None:
    assert shown(read([tag("Table", row("", "", y=700)), lines("P", "text", y=600)])) == [("paragraph", "text")]


def test_loose_content_of_a_table_or_a_table_of_contents_is_kept() -> None:
    found = read([tag("TOC", Show("Loose entry", 72, 700)), tag("L", tag("Caption", Show("Named", 72, 600)))])
    assert shown(found) == [("contents", "Loose entry"), ("list", "- Named")]


def test_a_table_in_a_cell_is_part_of_its_text() -> None:
    inner = tag("Table", row("x", "y", y=680, x=172, step=50))
    outer = tag("TR", tag("TD", Show("a", 72, 700)), tag("TD", tag("P", Show("b", 172, 700)), inner))
    (block,) = blocks(read([tag("Table", outer)]))
    assert block.table is not None
    assert [" ".join(cell.text.split()) for cell in block.table.cells] == ["a", "b x y"]

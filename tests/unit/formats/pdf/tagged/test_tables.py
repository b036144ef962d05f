from collections.abc import Sequence

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tagged.structure import Element
from pincite.formats.pdf.tagged.tables import Piece, title_rows, without_rows
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import BlockKind, Box, Cell
from support.pdf_read import blocks, shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, row, tag

LOW, HIGH = (TextBox(Box(0, y, 10, y + 10), 0) for y in (50, 20))


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


def words(size: float, count: int = 1) -> list[Word]:
    return [Word("word", 0, 0, 1, 1, size, "", False, False, 0, n, n, 0, 0, 0) for n in range(count)]  # noqa: FBT003


def titles(*rows: Sequence[float]) -> list[int]:
    """Return the levels of the titles of a table, whose cells have words of these sizes, 0 for none."""
    contents = {10 * n + m: words(size) for n, sizes in enumerate(rows) for m, size in enumerate(sizes) if size}
    trs = [
        Element("TR", tuple(Element("TD", (10 * n + m,)) for m in range(len(sizes)))) for n, sizes in enumerate(rows)
    ]
    table = Element("Table", (Element("TBody", tuple(trs)),))

    def words_of(element: Element) -> list[Word]:
        return [word for content in element.content_ids() for word in contents.get(content, ())]

    found = title_rows(table, words_of)
    assert [one for one, _ in found] == trs[: len(found)]
    assert without_rows(table, {id(one) for one, _ in found}).children == (Element("TBody", tuple(trs[len(found) :])),)
    return [level for _, level in found]


def test_first_rows_of_one_text_in_larger_type_are_titles() -> None:
    cells = [(8.0, 8.0, 8.0)] * 4
    assert titles((16, 0, 0), (0, 12, 0), *cells) == [1, 2]
    assert titles((12, 0, 0), (12, 0, 0), *cells) == [1, 1]
    # A note in the type of the cells, two texts, and one below the first row of cells.
    assert titles((9, 0, 0), *cells) == titles((12, 12, 0), *cells) == titles(*cells, (12, 0, 0)) == []
    assert titles((12,), (12,)) == titles((0, 0)) == titles() == []


def test_the_titles_of_a_tagged_table_are_headings_above_it() -> None:
    title = tag("TR", tag("TD", Show("Primary election", 72, 700, size=24)), tag("TD"))
    found = read([tag("Table", title, row("Alcona", "963", y=660), row("Caledonia", "923", y=640))])
    assert [(block.level, block.title) for block in blocks(found) if block.level] == [(1, "Primary election")]
    assert shown(found)[1][0] == "table" and "Primary" not in shown(found)[1][1]


def test_the_top_of_a_block_is_that_of_its_highest_box() -> None:
    item = Item("one", 0)
    pieces = (
        Piece(BlockKind.PARAGRAPH, PlacedText("one two", (LOW, HIGH))),
        Piece(BlockKind.LIST, items=((item, PlacedText("one", (LOW,))), (item, PlacedText("one", (HIGH,))))),
    )
    assert [piece.top for piece in pieces] == [20, 20]
    assert Piece(BlockKind.FIGURE, PlacedText("A picture")).top is None


def test_each_kind_is_written_as_it_is() -> None:
    writer = PageWriter(10, 1)
    for piece in (
        Piece(BlockKind.HEADING, PlacedText("Title"), level=2),
        Piece(BlockKind.LIST, items=((Item("one", 0), PlacedText("one")),)),
        Piece(BlockKind.CODE, PlacedText("x = 1")),
        Piece(BlockKind.FIGURE, PlacedText("A picture")),
        Piece(BlockKind.FOOTNOTE, PlacedText("1 A note")),
    ):
        piece.write(writer)
    page = writer.page()
    kinds = ["heading", "list", "code", "figure", "footnote"]
    assert [block.kind.value for block in page.blocks] == kinds
    assert page.text == "## Title\n\n- one\n\n```\nx = 1\n```\n\n![A picture]\n\n1 A note\n"

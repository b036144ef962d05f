"""A tagged page is read as its tags say."""

import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf import reader
from pincite.formats.pdf.tagged import structure
from pincite.formats.worker.read import read_document
from pincite.formats.writing.builder import build
from pincite.model.call import Call
from pincite.model.document import AsideKind, Block, BlockKind, Cell, Document
from pincite.registry import FORMATS
from support.tagged_pdfs import Show, Tag, lines, row, tag, tagged_pdf

FORMAT = next(row for row in FORMATS if row.name == "pdf")


def read(*pages: list[Tag | Show], roles: dict[str, str] | None = None) -> Document:
    data = tagged_pdf(*pages, roles=roles)
    return read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def shown(document: Document) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in blocks(document)]


def test_blocks_come_in_the_order_of_the_tree_not_of_the_page() -> None:
    found = read([lines("P", "second paragraph", y=300), lines("P", "first in print", y=700)])
    assert shown(found) == [("paragraph", "second paragraph"), ("paragraph", "first in print")]


def test_lines_of_a_paragraph_are_joined_and_each_has_its_box() -> None:
    (block,) = blocks(found := read([lines("P", "One line", "and another", y=700)]))
    assert found.text == "One line and another\n"
    assert block.box_starts == (0, 9)
    upper, lower = block.boxes
    assert 71 < upper.x0 < 74 and 792 - 712 < upper.y0 < upper.y1 <= 792 - 697 < lower.y1 <= 792 - 683


def test_headings_keep_their_levels_and_empty_ones_are_dropped() -> None:
    found = read([
        lines("H1", "One", y=700),
        tag("H2"),
        lines("H2", "Two", y=650),
        lines("H6", "Six", y=600),
        lines("Title", "Book", y=560),
    ])  # fmt: skip
    assert [(block.level, block.title) for block in blocks(found)] == [(1, "One"), (2, "Two"), (6, "Six"), (1, "Book")]


def test_a_heading_without_a_number_is_as_deep_as_its_sections() -> None:
    inner = tag("Sect", lines("H", "Inner", y=600), lines("P", "text here", y=580))
    found = read([tag("Sect", lines("H", "Outer", y=700), inner), lines("H", "Top", y=500)])
    assert [block.level for block in blocks(found) if block.level] == [1, 2, 1]


def test_the_file_s_own_types_mean_what_its_role_map_says() -> None:
    found = read(
        [lines("Chapter", "One", y=700), lines("Heading_2", "Two", y=650), lines("Body", "text", y=600)],
        roles={"Chapter": "H1", "Body": "P"},
    )
    assert [(block.kind, block.level) for block in blocks(found)] == [("heading", 1), ("heading", 2), ("paragraph", 0)]


def test_lists_keep_labels_and_nesting() -> None:
    def item(label: str, text: str, y: float, *more: Tag) -> Tag:
        return tag("LI", tag("Lbl", Show(label, 72, y)), tag("LBody", tag("P", Show(text, 90, y)), *more))

    nested = tag("L", item("(a)", "inner", 640))
    found = read(
        [tag("L", item("\u2022", "bullet", 700), item("2.1", "numbered", 680), item("3.", "third", 660, nested))]
    )
    assert shown(found) == [("list", "- bullet\n- 2.1 numbered\n3. third\n  - (a) inner")]
    assert [round(box.x0, -1) for box in blocks(found)[0].boxes] == [70, 70, 70, 70]


def test_a_bullet_that_is_part_of_the_text_is_none_of_it() -> None:
    found = read([tag("L", tag("LI", tag("LBody", Show("- dash", 72, 700))), tag("LI", Show("b) letter", 72, 680)))])
    assert shown(found) == [("list", "- dash\n- b) letter")]


def test_a_list_goes_round_the_table_in_it() -> None:
    table = tag("Table", row("a", "b", y=680), row("c", "d", y=660))
    items = [tag("LI", tag("LBody", Show("first", 72, 700), table)), tag("LI", tag("LBody", Show("second", 72, 640)))]
    assert [kind for kind, _ in shown(read([tag("L", *items, Show("loose", 72, 620))]))] == ["list", "table", "list"]


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


def test_contents_are_kept_apart_and_lose_their_dots() -> None:
    def entry(text: str, y: float) -> Tag:
        return tag("TOCI", tag("Reference", Show(text, 72, y)))

    inner = tag("TOC", entry("1.1 Inner . . . . . . . . . 7", 660))
    found = read([tag("TOC", entry("1 One ........................ 5", 700), entry("2 Two ____ 6", 680), inner)])
    assert shown(found) == [("contents", "1 One 5\n2 Two 6\n1.1 Inner 7")]


def test_figures_say_what_they_show() -> None:
    figure = tag("Figure", Show("label", 72, 500), Alt="(A  chart)")
    found = read([tag("P", Show("Text around", 72, 700), figure, Show("a chart.", 72, 686))])
    assert shown(found) == [("paragraph", "Text around a chart."), ("figure", "![A chart]"), ("figure", "label")]


def test_notes_quotes_and_code_are_what_they_are() -> None:
    found = read([
        tag("P", Show("Said", 72, 700), tag("Note", Show("1 A note.", 72, 100)), Show("here.", 72, 686)),
        tag("BlockQuote", lines("P", "Quoted words", "go on", y=600)),
        tag("Code", Show("a = 1", 72, 500), Show("b = 2", 72, 486)),
        tag("P", Show("Use", 72, 400), tag("Code", Show("print", 100, 400))),
    ])  # fmt: skip
    assert shown(found) == [
        ("paragraph", "Said here."),
        ("footnote", "1 A note."),
        ("quote", "> Quoted words go on"),
        ("code", "```\na = 1\nb = 2\n```"),
        ("paragraph", "Use print"),
    ]


def test_text_that_is_tagged_as_nothing_is_a_running_head() -> None:
    body = lines("P", *("many words of text that fill a page",) * 20, y=700)
    found = read([
        Show("Chapter", 72, 760, mark="Artifact"),
        body,
        Show("Watermark", 300, 300, mark="Artifact"),
        Show("page 7", 300, 30),
    ])  # fmt: skip
    assert [(aside.kind, aside.text) for aside in found.asides] == [
        (AsideKind.HEADER, "Chapter"),
        (AsideKind.FOOTER, "Watermark"),
        (AsideKind.FOOTER, "page 7"),
    ]


def test_text_that_was_left_untagged_by_mistake_is_kept_in_its_place() -> None:
    upper, lower = (lines("P", *("many words of text that fill a page",) * 12, y=y) for y in (700, 400))
    found = read([upper, lower, Show("left alone", 72, 450)])
    assert [text[:10] for _, text in shown(found)] == ["many words", "left alone", "many words"]


@pytest.mark.parametrize("mark", ["", "Artifact"])
def test_tags_that_leave_out_much_are_not_followed(mark: str) -> None:
    texts = [Show(f"line {n} of what no tag reaches at all", 72, 600 - 14 * n, mark=mark) for n in range(20)]
    found = read([lines("H1", "Tagged", y=700), *texts])
    assert "of what no tag reaches" in found.text and not found.asides


def test_hidden_words_are_in_no_block() -> None:
    found = read([tag("P", Show("seen words", 72, 700), Show("hidden words", 72, 680, hidden=True))])
    assert shown(found) == [("paragraph", "seen words")]
    assert "hidden" in " ".join(aside.text for aside in found.asides)


def test_what_an_element_says_instead_counts_only_where_it_is_the_same() -> None:
    found = read([
        tag("P", Show("Visible price 10", 72, 700), ActualText="(Other price 99)"),
        tag("P", tag("Span", Show("co", 72, 650), Show("-operate", 90, 650), ActualText="(cooperate)")),
    ])  # fmt: skip
    assert shown(found) == [("paragraph", "Visible price 10"), ("paragraph", "cooperate")]


def test_content_that_two_elements_claim_is_read_once() -> None:
    data = tagged_pdf([lines("P", "only once", y=700), lines("P", "another", y=600)])
    data = data.replace(b"/K[1]", b"/K[0]")
    found = read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())
    assert found.text.count("only once") == 1


def test_a_code_block_s_lines_stay_lines() -> None:
    (block,) = blocks(found := read([tag("Code", Show("x", 72, 700), Show("y", 72, 686))]))
    assert [found.text[block.start + start] for start in block.box_starts] == ["x", "y"]
    assert block.kind is BlockKind.CODE


def test_a_tree_that_is_too_large_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[Tag | Show] = [lines("P", "second", y=300), lines("P", "first", y=700)]
    data = tagged_pdf(pages)
    monkeypatch.setattr(structure, "MOST_ELEMENTS", 2)
    found = build("a.pdf", "", "", reader.read(Blob("a.pdf", data), ReadOptions(), Call()))
    assert found.text.index("first") < found.text.index("second")


def test_what_is_too_deep_counts_as_untagged(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tag("Sect", tag("Sect", tag("Sect", lines("H1", "Deep", y=700))))
    monkeypatch.setattr(structure, "DEEPEST", 2)
    data = tagged_pdf([deep, lines("P", "shallow", y=650)])
    found = build("a.pdf", "", "", reader.read(Blob("a.pdf", data), ReadOptions(), Call()))
    assert "Deep" in found.text


def test_a_tree_that_holds_itself_ends() -> None:
    data = tagged_pdf([tag("Sect", lines("P", "round", y=700))])
    start = data.index(b"/S/Sect")
    own = data[data.rindex(b"\n", 0, data.rindex(b" 0 obj", 0, start)) + 1 : data.rindex(b" 0 obj", 0, start)]
    kid = data.index(b"/K[", start)
    looped = data[:kid] + b"/K[" + own + b" 0 R " + data[kid + 3 :]
    found = read_document(FORMAT, Blob("a.pdf", looped), ReadOptions(), Call())
    assert found.text.count("round") == 1


def test_loose_content_of_a_table_or_a_table_of_contents_is_kept() -> None:
    found = read([tag("TOC", Show("Loose entry", 72, 700)), tag("L", tag("Caption", Show("Named", 72, 600)))])
    assert shown(found) == [("contents", "Loose entry"), ("list", "- Named")]


def test_a_table_in_a_cell_is_part_of_its_text() -> None:
    inner = tag("Table", row("x", "y", y=680, x=172, step=50))
    outer = tag("TR", tag("TD", Show("a", 72, 700)), tag("TD", tag("P", Show("b", 172, 700)), inner))
    (block,) = blocks(read([tag("Table", outer)]))
    assert block.table is not None
    assert [" ".join(cell.text.split()) for cell in block.table.cells] == ["a", "b x y"]


def test_a_page_of_a_well_tagged_file_may_leave_out_a_chart_s_labels() -> None:
    body = lines("P", *("many words of text that fill a page",) * 40, y=740)
    chart = [Show(f"label {n}", 400, 700 - 20 * n) for n in range(20)]
    found = read([body], [lines("H1", "Heading", y=760), *chart[:12], body])
    assert [block.level for block in blocks(found) if block.level] == [1]
    assert "label 1" in found.text

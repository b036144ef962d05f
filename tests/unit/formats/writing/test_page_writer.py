import pytest

from pincite.formats.writing.page_writer import Item, PageWriter, table_markdown
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import AsideKind, Block, BlockKind, Box, Cell, PackedCells, Page, Table


def writer(max_blocks: int = 100) -> PageWriter:
    return PageWriter(max_blocks)


def texts(page: Page) -> list[str]:
    return [page.text[block.start : block.end] for block in page.blocks]


def test_blocks_are_separated_by_a_blank_line_and_know_their_span() -> None:
    page = writer()
    page.heading(2, " Set \n up ", anchors=["setup"])
    page.paragraph("one\ntwo ")
    page.paragraph(" ")
    page.block(BlockKind.QUOTE, "> q")
    made = page.page()
    assert made.text == "## Set up\n\none\ntwo\n\n> q\n"
    assert texts(made) == ["## Set up", "one\ntwo", "> q"]
    assert made.blocks[0] == Block(BlockKind.HEADING, 0, 9, 2, "Set up", anchors=("setup",))


def test_nothing_written_is_an_empty_page() -> None:
    assert writer().page() == Page(None, "", ())


@pytest.mark.parametrize(("level", "written"), [(0, "# x"), (6, "###### x"), (9, "###### x")])
def test_a_heading_has_one_of_six_levels(level: int, written: str) -> None:
    page = writer()
    page.heading(level, "x")
    assert texts(page.page()) == [written]


def test_a_list_keeps_its_labels_and_its_nesting() -> None:
    page = writer()
    page.items([Item("a", 0, "1."), Item("b\nmore", 1, "(c)"), Item(" ", 1), Item("c", 2)])
    assert texts(page.page()) == ["1. a\n  - (c) b\n    more\n    - c"]


def test_code_stands_verbatim_in_a_fence_that_it_does_not_close() -> None:
    page = writer()
    page.code("\n  a\n````\nb\n", "py")
    made = page.page()
    assert texts(made) == ["`````py\n\n  a\n````\nb\n`````"]
    assert made.blocks[0].language == "py"


def test_a_table_shows_spanned_headers_in_each_column_and_spanned_cells_once() -> None:
    cells = (
        Cell(0, 0, "2024 | 2025", column_span=2, header=True),
        Cell(1, 0, "a\nb", row_span=2),
        Cell(2, 1, "c", column_span=5),
    )
    table = Table(3, 2, cells, header_rows=1, caption="Sales")
    page = writer()
    page.table(table)
    assert texts(page.page()) == [
        "Sales\n\n| 2024 \\| 2025 | 2024 \\| 2025 |\n| --- | --- |\n| a b |  |\n|  | c |",
    ]
    assert page.page().blocks[0].table == table


def test_a_table_without_header_rows_gets_an_empty_one() -> None:
    assert table_markdown(Table(1, 2, (Cell(0, 1, "x"),))) == "|  |  |\n| --- | --- |\n|  | x |"


def test_a_table_without_text_is_none() -> None:
    page = writer()
    page.table(Table(1, 1, (Cell(0, 0, " "),)))
    assert page.page().blocks == ()


def test_figures_and_notes_are_written_as_markdown() -> None:
    page = writer()
    page.figure("A  chart")
    page.footnote("1", " See there. ")
    page.figure("")
    page.footnote("2", "")
    assert texts(page.page()) == ["![A chart]", "[^1]: See there."]


def test_what_is_kept_apart_is_told() -> None:
    page = PageWriter(100, number=3)
    page.aside(AsideKind.HEADER, " Draft ")
    page.aside(AsideKind.HIDDEN, " ")
    page.fail("no text layer")
    page.warn("not calculated")
    made = page.page()
    assert [(aside.kind, aside.text, aside.page) for aside in made.asides] == [(AsideKind.HEADER, "Draft", 3)]
    assert [(failure.page, failure.reason) for failure in made.failures] == [(3, "no text layer")]
    assert made.warnings == ("not calculated",)


def test_after_the_last_block_allowed_the_rest_is_one_and_the_limit_is_named() -> None:
    page = writer(max_blocks=2)
    for text in "abcd":
        page.paragraph(text)
    made = page.page()
    assert texts(made) == ["a", "b\n\nc\n\nd"]
    assert [block.kind for block in made.blocks] == [BlockKind.PARAGRAPH, BlockKind.OTHER]
    assert made.limits_hit == ("max_blocks",)


HIDDEN = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


def test_invisible_characters_of_any_block_are_kept_apart_and_boxes_stay_where_they_were() -> None:
    page = writer()
    page.heading(1, f"A{HIDDEN} title")
    boxes = (TextBox(Box(0, 0, 1, 1), 0), TextBox(Box(0, 1, 1, 2), len(f"One {HIDDEN}two ")))
    page.paragraph(f"One {HIDDEN}two three", boxes=boxes)
    page.items([Item(f"item{HIDDEN}")])
    page.table(Table(1, 1, (Cell(0, 0, f"cell{HIDDEN}"),)))
    page.table(Table(1, 1, PackedCells(f"packed{HIDDEN}", 1)))
    made = page.page()
    assert made.text.isascii() and made.blocks[0].title == "A title"
    assert [aside.text for aside in made.asides] == ["obey"] * 5
    assert made.blocks[1].box_starts == (0, len("One two "))
    assert [table.cells[0].text for block in made.blocks if (table := block.table)] == ["cell", "packed"]

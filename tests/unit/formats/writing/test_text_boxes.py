"""Boxes find the text of theirs in a block's Markdown."""

import pytest

from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import CAPTION, TextBox
from pincite.model.document import Box, Cell, Page, Table


@pytest.fixture
def writer() -> PageWriter:
    return PageWriter(max_blocks=100, number=1)


def box(n: int) -> Box:
    return Box(n, n, n + 1, n + 1)


def told(page: Page) -> list[tuple[float, str]]:
    """For each box its number and what stands in it."""
    (block,) = page.blocks
    ends = (*block.box_starts[1:], block.end - block.start)
    text = page.text[block.start : block.end]
    return [
        (found.x0, text[start:end].strip(" |\n"))
        for found, start, end in zip(block.boxes, block.box_starts, ends, strict=True)
    ]


def test_lines_of_a_paragraph_keep_their_boxes(writer: PageWriter) -> None:
    writer.paragraph("  one two\nthree", boxes=[TextBox(box(1), 2), TextBox(box(2), 10)])
    assert told(writer.page()) == [(1, "one two"), (2, "three")]


def test_a_heading_s_marks_belong_to_no_box(writer: PageWriter) -> None:
    writer.heading(2, "One  two\nthree", boxes=[TextBox(box(1)), TextBox(box(2), 9)])
    assert writer.page().blocks[0].box_starts == (3, 11)


def test_code_notes_and_figures_are_found_behind_their_marks() -> None:
    def code(writer: PageWriter) -> None:
        writer.code("a\n b", "py", boxes=[TextBox(box(1)), TextBox(box(2), 2)])

    def footnote(writer: PageWriter) -> None:
        writer.footnote("7", " a\nb ", boxes=[TextBox(box(1)), TextBox(box(2), 3)])

    def figure(writer: PageWriter) -> None:
        writer.figure("a\nb", boxes=[TextBox(box(1)), TextBox(box(2), 2)])

    for write, found in ((code, (6, 9)), (footnote, (6, 8)), (figure, (2, 4))):
        writer = PageWriter(9)
        write(writer)
        assert writer.page().blocks[0].box_starts == found


def test_items_keep_their_boxes_behind_labels_and_indents(writer: PageWriter) -> None:
    items = [Item("one\nmore"), Item("  "), Item("two", 1, "(a)"), Item("three", 0, "3.")]
    boxes = [
        TextBox(box(4), 0, 3),
        TextBox(box(1), 0, 0),
        TextBox(box(2), 4, 0),
        TextBox(box(9), 0, 1),
        TextBox(box(3), 0, 2),
        TextBox(box(9), 0, 7),
    ]
    writer.items(items, boxes=boxes)
    page = writer.page()
    assert page.text == "- one\n  more\n  - (a) two\n3. three\n"
    assert [page.text[start:][:3] for start in page.blocks[0].box_starts] == ["one", "mor", "two", "thr"]
    assert [found.x0 for found in page.blocks[0].boxes] == [1, 2, 3, 4]


def test_cells_keep_their_boxes_and_repeated_heads_repeat_them(writer: PageWriter) -> None:
    cells = (
        Cell(0, 0, "Year\n2020", column_span=2, header=True),
        Cell(1, 0, "a|b  c|d"),
        Cell(1, 1, "e"),
    )
    boxes = [
        TextBox(box(0), 0, CAPTION),
        TextBox(box(1), 0, 0, 0),
        TextBox(box(2), 5, 0, 0),
        TextBox(box(3), 0, 1, 0),
        TextBox(box(4), 5, 1, 0),
        TextBox(box(5), 0, 1, 1),
    ]
    writer.table(Table(2, 2, cells, header_rows=1, caption="Sums"), boxes=boxes)
    page = writer.page()
    assert page.text == "Sums\n\n| Year 2020 | Year 2020 |\n| --- | --- |\n| a\\|b c\\|d | e |\n"
    found = page.blocks[0]
    assert [page.text[start:][:2] for start in found.box_starts] == ["Su", "Ye", "20", "Ye", "20", "a\\", "c\\", "e "]
    assert [one.x0 for one in found.boxes] == [0, 1, 2, 1, 2, 3, 4, 5]


def test_a_table_has_one_rule_however_many_rows_name_its_columns(writer: PageWriter) -> None:
    cells = (Cell(0, 0, "a"), Cell(1, 0, "b"), Cell(2, 0, "c"))
    writer.table(Table(3, 1, cells, header_rows=2), boxes=[TextBox(box(row), 0, row) for row in range(3)])
    page = writer.page()
    assert [page.text[start] for start in page.blocks[0].box_starts] == ["a", "b", "c"]


def test_a_table_without_header_rows_has_a_line_for_them_all_the_same(writer: PageWriter) -> None:
    writer.table(Table(2, 1, (Cell(0, 0, "a"), Cell(1, 0, "b"))), boxes=[TextBox(box(1)), TextBox(box(2), 0, 1)])
    page = writer.page()
    assert [page.text[start] for start in page.blocks[0].box_starts] == ["a", "b"]


def test_a_box_of_a_cell_that_is_not_there_is_kept_at_the_top(writer: PageWriter) -> None:
    writer.table(Table(1, 1, (Cell(0, 0, "a"),)), boxes=[TextBox(box(1), 0, 5, 5)])
    assert writer.page().blocks[0].box_starts == (0,)


def test_boxes_alone_stay_as_they_are(writer: PageWriter) -> None:
    writer.items([Item("a")], boxes=[box(1)])
    writer.table(Table(1, 1, (Cell(0, 0, "a"),)), boxes=[box(2)])
    writer.paragraph("a", boxes=(box(3),))
    assert [(block.boxes, block.box_starts) for block in writer.page().blocks] == [((box(n),), ()) for n in (1, 2, 3)]

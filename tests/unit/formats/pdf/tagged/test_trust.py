"""Tags that contradict the print are not followed: the page, or the file, is read by its layout."""

from dataclasses import replace

import pytest

from pincite.errors import InvalidInput
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.tagged.tables import Piece, TaggedTable
from pincite.formats.pdf.tagged.trust import TagCounts, contradict_print, count_tags
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.call import Call
from pincite.model.document import BlockKind, Box, Cell, Table
from support.pdf_read import blocks, shown
from support.pdf_tagged import read
from support.tagged_pdfs import Show, Tag, lines, row, tag, tagged_pdf

PROSE = ("many words of text that fill the lines of a page",) * 4


def chapter(kind: str, *, y: float = 740) -> list[Tag]:
    """Three sections, their titles in large type and of this kind."""
    return [
        part
        for number in range(3)
        for part in (
            tag(kind, Show(f"Title {number}", 72, y - 200 * number, size=20)),
            lines("P", *PROSE, y=y - 200 * number - 30),
        )
    ]


def levels(*pages: list[Tag | Show]) -> list[str]:
    return [block.title for block in blocks(read(*pages)) if block.level]


def test_a_file_without_tagged_headings_is_read_by_its_layout_if_it_shows_some() -> None:
    assert levels([*chapter("P")]) == ["Title 0", "Title 1", "Title 2"]
    assert levels([lines("P", *PROSE, y=740), lines("P", *PROSE, y=500), lines("P", *PROSE, y=300)]) == []


def test_tagged_headings_are_followed() -> None:
    assert levels([*chapter("H2")]) == ["Title 0", "Title 1", "Title 2"]


def test_few_tagged_headings_count_as_none() -> None:
    assert TagCounts(headings=0, prose_pages=1).may_lack_headings
    assert TagCounts(headings=2, prose_pages=9).may_lack_headings
    assert not TagCounts(headings=1, prose_pages=4).may_lack_headings
    assert not TagCounts(headings=0, prose_pages=0).may_lack_headings
    assert TagCounts(headings=0, prose_pages=1).lack_headings(3)
    assert not TagCounts(headings=0, prose_pages=1).lack_headings(2)
    assert not TagCounts(headings=2, prose_pages=9).lack_headings(9)


def test_headings_and_prose_are_counted_outside_tables() -> None:
    cells = tag("Table", row("a", "b", y=500), row("c", "d", y=480), row("e", "f", y=460))
    data = tagged_pdf([*chapter("H1"), cells], [cells], [lines("P", *PROSE, y=700), tag("H1")])
    with open_document(data) as file:
        assert count_tags(file.document, 3, Call()) == TagCounts(headings=3, prose_pages=1, levels=1)


def test_damaged_pages_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> None:
        raise InvalidInput("the page is damaged")

    monkeypatch.setattr("pincite.formats.pdf.tagged.trust.loaded_page", damaged)
    assert count_tags(None, 3, Call()) == TagCounts(headings=0, prose_pages=0)


def test_cells_that_are_tagged_as_paragraphs_are_a_table() -> None:
    cells = [
        tag("P", Show(text, 72 + 90 * column, 700 - 16 * line))
        for line in range(12)
        for column, text in enumerate((f"Item {line}", f"{line},100", f"{line},200", f"{line},300"))
    ]
    (table,) = [block.table for block in blocks(read([*cells])) if block.table]
    assert table.columns == 4


def test_links_that_are_tagged_as_paragraphs_are_part_of_theirs() -> None:
    torn = [
        part
        for line in range(6)
        for part in (
            tag("P", Show("The first words of the line", 72, 700 - 40 * line)),
            tag("P", Show("a link", 209, 700 - 40 * line)),
        )
    ]
    assert all("line a link" in text for _, text in shown(read([*torn])))


def test_numbers_stay_below_the_year_that_they_are_printed_below() -> None:
    # Empty cells are not tagged, and a row span keeps the reader from guessing where they were.
    def cells(y: float, *texts: tuple[float, str]) -> Tag:
        return tag("TR", *(tag("TD", Show(text, x, y)) for x, text in texts))

    years = tag("TR", tag("TH"), tag("TH", Show("2021", 200, 720)), tag("TH", Show("2022", 300, 720)))
    full = [cells(700 - 16 * n, (72, f"Item {n}"), (200, f"{n},100"), (300, f"{n},200")) for n in range(6)]
    short = [cells(600 - 16 * n, (72, f"Later {n}"), (300, f"{n},300")) for n in range(4)]
    spanned = tag("TR", tag("TD", Show("Sum", 72, 530), A="<</O/Table/RowSpan 2>>"), tag("TD", Show("1,500", 200, 530)))
    found = read([tag("Table", years, *full, *short, spanned)])
    (table,) = [block.table for block in blocks(found) if block.table]
    under_2022 = {cell.text for cell in table.cells if cell.column == 2}
    assert {"0,300", "1,300", "2,300"} <= under_2022


def lines_of_cells(*rows: tuple[str, ...]) -> Piece:
    cells = [Cell(index, column, text) for index, texts in enumerate(rows) for column, text in enumerate(texts) if text]
    return Piece(BlockKind.TABLE, table=TaggedTable(Table(len(rows), 3, tuple(cells)), ()))


def test_lines_of_a_cell_that_are_tagged_as_rows_contradict_the_print() -> None:
    torn = [("", "London", ""), ("", "Kings Cross -", ""), ("Rail", "York", "76.00")] * 3
    assert contradict_print([lines_of_cells(*torn)])
    titles = [("Rail", "", ""), ("London", "York", "76.00")] * 4
    assert not contradict_print([lines_of_cells(*titles)])
    groups = [("", "Rail", ""), ("", "York", "76.00")] * 4
    assert not contradict_print([lines_of_cells(*groups)])


def test_many_headings_of_one_level_may_lack_levels() -> None:
    assert TagCounts(headings=3, prose_pages=1, levels=1).may_lack_levels
    assert not TagCounts(headings=2, prose_pages=1, levels=1).may_lack_levels
    assert not TagCounts(headings=9, prose_pages=1, levels=2).may_lack_levels


def test_a_table_whose_cells_are_tagged_as_paragraphs_is_one_beside_prose_also_if_it_is_small() -> None:
    prose = [lines("P", *PROSE, y=740), lines("P", *PROSE, y=300)]
    cells = [
        tag("P", Show(text, 72 + 150 * column, 600 - 16 * line))
        for line in range(5)
        for column, text in enumerate((f"A label of row {line}", f"{line},100.25", f"{line},200.25"))
    ]
    (table,) = [block.table for block in blocks(read([*prose, *cells])) if block.table]
    assert (table.rows, table.columns) == (5, 3)


def test_cells_from_right_to_left_that_are_tagged_as_paragraphs_contradict_the_print() -> None:
    cells = [
        Piece(BlockKind.PARAGRAPH, PlacedText(text, (TextBox(Box(x0, 100 + 20 * line, x0 + 40, 110 + 20 * line)),)))
        for line in range(4)
        for text, x0 in (("ספר", 300), ("בית", 200), ("17", 100))
    ]
    assert contradict_print(cells)
    below = [replace(cell, text=replace(cell.text, boxes=cells[3 * n].text.boxes)) for n, cell in enumerate(cells[:4])]
    assert not contradict_print(below)

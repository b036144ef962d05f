"""Blocks of a tagged page before they are written."""

from pincite.formats.pdf.page.placed_text import PlacedText
from pincite.formats.pdf.tagged.piece import Piece
from pincite.formats.writing.page_writer import Item, PageWriter
from pincite.formats.writing.text_boxes import TextBox
from pincite.model.document import BlockKind, Box

LOW, HIGH = (TextBox(Box(0, y, 10, y + 10), 0) for y in (50, 20))


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

from pincite.chunking.places import Places
from pincite.formats.writing.builder import build
from pincite.model.chunk import PlacedText, SourceText
from pincite.model.document import Block, BlockKind, Box, Cell, Head, Page, Table
from support.cut_documents import Words, cut_document


def test_pages_and_boxes_come_from_the_blocks() -> None:
    boxes = [Box(0, n, 1, n + 1) for n in range(4)]
    paragraph = BlockKind.PARAGRAPH
    pages = [
        Page(1, "a b\nc d\n", (Block(paragraph, 0, 3, boxes=(boxes[0],)), Block(paragraph, 4, 7, boxes=(boxes[1],)))),
        Page(2, "e f\ng h\n", (Block(paragraph, 0, 3, boxes=(boxes[2],)), Block(paragraph, 4, 7, boxes=(boxes[3],)))),
    ]
    found = build("a.pdf", "", "", [Head(pages=2), *pages])
    (whole,) = cut_document(found, 50, Words())
    assert whole.pages == (1, 2)
    assert whole.boxes == tuple(PlacedText(n // 2 + 1, boxes[n], 4 * n, 4 * n + 3) for n in range(4))
    parts = cut_document(found, 3, Words())
    assert [(part.pages, part.boxes) for part in parts] == [
        ((n // 2 + 1,), (PlacedText(n // 2 + 1, boxes[n], 0, 3),)) for n in range(4)
    ]


def test_a_block_that_is_cut_gives_each_chunk_the_boxes_of_its_part() -> None:
    lines = [Box(0, n, 1, n + 1) for n in range(3)]
    block = Block(BlockKind.PARAGRAPH, 0, 23, boxes=tuple(lines), box_starts=(0, 8, 16))
    found = build("a.pdf", "", "", [Head(pages=1), Page(1, "a b c. \nd e f. \ng h i. \n", (block,))])
    parts = cut_document(found, 4, Words())
    assert [part.text for part in parts] == ["a b c. \n", "d e f. \n", "g h i. \n"]
    assert [[placed.box for placed in part.boxes] for part in parts] == [[line] for line in lines]


def test_the_box_of_a_row_s_last_cell_is_none_of_the_next_row_s() -> None:
    rows = ["| a | b |\n| - | - |\n", "| c | d |\n", "| e | f |\n"]
    text = "".join(rows)
    boxes = tuple(Box(x, y, x + 1, y + 1) for y in range(3) for x in range(2))
    starts = tuple(map(text.index, "abcdef"))
    block = Block(BlockKind.TABLE, 0, len(text) - 1, boxes=boxes, box_starts=starts)
    places = Places(build("a.pdf", "", "", [Head(pages=1), Page(1, text, (block,))]))
    for number, row in enumerate(rows):
        start = text.index(row)
        marked = [placed.box for placed in places.boxes(start, start + len(row))]
        assert marked == list(boxes[2 * number : 2 * number + 2])


def test_boxes_that_begin_together_share_their_text() -> None:
    boxes = (Box(0, 0, 1, 1), Box(1, 0, 2, 1))
    block = Block(BlockKind.PARAGRAPH, 0, 3, boxes=boxes, box_starts=(0, 0))
    (whole,) = cut_document(build("a.pdf", "", "", [Head(pages=1), Page(1, "a b\n", (block,))]), 9, Words())
    assert whole.boxes == tuple(PlacedText(1, box, 0, 3) for box in boxes)


def test_a_table_s_own_order_goes_with_the_chunk_that_it_begins_in() -> None:
    table = Table(1, 1, (Cell(0, 0, "x"),), source="y x")
    text = "p\n\n| |\n| --- |\n| x |\n"
    blocks = (Block(BlockKind.PARAGRAPH, 0, 1), Block(BlockKind.TABLE, 3, 22, table=table))
    found = build("a.pdf", "", "", [Head(), Page(None, text, blocks)])
    (whole,) = cut_document(found, 50, Words())
    assert whole.sources == (SourceText(3, 22, "y x"),)
    parts = cut_document(found, 3, Words())
    assert len(parts) > 1 and [part.sources for part in parts] == [whole.sources, *[()] * (len(parts) - 1)]


def test_a_chunk_that_begins_within_a_table_has_its_header() -> None:
    text = "| a | b |\n| - | - |\n| c | d |\n| e | f |\n"
    headed, bare = Table(3, 2, (), header_rows=1), Table(3, 2, ())
    for table, header in ((headed, "| a | b |"), (None, "| a | b |"), (bare, "")):
        blocks = (Block(BlockKind.TABLE, 0, len(text) - 1, table=table),)
        chunks = cut_document(build("a.md", "", "", [Head(), Page(None, text, blocks)]), 10, Words())
        assert [chunk.tags.table_header for chunk in chunks] == ["", header]

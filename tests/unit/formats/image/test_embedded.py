from pincite.formats.base import ReadOptions
from pincite.formats.image.embedded import lay_out
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Box, Page
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedWord


def line(text: str, left: float, top: float, height: float = 20) -> RecognisedLine:
    words: list[RecognisedWord] = []
    for word in text.split():
        words.append(RecognisedWord(word, Box(left, top, left + 10 * len(word), top + height), 0.99))
        left += 10 * len(word) + 8
    return RecognisedLine(tuple(words), height)


def laid_out(*lines: RecognisedLine) -> Page:
    return lay_out(RecognisedPage(1, 800, 600, lines=lines), ReadOptions(), Call())


def text_of(page: Page, block: Block) -> str:
    return page.text[block.start : block.end]


def test_a_large_line_is_no_heading() -> None:
    body = [line(f"the words of line number {n} go on and on to its end", 50, 150 + 24 * n) for n in range(8)]
    page = laid_out(line("Quarterly sales", 50, 50, 60), *body)
    assert {block.kind for block in page.blocks} == {BlockKind.PARAGRAPH}
    assert text_of(page, page.blocks[0]) == "Quarterly sales" and "#" not in page.text
    assert page.number is None and page.blocks[0].boxes[0].x0 == 50


def test_a_table_in_a_picture_is_a_table() -> None:
    rows = (("Item", "2023", "2022"), ("Revenue", "1,204", "1,100"), ("Costs", "804", "790"), ("Profit", "400", "310"))
    cells = [
        line(text, 50 + 250 * column, 50 + 30 * row)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    ]
    (block,) = laid_out(*cells).blocks
    assert block.table is not None and (block.table.rows, block.table.columns) == (4, 3)

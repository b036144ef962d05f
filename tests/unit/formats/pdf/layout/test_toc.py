from pincite.model.document import BlockKind
from support.pdf_layout import read
from support.pdf_read import blocks
from support.pdfs import Text, column, prose


def test_a_table_of_contents_is_one_block() -> None:
    rows = [f"{n} Part number {n} {'.' * 40} {n * 3}" for n in range(1, 8)]
    found = read([Text("Contents", y=50, size=16), *column(*rows, y=80)], *[prose()] * 30)
    (block,) = [block for block in blocks(found) if block.kind is BlockKind.CONTENTS]
    assert found.text[block.start : block.end].count("\n") == 6
    assert len(block.boxes) == 7


def test_rising_numbers_at_the_edge_are_a_table_of_contents_too() -> None:
    rows = [
        part
        for n in range(9)
        for part in (Text(f"Part {'abcdefghi'[n]}", y=80 + n * 14), Text(str(n + 10), x=500, y=80 + n * 14))
    ]
    found = read(rows, *[prose()] * 30)
    assert next(block.kind for block in blocks(found)) is BlockKind.CONTENTS

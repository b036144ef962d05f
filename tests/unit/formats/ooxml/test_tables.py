from pptx.util import Inches

from pincite.model.document import Cell
from support.decks import (
    Deck,
    blocks,
)


def test_a_table_keeps_its_spans_and_its_header_row() -> None:
    deck = Deck()
    table = deck.slide("T").shapes.add_table(3, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, column, text in [(0, 0, "wide"), (1, 0, "tall"), (1, 1, "x"), (2, 1, "y")]:
        table.cell(row, column).text = text
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 0).merge(table.cell(2, 0))
    found = next(block.table for block in blocks(deck.read()) if block.table)
    assert (found.rows, found.columns, found.header_rows) == (3, 2, 1)
    assert found.cells == (
        Cell(0, 0, "wide", column_span=2, header=True),
        Cell(1, 0, "tall", row_span=2),
        Cell(1, 1, "x"),
        Cell(2, 1, "y"),
    )

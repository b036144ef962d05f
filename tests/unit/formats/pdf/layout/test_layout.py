"""An untagged page is read in the order in which it is read, as what its print shows."""

import pytest

from support.pdf_layout import read
from support.pdf_read import shown
from support.pdfs import Text, prose


def test_a_table_stands_in_its_place_between_paragraphs() -> None:
    rows = [
        part
        for n, (label, *values) in enumerate(
            [("Sales", "1,200", "1,100"), ("Costs", "800", "700"), ("Profit", "400", "400")]
        )
        for part in (
            Text(label, y=160 + n * 14),
            *(Text(value, x=300 + 90 * m, y=160 + n * 14) for m, value in enumerate(values)),
        )
    ]
    found = read([*prose(), *rows, *prose(y=260)])
    assert [kind for kind, _ in shown(found)] == ["paragraph", "table", "paragraph"]


@pytest.mark.parametrize(("turn", "place"), [((0, -1), (80, 60)), ((0, 1), (500, 700))])
def test_a_sideways_table_and_its_title_are_read_as_if_upright(
    turn: tuple[int, int], place: tuple[float, float]
) -> None:
    x, y = place
    down = -turn[1]
    rows = [("Name", "2022", "2021"), ("Cash", "1,234", "987"), ("Debt", "200", "100"), ("Loans", "20", "10")]
    words = [
        Text(text, x=x - down * 14 * (row + 2), y=y + down * 120 * column, turn=turn)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
    ]
    found = read([Text("A title on the side", x=x + down * 20, y=y, turn=turn), *words, *prose(y=740)])
    lines = found.text.splitlines()
    assert lines[0].startswith("The quick brown fox")
    assert "A title on the side" in lines
    assert lines[-3:] == ["| Cash | 1,234 | 987 |", "| Debt | 200 | 100 |", "| Loans | 20 | 10 |"]
    table = next(block for section in found.sections for block in section.blocks if block.table)
    assert all(box.y1 - box.y0 > box.x1 - box.x0 for box in table.boxes)

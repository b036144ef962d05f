"""Edges that part numbers from the texts at their right."""

from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.page.words import Word, line_of
from pincite.formats.pdf.tables.edges import shared_edges
from pincite.formats.pdf.tables.find import find_tables
from support.typed_pages import word

GAP = 6
ENDS, GRADES = ("64%", "7%", "100%"), ("Good", "Bad", "Good")


def rows(gap: float = GAP, shift: float = 0) -> list[list[Word]]:
    lines: list[list[Word]] = []
    for number, end in enumerate(ENDS):
        value = word(end, 0, 12.0 * number, 20 * number + 10)
        width = value.x1 - value.x0
        right = 100 + shift * number
        placed = value._replace(x0=right - width, x1=right)
        text = word(GRADES[number], right + gap, 12.0 * number, 20 * number + 15)
        lines.append([word("Unit", 0, 12.0 * number, 20 * number), placed, text])
    return lines


def test_numbers_that_end_where_texts_begin_at_one_edge_are_apart() -> None:
    (edge,) = shared_edges(rows())
    assert (edge.right, edge.left) == (100, 100 + GAP)
    assert all(edge.is_between(*line[1:]) for line in rows())


def test_spaces_first_words_and_ragged_edges_part_nothing() -> None:
    assert shared_edges(rows(gap=2.5)) == shared_edges(rows(shift=5)) == shared_edges(rows()[:2]) == []
    assert shared_edges(line[1:] for line in rows()) == []


def test_a_unit_and_a_number_within_a_label_are_part_of_that() -> None:
    assert shared_edges([*line[:2], line[2]._replace(text="years")] for line in rows()) == []
    near = [[line[0]._replace(x1=line[1].x0 - 5, text="under"), *line[1:]] for line in rows()]
    assert shared_edges(near) == []


def test_a_table_has_a_column_for_each_side_of_an_edge() -> None:
    lines = [[line[0], word("5", 50, line[0].y0, line[0].first + 5), *line[1:]] for line in rows()]
    (table,) = find_tables([line_of(line) for line in lines], Rules([], []))
    assert [[cell.text for cell in table.table.cells if cell.row == row] for row in range(3)] == [
        ["Unit", "5", end, grade] for end, grade in zip(ENDS, GRADES, strict=True)
    ]

"""Lists are read by the boxes of their texts on the page."""

from pincite.services.extraction.schemas import read_schema
from pincite.text.terms.page_tables import page_tables
from pincite.text.terms.vocabulary import Vocabulary
from support.extraction import on_page

VOCABULARY = Vocabulary.of(read_schema({"items": [{"start": "date", "item": "string", "price": "number"}]}).root)
HEADS = [("Start", 10, 10), ("Item", 80, 10), ("Price", 200, 10)]


def rows(*runs: tuple[str, float, float]) -> list[list[tuple[int, str]]]:
    """The column and text of each cell, of the only table."""
    (grid,) = page_tables(on_page(*runs), VOCABULARY)
    return [[(cell.column, cell.text) for cell in cells] for cells in grid.rows if cells]


def line(y: float, item: str = "Bolt") -> list[tuple[str, float, float]]:
    return [("1 May 2024", 10, y), (item, 80, y), ("2.00", 200, y)]


def test_lines_alike_below_a_line_of_names_are_its_rows() -> None:
    found = rows(*HEADS, *line(22), ("See overleaf", 10, 34), *line(46, "Nut"))
    values = [[(0, "1 May 2024"), (1, item), (2, "2.00")] for item in ("Bolt", "Nut")]
    assert found == [[(0, "Start"), (1, "Item"), (2, "Price")], *values]


def test_a_narrow_gap_separates_a_date_from_words_and_names_from_each_other() -> None:
    heads, first = [("Start Item", 10, 10), ("Price", 200, 10), ("Note", 260, 10)], ("1 May 2024 Bolt", 10, 22)
    found = rows(*heads, first, ("2.00", 200, 22), ("none", 260, 22))
    assert found[1] == [(0, "1 May 2024"), (1, "Bolt"), (2, "2.00"), (3, "none")]


def test_a_text_that_the_next_line_may_go_on_with_has_no_cell() -> None:
    found = rows(*HEADS, *line(22, "Bolt of"), ("hard steel", 80, 32))
    assert found[1] == [(0, "1 May 2024"), (2, "2.00")]


def test_a_column_under_two_names_is_that_of_neither() -> None:
    found = rows(*HEADS[:2], ("Use", 110, 10), HEADS[2], *line(22, "Bolt for wood"))
    assert found[1] == [(0, "1 May 2024"), (2, "2.00")]

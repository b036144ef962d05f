"""Rules below each cell, with white between the columns."""

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.cell_rules import joined_cell_rules
from pincite.formats.pdf.tables.find import find_tables
from support.typed_pages import typed

CELLS = ((0, 20), (28, 100), (110, 200))


def ruled(*positions: float) -> list[Rule]:
    return [Rule(position, start, end) for position in positions for start, end in CELLS]


def test_rules_of_the_same_cells_in_several_rows_are_rules_with_joints() -> None:
    joined = joined_cell_rules([*ruled(10, 30, 50), *ruled(10)], [])
    assert joined == [Rule(position, 0, 200, (24, 105)) for position in (10, 30, 50)]


def test_a_rule_below_a_cell_over_several_columns_is_joined_to_those_at_its_sides() -> None:
    over = [Rule(5, 0, 20), Rule(5, 28, 200)]
    assert joined_cell_rules([*over, *ruled(10, 30, 50)], [])[0] == Rule(5, 0, 200, (24,))


def test_rules_of_few_rows_or_far_apart_or_beside_labels_stay_as_they_are() -> None:
    assert joined_cell_rules(ruled(10, 30), []) == ruled(10, 30)
    apart = [Rule(position, start, start + 50) for position in (10, 30, 50) for start in (0, 62)]
    assert joined_cell_rules(apart, []) == apart
    labels = typed("\n\n\nNet sales                5        6\n")
    beside = [Rule(position, start, start + 40) for position in (10, 50, 90) for start in (110, 160)]
    assert joined_cell_rules(beside, labels) == beside


def test_texts_that_wrap_between_rules_of_cells_are_in_one_row_and_a_heading_below_is_none() -> None:
    page = """
1    POLICY    Control of what is expected to be
               exchanged
2    SERVICE   Responsibility
3    MINIMUM   Outstanding configurations of
               all documents

V2   File integrity
"""
    lines = typed(page, sizes={6: 14.0})
    ends = ((0, 15), (25, 65), (75, 250))
    rules = [Rule(y, *end) for y in (-1, 23, 35, 59) for end in ends] + [Rule(88, 0, 250)]
    (found,) = find_tables(lines, Rules(rules))
    assert [cell.text for cell in found.table.cells if cell.column == 2] == [
        "Control of what is expected to be exchanged",
        "Responsibility",
        "Outstanding configurations of all documents",
    ]

"""Phrases above the names of columns, each over its own."""

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.phrase_groups import MAX_COLUMNS, phrase_groups
from pincite.formats.pdf.tables.segments import rows_of
from support.pdf_rules import partly_ruled
from support.typed_pages import LEADING, WIDTH, grid, typed

FOUR = [(0.0, 30.0), (40.0, 70.0), (80.0, 110.0), (120.0, 150.0)]


def test_each_phrase_is_in_the_middle_of_its_columns_and_all_columns_are_below_one() -> None:
    assert phrase_groups([(45, 65), (130, 145)], FOUR) == [(0, 3), (3, 4)]
    assert phrase_groups([(25, 45), (105, 125)], FOUR) == [(0, 2), (2, 4)]


def test_phrases_that_are_in_the_middle_of_no_group_or_as_many_as_columns_span_none() -> None:
    assert phrase_groups([(0, 20), (40, 60)], FOUR) == []
    assert phrase_groups([(45, 65)], FOUR) == []
    assert phrase_groups(FOUR, FOUR) == []
    assert phrase_groups([(45, 65), (130, 145)], [*FOUR, *((x, x + 1.0) for x in range(200, 200 + MAX_COLUMNS))]) == []


PAGE = """
EUR thousand             2026               2025
                Fixed  Variable   Total    Total
First of all      790       833   1,623    2,869
Second          1,397     1,744   3,141    1,414
Third             698     2,197   2,895      323
"""
NAMES = ["Fixed", "Variable", "Total", "Total"]


def test_years_above_the_names_of_values_span_three_columns_and_one() -> None:
    (found,) = find_borderless(rows_of(typed(PAGE)))
    assert (grid(found)[0], grid(found)[1]) == (["EUR thousand", *["2026"] * 3, "2025"], ["", *NAMES])
    assert [(cell.column, cell.column_span) for cell in found.cells if cell.row == 0] == [(0, 1), (1, 3), (4, 1)]


def test_phrases_above_vertical_rules_that_begin_below_them_are_of_the_header() -> None:
    walls = [Rule(x * WIDTH, LEADING, 5 * LEADING) for x in (14.5, 22, 31.5, 41)]
    (found,) = choose_tables(typed(PAGE, bold=(0, 1)), Rules([], walls))
    assert found.header_rows == 2
    assert [(cell.column, cell.column_span) for cell in found.cells if cell.row == 0] == [(0, 1), (1, 3), (4, 1)]


def test_phrases_above_the_first_rule_of_a_table_span_its_names_but_no_values() -> None:
    rules = [Rule(LEADING * line - 1, 0, 48 * WIDTH) for line in (1, 2, 3, 4, 5)]
    (found,) = choose_tables(typed(PAGE), Rules(rules))
    assert [(cell.column, cell.column_span) for cell in found.cells if cell.row == 0] == [(0, 1), (1, 3), (4, 1)]
    values = PAGE.replace("Fixed  Variable   Total    Total", "  10        20      30       40")
    (other,) = partly_ruled(typed(values), Rules(rules))
    assert all(cell.column_span == 1 for cell in other.cells)

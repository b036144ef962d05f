"""Cells that draw their own borders: pieces of rules meet at the edges of columns."""

from itertools import pairwise

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.joints import MAX_JOINTS, fill_columns, joints_of, shared_joints
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
from pincite.formats.pdf.tables.ruled import merge_rules
from support.typed_pages import grid, typed


def pieces(position: float, *edges: float) -> list[Rule]:
    return [Rule(position, start, end) for start, end in pairwise(edges)]


def test_pieces_of_one_rule_meet_at_joints() -> None:
    (rule,) = merge_rules([*pieces(10, 0, 40, 90), *pieces(10, 90, 200)])
    assert rule == Rule(10, 0, 200, (40, 90))


def test_a_rule_over_its_pieces_and_pieces_drawn_twice_have_the_same_joints() -> None:
    assert joints_of([Rule(10, 0, 200), Rule(10, 0, 40), Rule(10, 0, 40), Rule(10, 40.4, 200)]) == (40.4,)


def test_pieces_that_are_apart_meet_nowhere() -> None:
    (rule,) = merge_rules([Rule(10, 0, 40), Rule(10, 42.5, 90)])
    assert rule.joints == ()


def test_a_dotted_rule_has_no_joints() -> None:
    assert joints_of(pieces(10, *range(0, 3 * (MAX_JOINTS + 3), 3))) == ()


def test_a_joint_of_one_rule_among_three_is_no_edge_of_a_column() -> None:
    rules = [Rule(1, 0, 90, (30, 60)), Rule(2, 0, 90, (30.5,)), Rule(3, 0, 90, (29.8, 70)), Rule(4, 0, 90)]
    assert shared_joints(rules) == (29.8,)
    assert shared_joints(rules[:1]) == (30, 60)


def test_words_fill_columns_that_none_crosses() -> None:
    (line,) = typed("one two")
    assert fill_columns([line], [17])
    assert not fill_columns([line], [10])
    assert not fill_columns([line], [50])
    assert not fill_columns([line], [])


PAGE = """
No   Requirement  Evidence

(1) two wide of  it in all
    and more     list
(2) short        text
"""
ROWS = (-1, 11, 47, 61)


def test_joints_part_columns_that_white_does_not() -> None:
    rules = [rule for y in ROWS for rule in pieces(y, 0, 18, 82, 140)]
    (table,) = find_partly_ruled(typed(PAGE), Rules(rules))
    assert grid(table.draft) == [
        ["No", "Requirement", "Evidence"],
        ["(1)", "two wide of and more", "it in all list"],
        ["(2)", "short", "text"],
    ]


def test_joints_that_lines_of_several_cells_cross_are_of_another_table() -> None:
    page = PAGE.replace("(1) two wide of", "(1)   two    of")
    walled = [rule for y in ROWS for rule in pieces(y, 0, 40, 140)]
    assert find_partly_ruled(typed(page), Rules(walled)) == find_partly_ruled(
        typed(page), Rules([Rule(y, 0, 140) for y in ROWS])
    )


def test_lines_that_cross_the_joints_below_the_next_are_of_the_table_above() -> None:
    page = """
Sold to:     Sent to:

No   Part         Sum
A    bolt         12
"""
    rules = [Rule(y, 0, 140) for y in (-1, 23)] + [rule for y in (35, 47) for rule in pieces(y, 0, 15, 75, 140)]
    (table,) = find_partly_ruled(typed(page), Rules(rules))
    assert grid(table.draft) == [["No", "Part", "Sum"], ["A", "bolt", "12"]]


ROW = """
A    bolt         12
"""


def test_a_row_between_rules_with_the_same_joints_is_a_table_alone_and_one_above_such_a_rule() -> None:
    below = pieces(11, 0, 15, 75, 140)
    for rules in ([*pieces(-1, 0, 15, 75, 140), *below], below):
        (table,) = find_partly_ruled(typed(ROW), Rules(rules))
        assert grid(table.draft) == [["A", "bolt", "12"]]


def test_a_row_of_a_statement_between_the_rules_of_its_sum_is_of_that() -> None:
    page = """
A    bolt         12.50
B    screw        13.20
C    nut          25.70
"""
    sums = [rule for y in (23, 35) for rule in pieces(y, 0, 15, 75, 140)]
    (draft,) = choose_tables(typed(page), Rules(sums))
    assert grid(draft) == [["A", "bolt", "12.50"], ["B", "screw", "13.20"], ["C", "nut", "25.70"]]


def test_values_in_cells_that_draw_their_own_borders_are_parted_by_these() -> None:
    page = """
Part         Of      Sum     Tax
A thin screw Tin   12.50   99.25
A long screw Tin   13.20   99.75
"""
    rows = (-1, 11, 23, 35)
    (draft,) = choose_tables(typed(page), Rules([rule for y in rows for rule in pieces(y, 0, 62, 85, 127, 170)]))
    assert grid(draft)[2] == ["A long screw", "Tin", "13.20", "99.75"]
    (draft,) = choose_tables(typed(page), Rules([Rule(y, 0, 170) for y in rows]))
    assert grid(draft)[2] == ["A long screw Tin", "13.20", "99.75"]


def test_a_row_with_an_empty_cell_needs_a_rule_above_it() -> None:
    edges = (0, 15, 45, 75, 140)
    rules = pieces(11, *edges)
    assert not find_partly_ruled(typed(ROW), Rules(rules))
    assert find_partly_ruled(typed(ROW), Rules([*pieces(-1, *edges), *rules]))
    assert not find_partly_ruled(typed(ROW), Rules([Rule(-1, 0, 140), *rules]))

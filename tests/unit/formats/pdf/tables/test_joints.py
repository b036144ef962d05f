"""Cells that draw their own borders: pieces of rules meet at the edges of columns."""

from itertools import pairwise

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.joints import MAX_JOINTS, fill_columns, joints_of, shared_joints
from pincite.formats.pdf.tables.ruled import merge_rules
from support.pdf_rules import partly_ruled
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
    (table,) = partly_ruled(typed(PAGE), Rules(rules))
    assert grid(table) == [
        ["No", "Requirement", "Evidence"],
        ["(1)", "two wide of and more", "it in all list"],
        ["(2)", "short", "text"],
    ]


def test_joints_that_lines_of_several_cells_cross_are_of_another_table() -> None:
    page = PAGE.replace("(1) two wide of", "(1)   two    of")
    walled = [rule for y in ROWS for rule in pieces(y, 0, 40, 140)]
    assert partly_ruled(typed(page), Rules(walled)) == partly_ruled(typed(page), Rules([Rule(y, 0, 140) for y in ROWS]))


def test_lines_that_cross_the_joints_below_the_next_are_of_the_table_above() -> None:
    page = """
Sold to:     Sent to:

No   Part         Sum
A    bolt         12
"""
    rules = [Rule(y, 0, 140) for y in (-1, 23)] + [rule for y in (35, 47) for rule in pieces(y, 0, 15, 75, 140)]
    (table,) = partly_ruled(typed(page), Rules(rules))
    assert grid(table) == [["No", "Part", "Sum"], ["A", "bolt", "12"]]


ROW = """
A    bolt         12
"""


def test_a_row_between_rules_with_the_same_joints_is_a_table_alone_and_one_above_such_a_rule() -> None:
    below = pieces(11, 0, 15, 75, 140)
    for rules in ([*pieces(-1, 0, 15, 75, 140), *below], below):
        (table,) = partly_ruled(typed(ROW), Rules(rules))
        assert grid(table) == [["A", "bolt", "12"]]


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


def test_a_row_with_an_empty_cell_needs_a_rule_above_it() -> None:
    edges = (0, 15, 45, 75, 140)
    rules = pieces(11, *edges)
    assert not partly_ruled(typed(ROW), Rules(rules))
    assert partly_ruled(typed(ROW), Rules([*pieces(-1, *edges), *rules]))
    assert not partly_ruled(typed(ROW), Rules([Rule(-1, 0, 140), *rules]))


JUSTIFIED = """
No   Rule         Limit

(1)  two   or     12 or
     if    12     more
(2)  three and    12   if
     two   or     14
"""
JUSTIFIED_ROWS = (-1, 11, 47, 72)


def test_numbers_in_justified_texts_are_no_rows_where_cells_draw_their_own_borders() -> None:
    rules = [rule for y in JUSTIFIED_ROWS for rule in pieces(y, 0, 18, 78, 140)]
    (draft,) = partly_ruled(typed(JUSTIFIED), Rules(rules))
    assert grid(draft) == [
        ["No", "Rule", "Limit"],
        ["(1)", "two or if 12", "12 or more"],
        ["(2)", "three and two or", "12 if 14"],
    ]


def test_a_rule_between_columns_of_the_page_hides_no_borders_of_cells() -> None:
    rules = [rule for y in JUSTIFIED_ROWS for rule in pieces(y, 0, 18, 78, 140)]
    (draft,) = partly_ruled(typed(JUSTIFIED), Rules(rules, [Rule(145, -10, 100)]))
    assert len(grid(draft)) == len(JUSTIFIED_ROWS) - 1


def test_names_of_all_columns_a_space_apart_are_a_header_above_the_borders_of_cells() -> None:
    page = """
AAL Name

1   one
2   two
"""
    rules = [rule for y in (14, 36, 48) for rule in pieces(y, 0, 18, 60)]
    (table,) = partly_ruled(typed(page, bold=[0], sizes={0: 9.2}), Rules(rules))
    assert grid(table) == [["AAL", "Name"], ["1", "one"], ["2", "two"]]
    assert table.header_rows == 1


def test_one_row_with_empty_cells_below_names_of_all_columns_is_a_table() -> None:
    page = """
No   Part  Sum  Tax

A    bolt       12
"""
    rules = [rule for y in (-1, 12, 36) for rule in pieces(y, 0, 22, 52, 77, 100)]
    (table,) = partly_ruled(typed(page), Rules(rules))
    assert grid(table) == [["No", "Part", "Sum", "Tax"], ["A", "bolt", "", "12"]]


def test_the_rest_of_a_row_from_the_page_before_is_no_header() -> None:
    page = """
     that   go on
     from before
(3)  two wide of  it in all
     and more     list
(4)  short        text
"""
    rules = [rule for y in (-1, 23, 47, 60) for rule in pieces(y, 0, 22, 85, 140)]
    (table,) = partly_ruled(typed(page), Rules(rules))
    assert grid(table)[:2] == [
        ["", "that go on from before", ""],
        ["(3)", "two wide of and more", "it in all list"],
    ]
    assert table.header_rows == 0


def test_a_row_of_values_below_borders_of_cells_is_no_header() -> None:
    page = """
A bolt       12    15
with a nut
B nut        13    17
"""
    rules = [rule for y in (-1, 23, 35) for rule in pieces(y, 0, 62, 85, 120)]
    (draft,) = choose_tables(typed(page), Rules(rules))
    assert grid(draft) == [["A bolt with a nut", "12", "15"], ["B nut", "13", "17"]]
    assert draft.header_rows == 0


def test_text_between_two_tables_with_the_same_borders_parts_them() -> None:
    page = """
No   Part       Sum
A    bolt       few

Texts between these two of it
No   Part       Sum
B    nut        more
"""
    rules = [rule for y in (-1, 11, 23, 59, 72) for rule in pieces(y, 0, 22, 72, 140)]
    first, second = partly_ruled(typed(page, bold=[0, 4]), Rules(rules))
    assert grid(first) == [["No", "Part", "Sum"], ["A", "bolt", "few"]]
    assert grid(second) == [["No", "Part", "Sum"], ["B", "nut", "more"]]


def test_cells_of_currency_signs_are_no_column() -> None:
    page = """
Year        2016   2015
Bought      $ 12   $ 16
Price       $ 44   $ 39
"""
    rules = [rule for y in (-1, 11, 23, 35) for rule in pieces(y, 0, 58, 67, 90, 102, 120)]
    (draft,) = choose_tables(typed(page), Rules(rules))
    assert grid(draft) == [["Year", "2016", "2015"], ["Bought", "$ 12", "$ 16"], ["Price", "$ 44", "$ 39"]]

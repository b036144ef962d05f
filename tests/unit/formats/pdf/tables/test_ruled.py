"""Tables between rules, rules from what is drawn, and the choice between rules and values."""

from dataclasses import replace
from itertools import pairwise

import pytest

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables import ruled
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.ruled import (
    MAX_JOINTS,
    Grid,
    fill_columns,
    find_ruled,
    grids,
    joints_of,
    merge_rules,
    merged_rules,
    shared_joints,
)
from pincite.formats.writing.page_writer import table_markdown
from support.drawn_pdfs import drawn_pdf, text
from support.pdf_rules import CELLS, LEFT, TOP, boxed, filled, partly_ruled, tables
from support.typed_pages import grid, typed, word

RULED = boxed(3, 3) + filled(*CELLS)


def test_rectangles_around_cells_make_a_table() -> None:
    (found,) = tables(drawn_pdf(RULED))
    assert table_markdown(found.table).splitlines() == [
        "| Name | Kind | Meaning |",
        "| --- | --- | --- |",
        "| USER | text | who it is |",
        "| HOST | text | where it is |",
    ]
    assert (found.table.rows, found.table.columns) == (3, 3)
    assert len(found.boxes) == 9 and {box.row for box in found.boxes} == {0, 1, 2}
    assert found.boxes[0].box.x0 == pytest.approx(LEFT + 5, abs=2)


def test_a_cell_without_a_rule_inside_spans() -> None:
    lines = "".join(f"50 {y} m 350 {y} l S\n" for y in (700, 680, 660, 640))
    lines += "50 700 m 50 640 l S 350 700 m 350 640 l S 150 680 m 150 640 l S 250 680 m 250 640 l S\n"
    (found,) = tables(drawn_pdf(lines + filled(("All three",), *CELLS[1:])))
    assert next((cell.text, cell.column_span) for cell in found.table.cells) == ("All three", 3)
    assert found.table.columns == 3


def test_a_cell_over_two_rows_keeps_its_span() -> None:
    lines = "50 700 m 250 700 l S 150 680 m 250 680 l S 50 660 m 250 660 l S 50 640 m 250 640 l S\n"
    lines += "".join(f"{x} 700 m {x} 640 l S\n" for x in (50, 150, 250))
    (found,) = tables(drawn_pdf(lines + filled(("Both", "first"), ("", "second"), ("Third", "third"))))
    assert next((cell.text, cell.row_span) for cell in found.table.cells) == ("Both", 2)


def test_lines_of_a_cell_are_one_text() -> None:
    tall = "".join(f"{x} {y} 100 40 re S\n" for x in (50, 150) for y in (660, 620))
    (found,) = tables(drawn_pdf(tall + filled(("A", "B"), ("below", ""), ("C", "D"))))
    assert [cell.text for cell in found.table.cells] == ["A below", "B", "C", "D"]


def test_a_frame_around_text_is_no_table() -> None:
    content = "50 600 300 100 re S\n" + "".join(
        text("The quick brown fox jumps over the lazy dog while", 60, 680 - 12 * n) for n in range(5)
    )
    assert tables(drawn_pdf(content)) == ()


def test_a_grid_without_text_is_no_table() -> None:
    assert tables(drawn_pdf(boxed(4, 4) + filled(("A   1", "2")))) == ()


def test_a_grid_that_cuts_its_words_is_none() -> None:
    lines = typed("Everything    besides\nSomething     moreover\nElsewhere     elsewhen")
    horizontal = [Rule(y, 0, 150) for y in (-1, 11, 23, 35)]
    vertical = [Rule(x, -1, 35) for x in (0, 62, 150)]
    words = [word for line in lines for word in line.words]
    assert len(find_ruled(words, merged_rules(Rules(horizontal, vertical)))) == 1
    cutting = [Rule(x, -1, 35) for x in (0, 28, 150)]
    assert find_ruled(words, merged_rules(Rules(horizontal, cutting))) == []


def test_two_grids_side_by_side_are_two_tables() -> None:
    lines = typed("Name  Kind      Name  Kind\nUSER  text      HOST  text\n")
    horizontal = [Rule(y, x, x + 65) for y in (-1, 11, 23) for x in (-2, 78)]
    vertical = [Rule(x, -1, 23) for x in (-2, 28, 63, 78, 108, 143)]
    found = find_ruled([word for line in lines for word in line.words], merged_rules(Rules(horizontal, vertical)))
    assert sorted(map(grid, found)) == [[["Name", "Kind"], ["HOST", "text"]], [["Name", "Kind"], ["USER", "text"]]]


def test_words_beside_a_grid_are_not_in_it() -> None:
    (found,) = tables(drawn_pdf(RULED + text("aside", 400, TOP - 14)))
    assert "aside" not in [word.text for word in found.words]


def test_rules_in_one_line_that_touch_are_one() -> None:
    found = merge_rules([Rule(10, 0, 50), Rule(10.5, 51, 90), Rule(10, 200, 201), Rule(30, 0, 40), Rule(30, 40, 10)])
    assert [(round(rule.position, 2), rule.start, rule.end) for rule in found] == [(10.17, 0, 90), (30, 0, 40)]


def test_edges_that_no_rule_draws_are_the_ends_of_the_others() -> None:
    horizontal = [Rule(y, 0, 300) for y in (0, 20, 40)]
    (made,) = grids(merged_rules(Rules(horizontal, [Rule(100, 0, 40), Rule(200, 0, 40)])))
    assert made.xs == (0, 100, 200, 300) and made.ys == (0, 20, 40)


def test_rules_that_do_not_meet_make_no_grid() -> None:
    assert grids(merged_rules(Rules([Rule(0, 0, 50), Rule(20, 0, 50)], [Rule(100, 0, 20), Rule(200, 0, 20)]))) == []
    assert grids(merged_rules(Rules([Rule(0, 0, 50)], []))) == []


def test_more_rules_than_a_page_of_tables_has_are_a_drawing() -> None:
    many = [Rule(3.0 * n, 0, 50) for n in range(ruled.MAX_RULES + 1)]
    assert grids(merged_rules(Rules(many, many))) == []
    few = [Rule(3.0 * n, 0, 600) for n in range(200)]
    assert all(isinstance(one, Grid) for one in grids(merged_rules(Rules(few, few)))) and not grids(
        merged_rules(Rules(few, few))
    )


def test_the_header_of_a_grid_is_its_bold_first_row() -> None:
    lines = typed("Name      Kind\nUser      text\nHost      text", bold=[0])
    horizontal = [Rule(y, 0, 100) for y in (-1, 11, 23, 35)]
    (draft,) = find_ruled(
        [word for line in lines for word in line.words],
        merged_rules(Rules(horizontal, [Rule(x, -1, 35) for x in (0, 45, 100)])),
    )
    assert draft.header_rows == 1 and grid(draft)[0] == ["Name", "Kind"]


def row_rules(*ys: float, x0: float = 0, x1: float = 300) -> list[Rule]:
    return [Rule(y, x0, x1) for y in ys]


HALF_RULED = """
Country     Cases       Share
Austria     1,234       10.5
Belgium     567         4.2
Total of the two countries here
"""


def test_cells_of_rows_that_rules_part_are_split_at_the_columns_of_the_header() -> None:
    columns = [Rule(0, -1, 47), Rule(55, -1, 11), Rule(115, -1, 11), Rule(300, -1, 47)]
    rules = Rules(row_rules(-1, 11, 23, 35, 47), columns)
    (found,) = find_ruled([word for line in typed(HALF_RULED) for word in line.words], merged_rules(rules))
    assert grid(found)[1:3] == [["Austria", "1,234", "10.5"], ["Belgium", "567", "4.2"]]
    assert grid(found)[3][0] == "Total of the two countries here"


BESIDE = """
Name        2021        2020
Alpha       1           9
Beta        2           8
Gamma       3           7
Delta       4           6
"""


def test_labels_beside_a_grid_are_rows_of_it() -> None:
    rules = Rules(
        [*row_rules(-1, 11, 59), *row_rules(23, 35, 47, x0=55)],
        [Rule(x, -1, 59) for x in (55, 115, 300)],
    )
    (found,) = find_ruled([word for line in typed(BESIDE) for word in line.words], merged_rules(rules))
    assert grid(found) == [line.split() for line in BESIDE.split("\n") if line]


def test_a_label_that_wraps_beside_several_rows_stays_one_cell() -> None:
    page = BESIDE.replace("Beta ", "of   ").replace("Gamma", "the  ").replace("Delta", "     ")
    rules = Rules(
        [*row_rules(-1, 11, 59), *row_rules(23, 35, 47, x0=55)],
        [Rule(x, -1, 59) for x in (55, 115, 300)],
    )
    (found,) = find_ruled([word for line in typed(page) for word in line.words], merged_rules(rules))
    assert [cell.row_span for cell in found.cells if cell.row == 1] == [4, 1, 1]


def test_names_that_are_set_upright_are_in_the_cells_of_their_columns() -> None:
    lines = typed(
        """

Unit
Employees 94% 25%
Customers 34% 93%
"""
    )
    names = [
        replace(word(name, x, 2, 100 + number), x1=x + 10, y1=24, turns=3)
        for number, (name, x) in enumerate((("Plan", 52), ("Share", 72)))
    ]
    rules = Rules([Rule(y, 0, 90) for y in (0, 24, 36, 48)], [Rule(x, 0, 48) for x in (0, 49, 69, 90)])
    (draft,) = find_ruled([*(word for line in lines for word in line.words), *names], merged_rules(rules))
    assert grid(draft) == [["Unit", "Plan", "Share"], ["Employees", "94%", "25%"], ["Customers", "34%", "93%"]]
    assert {word.text for word in draft.words} >= {"Plan", "Share"}
    between = replace(word("stamp", 5, 26, 200), x1=15, y1=34, turns=1)
    (same,) = find_ruled([*draft.words, between], merged_rules(rules))
    assert grid(same) == grid(draft)


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

"""Tables whose columns are shaded cell by cell."""

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.column_grounds import column_rules
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
from support.typed_pages import WIDTH, grid, typed

LINE = 15.0
PAGE = """
No  Requirement                      Level
1   Verify that the thing is there       2
    for all who ask
2   Verify another                       3
3   Verify that no cell is cut in        1
    two or more of them
"""
ROWS = ((0, 0), (1, 2), (3, 3), (4, 5))


def cells(first: int, end: int, rows: tuple[tuple[int, int], ...] = ROWS) -> list[Rectangle]:
    """Grounds of the cells of a column, from one character to another; rows are closer than the lines of a cell."""
    return [(first * WIDTH - 1, LINE * a - 2, end * WIDTH + 1, LINE * (b + 1) - 2) for a, b in rows]


def test_grounds_of_one_column_part_the_rows_of_all_although_lines_are_as_far_apart_as_these() -> None:
    (found,) = choose_tables(typed(PAGE, tight=LINE), Rules([Rule(13, 0, 215)], shades=cells(4, 36)))
    assert found.header_rows == 1
    assert grid(found) == [
        ["No", "Requirement", "Level"],
        ["1", "Verify that the thing is there for all who ask", "2"],
        ["2", "Verify another", "3"],
        ["3", "Verify that no cell is cut in two or more of them", "1"],
    ]


def test_a_column_ends_where_its_ground_does_although_a_value_is_as_close_as_a_word() -> None:
    page = """
Name     Won Lost
First of   2    3
Second     4    1
A third of 7    5
"""
    lines = typed(page, tight=LINE)
    edges = column_rules(lines, cells(10, 12, ((0, 0), (1, 1), (2, 2), (3, 3))), [])
    (found,) = find_partly_ruled(lines, edges, by_rows=True)
    assert grid(found.draft)[3] == ["A third of", "7", "5"]


def test_edges_are_as_wide_as_the_lines_or_the_rules_of_the_table() -> None:
    lines, rule = typed(PAGE, tight=LINE), Rule(-2, -5, 215)
    edges = column_rules(lines, cells(4, 36), [rule])
    assert [edge.position for edge in edges.horizontal] == [-2, 13, 43, 58, 88]
    assert {(edge.start, edge.end) for edge in edges.horizontal} == {(-5, 215)}
    assert [edge.position for edge in edges.vertical] == [19, 181]


def test_two_grounds_tell_rows_above_a_rule_of_the_table_alone() -> None:
    lines, two = typed(PAGE, tight=LINE), cells(4, 36, ROWS[:2])
    assert not column_rules(lines, two, []).horizontal
    assert not column_rules(lines, two, [Rule(13, 0, 215)]).horizontal
    assert len(column_rules(lines, two, [Rule(13, 0, 215), Rule(43, 0, 215)]).horizontal) == 3


def test_grounds_apart_from_each_other_or_with_no_text_beside_them_are_none_of_a_column() -> None:
    lines = typed(PAGE, tight=LINE)
    assert not column_rules(lines, cells(4, 36, ((0, 0), (2, 2), (4, 4))), []).horizontal
    assert not column_rules(lines, cells(0, 42), []).horizontal


def test_two_shaded_columns_have_the_same_rows() -> None:
    edges = column_rules(typed(PAGE, tight=LINE), [*cells(0, 2), *cells(37, 42)], [])
    assert len(edges.horizontal) == len(ROWS) + 1
    assert len(edges.vertical) == 2


def test_a_form_has_rows_without_a_header_which_end_before_the_ground_of_a_text_beside_it() -> None:
    page = """
Invoice Date    11/03/2017             Sales contact
Payment Terms   30% in advance,        Tony Dubois
                the rest later         +33 4 72 07 08
Due Date        12/03/2017             tony@mail.fr
"""
    contact = (38 * WIDTH, -2.0, 53 * WIDTH, LINE - 2)
    shades = [*cells(0, 14, ((0, 0), (1, 2), (3, 3))), contact]
    (found,) = choose_tables(typed(page, tight=LINE), Rules(shades=shades))
    assert found.header_rows == 0
    assert grid(found) == [
        ["Invoice Date", "11/03/2017"],
        ["Payment Terms", "30% in advance, the rest later"],
        ["Due Date", "12/03/2017"],
    ]


def test_grounds_of_paragraphs_within_those_of_their_cells_tell_no_rows() -> None:
    outer = [*cells(0, 3), *cells(4, 36), *cells(37, 42)]
    inner = [(x0 + 3, y0, x1 - 3, y0 + LINE) for x0, y0, x1, _ in outer]
    edges = column_rules(typed(PAGE, tight=LINE), [*outer, *inner], [])
    assert [edge.position for edge in edges.horizontal] == [-2, 13, 43, 58, 88]


def test_the_grounds_of_a_header_meet_the_one_of_the_labels_below_it_and_end_no_table() -> None:
    header = [(36 * WIDTH + 1, -2.0, 42 * WIDTH, LINE - 2)]
    edges = column_rules(typed(PAGE, tight=LINE), [*cells(0, 36), *header], [])
    assert {edge.end for edge in edges.horizontal} == {42 * WIDTH}


def test_grounds_beside_all_lines_are_of_another_column_of_text() -> None:
    edges = column_rules(typed(PAGE, tight=LINE), [*cells(50, 60, ((0, 1), (2, 2), (3, 4))), *cells(0, 3)], [])
    assert [edge.position for edge in edges.horizontal] == [-2, 13, 43, 58, 88]

"""Rows and columns that fills show: stripes behind every other row, grounds of rows, and of cells one by one."""

from pincite.formats.pdf.page.rectangles import Rectangle
from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.bands import bands_of_tables
from pincite.formats.pdf.tables.fills import column_rules, ground_rules, stripe_rules
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import HIGH, LEFT, TOP, WIDE, filled, tables
from support.typed_pages import WIDTH, grid, typed

LINE = 12


PAGE = """
Term            Kind        Meaning of the term
a long          text        what it is for and
name            list        where it is
another one     text        a second line of it
that wraps      or          and a third one
the last        list        what remains here
"""


def band(first: int, last: int, x1: int = 250) -> tuple[float, float, float, float]:
    """A stripe behind lines of a page."""
    return 0.0, LINE * first - 1.0, float(x1), LINE * (last + 1) - 1.0


def test_stripes_part_rows_that_wrap() -> None:
    (found,) = choose_tables(typed(PAGE), Rules(shades=[band(1, 2), band(5, 5)]))
    assert grid(found) == [
        ["Term", "Kind", "Meaning of the term"],
        ["a long name", "text list", "what it is for and where it is"],
        ["another one that wraps", "text or", "a second line of it and a third one"],
        ["the last", "list", "what remains here"],
    ]


def test_a_last_row_without_a_stripe_belongs_to_the_table() -> None:
    page = PAGE + "one more        text        that has no stripe\n\n\nText below the table runs on.\n"
    (found,) = choose_tables(typed(page), Rules(shades=[band(1, 2), band(5, 5)]))
    assert grid(found)[-1] == ["one more", "text", "that has no stripe"]


def test_a_last_row_whose_lines_are_as_far_apart_as_those_of_stripes_is_whole() -> None:
    lines = typed(
        PAGE + "one more        text        that has no stripe\nto tell         list        its lines\n", tight=16
    )
    stripes = [(0.0, 16.0 * first - 3, 250.0, 16.0 * (last + 1) - 3) for first, last in ((1, 2), (5, 5))]
    (found,) = choose_tables(lines, Rules(shades=stripes))
    assert grid(found)[-1] == ["one more to tell", "text list", "that has no stripe its lines"]


def test_a_header_of_one_cell_is_none_and_one_stripe_makes_no_table() -> None:
    lines = typed(PAGE.replace("Term            Kind        Meaning of the term", "A title"))
    assert [rule.position for rule in stripe_rules(lines, [band(1, 2), band(5, 5)])] == [11, 35, 59, 71]
    assert stripe_rules(lines, [band(1, 2)]) == []


def test_bands_without_text_between_them_or_far_apart_make_no_table() -> None:
    assert stripe_rules(typed(PAGE), [band(1, 2), band(3, 3)]) == []
    assert stripe_rules(typed(PAGE + "\n" * 9 + PAGE), [band(1, 1), band(16, 16)]) == []


def test_a_heading_between_stripes_parts_two_tables_and_is_no_header() -> None:
    page = f"{PAGE}\n\n1.2             Another heading\n{PAGE.removeprefix(chr(10))}"
    lines = typed(page, sizes={8: 14.0})
    first, second = choose_tables(lines, Rules(shades=[band(1, 2), band(5, 5), band(10, 11), band(14, 14)]))
    assert grid(first)[0] == grid(second)[0] == ["Term", "Kind", "Meaning of the term"]
    assert first.rows == second.rows == 4


def test_grounds_of_headings_in_larger_type_than_the_rows_between_them_are_no_stripes() -> None:
    page = """
01 Scope of the work
Term            Kind        Meaning of the term
a name          text        what it is for
02 Methods
"""
    lines = typed(page, sizes={0: 13.0, 3: 13.0})
    assert stripe_rules(lines, [band(0, 0), band(3, 3)]) == []


def test_shaded_cells_of_one_row_are_one_stripe() -> None:
    texts = (("Name", "Meaning"), ("alpha", "the first"), ("beta", "the second"), ("gamma", "the third"))
    bands = "0.9 g\n" + "".join(
        f"{LEFT + WIDE * column} {TOP - HIGH * (row + 1)} {WIDE} {HIGH} re f\n" for row in (1, 3) for column in (0, 1)
    )
    (found,) = tables(drawn_pdf(f"{bands}0 g\n{filled(*texts)}"))
    assert [cell.text for cell in found.table.cells] == [text for row in texts for text in row]


def test_shaded_cells_that_meet_part_columns() -> None:
    page = """
Part           Of     Use
A thin screw Tin it   wood
and a nut    too
A long screw Tin      no wood
A third one  Iron     stone
and a nut
"""

    def cells(first: int, last: int) -> list[tuple[float, float, float, float]]:
        _, top, _, bottom = band(first, last)
        return [(x0, top, x1, bottom) for x0, x1 in ((0.0, 62.0), (62.0, 110.0), (110.0, 160.0))]

    shades = [shade for rows in ((1, 2), (4, 5)) for shade in cells(*rows)]
    (found,) = choose_tables(typed(page), Rules(shades=shades))
    assert grid(found)[1:3] == [["A thin screw and a nut", "Tin it too", "wood"], ["A long screw", "Tin", "no wood"]]


PRICES = """
Pos  Description         Qty     Price
1    An environment       38    139.50
     and its departments
2    A board              21     49.91
3    The customers         9    924.10
     and what they need
4    A payment             1      7.92
"""


def test_stripes_join_a_line_in_small_letters_to_the_values_above_it() -> None:
    shades = [band(1, 2), band(4, 5)]
    (found,) = choose_tables(typed(PRICES), Rules(shades=shades))
    assert grid(found) == [
        ["Pos", "Description", "Qty", "Price"],
        ["1", "An environment and its departments", "38", "139.50"],
        ["2", "A board", "21", "49.91"],
        ["3", "The customers and what they need", "9", "924.10"],
        ["4", "A payment", "1", "7.92"],
    ]
    # A line with a capital below a label is a title of the rows below it.
    (found,) = choose_tables(typed(PRICES.replace("     and what they need", "Other customers")), Rules(shades=shades))
    assert grid(found)[4] == ["Other customers", "", "", ""]


def test_the_first_column_may_be_beside_the_stripes_if_a_rule_below_the_header_is_above_it() -> None:
    shades = [(80.0, y0, 250.0, y1) for _, y0, _, y1 in (band(1, 2), band(5, 5))]
    header = Rule(LINE - 1.0, 0, 250)
    found = stripe_rules(typed(PAGE), shades, [Rule(70, 0, 60), header])
    assert {(rule.start, rule.end) for rule in found} == {(0, 250)}
    assert [rule.joints for rule in found if rule.joints] == [(80.0,)] * 4
    assert {rule.start for rule in stripe_rules(typed(PAGE), shades)} == {80.0}


def test_a_bold_title_in_larger_type_above_a_bold_header_is_no_phrase_over_its_names() -> None:
    page = "\n                    About all terms\n" + PAGE.removeprefix("\n")
    rules = [Rule(LINE * number - 1.0, 0, 250) for number in (1, 2, 4, 7)]

    def first_band(size: float) -> str:
        lines = typed(page, bold=(0, 1), sizes={0: size})
        return next(bands_of_tables(lines, rules))[0].lines[0].text

    assert first_band(10) == "About all terms"
    assert first_band(12) == "Term Kind Meaning of the term"


def test_a_striped_table_does_not_go_on_around_its_stripes() -> None:
    page = """
Currency:       EUR
Delivery:       2018-05-21

Seller
Number:         549910
Global number:  1234567890128
Name:           Sample Insurance
Address:        Sample Street 12

Buyer
Name:           Max
Address:        Main Street
                12346 Town
"""
    rules = [Rule(LINE * line - 2.0, 0, 250) for line in (0, 3, 9, 13)]
    lines = typed(page)
    (found,) = find_partly_ruled(lines, Rules(stripe_rules(lines, [band(5, 5), band(7, 7)], rules)), by_rows=True)
    assert [row[0] for row in grid(found)] == ["Number:", "Global number:", "Name:", "Address:"]


GROUNDS_PAGE = """
Term            Kind        Meaning of the term
A long          text        what it is for and
name                        where it is
Another one     list        a second line of it
                            and a third one
The last        list        what remains here
"""


BELOW = [Rule(LINE * line - 1, 0, 250) for line in (3, 5, 6)]


def ground(line: int, x0: float = 0, x1: float = 250) -> tuple[float, float, float, float]:
    """A ground behind a line."""
    return x0, LINE * line - 1.0, x1, LINE * (line + 1) - 1.0


def test_a_band_as_wide_as_the_rules_below_it_is_behind_the_header() -> None:
    (table,) = choose_tables(typed(GROUNDS_PAGE), Rules(BELOW, shades=[ground(0)]))
    assert table.header_rows == 1
    assert grid(table) == [
        ["Term", "Kind", "Meaning of the term"],
        ["A long name", "text", "what it is for and where it is"],
        ["Another one", "list", "a second line of it and a third one"],
        ["The last", "list", "what remains here"],
    ]
    assert not ground_rules(typed(GROUNDS_PAGE), [ground(0, x1=300)], BELOW)


def test_shaded_cells_side_by_side_are_a_header_without_any_rule() -> None:
    cells = [ground(0, 0, 75), ground(0, 75, 135), ground(0, 135, 250)]
    assert ground_rules(typed(GROUNDS_PAGE), cells, []) == [Rule(LINE - 1, 0, 250, (75, 135))]
    assert not ground_rules(typed(GROUNDS_PAGE), [ground(0)], [])


def test_stripes_and_bands_without_text_are_no_headers() -> None:
    assert not ground_rules(typed(GROUNDS_PAGE), [ground(0), ground(2)], BELOW)
    assert not ground_rules(typed(GROUNDS_PAGE), [ground(-3)], BELOW)
    assert not ground_rules(typed(GROUNDS_PAGE), [], BELOW)


COLUMN_GROUNDS_LINE = 15.0


COLUMN_GROUNDS_PAGE = """
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
    return [
        (first * WIDTH - 1, COLUMN_GROUNDS_LINE * a - 2, end * WIDTH + 1, COLUMN_GROUNDS_LINE * (b + 1) - 2)
        for a, b in rows
    ]


def test_grounds_of_one_column_part_the_rows_of_all_although_lines_are_as_far_apart_as_these() -> None:
    (found,) = choose_tables(
        typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE), Rules([Rule(13, 0, 215)], shades=cells(4, 36))
    )
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
    lines = typed(page, tight=COLUMN_GROUNDS_LINE)
    edges = column_rules(lines, cells(10, 12, ((0, 0), (1, 1), (2, 2), (3, 3))), [])
    (found,) = find_partly_ruled(lines, edges, by_rows=True)
    assert grid(found)[3] == ["A third of", "7", "5"]


def test_edges_are_as_wide_as_the_lines_or_the_rules_of_the_table() -> None:
    lines, rule = typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE), Rule(-2, -5, 215)
    edges = column_rules(lines, cells(4, 36), [rule])
    assert [edge.position for edge in edges.horizontal] == [-2, 13, 43, 58, 88]
    assert {(edge.start, edge.end) for edge in edges.horizontal} == {(-5, 215)}
    assert [edge.position for edge in edges.vertical] == [19, 181]


def test_two_grounds_tell_rows_above_a_rule_of_the_table_alone() -> None:
    lines, two = typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE), cells(4, 36, ROWS[:2])
    assert not column_rules(lines, two, []).horizontal
    assert not column_rules(lines, two, [Rule(13, 0, 215)]).horizontal
    assert len(column_rules(lines, two, [Rule(13, 0, 215), Rule(43, 0, 215)]).horizontal) == 3


def test_grounds_apart_from_each_other_or_with_no_text_beside_them_are_none_of_a_column() -> None:
    lines = typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE)
    assert not column_rules(lines, cells(4, 36, ((0, 0), (2, 2), (4, 4))), []).horizontal
    assert not column_rules(lines, cells(0, 42), []).horizontal


def test_two_shaded_columns_have_the_same_rows() -> None:
    edges = column_rules(typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE), [*cells(0, 2), *cells(37, 42)], [])
    assert len(edges.horizontal) == len(ROWS) + 1
    assert len(edges.vertical) == 2


def test_a_form_has_rows_without_a_header_which_end_before_the_ground_of_a_text_beside_it() -> None:
    page = """
Invoice Date    11/03/2017             Sales contact
Payment Terms   30% in advance,        Tony Dubois
                the rest later         +33 4 72 07 08
Due Date        12/03/2017             tony@mail.fr
"""
    contact = (38 * WIDTH, -2.0, 53 * WIDTH, COLUMN_GROUNDS_LINE - 2)
    shades = [*cells(0, 14, ((0, 0), (1, 2), (3, 3))), contact]
    (found,) = choose_tables(typed(page, tight=COLUMN_GROUNDS_LINE), Rules(shades=shades))
    assert found.header_rows == 0
    assert grid(found) == [
        ["Invoice Date", "11/03/2017"],
        ["Payment Terms", "30% in advance, the rest later"],
        ["Due Date", "12/03/2017"],
    ]


def test_grounds_of_paragraphs_within_those_of_their_cells_tell_no_rows() -> None:
    outer = [*cells(0, 3), *cells(4, 36), *cells(37, 42)]
    inner = [(x0 + 3, y0, x1 - 3, y0 + COLUMN_GROUNDS_LINE) for x0, y0, x1, _ in outer]
    edges = column_rules(typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE), [*outer, *inner], [])
    assert [edge.position for edge in edges.horizontal] == [-2, 13, 43, 58, 88]


def test_the_grounds_of_a_header_meet_the_one_of_the_labels_below_it_and_end_no_table() -> None:
    header = [(36 * WIDTH + 1, -2.0, 42 * WIDTH, COLUMN_GROUNDS_LINE - 2)]
    edges = column_rules(typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE), [*cells(0, 36), *header], [])
    assert {edge.end for edge in edges.horizontal} == {42 * WIDTH}


def test_grounds_beside_all_lines_are_of_another_column_of_text() -> None:
    edges = column_rules(
        typed(COLUMN_GROUNDS_PAGE, tight=COLUMN_GROUNDS_LINE),
        [*cells(50, 60, ((0, 1), (2, 2), (3, 4))), *cells(0, 3)],
        [],
    )
    assert [edge.position for edge in edges.horizontal] == [-2, 13, 43, 58, 88]

"""Rows that fills show: stripes behind every other row."""

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.bands import bands_of_tables
from pincite.formats.pdf.tables.fills import stripe_rules
from pincite.formats.pdf.tables.find import choose_tables
from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import HIGH, LEFT, TOP, WIDE, filled, partly_ruled, tables
from support.typed_pages import grid, typed

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
    (found,) = partly_ruled(lines, Rules(stripe_rules(lines, [band(5, 5), band(7, 7)], rules)), by_rows=True)
    assert [row[0] for row in grid(found)] == ["Number:", "Global number:", "Name:", "Address:"]

"""Tables with some rules: the white between them tells the rest."""

from dataclasses import replace

import pytest

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import line_of
from pincite.formats.pdf.tables.bands import bands_of_tables
from pincite.formats.pdf.tables.find import choose_tables
from pincite.formats.pdf.tables.partly_ruled import shade_rules, stripe_rules
from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import HIGH, LEFT, TOP, WIDE, filled, partly_ruled, tables
from support.typed_pages import grid, typed

LINE = 12
WIDTH = 5
PAGE = """
Term            Kind        Meaning of the term
a long          text        what it is for and
name            list        where it is
another one     text        a second line of it
that wraps      or          and a third one
the last        list        what remains here
"""


def below(*lines: int, x0: int = 0, x1: int = 48) -> list[Rule]:
    """Rules below lines of a page (from 0; -1 is above the first), from one character to another."""
    return [Rule(LINE * (line + 1) - 1, x0 * WIDTH, x1 * WIDTH) for line in lines]


def found(page: str, rules: Rules) -> list[list[list[str]]]:
    return [grid(table) for table in partly_ruled(typed(page), rules)]


BOOKTABS = """
Item   Description                      Level
1.1    Verify that all of the words     2
       are in one cell
1.2    Verify another thing             3
1.3    Verify that cells that wrap      1
       over more than one line are
       one cell
"""


AGENDA = """
Day     Hours        Topic
Monday  13:00-14:30  Scope of the work
        9:00-10:30   Other questions
Friday  8:15         Some longer topic
                     that wraps
        12:00        The end of it
"""


def test_a_time_below_a_time_begins_a_row_although_its_first_column_is_empty() -> None:
    assert found(AGENDA, Rules(below(-1, 0, 5))) == [
        [
            ["Day", "Hours", "Topic"],
            ["Monday", "13:00-14:30", "Scope of the work"],
            ["", "9:00-10:30", "Other questions"],
            ["Friday", "8:15", "Some longer topic that wraps"],
            ["", "12:00", "The end of it"],
        ]
    ]


def test_a_time_below_a_date_is_the_rest_of_it() -> None:
    page = """
Style   Norm         Example
ISO     ISO 8601     1997-12-17
                     07:37:16-08
SQL     traditional  12/17/1997
                     07:37:16 PST
"""
    assert found(page, Rules(below(-1, 0, 4))) == [
        [
            ["Style", "Norm", "Example"],
            ["ISO", "ISO 8601", "1997-12-17 07:37:16-08"],
            ["SQL", "traditional", "12/17/1997 07:37:16 PST"],
        ]
    ]


def test_three_rules_make_a_table_of_texts_that_wrap() -> None:
    assert found(BOOKTABS, Rules(below(-1, 0, 6))) == [
        [
            ["Item", "Description", "Level"],
            ["1.1", "Verify that all of the words are in one cell", "2"],
            ["1.2", "Verify another thing", "3"],
            ["1.3", "Verify that cells that wrap over more than one line are one cell", "1"],
        ]
    ]


def test_wrapped_lines_far_apart_are_of_one_row_if_rows_are_further_apart() -> None:
    page = BOOKTABS.replace("\n", "\n\n").replace("1.2 ", "\n1.2 ").replace("1.3 ", "\n1.3 ").lstrip("\n")
    (table,) = found(page, Rules(below(-1, 0, 14)))
    assert [row[0] for row in table] == ["Item", "1.1", "1.2", "1.3"]


def test_a_rule_below_the_header_is_enough() -> None:
    page = f"{BOOKTABS.rstrip()}\n\n\nThe text below it runs across all of its columns again.\n"
    (table,) = found(page, Rules(below(0)))
    assert table[-1][0] == "1.3" and len(table) == 4


def test_rules_between_rows_part_rows_that_wrap_in_every_column() -> None:
    page = """
Term              Meaning          Use
a long term       something        here
that wraps        that wraps
another one       plain            there
a third term      also plain       here
that wraps
"""
    (table,) = found(page, Rules(below(-1, 0, 2, 3, 5)))
    assert table == [
        ["Term", "Meaning", "Use"],
        ["a long term that wraps", "something that wraps", "here"],
        ["another one", "plain", "there"],
        ["a third term that wraps", "also plain", "here"],
    ]


def test_a_header_may_span_columns() -> None:
    page = """
               Year ended
Label        one       two
Some text    much      more
Other text   little    less
"""
    (draft,) = (table for table in partly_ruled(typed(page), Rules(below(-1, 1, 3))))
    spans = [(cell.row, cell.column, cell.column_span) for cell in draft.cells if cell.row < draft.header_rows]
    assert spans == [(0, 1, 2), (1, 0, 1), (1, 1, 1), (1, 2, 1)]


def test_rules_between_columns_are_enough() -> None:
    page = """
Name      Meaning     Use
first     one thing   here
second    another     there
third     a third     here
"""
    walls = [Rule(x * WIDTH, 0, 4 * LINE) for x in (8.5, 20.5)]
    (table,) = found(page, Rules([], walls))
    assert table[1:] == [["first", "one thing", "here"], ["second", "another", "there"], ["third", "a third", "here"]]


def test_rules_at_all_columns_part_them_where_white_within_wrapped_cells_runs_down() -> None:
    page = """
Label             2024    2023

Function   main-    10      20
tenance

Important  equip-   30      40
ment

Standard   policy   50      60
"""
    walls = [Rule(x * WIDTH, 0, 9 * LINE) for x in (0, 17.5, 23.5, 31)]
    (table,) = found(page, Rules([], walls))
    assert table[0] == ["Label", "2024", "2023"]
    assert [row[1:] for row in table[1:]] == [["10", "20"], ["30", "40"], ["50", "60"]]


def test_white_down_the_lines_parts_columns_that_no_rule_does() -> None:
    page = """
Name          Use         Count
first one     wood        2025
second thing  stone       7
third         iron        12
"""
    walls = [Rule(x * WIDTH, 0, 4 * LINE) for x in (25, 31.5)]
    (table,) = found(page, Rules([], walls))
    assert table[1:] == [["first one", "wood", "2025"], ["second thing", "stone", "7"], ["third", "iron", "12"]]


def test_values_close_to_their_labels_are_parted_by_rules_between_all_columns() -> None:
    page = """
No Club       Won Lost Points
 1 United all  27   31     16
 2 Rovers all   5   17     38
 3 Athletic a  27   25     15
 4 Town of it   8   32      7
"""
    walls = [Rule(x * WIDTH - 1, -1, 5 * LINE - 1) for x in (0, 2.7, 14, 18, 22.5, 29.5)]
    (table,) = choose_tables(typed(page), Rules(below(-1, 0, 4, x1=29), walls))
    assert [row[:3] for row in grid(table)[1:3]] == [["1", "United all", "27"], ["2", "Rovers all", "5"]]


def test_bars_of_a_chart_are_no_table() -> None:
    page = """
400           high
300           low
200           none
"""
    bars = [Rule(x * WIDTH, 0, 3 * LINE) for x in (5, 6, 7, 8, 9, 10)]
    assert found(page, Rules([], bars)) == []


def test_running_text_between_rules_is_no_table() -> None:
    page = """
This is a line of running text, and the one below
it is one, too; a rule above and one below it  do
not make a table of what is said between the rules
"""
    assert found(page, Rules(below(-1, 2, x1=50))) == []


def test_a_heading_between_two_tables_parts_them() -> None:
    page = """
Name      Meaning         Use
first     one thing       here
second    another         there
A Heading
Name      Meaning         Use
third     a third         here
fourth    a fourth        there
"""
    rules = Rules(below(-1, 0, 2, 3, 4, 6, x1=35))
    tables = [grid(table) for table in partly_ruled(typed(page, sizes={3: 14}), rules)]
    assert [table[1][0] for table in tables] == ["first", "third"]


def test_a_title_of_some_rows_is_a_row() -> None:
    page = """
Name      Meaning         Use
first     one thing       here
A group
second    another         there
third     a third         here
"""
    (table,) = found(page, Rules(below(-1, 0, 1, 2, 3, 4, x1=35)))
    assert [row[0] for row in table] == ["Name", "first", "A group", "second", "third"]


def test_a_title_of_rows_right_below_a_header_without_a_rule_above_it_is_a_row() -> None:
    page = """
Part          Size
FIXED PARTS
A bolt        M8
A screw       M10
"""
    rules = Rules([Rule(y, 0, 120) for y in (11, 23, 35, 47)])
    (table,) = partly_ruled(typed(page, bold=[0]), rules)
    assert grid(table) == [["Part", "Size"], ["FIXED PARTS", ""], ["A bolt", "M8"], ["A screw", "M10"]]


def test_signs_have_no_column_of_their_own() -> None:
    page = """
At the end of        amount     share
one year           $ 544        12 %
another            $ 551        13 %
the third          $ 551        14 %
"""
    (table,) = found(page, Rules(below(-1, 0, 3)))
    assert table[1] == ["one year", "$ 544", "12 %"]


def test_values_are_parted_by_the_values_where_rules_part_less() -> None:
    page = """
Label            2022      2021
One              1,234     2,345
Two              1,000     2,000
Three            1,500     2,500
"""
    (draft,) = choose_tables(typed(page), Rules(below(0, 3)))
    assert grid(draft)[1:] == [["One", "1,234", "2,345"], ["Two", "1,000", "2,000"], ["Three", "1,500", "2,500"]]


def test_text_above_a_narrow_table_with_a_rule_below_its_header_may_be_wider() -> None:
    page = """
The text above the table runs on to the right of it, as text does.
Term         Meaning
a word       what it is for
another      where it is
"""
    assert found(page, Rules(below(1, x1=30))) == [
        [["Term", "Meaning"], ["a word", "what it is for"], ["another", "where it is"]]
    ]


def test_rows_of_cells_that_all_wrap_are_told_by_small_letters_and_distance() -> None:
    page = """
Term              Meaning          Use
Law-abiding       Public           Recognised
evaluation        statement        rarely

Statement         Effective        Delivery
balance           employee         date

Market            Condition        Customer
liability         programme        code
"""
    (table,) = found(page, Rules(below(0)))
    assert table[1:] == [
        ["Law-abiding evaluation", "Public statement", "Recognised rarely"],
        ["Statement balance", "Effective employee", "Delivery date"],
        ["Market liability", "Condition programme", "Customer code"],
    ]


def test_groups_of_rows_stay_rows() -> None:
    page = """
Term              Meaning          Use
Evaluation        Statement        Rarely
Balance           Employee         Date

Market            Condition        Customer
Liability         Programme        Code
"""
    (table,) = found(page, Rules(below(0)))
    assert len(table) == 5


def test_a_single_row_below_the_names_of_three_columns_is_a_table() -> None:
    page = """
Item   Description                      Level
1.1    Verify that all of the words     2
       are in one cell
"""
    assert found(page, Rules(below(-1, 0, 2)))[0][1:] == [["1.1", "Verify that all of the words are in one cell", "2"]]


def test_a_title_of_rows_may_wrap_in_its_column() -> None:
    page = """
Term              Meaning          Use
a long term       something        here
native
histograms
another one       plain            there
"""
    (table,) = found(page, Rules(below(-1, 0, 1, 3, 4)))
    assert table[2][0] == "native histograms" and len(table) == 4


def test_a_bold_header_above_the_first_rule_is_of_the_table() -> None:
    page = """
Term              Meaning          Use
a long term       something        here
another one       plain            there
a third term      also plain       here
"""
    (table,) = partly_ruled(typed(page, bold=[0]), Rules(below(0, 1, 2, 3)))
    assert table.header_rows == 1
    assert grid(table)[0] == ["Term", "Meaning", "Use"]


SPANNED = """
                  Year ended December 31
                  2024     2023     2022
Some values         12       34       56
Other values        78       90       12
Third values        34       56       78
"""


@pytest.mark.parametrize("first", [-1, 0])
def test_a_header_that_spans_columns_may_have_a_rule_between_it_and_their_names(first: int) -> None:
    # Rules above and below each row, or below each row alone.
    (table,) = partly_ruled(typed(SPANNED, bold=[0, 1]), Rules(below(*range(first, 5))))
    spans = [(cell.row, cell.column, cell.column_span) for cell in table.cells if cell.row < 2]
    assert spans == [(0, 1, 3), (1, 1, 1), (1, 2, 1), (1, 3, 1)] and table.header_rows == 2


def test_a_title_between_rules_that_is_no_header_of_columns_is_none() -> None:
    plain, left = typed(SPANNED, bold=[1]), typed(SPANNED.replace(" " * 18 + "Year", "Year", 1), bold=[0, 1])
    for lines in (plain, left):
        assert [table.rows for table in partly_ruled(lines, Rules(below(*range(-1, 5))))] == [4]


def test_a_row_without_a_label_goes_on_in_the_texts_that_it_has() -> None:
    page = """
Day     Hours        Topic            Place
Monday  13:00-14:30  Scope            Room
                                      40
        9:00-10:30   Other questions  Room
                                      16
"""
    (table,) = found(page, Rules(below(-1, 0, 4)))
    assert table[1:] == [
        ["Monday", "13:00-14:30", "Scope", "Room 40"],
        ["", "9:00-10:30", "Other questions", "Room 16"],
    ]


def test_a_line_in_larger_type_between_rules_is_the_title_of_the_table() -> None:
    page = """
Invoice 471102           of 5 March
Currency                 EUR
Date of delivery         3 March
Order                    B123456789
"""
    (table,) = partly_ruled(typed(page, sizes={0: 14}), Rules(below(-1, 0, 1, 2, 3)))
    assert table.header_rows == 0
    assert grid(table)[0] == ["Currency", "EUR"]


def test_lines_in_small_letters_go_on_where_no_white_parts_rows() -> None:
    page = """
Answer           2022    2023
Provision        Much    Little
information
Responsibility   Some    None
of business
Objective        Few     Most
"""
    walls = [Rule(x * WIDTH, 0, 6 * LINE) for x in (15.5, 23.5)]
    (table,) = found(page, Rules([], walls))
    assert [row[0] for row in table[1:]] == ["Provision information", "Responsibility of business", "Objective"]


def test_lines_are_as_far_apart_as_their_own_type_has_them_below_a_header_in_smaller_type() -> None:
    page = """
Item   Description               Level

1.1    verify that a thing        2
       is there

1.2    verify that another        3
       is not there
"""
    lines = typed(page, sizes={0: 7.0}, tight=13.5)
    walls = [Rule(x * WIDTH, 0, 7 * 13.5) for x in (5, 31)]
    (table,) = partly_ruled(lines, Rules([], walls))
    assert grid(table)[1:] == [
        ["1.1", "verify that a thing is there", "2"],
        ["1.2", "verify that another is not there", "3"],
    ]


def test_names_close_together_are_each_over_its_column() -> None:
    page = """
Item   Description               L1 L2 L3
1.1    Verify one thing           x     x
1.2    Verify another thing          x  x
1.3    Verify a third thing       x  x
"""
    # White of 0.6 em is more than a space, and less than columns have.
    lines = [
        line_of([replace(word, x0=word.x0 - 4, x1=word.x1 - 4) if word.text == "L1" else word for word in line.words])
        for line in typed(page.replace("L1 L2 L3", "L1 L2  L3"))
    ]
    (table,) = partly_ruled(lines, Rules(below(-1, 0, 3)))
    assert grid(table)[0] == ["Item", "Description", "L1", "L2", "L3"]


LIMITS = """
                                 Value
Parameter   Conditions      Min   Typ   Max   Unit
Supply      all                   1.8   2.7   V
Current     none            1.2   2.4   3.6   mA
"""


def test_a_phrase_in_plain_type_spans_the_names_that_it_is_in_the_middle_of_but_is_in_line_with_none() -> None:
    first, *rest = typed(LIMITS)
    moved = line_of([replace(word, x0=word.x0 - 2, x1=word.x1 - 2) for word in first.words])
    (table,) = partly_ruled([moved, *rest], Rules(below(-1, 1, 3)))
    assert grid(table)[0] == ["", "", "Value", "Value", "Value", ""]
    # In the middle of the name below it, it is the first line of that.
    (table,) = partly_ruled([first, *rest], Rules(below(-1, 1, 3)))
    assert grid(table)[0][3] == "Value Typ"


TWO_YEARS = """
                     2018               2023
Region   Branch  Number  Share    Number   Share
North    Sales      12    34         56     78
South    Rents      90    12         34     56
"""


def test_phrases_each_span_the_names_that_they_are_in_the_middle_of() -> None:
    (table,) = partly_ruled(typed(TWO_YEARS), Rules(below(-1, 1, 3)))
    assert [(cell.column, cell.column_span) for cell in table.cells if cell.row == 0] == [(2, 2), (4, 2)]
    assert grid(table)[1] == ["Region", "Branch", "Number", "Share", "Number", "Share"]


def test_lines_in_small_letters_go_on_where_some_rows_lack_a_value() -> None:
    page = """
Parameter    Conditions    Min  Max
Payment      Long-term     6.2
important    maintenance
Investment   Process            3.9
Non-current  Principle     7.2
period       amount
"""
    walls = [Rule(x * WIDTH, 0, 6 * LINE) for x in (12.5, 26.5, 31.5)]
    (table,) = found(page, Rules([], walls))
    assert [row[0] for row in table[1:]] == ["Payment important", "Investment", "Non-current period"]


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
        PAGE + "one more        text        that has no stripe\nto tell                     its lines\n", tight=16
    )
    stripes = [(0.0, 16.0 * first - 3, 250.0, 16.0 * (last + 1) - 3) for first, last in ((1, 2), (5, 5))]
    (found,) = choose_tables(lines, Rules(shades=stripes))
    assert grid(found)[-1] == ["one more to tell", "text", "that has no stripe its lines"]


def test_a_header_of_one_cell_is_none_and_one_stripe_makes_no_table() -> None:
    lines = typed(PAGE.replace("Term            Kind        Meaning of the term", "A title"))
    assert [rule.position for rule in stripe_rules(lines, [band(1, 2), band(5, 5)])] == [11, 35, 59, 71]
    assert stripe_rules(lines, [band(1, 2)]) == []


def test_bands_without_text_between_them_or_far_apart_make_no_table() -> None:
    assert stripe_rules(typed(PAGE), [band(1, 2), band(3, 3)]) == []
    assert stripe_rules(typed(PAGE + "\n" * 9 + PAGE), [band(1, 1), band(16, 16)]) == []


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


def test_a_shaded_header_ends_where_its_shade_does() -> None:
    page = """
Value         Description              Level
failure       Sign-in failed.          1
locked out    The user may not sign    2
              in before an hour.
success       Sign-in was successful.  3
"""
    rules = [Rule(LINE * line - 1.0, 0, 250) for line in (2, 4, 5)]
    (table,) = choose_tables(typed(page), Rules([*rules], shades=[band(0, 0)]))
    assert (table.header_rows, grid(table)[:2]) == (
        1,
        [["Value", "Description", "Level"], ["failure", "Sign-in failed.", "1"]],
    )


def test_a_shade_with_one_text_or_of_another_width_is_no_header() -> None:
    rules = below(3, 5, x1=50)
    assert shade_rules(typed("Title\n" + PAGE), [band(0, 0)], rules) == []
    assert shade_rules(typed(PAGE), [band(0, 0, 120)], rules) == []
    assert shade_rules(typed(PAGE), [band(0, 0)], []) == []
    assert [rule.position for rule in shade_rules(typed(PAGE), [band(0, 0)], rules)] == [-1, 11]

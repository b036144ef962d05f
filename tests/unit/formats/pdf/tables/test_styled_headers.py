"""Tables whose header is told by its style alone."""

from dataclasses import replace

from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.tables.partly_ruled import find_partly_ruled
from support.typed_pages import grid, typed

BOLD = """
Term         Meaning           Use
a word       what it is for    here
another      where it is       there
the last     what remains      nowhere

The text below the table runs across all of its columns again.
"""


def test_a_bold_or_italic_header_is_enough_above_rows_at_its_edges() -> None:
    (table,) = find_partly_ruled(typed(BOLD, bold=[0]), Rules())
    assert grid(table) == [
        ["Term", "Meaning", "Use"],
        ["a word", "what it is for", "here"],
        ["another", "where it is", "there"],
        ["the last", "what remains", "nowhere"],
    ]
    assert table.header_rows == 1
    first, *rows = typed(BOLD)
    italic = replace(first, words=tuple(replace(word, italic=True) for word in first.words))
    assert [grid(found) for found in find_partly_ruled([italic, *rows], Rules())] == [grid(table)]
    assert not find_partly_ruled(typed(BOLD), Rules())


def test_bold_headings_side_by_side_above_columns_of_text_are_no_header() -> None:
    page = """
The first heading            The second heading
words of one column run      words of the other do so
down the page beside it      next to them, line by
until the page is at its     line, until the page is
end, as they always do       full and the next one
"""
    assert not find_partly_ruled(typed(page, bold=[0]), Rules())


def test_a_bold_line_above_rows_at_other_edges_is_no_header() -> None:
    assert not find_partly_ruled(typed(BOLD.replace("a word  ", "a word    a"), bold=[0]), Rules())


def test_a_bold_header_of_two_lines_is_one_where_cells_wrap_over_many() -> None:
    page = """
Item   Description                 NIST
                                   §
1.1    Verify that all of the      5.1
       words of this cell, which
       wraps over four of the
       lines, are in one cell
1.2    Verify another thing        5.2
"""
    (table,) = find_partly_ruled(typed(page, bold=(0, 1)), Rules())
    cell = "Verify that all of the words of this cell, which wraps over four of the lines, are in one cell"
    assert grid(table) == [
        ["Item", "Description", "NIST §"],
        ["1.1", cell, "5.1"],
        ["1.2", "Verify another thing", "5.2"],
    ]


def test_bold_values_above_their_names_are_no_header() -> None:
    """As on the cover of a filing."""
    page = """
Delaware          23-2259884
(State of         (Employer
founding)         number)
1095 Avenue       10036
(Address)         (Zip code)
"""
    assert not find_partly_ruled(typed(page, bold=[0, 3]), Rules())


def test_a_header_whose_names_are_underlined_is_one() -> None:
    names = [Rule(10.5, x0 * 5, x1 * 5) for x0, x1 in ((0, 4), (13, 20), (31, 34))]
    # Many printers leave out the tails of letters.
    pieces = [Rule(rule.position, start, start + 5) for rule in names for start in (rule.start, rule.end - 5)]
    pieces.append(Rule(10.5, 14 * 5, 16 * 5))
    for rules in (names, pieces):
        (table,) = find_partly_ruled(typed(BOLD), Rules(rules))
        assert table.header_rows == 1
        assert grid(table)[:2] == [["Term", "Meaning", "Use"], ["a word", "what it is for", "here"]]
    assert not find_partly_ruled(typed(BOLD), Rules(names[:2]))


def test_texts_beside_a_short_label_are_cells_however_long_they_are() -> None:
    page = """
Term    Meaning of the word         Use in a text
first   words of one cell run on    words of the other do so
        down the page beside it     next to them, line by line
second  a plain one of its own      as it is known
"""
    (table,) = find_partly_ruled(typed(page, bold=[0]), Rules())
    assert [row[0] for row in grid(table)] == ["Term", "first", "second"]


def test_words_that_begin_below_a_name_are_in_its_column_however_close_they_are_to_the_one_before() -> None:
    page = """
Bits   Name   Access   Reset  Meaning
31:28  MINIMU RW       0x39   some words of text
27:24  OBJECT R        0x4E   others that go on in
                              another line
23:20  SYSTEM W        0x47   the last of them
"""
    (table,) = find_partly_ruled(typed(page, bold=[0]), Rules())
    assert grid(table)[1:3] == [
        ["31:28", "MINIMU", "RW", "0x39", "some words of text"],
        ["27:24", "OBJECT", "R", "0x4E", "others that go on in another line"],
    ]

"""Rows of a group, whose label is that of the first one, without white between the lines of the table."""

from pincite.formats.pdf.tables.group_rows import group_row_starts
from support.typed_pages import columns_at

FAULTS = """
Pump does  Filter is      Clean the filter and
not start  blocked        fill the tank.
           Motor of pump  Replace it.
           is worn
           Fuse blew      Check all of the cables
                          and replace the fuse.
Pump is    Air in the     Open the valve until
loud       line           water runs out.
           Bearing of     Replace it.
           pump dry
           Feet are not   Tighten all the screws.
           level
"""


def test_a_line_whose_texts_begin_anew_below_white_is_a_row() -> None:
    assert group_row_starts(columns_at(FAULTS, 11, 26)) == {2, 4, 8, 10}


def test_lines_in_small_letters_and_texts_that_go_on_begin_no_row() -> None:
    page = FAULTS.replace("Motor of pump  Replace", "motor of pump  replace")
    assert 2 not in group_row_starts(columns_at(page, 11, 26))
    # A word that would have fitted behind the line above is another text; one that would not goes on in it.
    names = """
Code  Owner of    Department of
      the file    Transport and
                  Roads of
      Deputy of   Scotland
      the         Islands
"""
    assert group_row_starts(columns_at(names, 6, 18)) == set()


def test_short_lines_tell_rows_only_where_white_tells_others() -> None:
    address = """
Seller  ACME Ltd      Phone 12
        Main Street   Telefax 13
        London        Mail none at all
"""
    assert group_row_starts(columns_at(address, 8, 22)) == set()
    page = FAULTS + "           Hub hot        Change.\n           Oil is low     Refill.\n"
    assert {12, 13} <= group_row_starts(columns_at(page, 11, 26))


def test_lines_of_cells_that_are_not_aligned_at_their_tops_tell_no_rows() -> None:
    lines = columns_at(FAULTS, 11, 26, tight=6.0)
    assert group_row_starts(lines) == set()

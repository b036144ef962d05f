"""Rows of a table from its lines, by their distances, the middles of their cells, and labels that wrap."""

import pytest

from pincite.formats.pdf.page.words import Word
from pincite.formats.pdf.tables.line_rows import (
    MAX_LEADING_RATIO,
    centred_rows,
    is_text_wrapped,
    max_cell_step,
    wrapped_labels,
)
from support.typed_pages import columns_at, word

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


def limit(*steps: tuple[float, int]) -> float:
    """The greatest distance of lines of one cell, relative to the least distance; steps are with numbers of cells."""
    leading = min(step for step, _ in steps)
    return max_cell_step(steps, leading) / leading


def test_distances_that_are_either_those_of_lines_or_of_rows_tell_both_apart() -> None:
    """LaTeX sets rows by a seventh or a tenth further apart than lines, as `arraystretch` says."""
    assert 13.6 < 13.5 * limit((15.6, 6), (13.5, 1), (15.6, 6), (13.6, 1), (15.9, 6)) < 15.6


def test_where_rows_are_closer_than_lines_distances_tell_neither() -> None:
    assert limit((9.5, 3), (10.6, 1), (9.5, 3), (10.8, 1)) == pytest.approx(MAX_LEADING_RATIO)  # pyright: ignore[reportUnknownMemberType]


@pytest.mark.parametrize(
    "distances",
    [
        (12.0, 12.0, 12.0, 12.0),
        (12.0, 12.4, 12.8, 13.2, 13.6),  # as letters with accents or in another font make
        (12.0, 12.0, 12.0, 13.4),  # one line that is further away
    ],
)
def test_other_distances_are_those_of_lines_up_to_a_fifth_more_than_the_least(distances: tuple[float, ...]) -> None:
    steps = [(step, 1 if step == distances[0] else 3) for step in distances]
    assert limit(*steps) == pytest.approx(MAX_LEADING_RATIO)  # pyright: ignore[reportUnknownMemberType]


def test_where_rows_are_much_further_apart_other_distances_are_those_of_lines() -> None:
    """A tick in a font of its own makes its line higher."""
    assert 11.3 * limit((11.3, 1), (12.3, 1), (22.0, 4), (11.4, 1), (12.3, 1), (22.0, 4)) > 12.3


def lines(*columns: tuple[float, ...]) -> list[dict[int, list[Word]]]:
    """Lines of cells in columns, each given by the heights of its lines in units of a line."""
    heights = sorted({height for column in columns for height in column})
    return [
        {number: [word("text", number * 100, 12 * height)] for number, column in enumerate(columns) if height in column}
        for height in heights
    ]


def test_the_middle_of_a_label_tells_the_lines_of_its_row() -> None:
    label, text = (1, 4.5), (0, 1, 2, 3.5, 4.5, 5.5)
    assert centred_rows(lines(label, text)) == [3, 3]


def test_labels_between_two_lines_are_of_both() -> None:
    label, text = (0.5, 3), (0, 1, 2, 3, 4)
    assert centred_rows(lines(label, text)) == [3, 3]


def test_wrapped_labels_are_centred_on_their_values() -> None:
    label, value = (0, 1, 2, 3), (0.5, 2, 3)
    assert centred_rows(lines(label, value)) == [3, 1, 1]


def test_rows_that_are_set_from_the_top_are_not_centred() -> None:
    assert centred_rows(lines((0, 2), (0, 1, 2, 3))) == []
    assert centred_rows(lines((0, 2), (0, 1, 2))) == []
    assert centred_rows(lines((1,), (0, 1, 2, 3))) == []


def test_what_the_end_of_a_page_leaves_of_a_row_is_a_row() -> None:
    label, text = (3, 6, 8.5), (0, 1, 2.5, 3.5, 5, 6, 7, 8.5, 9.5)
    assert centred_rows(lines(label, text)) == [2, 3, 3, 2]
    # Without any whole row of several lines nothing shows that they are centred.
    assert centred_rows(lines((2,), (0, 1, 2, 3))) == []


def test_sums_without_a_label_are_rows_between_centred_ones() -> None:
    cells = lines((0.5, 3.5), (0, 1, 2, 3, 4))
    cells[3][2] = [word("1,200.00", 200, 12 * 2)]
    assert centred_rows(cells) == [3, 1, 3]


ROWS = """
Permitted       Memorized Secret
authenticator   or another one
types           of those here
Authentication  Recommended
Replay against  Required
resistance
Records         Required
Retention
Policy
Privacy         Required
"""


def cells(page: str) -> list[dict[int, list[Word]]]:
    """The words of each line by column, of two."""
    return columns_at(page, 16)


def test_lines_with_small_letters_that_had_no_place_above_go_on_in_a_label() -> None:
    assert {1, 2, 5} <= wrapped_labels(cells(ROWS))
    assert not {0, 3, 4, 6, 9} & wrapped_labels(cells(ROWS))


def test_words_with_capitals_go_on_only_alone_in_their_line() -> None:
    page = ROWS.replace("Records         Required\nRetention", "Long records    Required\nRetention")
    assert 7 in wrapped_labels(cells(page))
    assert 7 not in wrapped_labels(cells(page.replace("\nRetention\n", "\nRetention       Required\n")))


def test_labels_in_small_letters_that_would_fit_above_are_rows() -> None:
    page = "Sum and others  1\nof it           2\nTax             3\nof all          4\n"
    assert not wrapped_labels(cells(page))
    assert not wrapped_labels(cells("alpha\nbeta\ngamma\n"))


def test_a_label_between_two_rules_wraps_within_words_or_before_small_letters() -> None:
    assert is_text_wrapped(cells("Under-          text of it\nstanding        and more\nboard\n"))
    assert not is_text_wrapped(cells("Total           text of it\nBoard           and more\n"))
    assert not is_text_wrapped(cells("total           text of it\nboard           and more\n"))
    assert not is_text_wrapped(cells("Total           text of it\n"))


def test_a_text_in_each_line_between_two_rules_wraps_so_too() -> None:
    assert is_text_wrapped(cells("                A look-up secret authenti-\n                cator is stolen.\n"))
    assert is_text_wrapped(cells("Attacks         Each of them\nOf Users        goes on\n"))
    assert not is_text_wrapped(cells("Attacks         Each of them\nOf Users\nThefts          goes on\n"))
    assert not is_text_wrapped(cells("Attacks         each of them\nOf Users        goes on\n"))
